"""Folders with a plain Llama, read without the model classes of transformers: what is read, and what is left to it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM, AutoTokenizer, PreTrainedTokenizerBase

from guided.engines.local.folder_tokenizer import FolderTokenizer, read_tokenizer
from guided.engines.local.llama_folder import load_llama, load_plain_tokenizer
from guided.grammars.vocabulary import Vocabulary
from guided.llm import LLM

TEXT = 'Äpfel, 3 <|im_start|>user\n{"a": [1]}<|im_end|> '


@pytest.fixture
def folder(tiny_model_folder: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return Path(shutil.copytree(tiny_model_folder, tmp_path / "copy"))


def edit(path: Path, *dropped: str, **changes: Any) -> None:
    settings = json.loads(path.read_text()) | changes
    path.write_text(json.dumps({name: value for name, value in settings.items() if name not in dropped}))


def edit_weights(folder: Path, **changes: torch.Tensor) -> None:
    weights = load_file(folder / "model.safetensors") | {name.replace("__", "."): one for name, one in changes.items()}
    save_file(weights, folder / "model.safetensors", {"format": "pt"})


def check_tokenizer(ours: Any, theirs: Any, texts: list[str]) -> None:
    """Assert that both write the same tokens and texts."""
    for text in texts:
        for special in (True, False):
            token_ids = ours.encode(text, add_special_tokens=special)
            assert token_ids == theirs.encode(text, add_special_tokens=special)
            assert ours.decode(token_ids, skip_special_tokens=special) == theirs.decode(
                token_ids, skip_special_tokens=special
            )
    for token_id in range(len(theirs)):
        assert ours.decode(token_id) == theirs.decode(token_id)
    assert (len(ours), ours.eos_token_id) == (len(theirs), theirs.eos_token_id)
    vocabularies = [Vocabulary.from_tokenizer(one, vocab_size=len(theirs)) for one in (ours, theirs)]
    assert vocabularies[0].tokens == vocabularies[1].tokens
    assert vocabularies[0].special_tokens == vocabularies[1].special_tokens
    assert vocabularies[0].eos_token_ids == vocabularies[1].eos_token_ids
    user, assistant = {"role": "user", "content": f"a\n{TEXT}"}, {"role": "assistant", "content": " b "}
    for messages in ([user], [{"role": "system", "content": "{{ s }}"}, user, assistant, user], [user, assistant]):
        for given in ({}, {"add_generation_prompt": True}, {"response_schema": {"type": "object"}}):
            shown = [one.apply_chat_template(messages, tokenize=False, **given) for one in (ours, theirs)]
            assert shown[0] == shown[1]
    assert "_full" not in vars(ours), "transformers wrote a text"
    assert ours.special_tokens_map == theirs.special_tokens_map


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("is_old", [False, True])
def test_a_folder_gives_what_transformers_gives(folder: Path, dtype: torch.dtype, is_old: bool) -> None:
    """Also with an older config, which leaves default values out."""
    if is_old:
        edit(folder / "config.json", "attention_bias", "mlp_bias", "pretraining_tp", "hidden_act")
    network = load_llama(folder, dtype)
    assert network is not None
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=dtype)
    assert network.dtype == dtype
    assert network.generation_config.eos_token_id == model.generation_config.eos_token_id
    assert network.num_parameters() == model.num_parameters()
    tokens = torch.arange(40)[None]
    with torch.inference_mode():
        ours, theirs = network(tokens).logits, model(tokens).logits
    torch.testing.assert_close(ours, theirs, atol=0.05 if dtype == torch.bfloat16 else 1e-5, rtol=0.02)


def test_a_tokenizer_is_that_of_transformers(folder: Path) -> None:
    ours, theirs = load_plain_tokenizer(folder), AutoTokenizer.from_pretrained(folder)
    assert isinstance(ours, FolderTokenizer)
    check_tokenizer(ours, theirs, ["", TEXT, " two  spaces\n", "\u65e5\u672c \u00e9 \U0001f600", "<|im_", "a<|pad|>"])
    edit(folder / "tokenizer_config.json", tokenizer_class="LlamaTokenizer")
    assert load_plain_tokenizer(folder) is None


@pytest.mark.parametrize(
    "template",
    [
        "{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}"
        "{{ '<|im_start|>system\nYou help.<|im_end|>\n' }}{% endif %}"
        "{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}"
        "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}",
        "{% set mark = '|' %}\n  {% for one in messages %}\n"
        "  {{- mark ~ loop.index }} {{ one.content[0] }}\n{% endfor %}\n",
    ],
)
def test_templates_that_read_texts_are_rendered_here(folder: Path, template: str) -> None:
    """The first one is like that of SmolLM2."""
    (folder / "chat_template.jinja").write_text(template)
    edit(folder / "tokenizer_config.json", pad_token=None)  # as in folders made of GGUF files
    ours = load_plain_tokenizer(folder)
    assert isinstance(ours, FolderTokenizer)
    check_tokenizer(ours, AutoTokenizer.from_pretrained(folder), [TEXT])


def test_callers_get_the_tokenizer_of_transformers(folder: Path) -> None:
    """From then on it writes the prompts, so that changes of its template count."""
    with LLM(folder) as llm:
        assert isinstance(llm._reader.encoder.tokenizer, FolderTokenizer)
        num_tokens = llm.count_prompt_tokens([{"role": "user", "content": "a"}])
        assert llm.has_tokenizer
        assert isinstance(llm.tokenizer, PreTrainedTokenizerBase)
        assert llm.tokenizer is llm.tokenizer
        assert llm.tokenizer.encode("a b", return_tensors="pt").shape == (1, 3)
        assert llm.count_prompt_tokens([{"role": "user", "content": "a"}]) == num_tokens
        llm.tokenizer.chat_template = "{{ messages[0]['content'] }}"
        assert llm.count_prompt_tokens([{"role": "user", "content": "a"}]) == 1


def write_template(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("{{ tools }}")


def edit_tokenizer(folder: Path, **changes: Any) -> None:
    edit(folder / "tokenizer.json", **changes)


OTHER_TOKENIZERS: dict[str, Callable[[Path], Any]] = {
    "a setting that is not known": lambda folder: edit(folder / "tokenizer_config.json", add_bos_token=True),
    "an end that is no token": lambda folder: edit(folder / "tokenizer_config.json", eos_token="<|done|>"),
    "an end that is an ordinary token": lambda folder: edit(folder / "tokenizer_config.json", eos_token="the"),
    "an end with settings": lambda folder: edit(
        folder / "tokenizer_config.json",
        eos_token={"__type": "AddedToken", "content": "<|im_end|>", "lstrip": False, "rstrip": False, "special": True},
    ),
    "another end in a file": lambda folder: (folder / "special_tokens_map.json").write_text(
        json.dumps({"eos_token": "<|endoftext|>"})
    ),
    "an added token": lambda folder: (folder / "added_tokens.json").write_text(json.dumps({"<|more|>": 269})),
    "a template for tools": lambda folder: write_template(folder / "additional_chat_templates" / "tool_use.jinja"),
    "no end": lambda folder: edit(folder / "tokenizer_config.json", "eos_token"),
    "no template": lambda folder: (folder / "chat_template.jinja").unlink(),
    "texts that are cut": lambda folder: edit_tokenizer(
        folder, truncation={"max_length": 3, "strategy": "LongestFirst", "stride": 0, "direction": "Right"}
    ),
    "nothing around texts": lambda folder: edit_tokenizer(folder, post_processor=None),
}


@pytest.mark.parametrize("change", OTHER_TOKENIZERS.values(), ids=list(OTHER_TOKENIZERS))
def test_other_tokenizers_are_those_of_transformers(folder: Path, change: Callable[[Path], Any]) -> None:
    change(folder)
    ours, theirs = load_plain_tokenizer(folder), AutoTokenizer.from_pretrained(folder)
    assert type(ours) is type(theirs)
    assert ours.backend_tokenizer.to_str() == theirs.backend_tokenizer.to_str()
    assert ours.encode(TEXT) == theirs.encode(TEXT)
    assert ours.chat_template == theirs.chat_template


def test_a_damaged_tokenizer_is_left_to_transformers(folder: Path) -> None:
    (folder / "tokenizer.json").write_text("{")
    assert read_tokenizer(folder) is None


@pytest.mark.parametrize(
    "template",
    [
        "{{ bos_token }}{{ messages[0]['content'] }}",
        "{{ messages | tojson(indent=2) }}{{ raise_exception('x') if messages[1] is undefined else 'y' }}",
        "{% generation %}{{ messages[0]['content'] }}{% endgeneration %}",
        "{% for one in messages %}{% break %}{% endfor %}a",
        "{{ messages[0]['thinking'] }}",
    ],
)
def test_templates_that_read_more_are_rendered_by_transformers(folder: Path, template: str) -> None:
    ours, theirs = load_plain_tokenizer(folder), AutoTokenizer.from_pretrained(folder)
    ours.chat_template = theirs.chat_template = template
    messages = [{"role": "user", "content": "a", "reasoning": "c"}, {"role": "assistant", "content": "b"}]
    for given in ({}, {"add_generation_prompt": True}):
        texts = [one.apply_chat_template(messages, tokenize=False, **given) for one in (ours, theirs)]
        assert texts[0] == texts[1]


LEFT: dict[str, Callable[[Path], Any]] = {
    "another architecture": lambda folder: edit(folder / "config.json", model_type="mistral"),
    "biases": lambda folder: edit(folder / "config.json", attention_bias=True),
    "quantised weights": lambda folder: edit(folder / "config.json", quantization_config={"bits": 4}),
    "settings without which there is no network": lambda folder: edit(folder / "config.json", "head_dim"),
    "positions as older configs say them": lambda folder: edit(folder / "config.json", "rope_parameters"),
    "positions scaled beside their parameters": lambda folder: edit(
        folder / "config.json", rope_scaling={"rope_type": "linear", "factor": 2.0}
    ),
    "attention both ways": lambda folder: edit(folder / "config.json", is_causal=False),
    "positions without parameters": lambda folder: edit(folder / "config.json", rope_parameters=None),
    "positions of no kind": lambda folder: edit(folder / "config.json", rope_parameters={"rope_theta": 1e4}),
    "YaRN without its context": lambda folder: edit(
        folder / "config.json", rope_parameters={"rope_type": "yarn", "rope_theta": 1e4, "factor": 2.0}
    ),
    "YaRN without a factor": lambda folder: edit(
        folder / "config.json",
        rope_parameters={
            "rope_type": "yarn",
            "rope_theta": 1e4,
            "factor": None,
            "original_max_position_embeddings": 64,
        },
    ),
    "a size that is no number": lambda folder: edit(folder / "config.json", num_key_value_heads=None),
    "no config that can be read": lambda folder: (folder / "config.json").write_text("{"),
    "no weights": lambda folder: (folder / "model.safetensors").unlink(),
    "several files of weights": lambda folder: (folder / "model.safetensors.index.json").write_text("{}"),
    "an adapter": lambda folder: (folder / "adapter_config.json").write_text("{}"),
    "a weight of another shape": lambda folder: edit_weights(folder, model__norm__weight=torch.ones(3)),
    "an unknown weight": lambda folder: edit_weights(folder, lora=torch.ones(3)),
    "an output layer that is tied and there": lambda folder: edit_weights(
        folder, lm_head__weight=load_file(folder / "model.safetensors")["model.embed_tokens.weight"].clone()
    ),
}


@pytest.mark.parametrize("change", LEFT.values(), ids=list(LEFT))
def test_everything_else_is_left_to_transformers(folder: Path, change: Callable[[Path], Any]) -> None:
    edit(folder / "config.json", tie_word_embeddings=True)
    weights = load_file(folder / "model.safetensors")
    save_file({key: one for key, one in weights.items() if key != "lm_head.weight"}, folder / "model.safetensors")
    assert load_llama(folder, torch.float32) is not None
    change(folder)
    assert load_llama(folder, torch.float32) is None


def test_the_model_classes_of_transformers_are_not_imported(tiny_model_folder: Path) -> None:
    """They and what they import take as much time as all else."""
    code = f"""
import sys, guided
with guided.LLM({str(tiny_model_folder)!r}, device="cpu") as llm:
    llm.generate("a", guided.SamplingParams(max_new_tokens=2))
slow = ("torch._dynamo", "torch.distributed.tensor", "transformers.models.llama", "transformers.modeling_utils")
print(*(name for name in sys.modules if name.startswith(slow)))
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == ""
