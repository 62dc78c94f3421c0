"""The embedded model's weights as int8, and the standard files that are made of them once."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from examples.embedded_model.pack import pack
from guided.embedded import model_path
from guided.embedded.files import PACKED_WEIGHTS, UNPACKED_WEIGHTS, is_embedded, package_folder
from guided.embedded.int8 import SCALES, dequantized, quantized
from guided.embedded.loading import load_network
from guided.engines.factory import EngineOptions, LoadedEngine
from guided.errors import ModelCacheError, UnsupportedModelError
from guided.loading import load_model
from guided.model_vocabulary import load_vocabulary


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GUIDED_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def entries(cache: Path) -> list[Path]:
    return [path for path in cache.iterdir() if path.suffix != ".lock"]


def test_each_number_is_off_by_half_a_scale_at_most() -> None:
    torch.manual_seed(1)
    weights = {"m": torch.randn(40, 70) * torch.logspace(-2, 2, 40)[:, None], "n": torch.randn(9)}
    packed = quantized(weights)
    assert (packed["m"].dtype, packed["m"].shape, packed["m" + SCALES].shape) == (torch.int8, (40, 70), (40,))
    again = dequantized(packed)
    assert again.keys() == weights.keys()
    rounding = again["m"].abs() * 2.0**-11 + 2.0**-25  # of float16
    assert (again["m"] - weights["m"]).abs().le(packed["m" + SCALES][:, None] * 0.5001 + rounding).all()
    assert packed["m"].abs().amax(dim=1).tolist() == [127] * 40
    assert torch.equal(again["n"], weights["n"].half())


def test_a_row_of_zeros_stays() -> None:
    assert torch.equal(dequantized(quantized({"m": torch.zeros(2, 3)}))["m"], torch.zeros(2, 3).half())


def test_packing_what_is_packed_changes_nothing() -> None:
    packed = load_file(package_folder() / PACKED_WEIGHTS)
    again = quantized(dequantized(packed))
    assert all(torch.equal(again[name], packed[name]) for name in packed if not name.endswith(SCALES))


def test_standard_files_are_those_of_the_package(cache: Path) -> None:
    folder = model_path()
    assert folder.parent == cache
    assert entries(cache) == [folder]
    names = {path.name for path in package_folder().iterdir()}
    assert {path.name for path in folder.iterdir()} == names - {PACKED_WEIGHTS} | {UNPACKED_WEIGHTS}
    weights = load_file(folder / UNPACKED_WEIGHTS)
    own = load_network()
    assert torch.equal(weights["model.embed_tokens.weight"], own.tokens)
    assert {weight.dtype for weight in weights.values()} == {torch.float16}
    for name in ("config.json", "tokenizer.json"):
        assert (folder / name).read_bytes() == (package_folder() / name).read_bytes()


def test_standard_files_are_written_once(cache: Path) -> None:
    written = (model_path() / UNPACKED_WEIGHTS).stat().st_mtime_ns
    assert (model_path() / UNPACKED_WEIGHTS).stat().st_mtime_ns == written


def test_processes_that_write_at_once_agree(cache: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        assert len({pool.apply_async(model_path).get() for _ in range(3)}) == 1
    assert entries(cache) == [model_path()]


def test_its_folders_are_the_embedded_model(cache: Path, tmp_path: Path) -> None:
    assert is_embedded(str(package_folder()))
    assert is_embedded(str(model_path()))
    assert not is_embedded("")
    assert not is_embedded(str(tmp_path / model_path().name))
    assert load_vocabulary(str(model_path())) == load_vocabulary(str(package_folder()))


def test_other_engines_get_the_standard_files(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = []

    def load(model: str, _: EngineOptions) -> LoadedEngine:
        given.append(Path(model))
        raise UnsupportedModelError("noted")

    monkeypatch.setattr("guided.loading.engine_factory", lambda _: load)
    for engine in ("transformers", "echo", "vllm", "sglang", "an engine of a plugin"):
        with pytest.raises(UnsupportedModelError, match="noted"):
            load_model(None, engine)
    assert given == [package_folder()] * 2 + [model_path()] * 3


def test_a_cache_that_cannot_be_written_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("GUIDED_CACHE_DIR", str(tmp_path / "file"))
    with pytest.raises(ModelCacheError, match=r"can't write .*set GUIDED_CACHE_DIR to another folder"):
        model_path()


def test_a_model_folder_is_packed(cache: Path, tmp_path: Path) -> None:
    num_bytes = pack(model_path(), tmp_path / "packed")
    assert num_bytes == sum(path.stat().st_size for path in package_folder().iterdir())
    again, own = (load_file(folder / PACKED_WEIGHTS) for folder in (tmp_path / "packed", package_folder()))
    assert again.keys() == own.keys()
    assert all(torch.equal(again[name], own[name]) for name in own if own[name].dtype == torch.int8)
