"""Locates the embedded model's files: those in the package, and the standard files made from them."""

from __future__ import annotations

import hashlib
import shutil
from functools import cache
from pathlib import Path

from ..models.cache import cached, made_once

PACKED_WEIGHTS = "model.int8.safetensors"
UNPACKED_WEIGHTS = "model.safetensors"
STANDARD_FOLDER = "embedded-model-"  # followed by a digest of the packaged files


def package_folder() -> Path:
    """The folder in the package, with standard Hugging Face files, except that the weights are int8."""
    return Path(__file__).parent / "model"


def model_path() -> Path:
    """A folder with the model's standard Hugging Face files (config.json, model.safetensors, tokenizer.json, ...).

    The first call writes it, with float16 weights, into the cache folder. The environment variable GUIDED_CACHE_DIR
    names the cache folder; without it, the user's own is taken. Raises ModelCacheError if it can't be written.
    """
    return made_once(_standard_folder(), _write_standard_files)


def is_embedded(name: str) -> bool:
    """True if a model's name is the folder of the packaged model, or that of its standard files."""
    if not name:
        return False
    folder = Path(name).resolve()
    if folder.name.startswith(STANDARD_FOLDER):
        return folder == _standard_folder().resolve()
    return folder == package_folder().resolve()


def _standard_folder() -> Path:
    return cached(STANDARD_FOLDER + _digest(package_folder()))


@cache
def _digest(folder: Path) -> str:
    """16 hexadecimal digits that identify the model and its tokenizer."""
    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _write_standard_files(folder: Path) -> None:
    from safetensors.torch import load_file, save_file

    from .int8 import dequantized

    shutil.copytree(package_folder(), folder, ignore=shutil.ignore_patterns(PACKED_WEIGHTS), dirs_exist_ok=True)
    weights = dequantized(load_file(package_folder() / PACKED_WEIGHTS))
    save_file(weights, folder / UNPACKED_WEIGHTS, metadata={"format": "pt"})
