"""`Columns`: named tensors with one row for each request, kept in rooms that are larger than needed.

A request that joins or leaves writes into memory that is already there, so the addresses stay what they are (a CUDA
graph may have recorded them) until the rows outgrow the room, which then doubles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

MIN_ROOM_ROWS = 8


@dataclass(frozen=True)
class Column:
    """What a column holds.

    row_shape: the shape of one row; lists of other lengths may be added, and all rows grow to the longest.
    fill: the value of places that nothing was written to.
    """

    dtype: torch.dtype
    row_shape: tuple[int, ...] = ()
    fill: float | int | bool = 0


class Columns:
    """B rows of some named tensors on one device. `columns[name]` is the view of its first B rows, (B, *row_shape)."""

    def __init__(self, specs: Mapping[str, Column], device: torch.device | str) -> None:
        self.num_rows = 0
        self.device = torch.device(device)
        self._fills = {name: spec.fill for name, spec in specs.items()}
        with torch.inference_mode(False):  # so that rows can come and go outside of inference mode too
            self._rooms = {
                name: torch.full((MIN_ROOM_ROWS, *spec.row_shape), spec.fill, dtype=spec.dtype, device=device)
                for name, spec in specs.items()
            }

    def __getitem__(self, name: str) -> torch.Tensor:
        return self._rooms[name][: self.num_rows]

    def append(self, rows: Mapping[str, Sequence[Any]]) -> None:
        """Add rows. rows: for every column the new rows' values: numbers, lists, or lists of lists of one length."""
        self._append({name: self._as_tensor(name, values) for name, values in rows.items()})

    def append_blank(self, num_rows: int) -> None:
        """Add rows that hold nothing but the fill values."""
        self._append(
            {
                name: torch.full((num_rows, *room.shape[1:]), self._fills[name], dtype=room.dtype, device=self.device)
                for name, room in self._rooms.items()
            }
        )

    def extend(self, other: Columns) -> None:
        """Add the other's rows, which has the same columns; the other stays as it is."""
        self._append({name: other[name] for name in self._rooms})

    def keep(self, rows: Sequence[int]) -> None:
        """Keep only these rows, in this order."""
        indices = self._indices(rows)
        for name, room in self._rooms.items():
            room[: len(rows)] = self[name].index_select(0, indices)
        self.num_rows = len(rows)

    def copy_rows(self, rows: Sequence[int]) -> Columns:
        """New columns of these rows, which share no memory with these."""
        indices = self._indices(rows)
        copy = Columns({}, self.device)
        copy._fills = dict(self._fills)
        with torch.inference_mode(False):
            copy._rooms = {name: self[name].index_select(0, indices) for name in self._rooms}
        copy.num_rows = len(rows)
        return copy

    def widen(self, name: str, row_shape: Sequence[int]) -> None:
        """Make the rows of a column at least that large in every dimension; the new places hold its fill value."""
        old = self._rooms[name]
        shape = tuple(max(sizes) for sizes in zip(old.shape[1:], row_shape, strict=True))
        if shape != old.shape[1:]:
            self._rooms[name] = self._enlarged(name, (len(old), *shape))

    def _append(self, rows: Mapping[str, torch.Tensor]) -> None:
        start, stop = self.num_rows, self.num_rows + len(next(iter(rows.values())))
        for name, values in rows.items():
            self.widen(name, values.shape[1:])
            room = self._rooms[name]
            if stop > len(room):
                room = self._rooms[name] = self._enlarged(name, (max(stop, 2 * len(room)), *room.shape[1:]))
            room[start:stop] = self._fills[name]
            room[(slice(start, stop), *map(slice, values.shape[1:]))] = values
        self.num_rows = stop

    def _enlarged(self, name: str, shape: tuple[int, ...]) -> torch.Tensor:
        old = self._rooms[name]
        with torch.inference_mode(False):
            room = torch.full(shape, self._fills[name], dtype=old.dtype, device=self.device)
        room[tuple(map(slice, old.shape))] = old
        return room

    def _indices(self, rows: Sequence[int]) -> torch.Tensor:
        return torch.tensor(list(rows), dtype=torch.int64, device=self.device)

    def _as_tensor(self, name: str, values: Sequence[Any]) -> torch.Tensor:
        room = self._rooms[name]
        if room.dim() == 1:
            return torch.tensor(values, dtype=room.dtype, device=self.device)
        arrays = {row: np.asarray(value) for row, value in enumerate(values) if len(value)}
        sizes = [max((array.shape[i] for array in arrays.values()), default=0) for i in range(room.dim() - 1)]
        padded = np.full((len(values), *map(_power_of_two, sizes)), self._fills[name], dtype=_numpy_dtype(room.dtype))
        for row, array in arrays.items():
            padded[row][tuple(map(slice, array.shape))] = array
        return torch.from_numpy(padded).to(self.device)


def _power_of_two(size: int) -> int:
    """The next power of two, so that rows seldom grow; 0 stays 0."""
    return 1 << (size - 1).bit_length() if size else 0


def _numpy_dtype(dtype: torch.dtype) -> np.dtype[Any]:
    return torch.empty(0, dtype=dtype).numpy().dtype
