"""Finds out what a model's name is: a folder, the path of a checkpoint, or a hub name. Needs no torch."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

from ..errors import ModelNotFoundError

CHECKPOINT_SUFFIXES = (".pt", ".pth")
STANDARD_WEIGHTS = ("*.safetensors", "*.bin", "*.index.json")


def checkpoint_in(name: str) -> Path | None:
    """The checkpoint that a model's name means: a file, or the only checkpoint in a folder without standard weights.

    Returns None if there is no checkpoint. Raises ModelNotFoundError for a folder with several checkpoints.
    """
    path = Path(name)
    if path.is_file():
        return path if path.suffix in CHECKPOINT_SUFFIXES else None
    return only_file(path, CHECKPOINT_SUFFIXES, "checkpoints")


def only_file(folder: Path, suffixes: Collection[str], kind: str) -> Path | None:
    """The only file with one of the suffixes in a folder without standard weights. kind: what such files are called.

    Returns None if there is none. Raises ModelNotFoundError if there are several.
    """
    if not folder.is_dir() or any(any(folder.glob(pattern)) for pattern in STANDARD_WEIGHTS):
        return None
    found = sorted(one for one in folder.iterdir() if one.suffix.lower() in suffixes)
    if len(found) > 1:
        names = ", ".join(one.name for one in found)
        raise ModelNotFoundError(f"folder {str(folder)!r} holds several {kind} ({names}); give the path of one of them")
    return found[0] if found else None


def model_folder(name: str) -> str:
    """The folder with a model's files: the folder of a checkpoint if the name is its path; else the name itself."""
    path = Path(name)
    return os.fspath(path.parent) if path.is_file() and checkpoint_in(name) is not None else name


def is_model_folder(name: str) -> bool:
    """True for a folder with a model, and for a checkpoint in such a folder; False for a possible hub name.

    Raises ModelNotFoundError for any other name.
    """
    path = Path(model_folder(name))
    if name and path.is_dir():  # Path("") is the current folder
        if not (path / "config.json").is_file() and not (path / "tokenizer_config.json").is_file():
            raise ModelNotFoundError(f"folder {str(path)!r} holds no config.json; give a folder with a model's files")
        return True
    if path.is_file():
        raise ModelNotFoundError(
            f"{name!r} is a file; give the folder with the model's files, a GGUF file (.gguf) or a checkpoint (.pt)"
        )
    from huggingface_hub.errors import HFValidationError
    from huggingface_hub.utils import validate_repo_id  # type: ignore[attr-defined]

    try:
        validate_repo_id(name)
    except HFValidationError as error:
        raise ModelNotFoundError(
            f"no folder {name!r}; give an existing model folder or a Hugging Face hub name"
        ) from error
    return False
