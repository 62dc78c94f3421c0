"""Known models with an adapter: merged as `peft` merges, once, whole or not at all; the default where one is there."""

from __future__ import annotations

import json
import logging
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

from guided import loading
from guided.cli.grammar_options import compile_source
from guided.cli.loading import load_llm
from guided.embedded.files import package_folder
from guided.errors import ModelCacheError, ModelNotFoundError, UnsupportedModelError
from guided.llm import LLM
from guided.model_vocabulary import load_vocabulary
from guided.models import adapted, converted, find, known
from guided.models.adapted import ADAPTER_FILES, CALIBRATION_FILE, adapted_folder, is_in_cache, merge_adapter
from guided.models.find import NamedModel, default_model
from guided.models.known import KnownModel, fetched_file, known_models

pytestmark = pytest.mark.filterwarnings("ignore:.*is_gradient_checkpointing:FutureWarning")
PACKAGED = Path(adapted.__file__).parent / "smollm2_extract"
MAX_BYTES = 10_000_000


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GUIDED_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("GUIDED_DEFAULT_MODEL", raising=False)
    return tmp_path / "cache"


@pytest.fixture
def adapter(tiny_model_folder: Path, tmp_path: Path) -> Path:
    """A random LoRA for the tiny model, as `peft` writes it."""
    peft = pytest.importorskip("peft", reason="needs guided-generation[train]")
    torch.manual_seed(3)
    config = peft.LoraConfig(r=3, lora_alpha=7, target_modules="all-linear", task_type="CAUSAL_LM")
    model = peft.get_peft_model(AutoModelForCausalLM.from_pretrained(tiny_model_folder), config)
    for name, parameter in model.named_parameters():
        if "lora_" in name:
            torch.nn.init.normal_(parameter, std=0.1)
    model.save_pretrained(tmp_path / "adapter")
    return tmp_path / "adapter"


@pytest.fixture
def extract(tiny_model_folder: Path, adapter: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[KnownModel]:
    """smollm2-extract, with the tiny model as its fetched base and its adapter."""
    monkeypatch.setattr(adapted, "_adapter", lambda _: adapter)
    monkeypatch.setattr(converted, "converted_folder", lambda path, dtype: tiny_model_folder)
    adapted._digest.cache_clear()
    loading._say_which_model.cache_clear()
    fetched_file("smollm2-extract").parent.mkdir(parents=True)
    fetched_file("smollm2-extract").touch()
    yield known_models()["smollm2-extract"]
    adapted._digest.cache_clear()


def peft_loaded(model: Any, folder: Path) -> Any:
    peft = pytest.importorskip("peft", reason="needs guided-generation[train]")
    return peft.PeftModel.from_pretrained(model, folder)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_merging_is_that_of_peft(tiny_model_folder: Path, adapter: Path, tmp_path: Path, dtype: torch.dtype) -> None:
    base, folder, done = tmp_path / "base", tmp_path / "merged", list[int]()
    shutil.copytree(tiny_model_folder, base)
    weights = {name: weight.to(dtype) for name, weight in load_file(base / "model.safetensors").items()}
    save_file(weights, base / "model.safetensors", metadata={"format": "pt"})
    folder.mkdir()
    merge_adapter(base, adapter, folder, done.append)
    merged = load_file(folder / "model.safetensors")
    assert sum(done) == sum(weight.nbytes for weight in merged.values())
    in_float32 = AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32)
    theirs = peft_loaded(in_float32, adapter).merge_and_unload().state_dict()
    assert merged.keys() == weights.keys()
    num_changed = 0
    for name, weight in merged.items():
        assert weight.dtype == dtype
        precision = 1e-6 if dtype == torch.float32 else 2.0**-8
        assert torch.allclose(weight.float(), theirs[name], rtol=precision, atol=1e-6), name
        num_changed += not torch.equal(weight, weights[name])
    assert num_changed == len([name for name in merged if "_proj" in name])
    assert json.loads((folder / "tokenizer_config.json").read_text())["json_whitespace"] == "compact"
    assert "json_whitespace" not in json.loads((base / "tokenizer_config.json").read_text())


@pytest.mark.parametrize(
    "change", [{"use_dora": True}, {"bias": "all"}, {"alpha_pattern": {"q_proj": 3}}, {"peft_type": None}]
)
def test_only_plain_loras_are_merged(tiny_model_folder: Path, adapter: Path, change: dict[str, Any]) -> None:
    path = adapter / "adapter_config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(
        UnsupportedModelError, match=re.escape(f"is no plain LoRA: {min(change)} is {change[min(change)]!r}")
    ):
        merge_adapter(tiny_model_folder, adapter, adapter)


