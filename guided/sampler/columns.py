"""`Columns`: named tensors with one row for each request, kept in buffers that are larger than needed.

A request that joins is written behind the others, which are not copied. When the rows outgrow a buffer, it is replaced
by one of twice the size.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import torch

MIN_ROOM_ROWS = 8


class ColumnType(NamedTuple):
    """The type of a column.

    dtype: type of its values.
    num_places: minimum length of a row, which is a list; None: a row is a number. All lists have the length of the
        longest.
    fill: value of entries that were never written.
    """

    dtype: torch.dtype
    num_places: int | None = None
    fill: float | int | bool = 0


class Columns:
    """B rows of named tensors on one device. `columns[name]` is a view of its first B rows, (B,) or (B, L)."""

    def __init__(self, device: torch.device | str, num_rows: int = 0) -> None:
        self.device = torch.device(device)
        self.num_rows = num_rows
        self._rooms: dict[str, torch.Tensor] = {}
        self._fills: dict[str, float | int | bool] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._rooms

    def __getitem__(self, name: str) -> torch.Tensor:
        return self._rooms[name][: self.num_rows]

    def add(self, specs: Mapping[str, ColumnType], rows: Sequence[Mapping[str, Any]]) -> None:
        """Add columns. rows: for each row its numbers and lists, by column name."""
        with torch.inference_mode(False):  # rows may also join and leave outside inference mode
            for name, spec in specs.items():
                self._fills[name] = spec.fill
                self._rooms[name] = _tensor(spec, [row[name] for row in rows]).to(self.device)

    def drop(self, names: Collection[str]) -> None:
        """Remove columns."""
        for name in names:
            del self._rooms[name], self._fills[name]

    def keep(self, indices: Sequence[int]) -> None:
        """Keep only these rows, in this order."""
        places = self._places(indices)
        for name, room in self._rooms.items():
            room[: len(indices)] = self[name].index_select(0, places)
        self.num_rows = len(indices)

    def append(self, other: Columns) -> None:
        """Append the rows of `other`, which is not changed. If one side lacks a column, its rows are blank there."""
        start, stop = self.num_rows, self.num_rows + other.num_rows
        for name, fill in (self._fills | other._fills).items():
            like = other._rooms.get(name, self._rooms.get(name))
            assert like is not None
            if name not in self._rooms:
                self._fills[name] = fill
                self._rooms[name] = _blank(like, (start, *like.shape[1:]), fill)
            self._make_room(name, stop, like.shape[1:])
            new = self._rooms[name][start:stop]
            if name not in other._rooms or like.shape[1:] != new.shape[1:]:
                new.fill_(fill)
            if name in other._rooms:
                new[tuple(map(slice, (len(new), *like.shape[1:])))] = other[name]
        self.num_rows = stop

    def select(self, indices: Sequence[int]) -> Columns:
        """An independent copy of these rows, in this order."""
        places, copy = self._places(indices), Columns(self.device, len(indices))
        copy._fills = dict(self._fills)
        with torch.inference_mode(False):
            copy._rooms = {name: self[name].index_select(0, places) for name in self._rooms}
        return copy

    def widen(self, name: str, num_places: int) -> None:
        """Extend the rows of a column to at least `num_places`; new entries have the fill value."""
        self._make_room(name, self.num_rows, (num_places,))

    def _make_room(self, name: str, num_rows: int, row_shape: Sequence[int]) -> None:
        old = self._rooms[name]
        grown = len(old) if num_rows <= len(old) else max(num_rows, 2 * len(old), MIN_ROOM_ROWS)
        shape = (grown, *map(max, old.shape[1:], row_shape))
        if shape != tuple(old.shape):
            room = self._rooms[name] = _blank(old, shape, self._fills[name])
            room[tuple(map(slice, old.shape))] = old

    def _places(self, indices: Sequence[int]) -> torch.Tensor:
        return torch.tensor(list(indices), dtype=torch.int64, device=self.device)


def _blank(like: torch.Tensor, shape: Sequence[int], fill: float | int | bool) -> torch.Tensor:
    with torch.inference_mode(False):
        return torch.full(tuple(shape), fill, dtype=like.dtype, device=like.device)


def _tensor(spec: ColumnType, values: Sequence[Any]) -> torch.Tensor:
    """Values as a tensor on the CPU. The length of lists is rounded up to a power of two, so that rows seldom grow."""
    if spec.num_places is None:
        return torch.tensor(values, dtype=spec.dtype)
    longest = max(map(len, values), default=0)
    num_places = max(spec.num_places, 1 << (longest - 1).bit_length() if longest else 0)
    padded = torch.full((len(values), num_places), spec.fill, dtype=spec.dtype)
    for row, value in enumerate(values):
        if len(value):
            padded[row, : len(value)] = torch.as_tensor(value, dtype=spec.dtype)
    return padded
