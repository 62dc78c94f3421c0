"""`read_header`: reads what a GGUF file says about its model, without the weights.

All lengths are checked against the file's size, so a file that was cut is refused here, before anything is written.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from guided.grammars.errors import GuidedError
from guided.grammars.extras import require

from ..errors import ModelNotFoundError, UnsupportedModelError
from .gguf_values import check_values

MAGIC = b"GGUF"
VERSIONS = (2, 3)
MAX_DIMENSIONS = 4
ALIGNMENT, PARTS = "general.alignment", "split.count"
DEFAULT_ALIGNMENT = 32

_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
"""Type of a value -> its format in `struct`."""
_STRING, _ARRAY = 8, 9


@dataclass(frozen=True)
class StoredTensor:
    """A tensor of the file.

    shape: as torch has it, the rows first.
    kind: the number of its storage type (`gguf.GGMLQuantizationType`).
    start, num_bytes: its place in the file.
    """

    name: str
    shape: tuple[int, ...]
    kind: int
    start: int
    num_bytes: int


@dataclass(frozen=True)
class Header:
    """Everything in a GGUF file except the weights.

    metadata: values by their keys.
    tensors: by their names, in the file's order.
    """

    path: Path
    architecture: str
    metadata: Mapping[str, Any]
    tensors: Mapping[str, StoredTensor]

    def value(self, key: str, default: Any = None) -> Any:
        """A value of the architecture, by the key without the architecture's name."""
        return self.metadata.get(f"{self.architecture}.{key}", default)


def read_header(path: Path) -> Header:
    """Read a GGUF file's header.

    Raises ModelNotFoundError for a file that is cut, damaged or no GGUF file. Raises UnsupportedModelError for
    another version, a part of a split model, or weights of an unknown type. Raises InvalidInputError without the extra
    gguf.
    """
    with (
        reading(path),
        path.open("rb") as file,
        mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data,
    ):
        return _Reader(path, data).header()


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Context manager for reading a model's file. Raises ModelNotFoundError if it can't be read or is damaged."""
    try:
        yield
    except GuidedError:
        raise
    except OSError as error:
        raise ModelNotFoundError(f"can't read {str(path)!r}: {error.strerror or error}") from error
    except ValueError as error:
        raise ModelNotFoundError(f"{str(path)!r} is empty or damaged ({error}); fetch it again") from error


class _Reader:
    """Reads values one after another. `position` is the place of the next one."""

    def __init__(self, path: Path, data: mmap.mmap) -> None:
        self._path = path
        self._data = data
        self._position = 0

    def header(self) -> Header:
        if self._take(4) != MAGIC:
            raise ModelNotFoundError(f"{str(self._path)!r} is no GGUF file: it does not begin with {MAGIC.decode()}")
        version, num_tensors, num_values = self._number("I"), self._number("Q"), self._number("Q")
        if version not in VERSIONS:
            raise UnsupportedModelError(
                f"{str(self._path)!r} is of GGUF version {version}; supported: {', '.join(map(str, VERSIONS))}"
            )
        metadata: dict[str, Any] = {}
        for _ in range(num_values):
            key = self._string()
            if key in metadata:
                raise self._damaged(f"it has {key} twice")
            metadata[key] = self._value(self._number("I"))
        architecture = metadata.get("general.architecture")
        if not isinstance(architecture, str):
            raise self._damaged("it has no general.architecture")
        check_values(self._path, "general", {key: metadata[key] for key in (ALIGNMENT, PARTS) if key in metadata})
        if metadata.get(PARTS, 1) > 1:
            raise UnsupportedModelError(
                f"{str(self._path)!r} is one of {metadata[PARTS]} parts of a model; join them into one file"
            )
        tables = [self._tensor_entry() for _ in range(num_tensors)]
        alignment = metadata.get(ALIGNMENT, DEFAULT_ALIGNMENT)
        start = -(-self._position // alignment) * alignment
        tensors = {name: self._tensor(name, shape, kind, start + offset) for name, shape, kind, offset in tables}
        if len(tensors) < len(tables):
            raise self._damaged("two tensors have the same name")
        return Header(self._path, architecture, metadata, tensors)

    def _tensor_entry(self) -> tuple[str, tuple[int, ...], int, int]:
        name, num_dimensions = self._string(), self._number("I")
        if num_dimensions > MAX_DIMENSIONS:
            raise self._damaged(f"tensor {name!r} has {num_dimensions} dimensions")
        shape = tuple(self._number("Q") for _ in range(num_dimensions))
        return name, shape[::-1], self._number("I"), self._number("Q")

    def _tensor(self, name: str, shape: tuple[int, ...], kind: int, start: int) -> StoredTensor:
        sizes = require("gguf.constants", "a GGUF file").GGML_QUANT_SIZES
        if kind not in sizes:
            raise UnsupportedModelError(f"{str(self._path)!r}: tensor {name!r} is stored in the unknown type {kind}")
        block, block_bytes = sizes[kind]
        if not shape or shape[-1] % block:
            raise self._damaged(f"tensor {name!r} has the shape {list(shape)}")
        num_bytes = prod(shape) // block * block_bytes
        if start + num_bytes > len(self._data):
            raise self._cut(f"tensor {name!r} ends at byte {start + num_bytes}")
        return StoredTensor(name, shape, kind, start, num_bytes)

    def _value(self, kind: int) -> Any:
        if kind in _NUMBERS:
            return self._number(_NUMBERS[kind])
        if kind == _STRING:
            return self._string()
        if kind != _ARRAY:
            raise self._damaged(f"a value of the unknown type {kind}")
        kind, length = self._number("I"), self._number("Q")
        if length > len(self._data):
            raise self._cut(f"a list of {length} values")
        if kind in _NUMBERS:
            return list(self._numbers(f"{length}{_NUMBERS[kind]}"))
        if kind != _STRING:
            raise self._damaged(f"a list with values of type {kind}")
        return [self._string() for _ in range(length)]

    def _string(self) -> str:
        return self._take(self._number("Q")).decode()

    def _number(self, form: str) -> Any:
        return self._numbers(form)[0]

    def _numbers(self, form: str) -> tuple[Any, ...]:
        return struct.unpack(f"<{form}", self._take(struct.calcsize(f"<{form}")))

    def _take(self, num_bytes: int) -> bytes:
        end = self._position + num_bytes
        if end > len(self._data):
            raise self._cut(f"its header goes on to byte {end}")
        taken = self._data[self._position : end]
        self._position = end
        return taken

    def _cut(self, reason: str) -> ModelNotFoundError:
        return ModelNotFoundError(
            f"{str(self._path)!r} is cut: {reason}, but the file has {len(self._data)}; fetch it again"
        )

    def _damaged(self, reason: str) -> ModelNotFoundError:
        return ModelNotFoundError(f"{str(self._path)!r} is damaged: {reason}; fetch it again")
