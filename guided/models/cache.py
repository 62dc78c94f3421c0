"""Entries of the cache folder that are made once: whole or not at all, by one process while others wait."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from guided.grammars.cache_folder import cache_folder

from ..errors import ModelCacheError


def cached(kind: str) -> Path:
    """The folder of this name in the cache, for one kind of entries or one entry.

    Raises ModelCacheError if there is no folder for a cache.
    """
    try:
        return cache_folder() / kind
    except RuntimeError as error:  # the home folder is unknown
        raise ModelCacheError(f"there is no folder for models: {error}; set GUIDED_CACHE_DIR") from error


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def made_once(folder: Path, make: Callable[[Path], None]) -> Path:
    """`folder`, made by one process if it is not there. make: fills an empty folder.

    Raises ModelCacheError if the files can't be written, and what `make` raises. Nothing is left then.
    """
    if not folder.is_dir():
        with writing(folder.parent), _locked(folder):
            if not folder.is_dir():
                _make(folder, make)
    return folder


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Context manager that turns errors of writing into ModelCacheError. folder: the place that is written."""
    from safetensors import SafetensorError

    try:
        yield
    except (OSError, SafetensorError) as error:
        raise ModelCacheError(
            f"can't write {str(folder)!r}: {error}; make room there, or set GUIDED_CACHE_DIR to another folder"
        ) from error


def check_room(folder: Path, num_bytes: int, what: str) -> None:
    """Raise ModelCacheError if the disk of a folder has too little room. what: name of the file, for the error."""
    free = shutil.disk_usage(folder).free
    if free < num_bytes:
        raise ModelCacheError(
            f"{what} needs {num_bytes >> 20} MiB in {str(cache_folder())!r}, where {free >> 20} MiB are free; "
            "make room there, or set GUIDED_CACHE_DIR to another folder"
        )


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    from huggingface_hub.utils import WeakFileLock  # type: ignore[attr-defined]

    folder.parent.mkdir(parents=True, exist_ok=True)
    with WeakFileLock(folder.parent / f".{folder.name}.lock"):
        yield


def _make(folder: Path, make: Callable[[Path], None]) -> None:
    prefix = f".{folder.name}.part-"
    for left in folder.parent.glob(f"{prefix}*"):  # by a process that was killed: the lock is ours
        shutil.rmtree(left)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=prefix) as temporary:
        made = Path(temporary) / folder.name
        made.mkdir()
        make(made)
        made.rename(folder)
