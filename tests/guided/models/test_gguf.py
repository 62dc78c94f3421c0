"""GGUF files as folders of standard files: the same logits, tokens and ends; or one line that says what is wrong."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from guided.cli import main
from guided.errors import ModelCacheError, ModelNotFoundError, UnsupportedModelError
from guided.grammars.errors import InvalidInputError
from guided.llm import LLM
from guided.model_vocabulary import load_vocabulary
from guided.models import converted
from guided.models.converted import converted_folder
from guided.models.find import NamedModel, tokenizer_folder
from guided.models.gguf_config import ARCHITECTURES
from guided.models.gguf_header import read_header
from guided.params.sampling_params import SamplingParams

gguf = pytest.importorskip("gguf", reason="the extra gguf is not installed")
from tests.guided.models.tiny_gguf import byte_level_tokenizer, tiny_model, write_gguf  # noqa: E402
from tests.guided.models.two_processes import run_in_two  # noqa: E402

TEXT = "In  2026, the 12 ants\n\nand\tthe ünïcode: \U0001f40d, <|im_end|>!  x1"
NUM_TOKENS = len(byte_level_tokenizer()["tokens"])
VALUES: dict[str, dict[str, Any]] = {  # architecture -> values of its files, beside the sizes
    "llama": {"rope.freq_base": 5000.0, "rope.dimension_count": 8, "vocab_size": NUM_TOKENS},
    "qwen2": {"rope.freq_base": 1e6},
    "qwen3": {"rope.freq_base": 1e6, "attention.value_length": 8},
    "gemma2": {
        "attention.sliding_window": 16,
        "attn_logit_softcapping": 5.0,
        "final_logit_softcapping": 3.0,
    },
    "gemma3": {"rope.freq_base": 1e6, "attention.sliding_window": 16, "rope.scaling.type": "linear"},
}
FIELDS: dict[str, dict[str, Any]] = {  # architecture -> the same, as fields of the config
    "llama": {"rope_parameters": {"rope_type": "default", "rope_theta": 5000.0}},
    "qwen2": {"rope_parameters": {"rope_type": "default", "rope_theta": 1e6}},
    "qwen3": {"rope_parameters": {"rope_type": "default", "rope_theta": 1e6}},
    "gemma2": {
        "sliding_window": 16,
        "attn_logit_softcapping": 5.0,
        "final_logit_softcapping": 3.0,
        "query_pre_attn_scalar": 8,
    },
    "gemma3": {
        "sliding_window": 16,
        "query_pre_attn_scalar": 8,
        "num_hidden_layers": 7,
        "rope_parameters": {
            "full_attention": {"rope_type": "linear", "factor": 4.0, "rope_theta": 1e6},
            "sliding_attention": {"rope_type": "default", "rope_theta": 10_000.0},
        },
    },
}
VALUES["gemma3"]["rope.scaling.factor"] = 4.0


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GUIDED_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GGUF file, to be read only."""
    path = tmp_path_factory.mktemp("gguf") / "tiny.gguf"
    return write_gguf(path, "llama", tiny_model("llama", NUM_TOKENS), byte_level_tokenizer())


def made_of(tmp_path: Path, **changes: Any) -> Path:
    """A GGUF file whose tokenizer differs. A value None takes one away."""
    tokenizer = {key: value for key, value in (byte_level_tokenizer() | changes).items() if value is not None}
    return write_gguf(tmp_path / "other.gguf", "llama", tiny_model("llama", NUM_TOKENS), tokenizer)


def parts_left(cache: Path) -> list[Path]:
    """Everything in the cache but locks and whole folders."""
    return [path for path in cache.rglob("*") if ".part-" in path.name]


@pytest.mark.parametrize("architecture", sorted(ARCHITECTURES))
def test_logits_are_those_of_the_model_it_was_made_of(architecture: str, tmp_path: Path) -> None:
    model = tiny_model(architecture, NUM_TOKENS, **FIELDS[architecture])
    path = write_gguf(
        tmp_path / "m.gguf", architecture, model, byte_level_tokenizer("qwen2"), values=VALUES[architecture]
    )
    again: Any = AutoModelForCausalLM.from_pretrained(converted_folder(path, "float32"))
    token_ids = torch.arange(3, 43)[None]
    with torch.inference_mode():
        assert (again(token_ids).logits - model(token_ids).logits).abs().max() < 1e-5


