"""Kernels as plain Python, restarted at each `ensure` and `reserve`: tables grow by no more than was asked for.

A kernel that runs out of room ends, the table grows, and the kernel is called again with the same arguments (see
`grammars/kernels/ending.py`). All that it did before happens twice. Tables usually double, so this is rare.
"""

from __future__ import annotations

import ctypes
from typing import Any

from guided.grammars.kernels.ending import TableFullError, _running
from guided.grammars.memory.structs import Table


class _HasGrown:
    """Stands for a struct whose tables have room already."""

    def grow(self) -> None:
        pass


def restart_at_each_growth() -> dict[str, int]:
    """From now on. Returns the number of restarts by the name of the table, which grows with each one."""
    restarts: dict[str, int] = {}
    granted: dict[int, int] = {}  # where a table's header lies -> for how many elements there was ever room
    ensure, reserve = Table.ensure, Table.reserve

    def ensured(self: Table[Any], capacity: int) -> None:
        header = ctypes.addressof(self._words) + 8 * self._first
        is_new = capacity > granted.get(header, self.used)
        granted[header] = max(capacity, granted.get(header, self.used))
        ensure(self, capacity)
        if is_new and _running.inside:
            restarts[self.name] = restarts.get(self.name, 0) + 1
            raise TableFullError(_HasGrown())

    def reserved(self: Table[Any], count: int) -> int:
        ensured(self, self.used + count)
        return reserve(self, count)

    Table.ensure, Table.reserve = ensured, reserved  # type: ignore[method-assign]
    return restarts
