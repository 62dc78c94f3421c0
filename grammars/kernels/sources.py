"""Checksums of the files that kernels are made from."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path


def digest_of(file: Path) -> str:
    """Return a checksum of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def changed_files(digests: Mapping[str, str], folder: Path) -> list[str]:
    """Return the files in a folder that are gone or have another checksum."""
    return [name for name, digest in digests.items() if not _is_as_it_was(folder / name, digest)]


def _is_as_it_was(file: Path, digest: str) -> bool:
    return file.exists() and digest_of(file) == digest