def test_quantized_weights(tmp_path: Path) -> None:
    model = tiny_model("llama", NUM_TOKENS)
    kind = gguf.GGMLQuantizationType.Q8_0
    path = write_gguf(tmp_path / "m.gguf", "llama", model, byte_level_tokenizer(), kind=kind)
    again: Any = AutoModelForCausalLM.from_pretrained(converted_folder(path, "float32"))
    weight, own = again.model.embed_tokens.weight, model.model.embed_tokens.weight
    stored = gguf.quants.quantize(own.detach().numpy(), kind)
    assert torch.equal(weight, torch.from_numpy(gguf.quants.dequantize(stored, kind)))
    half: Any = AutoModelForCausalLM.from_pretrained(converted_folder(path, "bfloat16"), dtype="auto")
    assert torch.equal(half.model.embed_tokens.weight, weight.bfloat16())


def test_llama_3_positions(tmp_path: Path) -> None:
    rope = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
    rope |= {"original_max_position_embeddings": 8192, "rope_theta": 500_000.0}
    model = tiny_model(
        "llama", NUM_TOKENS, rope_parameters=rope, head_dim=64, max_position_embeddings=16384, num_hidden_layers=1
    )
    plain = 500_000.0 ** (-torch.arange(0, 64, 2) / 64)
    factors = plain / model.model.rotary_emb.inv_freq
    values, tensors = {"rope.freq_base": 500_000.0}, {"rope_freqs.weight": factors}
    path = write_gguf(tmp_path / "m.gguf", "llama", model, byte_level_tokenizer(), values=values, tensors=tensors)
    again: Any = AutoModelForCausalLM.from_pretrained(converted_folder(path, "float32"))
    assert torch.allclose(again.model.rotary_emb.inv_freq, model.model.rotary_emb.inv_freq)
    tensors["rope_freqs.weight"] = factors.flip(0)
    other = write_gguf(tmp_path / "n.gguf", "llama", model, byte_level_tokenizer(), values=values, tensors=tensors)
    with pytest.raises(UnsupportedModelError, match=r"rope_freqs.weight are not those of Llama 3"):
        converted_folder(other, "float32")


def test_the_tokenizer(llama: Path) -> None:
    folder = converted_folder(llama, "float32")
    tokenizer: Any = AutoTokenizer.from_pretrained(folder)
    tokens = tokenizer.convert_ids_to_tokens(tokenizer.encode(TEXT))
    assert tokens[:7] == ["I", "n", "Ġ", "Ġ", "2", "0", "2"]  # no digit goes with another or with a space
    assert "Ġthe" in tokens
    assert "<|im_end|>" in tokens
    assert tokenizer.decode(tokenizer.encode(TEXT)) == TEXT
    assert (tokenizer.bos_token, tokenizer.eos_token) == ("<|im_start|>", "<|im_end|>")
    rendered = tokenizer.apply_chat_template([{"role": "user", "content": "Hi"}], tokenize=False)
    assert rendered == "<|im_start|>user\nHi<|im_end|>\n"
    assert load_vocabulary(str(llama)).eos_token_ids == {0, 2}  # <|endoftext|>, too


def test_sentencepiece(tmp_path: Path) -> None:
    """A vocabulary of Llama 2's kind: the ids are those of the library that trained it."""
    sentencepiece = pytest.importorskip("sentencepiece", reason="sentencepiece is not installed")
    text = "the cat and the hat, then the other cats sat on that mat with 12 rats. " * 40
    (tmp_path / "text").write_text(text)
    sentencepiece.SentencePieceTrainer.train(
        input=str(tmp_path / "text"),
        model_prefix=str(tmp_path / "spm"),
        model_type="bpe",
        vocab_size=300,
        byte_fallback=True,
        split_digits=True,
        normalization_rule_name="identity",
        remove_extra_whitespaces=False,
        minloglevel=2,
    )
    original = sentencepiece.SentencePieceProcessor(model_file=str(tmp_path / "spm.model"))
    ids = range(original.vocab_size())
    kinds = [
        2 if original.is_unknown(i) else 3 if original.is_control(i) else 6 if original.is_byte(i) else 1 for i in ids
    ]
    tokenizer = {
        "model": "llama",
        "pre": "default",
        "tokens": [original.id_to_piece(i) for i in ids],
        "scores": [original.get_score(i) for i in ids],
        "token_type": kinds,
        "bos_token_id": original.bos_id(),
        "eos_token_id": original.eos_id(),
        "unknown_token_id": original.unk_id(),
    }
    path = write_gguf(tmp_path / "m.gguf", "llama", tiny_model("llama", len(ids)), tokenizer)
    folder = converted_folder(path, "float32")
    made: Any = AutoTokenizer.from_pretrained(folder)
    for one in (TEXT.replace("<|im_end|>", ""), text[:200], " the  cat", "  12 ", "", "cat\n the"):
        assert made.encode(one) == [original.bos_id(), *original.encode(one)], one
        assert made.decode(made.encode(one), skip_special_tokens=True) == one
    assert load_vocabulary(str(folder)).eos_token_ids == {original.eos_id()}


