"""Finding models: the right file, or one line that says what to do."""

from __future__ import annotations

import gc
import json
import shutil
from pathlib import Path
from typing import Any

import huggingface_hub.constants
import huggingface_hub.errors
import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM, AutoTokenizer

from guided.embedded import model_path
from guided.engines.base import Engine
from guided.engines.factory import EngineOptions, LoadedEngine
from guided.engines.local.loading import _load_files, load_text_side, load_transformers_engine
from guided.engines.local.transformers import max_context_tokens
from guided.engines.registry import engine_factory, register_engine
from guided.errors import ModelNotFoundError, UnknownEngineError, UnsupportedModelError
from guided.grammars.errors import GuidedError, InvalidInputError
from guided.llm import LLM
from guided.model_vocabulary import _plain_vocabulary, load_vocabulary


def load(model: Any, tokenizer: Any = None, device: str = "auto", dtype: str = "auto") -> LoadedEngine:
    return load_transformers_engine(model, EngineOptions(tokenizer, device, dtype))


@pytest.fixture
def folder(tiny_model_folder: Path, tmp_path: Path) -> Path:
    """A copy that a test may damage."""
    return Path(shutil.copytree(tiny_model_folder, tmp_path / "copy"))


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)


def edit_json(path: Path, **changes: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def one_line(error: pytest.ExceptionInfo[GuidedError]) -> str:
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_folder(tiny_model_folder: Path) -> None:
    loaded = load(tiny_model_folder)
    assert loaded.engine.model_name == tiny_model_folder.name
    assert loaded.engine.vocabulary.size == 280  # the model's width, not the tokenizer's 269
    assert loaded.engine.max_context_tokens == 1024
    assert len(loaded.tokenizer) == 269


def test_end_of_sequence_ids_are_those_of_tokenizer_and_generation_config(folder: Path) -> None:
    tokenizer = AutoTokenizer.from_pretrained(folder)
    names = ["<|im_end|>", "<|endoftext|>"]
    assert load(folder).engine.vocabulary.eos_token_ids == set(tokenizer.convert_tokens_to_ids(names))
    edit_json(folder / "generation_config.json", eos_token_id=tokenizer.pad_token_id)
    assert load(folder).engine.vocabulary.eos_token_ids == {tokenizer.eos_token_id, tokenizer.pad_token_id}


def test_plain_files_are_read_without_transformers(folder: Path, tmp_path: Path) -> None:
    elsewhere = shutil.copytree(model_path(), tmp_path / "embedded")
    read_by_transformers = load_text_side(str(elsewhere))[1]
    assert load_text_side(str(model_path()))[1] == read_by_transformers
    plain = _plain_vocabulary(model_path())
    assert plain == read_by_transformers
    assert plain is not None
    assert plain.special_tokens == read_by_transformers.special_tokens
    assert _plain_vocabulary(folder) == load_text_side(str(folder))[1]
    edit_json(folder / "tokenizer_config.json", extra_special_tokens=["<|new|>"])  # transformers adds it
    assert _plain_vocabulary(folder) is None
    assert "<|new|>" in load_vocabulary(str(folder)).special_tokens
    edit_json(folder / "tokenizer_config.json", extra_special_tokens=[], tokenizer_class="LlamaTokenizer")
    assert _plain_vocabulary(folder) is None
    assert _plain_vocabulary(folder / "none") is None


def test_the_vocabulary_alone(folder: Path) -> None:
    assert load_vocabulary(str(folder)) == load(folder).engine.vocabulary
    edit_json(folder / "config.json", eos_token_id=268)
    (folder / "generation_config.json").unlink()
    assert load_vocabulary(str(folder)) == load(folder).engine.vocabulary
    (folder / "model.safetensors").unlink()
    assert load_vocabulary(str(folder)).eos_token_ids == {267, 268}
    with pytest.raises(ModelNotFoundError, match="give an existing model folder"):
        load_vocabulary("./no-such")


def test_a_loaded_model(tiny_model_folder: Path) -> None:
    model = AutoModelForCausalLM.from_pretrained(tiny_model_folder).train()
    tokenizer = AutoTokenizer.from_pretrained(tiny_model_folder)
    loaded = load(model, tokenizer)
    assert loaded.tokenizer is tokenizer
    assert not model.training
    with pytest.raises(InvalidInputError, match="needs its loaded tokenizer"):
        load(model)
    with pytest.raises(InvalidInputError, match="device and dtype are for models loaded by name"):
        load(model, tokenizer, dtype="bfloat16")


def test_a_checkpoint_of_a_state_dict(folder: Path) -> None:
    """Beside a config, by its own path or by the folder's; also as training loops wrap it."""
    model = AutoModelForCausalLM.from_pretrained(folder)
    weights = model.state_dict()
    save_file({**weights, "model.norm.weight": torch.ones(3)}, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(UnsupportedModelError, match=r"no usable weights for .*model\.norm\.weight"):
        load(folder)
    (folder / "model.safetensors").unlink()
    path = folder / "checkpoint.pt"
    compiled = {f"module._orig_mod.{key}": value for key, value in weights.items()}
    for name, saved in ((folder, weights), (path, {"model": weights, "step": 3}), (path, {"state_dict": compiled})):
        torch.save(saved, path)
        loaded = load(name)
        assert loaded.engine.model_name == folder.name
        assert loaded.engine.vocabulary.eos_token_ids >= set(model.generation_config.eos_token_id)
        assert torch.equal(_load_files(str(name), None, "cpu", "auto")[0].lm_head.weight, model.lm_head.weight)
    assert load_vocabulary(str(path)) == loaded.engine.vocabulary
    torch.save({**weights, "model.norm.weight": torch.ones(3)}, path)
    with pytest.raises(UnsupportedModelError, match=r"no usable weights for .*model\.norm\.weight"):
        load(path)
    torch.save([1, 2], path)
    with pytest.raises(UnsupportedModelError, match="holds no state dict"):
        load(path)
    torch.save(model, path)  # with its code
    with pytest.raises(UnsupportedModelError, match="code in a checkpoint is never run"):
        load(path)
    shutil.copy(path, folder / "last.pt")
    with pytest.raises(ModelNotFoundError, match=r"several checkpoints \(checkpoint.pt, last.pt\)"):
        load(folder)
    (folder / "config.json").unlink()
    (folder / "tokenizer_config.json").unlink()
    with pytest.raises(ModelNotFoundError, match=r"holds no config\.json"):
        load(path)


def test_a_tokenizer_from_elsewhere(tiny_model_folder: Path, folder: Path) -> None:
    for file in folder.glob("tokenizer*"):
        file.unlink()
    with pytest.raises(UnsupportedModelError) as error:
        load(folder)
    assert "tokenizer" in one_line(error)
    assert len(load(folder, str(tiny_model_folder)).tokenizer) == 269
    assert len(load(folder, AutoTokenizer.from_pretrained(tiny_model_folder)).tokenizer) == 269


@pytest.mark.parametrize(("dtype", "expected"), [("auto", torch.float32), ("bfloat16", torch.bfloat16)])
def test_dtype(tiny_model_folder: Path, dtype: str, expected: torch.dtype) -> None:
    engine: Any = load(tiny_model_folder, device="cpu", dtype=dtype).engine
    assert engine.dtype == expected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dtype": "int3"}, "dtype must be auto, float32, bfloat16, float16"),
        ({"device": "tpu9"}, "device 'tpu9' can't be used"),
    ],
)
def test_bad_options(tiny_model_folder: Path, options: dict[str, str], message: str) -> None:
    with pytest.raises(InvalidInputError, match=message) as error:
        load(tiny_model_folder, **options)
    one_line(error)


