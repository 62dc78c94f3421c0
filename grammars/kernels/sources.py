"""Checksums of the files that kernels are made from."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path


def digest_of(file: Path) -> str:
    """A checksum of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def changed_files(digests: Mapping[str, str], folder: Path, since_ns: int = 0) -> list[str]:
    """Those in a folder that are gone or not as they were. since_ns: older ones, by the clock, count as unchanged."""
    found = []
    for name, digest in digests.items():
        file = folder / name
        if not file.exists() or (file.stat().st_mtime_ns > since_ns and digest_of(file) != digest):
            found.append(name)
    return found