def test_pre_tokenizers(tmp_path: Path) -> None:
    pieces = {}
    for pre in ("gpt-2", "smollm", "llama-bpe", "qwen2", "tekken"):
        folder = converted_folder(made_of(tmp_path, pre=pre, add_bos_token=None), "float32")
        tokenizer: Any = AutoTokenizer.from_pretrained(folder)
        backend = tokenizer.backend_tokenizer
        pieces[pre] = [piece for piece, _ in backend.pre_tokenizer.pre_tokenize_str("a 1234 b")]
        assert (tokenizer.encode("1")[0] == 1) == (pre in ("llama-bpe", "tekken"))  # begins with <|im_start|>
    assert pieces["gpt-2"] == ["a", "Ġ1234", "Ġb"]
    assert pieces["smollm"] == ["a", "Ġ", "1", "2", "3", "4", "Ġb"]
    assert pieces["llama-bpe"] == ["a", "Ġ", "123", "4", "Ġb"]
    assert pieces["qwen2"] == pieces["tekken"] == pieces["smollm"]


def test_generation(llama: Path, tmp_path: Path) -> None:
    """`LLM` takes the file and a folder with it; answers are those of `transformers`."""
    model: Any = AutoModelForCausalLM.from_pretrained(converted_folder(llama, "float32"))
    tokenizer: Any = AutoTokenizer.from_pretrained(converted_folder(llama, "float32"))
    inputs = tokenizer(TEXT, return_tensors="pt")
    expected = model.generate(**inputs, max_new_tokens=8, do_sample=False)[0, inputs["input_ids"].shape[1] :]
    shutil.copy(llama, tmp_path / "tiny.gguf")
    for name in (llama, str(tmp_path)):
        with LLM(name) as llm:
            assert llm.model_name == "tiny"
            assert llm.generate(TEXT, SamplingParams(temperature=0, max_new_tokens=8)).token_ids == tuple(
                expected.tolist()
            )