@pytest.mark.parametrize("name", ["/no/such/folder", "./no-such", "a/b/c", "bad name!", "", "~/models/x"])
def test_no_such_folder(name: str) -> None:
    with pytest.raises(ModelNotFoundError, match="give an existing model folder or a Hugging Face hub name") as error:
        load(name)
    assert repr(name) in one_line(error)


def test_a_folder_without_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("guided.loading.engine_factory", None)  # nothing that imports torch is asked for
    with pytest.raises(ModelNotFoundError, match=r"holds no config\.json"):
        LLM(tmp_path)
    with pytest.raises(ModelNotFoundError, match=r"holds no config\.json"):
        load(tmp_path)


def test_a_file(folder: Path) -> None:
    with pytest.raises(ModelNotFoundError, match="is a file"):
        load(folder / "config.json")


@pytest.mark.usefixtures("offline")
def test_a_hub_name_that_is_not_cached_offline() -> None:
    with pytest.raises(ModelNotFoundError, match="not in the local cache, and HF_HUB_OFFLINE is set") as error:
        load("no-such-owner/no-such-model")
    one_line(error)


@pytest.mark.parametrize("is_hub_error", [False, True])
def test_a_hub_that_cannot_be_asked_whatever_http_library_it_is_built_on(
    is_hub_error: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """huggingface_hub 0.x raises requests' errors, 1.x httpx's, 2.x httpx2's; here those of a library of the test."""

    class OtherLibraryError(Exception):
        """As httpx.HTTPError."""

    class HubError(OtherLibraryError, OSError):
        """As huggingface_hub.errors.HfHubHTTPError."""

    def fail(*_: object, **__: object) -> None:
        raise (HubError if is_hub_error else OtherLibraryError)("no route\nto the hub")

    monkeypatch.setattr(huggingface_hub.errors, "HfHubHTTPError", HubError)
    monkeypatch.setattr(huggingface_hub.HfApi, "model_info", fail)
    with pytest.raises(ModelNotFoundError, match=r"the hub can't be asked \(no route\)") as error:
        load("no-such-owner/no-such-model")
    one_line(error)


def test_no_weights(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    with pytest.raises(ModelNotFoundError, match="can't load") as error:
        load(folder)
    one_line(error)


def test_missing_weights_are_never_made_up(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    del weights["model.layers.1.mlp.up_proj.weight"]
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(
        UnsupportedModelError, match=r"incomplete: no usable weights for model\.layers\.1\.mlp\.up_proj"
    ):
        load(folder)


def test_an_unknown_architecture(folder: Path) -> None:
    edit_json(folder / "config.json", model_type="no_such_type")
    with pytest.raises(UnsupportedModelError, match="can't load") as error:
        load(folder)
    one_line(error)


def test_no_stated_context() -> None:
    from transformers import BloomConfig

    with pytest.raises(UnsupportedModelError, match=r"Bloom.*no max_position_embeddings"):
        max_context_tokens(BloomConfig(), "BloomForCausalLM")


def test_what_is_no_model() -> None:
    with pytest.raises(InvalidInputError, match="not int"):
        load(3)


def test_engines_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert engine_factory("transformers") is load_transformers_engine
    with pytest.raises(UnknownEngineError, match="unknown engine 'warp'; known engines: echo, openai, transformers"):
        engine_factory("warp")
    monkeypatch.setattr("guided.engines.registry._LOADERS", {})

    def factory(model: Any, options: EngineOptions) -> LoadedEngine:
        tokenizer = options.tokenizer
        return LoadedEngine(Engine, tokenizer)  # type: ignore[arg-type]

    register_engine("mine", lambda: factory)
    assert engine_factory("mine") is factory
    with pytest.raises(InvalidInputError, match="an engine named 'mine' is registered already"):
        register_engine("mine", lambda: factory)


def test_the_collector_works_again_after_loading(tiny_model_folder: Path) -> None:
    for is_on in (True, False):
        (gc.enable if is_on else gc.disable)()
        try:
            LLM(str(tiny_model_folder)).shutdown()
            with pytest.raises(ModelNotFoundError):
                LLM(str(tiny_model_folder / "no folder"))
            assert gc.isenabled() == is_on
        finally:
            gc.enable()
