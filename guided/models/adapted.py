"""`adapted_folder`: a known model with an adapter in its weights, as a folder of standard files, made once.

The adapter is a LoRA in the format of `peft` (Hu et al. 2021): a weight W becomes W + (alpha / rank) B A. The sum is
computed in float32 and rounded once. The folder's name has the SHA-256 of base and adapter and the type of the weights,
so another adapter makes another folder.
"""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ModelCacheError, UnsupportedModelError
from .cache import cached, check_room, made_once
from .known import KnownModel, fetched_file

if TYPE_CHECKING:
    import torch

log = logging.getLogger(__name__)

ADAPTER_FILES = ("adapter_config.json", "adapter_model.safetensors")
CALIBRATION_FILE = "calibration.json"  # file beside ADAPTER_FILES, for a model that has a `Calibration`
_FORMAT = 1  # increase it when merging changes, so old folders are not used
_WEIGHTS = "model.safetensors"
_REINSTALL = "reinstall guided-generation"
_PREFIX = "base_model.model."  # prefix of all names in an adapter's file
_PLAIN = {"peft_type": "LORA", "bias": "none"}
_UNSET = (
    *("alpha_pattern", "rank_pattern", "use_rslora", "use_dora", "fan_in_fan_out", "modules_to_save", "lora_bias"),
    *("target_parameters", "trainable_token_indices", "layer_replication"),
)


def adapted_folder(model: KnownModel, dtype: str) -> Path:
    """The folder of a known model that has an adapter; made from the fetched base if it is not in the cache.

    dtype: type of the weights, as torch names it.
    Raises what `converted_folder` raises for the base's file.
    """
    from .converted import converted_folder

    folder = cached("adapted") / f"{_entry(model)}-{dtype}" / model.name
    if not folder.is_dir():
        base = converted_folder(fetched_file(model.name), dtype)
        made_once(folder, lambda made: _write(model, base, made))
    return folder


def is_in_cache(model: KnownModel) -> bool:
    """True if a known model can be loaded without the network: its file is fetched and any adapter is merged.

    A cache that can't be read has no model.
    """
    try:
        if not fetched_file(model.name).is_file():
            return False
        return model.adapter is None or any(cached("adapted").glob(f"{_entry(model)}-*/{model.name}"))
    except (ModelCacheError, OSError):
        return False


def merge_adapter(base: Path, adapter: Path, folder: Path, advance: Callable[[int], None] = lambda _: None) -> None:
    """Write a base model with an adapter in its weights as standard files.

    base: folder with config.json, model.safetensors and the tokenizer; the result has the type of its weights.
    adapter: folder with the two files that `peft` writes, and the weights of a `Calibration` if there are any.
    folder: the result's folder, which exists.
    advance: called with the number of bytes of each weight that is done.
    Raises UnsupportedModelError for an adapter that is more than a LoRA of plain matrices, or does not fit the base.
    Raises ModelCacheError for files that can't be read.
    """
    from safetensors import safe_open
    from safetensors.torch import load_file, save_file

    with _reading(adapter, "the adapter's files", _REINSTALL):
        config = json.loads((adapter / ADAPTER_FILES[0]).read_text(encoding="utf-8"))
        changes = load_file(adapter / ADAPTER_FILES[1])
    _check_adapter(config, adapter)
    weights: dict[str, torch.Tensor] = {}
    with _reading(base, "the base's weights", "delete that folder"), safe_open(base / _WEIGHTS, "pt") as file:
        for name in sorted(file.keys()):
            weights[name] = _merged(name, file.get_tensor(name), changes, config["lora_alpha"] / config["r"])
            advance(weights[name].nbytes)
    if changes:
        raise UnsupportedModelError(f"the adapter in {str(adapter)!r} changes {min(changes)}, which the base lacks")
    shutil.copytree(base, folder, ignore=shutil.ignore_patterns(_WEIGHTS), dirs_exist_ok=True)
    save_file(weights, folder / _WEIGHTS, metadata={"format": "pt"})
    tokenizer = folder / "tokenizer_config.json"
    trained_on: dict[str, Any] = {"json_whitespace": "compact"}  # the adapter's training has no other answers
    if (adapter / CALIBRATION_FILE).exists():
        trained_on["field_calibration"] = json.loads((adapter / CALIBRATION_FILE).read_text(encoding="utf-8"))
    named = json.loads(tokenizer.read_text(encoding="utf-8")) | trained_on
    tokenizer.write_text(json.dumps(named, indent=2) + "\n", encoding="utf-8")


def _merged(name: str, weight: torch.Tensor, changes: dict[str, torch.Tensor], scale: float) -> torch.Tensor:
    """A weight with its change, which is taken out of `changes`."""
    layer = _PREFIX + name.removesuffix(".weight")
    down, up = changes.pop(f"{layer}.lora_A.weight", None), changes.pop(f"{layer}.lora_B.weight", None)
    if down is None and up is None:
        return weight
    if down is None or up is None:
        raise UnsupportedModelError(f"the adapter has only one of the two matrices lora_A and lora_B of {layer}")
    shapes = tuple(up.shape), tuple(down.shape)
    if weight.ndim != 2 or shapes != ((weight.shape[0], down.shape[0]), (down.shape[0], weight.shape[1])):
        raise UnsupportedModelError(
            f"the adapter's matrices of {layer} have the shapes {shapes[0]} and {shapes[1]}, "
            f"which don't fit a weight of the shape {tuple(weight.shape)}"
        )
    return (weight.float() + scale * (up.float() @ down.float())).to(weight.dtype)


@contextmanager
def _reading(folder: Path, what: str, advice: str) -> Iterator[None]:
    """Context manager that turns errors of reading a folder's files into ModelCacheError."""
    from safetensors import SafetensorError

    try:
        yield
    except (OSError, SafetensorError) as error:
        raise ModelCacheError(f"{what} in {str(folder)!r} are damaged: {error}; {advice}") from error


def _check_adapter(config: dict[str, Any], folder: Path) -> None:
    """Raise UnsupportedModelError unless the adapter's config describes a plain LoRA."""
    other = [name for name, value in _PLAIN.items() if config.get(name) != value]
    other += [name for name in _UNSET if config.get(name)]
    if other:
        reason = f"{other[0]} is {config.get(other[0])!r}"
        raise UnsupportedModelError(f"the adapter in {str(folder)!r} is no plain LoRA: {reason}")


def _write(model: KnownModel, base: Path, folder: Path) -> None:
    from ..output.progress import progress_bar

    num_bytes = sum(path.stat().st_size for path in base.iterdir())
    check_room(folder, num_bytes, model.name)
    log.info("merging the adapter of %s into %s", model.name, folder)
    with progress_bar((base / _WEIGHTS).stat().st_size, f"merging {model.name}") as advance:
        merge_adapter(base, _adapter(model), folder, advance)


def _entry(model: KnownModel) -> str:
    """The begin of the name of a folder in the cache, without the type of the weights."""
    return f"{_FORMAT}-{model.sha256[:16]}-{_digest(_adapter(model))}"


def _adapter(model: KnownModel) -> Path:
    assert model.adapter is not None
    return Path(__file__).parent / model.adapter


@cache
def _digest(adapter: Path) -> str:
    """16 hexadecimal digits that identify an adapter."""
    digest = hashlib.sha256()
    for path in (adapter / name for name in (*ADAPTER_FILES, CALIBRATION_FILE)):
        if path.exists():
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