def test_the_commands_take_it(llama: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (
        ["generate", "--prompt", "x", "--raw", "--choice", "the ants", "--model", str(llama)],
        ["check", "--regex", "[ab]", "--model", str(llama.parent)],
    ):
        with pytest.raises(SystemExit) as left:
            main(arguments)
        captured = capsys.readouterr()
        assert not left.value.code, captured.err
        assert captured.out
    with pytest.raises(SystemExit) as left:
        main(["generate", "--prompt", "x", "--model", "smollm2"])
    assert left.value.code == 2
    assert "fetch it: guided model smollm2" in capsys.readouterr().err


def test_files_and_folders(llama: Path, tmp_path: Path) -> None:
    assert NamedModel(str(llama)).gguf_file() == llama
    assert NamedModel(str(llama.parent)).gguf_file() == llama
    assert NamedModel("").gguf_file() is None
    assert NamedModel("organisation/model").gguf_file() is None
    assert NamedModel("organisation/model").found(dtype="float16").dtype == "float16"
    with pytest.raises(ModelNotFoundError, match=r"there is no GGUF file 'missing\.gguf'"):
        LLM("missing.gguf")
    for name in ("a.gguf", "B.GGUF"):
        shutil.copy(llama, tmp_path / name)
    with pytest.raises(ModelNotFoundError, match=r"several GGUF files \(B.GGUF, a.gguf\)"):
        NamedModel(str(tmp_path)).gguf_file()
    (tmp_path / "model.safetensors").touch()
    assert NamedModel(str(tmp_path)).gguf_file() is None
    with pytest.raises(ModelNotFoundError, match="guided model smollm2"):
        LLM("smollm2")


def test_without_the_extra(llama: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "gguf"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "gguf", None)
    with pytest.raises(
        InvalidInputError, match=r"a GGUF file needs gguf, which is not installed; run: pip install .*\[gguf\]"
    ):
        converted_folder(llama, "float32")


def test_an_unknown_type_of_weights(llama: Path, cache: Path) -> None:
    with pytest.raises(InvalidInputError, match="dtype must be auto, float32, bfloat16, float16, not 'int4'"):
        LLM(llama, dtype="int4")
    assert not cache.exists()


def test_the_vocabulary_of_a_converted_file_needs_no_torch(llama: Path, cache: Path) -> None:
    load_vocabulary(str(llama))
    code = "import sys; from guided.model_vocabulary import load_vocabulary; load_vocabulary(sys.argv[1])"
    code += "; assert not {'torch', 'transformers'} & sys.modules.keys()"
    subprocess.run([sys.executable, "-c", code, str(llama)], check=True)


def test_it_is_converted_once(llama: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = converted_folder(llama, "float32")
    monkeypatch.setattr(converted, "_convert", lambda *_: pytest.fail("again"))
    assert converted_folder(llama, "float32") == folder
    assert folder.name == "tiny"
    assert cache in folder.parents


def test_two_processes_at_once(llama: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One converts, the other waits. The folder that a killed process has left is removed, too."""
    folder = converted_folder(llama, "float32")
    written = (folder / "model.safetensors").stat().st_mtime_ns
    shutil.move(folder, folder.with_name(".tiny.part-killed"))
    folders, num_conversions = run_in_two(monkeypatch, converted, "_convert", converted_folder, llama, "float32")
    assert folders == [folder, folder]
    assert num_conversions == 1
    assert (folder / "model.safetensors").stat().st_mtime_ns > written
    assert parts_left(cache) == []


def test_a_full_disk(llama: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage("/")
    with monkeypatch.context() as patched:
        patched.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1 << 20))
        with pytest.raises(ModelCacheError, match=r"tiny.gguf needs 64 MiB in .*, where 1 MiB are free"):
            converted_folder(llama, "float32")
    monkeypatch.setattr("safetensors.torch.save_file", no_space)
    with pytest.raises(ModelCacheError, match="No space left"):
        converted_folder(llama, "float32")
    assert list(cache.rglob("config.json")) == []
    assert parts_left(cache) == []


def no_space(_: Any, path: Path, **__: Any) -> None:
    path.write_bytes(b"half")
    raise OSError(28, "No space left on device")


def test_a_cache_that_cannot_be_made(llama: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("GUIDED_CACHE_DIR", str(tmp_path / "file"))
    with pytest.raises(ModelCacheError, match="set GUIDED_CACHE_DIR to another folder"):
        converted_folder(llama, "float32")


def test_cut_files(llama: Path, tmp_path: Path) -> None:
    """At each place, header or weights; nothing is written."""
    whole = llama.read_bytes()
    path = tmp_path / "cut.gguf"
    for length in (0, 3, 10, 24, 100, len(whole) // 4, len(whole) // 2, len(whole) - 100):
        path.write_bytes(whole[:length])
        with pytest.raises(ModelNotFoundError, match=r"cut|empty|no GGUF file"):
            converted_folder(path, "float32")


def test_damaged_files() -> None:
    """Other values, other bytes before the weights: converted, or a typed error that names the file."""
    from tests.fuzz import model_files
    from tests.fuzz.command import fuzz

    assert fuzz(model_files.look, seed=3, cases=40) == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"attention.head_count": [4, 4]},
            r"llama.attention.head_count = \[4, 4\] is not supported: it must be an int",
        ),
        ({"attention.head_count": 0}, "llama.attention.head_count = 0 is not supported: it must be an integer of at"),
        ({"embedding_length": "32"}, "llama.embedding_length = '32' is not supported"),
        ({"attention.layer_norm_rms_epsilon": float("nan")}, "rms_epsilon = nan is not supported: it must be a number"),
        ({"rope.freq_base": "1"}, "it must be a number above 0"),
    ],
)
def test_values_of_other_types(changes: dict[str, Any], message: str, tmp_path: Path) -> None:
    model = tiny_model("llama", NUM_TOKENS)
    path = write_gguf(tmp_path / "m.gguf", "llama", model, byte_level_tokenizer(), values=changes)
    with pytest.raises(UnsupportedModelError, match=message):
        converted_folder(path, "float32")


def test_sizes_are_those_of_the_tensors(tmp_path: Path) -> None:
    """A model of billions of layers is not even built."""
    model, path = tiny_model("llama", NUM_TOKENS), tmp_path / "m.gguf"
    for key, message in (
        ("block_count", "it has no tensor 'blk.4294967294.attn_q.weight'"),
        ("embedding_length", r"'token_embd.weight' has the shape \[269, 32\], not \[269, 4294967295\]"),
        ("feed_forward_length", "'blk.0.ffn_up.weight' has the shape"),
        ("attention.head_count", "'blk.0.attn_q.weight' has the shape"),
    ):
        write_gguf(path, "llama", model, byte_level_tokenizer(), values={key: 2**32 - 1})
        with pytest.raises(ModelNotFoundError, match=message):
            converted_folder(path, "float32")


def test_a_file_that_vanishes(llama: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the file that can't be read, not the cache that can't be written."""
    path = Path(shutil.copy(llama, tmp_path / "m.gguf"))
    header = read_header(path)
    monkeypatch.setattr(converted, "read_header", lambda _: header)
    monkeypatch.setattr(converted, "write_tokenizer", lambda *_: path.unlink())
    with pytest.raises(ModelNotFoundError, match=r"can't read '.*m.gguf': No such file"):
        converted_folder(path, "float32")


def test_a_tokenizer_is_converted_without_weights(llama: Path, cache: Path) -> None:
    folder = Path(tokenizer_folder(str(llama)))
    assert {path.name for path in folder.iterdir()} >= {"tokenizer.json", "config.json", "generation_config.json"}
    assert not list(folder.glob("*.safetensors"))
    with LLM(llama, tokenizer=llama) as llm:
        assert llm.tokenizer.encode("the ants")
    assert len(list((cache / "gguf").iterdir())) == 2


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"model": "bert"}, UnsupportedModelError, "tokenizer.ggml.model = 'bert' is not supported"),
        ({"pre": "chameleon"}, UnsupportedModelError, "supported: deepseek-r1-qwen, gpt-2, llama-bpe"),
        ({"pre": None}, UnsupportedModelError, "tokenizer.ggml.pre = None"),
        ({"tokens": None}, ModelNotFoundError, "it has no tokens"),
        ({"merges": None}, ModelNotFoundError, "it has no merges"),
        ({"merges": ["t h", "th q"]}, ModelNotFoundError, "the merge 'th q' is not one of two tokens into a third"),
        ({"merges": ["th"]}, ModelNotFoundError, "the merge 'th'"),
        ({"token_type": [1]}, ModelNotFoundError, "token_type must hold one number for each of the 269 tokens"),
        ({"eos_token_id": 269}, ModelNotFoundError, "eos_token_id is 269, and there are 269 tokens"),
        ({"tokens": [7] * 269}, ModelNotFoundError, "it has no tokens"),
        ({"eos_token_id": "a"}, UnsupportedModelError, "eos_token_id = 'a' is not supported: it must be an integer"),
        ({"eos_token_id": True}, UnsupportedModelError, "eos_token_id = True is not supported"),
        ({"pre": ["gpt-2"]}, UnsupportedModelError, r"pre = \['gpt-2'\] is not supported: it must be a text"),
        ({"tokens": ["a"] * 269}, ModelNotFoundError, "a token stands in it twice"),
        ({"add_eos_token": True}, UnsupportedModelError, "add_eos_token"),
    ],
)
def test_broken_tokenizers(changes: dict[str, Any], error: type[Exception], message: str, tmp_path: Path) -> None:
    with pytest.raises(error, match=message):
        converted_folder(made_of(tmp_path, **changes), "float32")