def test_an_adapter_of_another_base(tiny_model_folder: Path, adapter: Path) -> None:
    path = adapter / "adapter_model.safetensors"
    save_file(load_file(path) | {"base_model.model.other.lora_A.weight": torch.ones(3, 2)}, path)
    with pytest.raises(UnsupportedModelError, match=r"changes base_model.model.other.lora_A.weight, which the base"):
        merge_adapter(tiny_model_folder, adapter, adapter)


def test_matrices_that_do_not_fit(tiny_model_folder: Path, adapter: Path) -> None:
    path = adapter / "adapter_model.safetensors"
    changes = load_file(path)
    name = min(name for name in changes if "lora_B" in name)
    layer = name.removesuffix(".lora_B.weight")
    save_file({**changes, name: changes[name][:-1].contiguous()}, path)
    with pytest.raises(UnsupportedModelError, match=rf"matrices of {layer} have the shapes .* don't fit a weight"):
        merge_adapter(tiny_model_folder, adapter, adapter)
    del changes[name]
    save_file(changes, path)
    with pytest.raises(UnsupportedModelError, match=f"only one of the two matrices lora_A and lora_B of {layer}$"):
        merge_adapter(tiny_model_folder, adapter, adapter)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def test_damaged_files(
    extract: KnownModel, adapter: Path, tiny_model_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = tmp_path / "base"
    shutil.copytree(tiny_model_folder, base)
    monkeypatch.setattr(converted, "converted_folder", lambda *_: base)
    folder = adapted_folder(extract, "float32")
    cut(folder / "model.safetensors")
    advice = "delete that folder, and it is made again"
    with pytest.raises(
        ModelNotFoundError, match=rf"the weights in '{re.escape(str(folder))}' are damaged: .*; {advice}"
    ):
        LLM(dtype="float32", device="cpu")
    shutil.rmtree(folder)
    cut(base / "model.safetensors")
    with pytest.raises(ModelNotFoundError, match=r"are damaged: .*; delete that file and get it again"):
        LLM(base)
    with pytest.raises(ModelCacheError, match=rf"the base's weights in '{base}' are damaged: .*; delete that folder"):
        LLM("smollm2-extract", dtype="float32")
    cut(adapter / "adapter_model.safetensors")
    with pytest.raises(ModelCacheError, match=r"the adapter's files in .* are damaged: .*; reinstall guided-generat"):
        merge_adapter(tiny_model_folder, adapter, adapter)


def test_the_cache(extract: KnownModel, adapter: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_in_cache(extract)
    with monkeypatch.context() as patched:
        patched.setattr("safetensors.torch.save_file", lambda *_, **__: (_ for _ in ()).throw(OSError("full")))
        with pytest.raises(Exception, match="full"):
            adapted_folder(extract, "float32")
    assert not is_in_cache(extract)
    assert [path.suffix for path in cache.glob("adapted/*/*")] == [".lock"]
    folder = Path(NamedModel("smollm2-extract").found("cpu", "float32").name)
    assert is_in_cache(extract)
    assert folder.name == "smollm2-extract"
    monkeypatch.setattr(converted, "converted_folder", lambda *_: pytest.fail("again"))
    assert adapted_folder(extract, "float32") == folder
    path = adapter / "adapter_config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"lora_alpha": 8}))
    adapted._digest.cache_clear()
    assert not is_in_cache(extract)  # another adapter


def test_the_base_is_not_fetched() -> None:
    with pytest.raises(ModelNotFoundError, match="'smollm2-extract' is not in the cache; fetch it: guided model smoll"):
        LLM("smollm2-extract")


def test_it_is_the_default_where_it_is_in_the_cache(
    extract: KnownModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert default_model().name == "embedded"
    NamedModel("smollm2-extract").found("cpu", "float32")
    assert default_model().name == "smollm2-extract"
    for _ in range(2):
        with LLM(dtype="float32") as llm:
            assert llm.model_name == "smollm2-extract"
            assert llm.tokenizer.init_kwargs["json_whitespace"] == "compact"
    message = 'no model was named, so it is smollm2-extract; LLM("embedded") is the small one in the package'
    assert [one.message for one in caplog.records if one.levelno == logging.WARNING] == [message]
    for chosen in ("embedded", "an/other"):
        monkeypatch.setenv("GUIDED_DEFAULT_MODEL", chosen)
        assert default_model().name == chosen
    monkeypatch.delenv("GUIDED_DEFAULT_MODEL")
    for name in ("smollm2-extract", "embedded"):  # the current folder says nothing about the default
        (tmp_path / "here" / name).mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    with LLM(dtype="float32") as llm, load_llm(None, dtype="float32") as other:
        assert llm.model_name == other.model_name == "smollm2-extract"
    monkeypatch.setattr(find, "is_in_cache", lambda _: False)
    with LLM() as llm, load_llm(None) as other:
        assert other.model_name == "embedded"
        assert llm.model_name == "embedded"
    assert "`guided model smollm2-extract` fetches one for more kinds of texts" in caplog.records[-1].message


def test_errors_of_the_default_name_the_variable(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "empty").mkdir()
    for name, message in (
        (str(tmp_path / "empty"), "holds no config.json"),
        ("smollm2-extract", "is not in the cache; fetch it"),
        ("no.gguf", "there is no GGUF file"),
    ):
        monkeypatch.setenv("GUIDED_DEFAULT_MODEL", name)
        for load in (LLM, lambda: load_llm(None)):
            with pytest.raises(ModelNotFoundError, match=f"^GUIDED_DEFAULT_MODEL: .*{message}"):
                load()
        with pytest.raises(ModelNotFoundError, match=r"^(?!GUIDED_DEFAULT_MODEL)"):
            LLM(name)
        with load_llm(None, engine="echo") as echo:  # which needs no model
            assert echo.vocabulary == load_vocabulary(str(package_folder()))
    monkeypatch.setenv("GUIDED_DEFAULT_MODEL", "embedded")
    loading._say_which_model.cache_clear()
    (tmp_path / "embedded").mkdir()
    monkeypatch.chdir(tmp_path)
    with LLM() as llm:
        assert llm.model_name == "embedded"
    assert not [one for one in caplog.records if "no model was named" in one.message]
    assert compile_source({"regex": "a"}, None) is not None


def test_a_cache_that_cannot_be_read_has_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: str) -> Path:
        raise PermissionError("no")

    monkeypatch.setattr(adapted, "fetched_file", refuse)
    assert default_model().name == "embedded"


def test_embedded_is_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with LLM("embedded", tokenizer="embedded") as llm, LLM("embedded", engine="echo") as echo:
        assert llm.model_name == "embedded"
        assert (
            llm.vocabulary == echo.vocabulary == load_vocabulary("embedded") == load_vocabulary(str(package_folder()))
        )
    (tmp_path / "embedded").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelNotFoundError, match=r"folder 'embedded' holds no config.json"):
        LLM("embedded")


def test_an_adapter_with_a_calibration(extract: KnownModel, adapter: Path) -> None:
    """Its weights go into the model's folder, which is another one, and confidences have what they say."""
    schema = {"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]}
    plain = adapted_folder(extract, "float32")
    weights = {"constant": 0.0, "log_processed": 0.0, "log_twins": 0.0, "is_null": 0.0}
    (adapter / CALIBRATION_FILE).write_text(json.dumps(weights))
    adapted._digest.cache_clear()
    folder = adapted_folder(extract, "float32")
    assert folder != plain
    for one, calibrated in ((folder, 0.5), (plain, None)):
        with LLM(str(one), device="cpu") as llm:
            found = llm.extractor(schema, confidence=True).extract_one("yes")
        assert found.confidence is not None
        assert found.confidence["/a"].calibrated == calibrated
        assert found.confidence[""].calibrated is None


def test_the_packaged_adapter() -> None:
    """Its names and shapes are those of SmolLM2-135M, and `peft` loads it."""
    assert {path.name for path in PACKAGED.iterdir()} == {*ADAPTER_FILES, CALIBRATION_FILE, "README.md"}
    assert sum(path.stat().st_size for path in PACKAGED.iterdir()) <= MAX_BYTES
    config = json.loads((PACKAGED / "adapter_config.json").read_text())
    assert config["base_model_name_or_path"] == "HuggingFaceTB/SmolLM2-135M-Instruct"
    assert not [value for value in config.values() if isinstance(value, str) and value.startswith("/")]
    sizes = {"hidden_size": 576, "intermediate_size": 1536, "num_attention_heads": 9, "num_key_value_heads": 3}
    base = LlamaForCausalLM(LlamaConfig(vocab_size=64, num_hidden_layers=30, **sizes))
    loaded = peft_loaded(base, PACKAGED)
    adapters = {name: weight for name, weight in loaded.state_dict().items() if "lora_" in name}
    with safe_open(PACKAGED / "adapter_model.safetensors", "pt") as file:
        names = sorted(file.keys())
        assert len(names) == len(adapters) == 420
        for name in names:
            weight = file.get_tensor(name)
            assert weight.dtype == torch.bfloat16
            assert torch.equal(adapters[name.replace(".weight", ".default.weight")], weight.float()), name


def test_the_table() -> None:
    for name, one in known.known_models().items():
        if one.base is not None:
            assert one.adapter is not None
            assert fetched_file(name) == fetched_file(one.base)
