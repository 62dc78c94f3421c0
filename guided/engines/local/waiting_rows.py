"""`WaitingRows`: the waiting requests, sorted by order and grouped by caller. No operation visits all of them."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Container, Iterator, Mapping
from heapq import heappop, heappush

from .engine_request import EngineRequest, RowState


class WaitingRows:
    """The waiting rows, sorted by `EngineRequest.order`, which is unique. While a row waits, its order and group must
    not change.

    To add or remove a row takes a few microseconds with 100,000 rows: a binary search, and a move of pointers in a
        list.
    """

    def __init__(self) -> None:
        self._rows: list[EngineRequest] = []
        self._of_group: dict[object, list[EngineRequest]] = {}
        self._heads: list[EngineRequest] = []  # the first row of each group, in the rows' order

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[EngineRequest]:
        return iter(self._rows)

    def __contains__(self, row: EngineRequest) -> bool:
        place = _place_of(self._rows, row)
        return place < len(self._rows) and self._rows[place] is row

    @property
    def num_groups(self) -> int:
        """Number of groups with a waiting row."""
        return len(self._of_group)

    @property
    def groups(self) -> Container[object]:
        """The groups with a waiting row."""
        return self._of_group.keys()

    def part(self, start: int, size: int) -> list[EngineRequest]:
        """At most `size` rows, from index `start` on."""
        return self._rows[start : start + size]

    def add(self, row: EngineRequest) -> None:
        """Add a row."""
        insort(self._rows, row, key=_order)
        group = self._of_group.setdefault(row.group, [])
        if group and row.order > group[0].order:
            insort(group, row, key=_order)
            return
        if group:
            del self._heads[_place_of(self._heads, group[0])]
        group.insert(0, row)
        insort(self._heads, row, key=_order)

    def remove(self, row: EngineRequest) -> None:
        """Remove a row, which must be waiting."""
        group = self._of_group[row.group]
        del self._rows[_place_of(self._rows, row)]
        if group[0] is row:
            del self._heads[_place_of(self._heads, row)]
            if len(group) > 1:
                insort(self._heads, group[1], key=_order)
            else:
                del self._of_group[row.group]
        del group[_place_of(group, row)]

    def in_order(self, num_there: Mapping[object, int], most: int) -> Iterator[EngineRequest]:
        """Yields rows that can start now, the oldest first, of each group no more than it may still get.

        num_there: group -> number of rows that it has already.
        most: maximum number of rows of a group, including those.
        Lazy: the cost depends on how many rows the caller takes, not on how many wait.
        """
        queue: list[tuple[int, int, int]] = []  # (order, index of the row in its group, number of rows it may get)
        rows: dict[int, EngineRequest] = {}

        def push(group: object, index: int, room: int) -> None:
            lane = self._of_group[group]
            while index < len(lane) and not can_start(lane[index]):
                index += 1
            if room > 0 and index < len(lane):
                row = lane[index]
                rows[row.order] = row
                heappush(queue, (row.order, index, room))

        heads = iter(self._heads)
        head = next(heads, None)
        while queue or head is not None:
            if head is not None and (not queue or head.order < queue[0][0]):
                push(head.group, 0, most - num_there.get(head.group, 0))
                head = next(heads, None)
                continue
            order, index, room = heappop(queue)
            row = rows.pop(order)
            yield row
            push(row.group, index + 1, room - 1)


def can_start(row: EngineRequest) -> bool:
    """True if a waiting row has no running build and is no particle at the end of its block."""
    return row.state is RowState.WAITING and not row.is_at_block_end


def _order(row: EngineRequest) -> int:
    return row.order


def _place_of(rows: list[EngineRequest], row: EngineRequest) -> int:
    return bisect_left(rows, row.order, key=_order)