def test_what_is_not_supported(tmp_path: Path) -> None:
    model, tokenizer = tiny_model("llama", NUM_TOKENS), byte_level_tokenizer()
    path = tmp_path / "m.gguf"
    for values, message in (
        ({"rope.scaling.type": "yarn"}, "llama.rope.scaling.type = 'yarn' is not supported"),
        ({"expert_count": 8}, "llama.expert_count = 8 is not supported: it may change what the model computes"),
        ({"rope.dimension_count": 4}, "only the size of a head, 8, is supported"),
    ):
        write_gguf(path, "llama", model, tokenizer, values=values)
        with pytest.raises(UnsupportedModelError, match=message):
            converted_folder(path, "float32")
    write_gguf(path, "llama", model, tokenizer, tensors={"blk.0.attn_q.bias": torch.zeros(32)})
    with pytest.raises(UnsupportedModelError, match=r"tensors that LlamaForCausalLM does not have: blk.0.attn_q.bias"):
        converted_folder(path, "float32")
    write_gguf(path, "llama", model, tokenizer, tensors={"output_norm.weight": torch.zeros(33)})
    with pytest.raises(ModelNotFoundError, match=r"'output_norm.weight' has the shape \[33\], not \[32\]"):
        converted_folder(path, "float32")
    write_gguf(path, "llama", model, tokenizer, values={"block_count": 3})
    with pytest.raises(ModelNotFoundError, match=r"it has no tensor 'blk.2.attn_q.weight'"):
        converted_folder(path, "float32")
    writer = gguf.GGUFWriter(path, "mamba")
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    with pytest.raises(UnsupportedModelError, match="architecture 'mamba' are not supported; supported: gemma2, gem"):
        converted_folder(path, "float32")
