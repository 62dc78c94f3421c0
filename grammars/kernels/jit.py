"""Kernels by numba: compiled in this process, or collected for `native` in one that builds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from numba import njit

from .modes import BUILDING_CHECKED, JIT, MODE


@dataclass(frozen=True)
class Exported:
    """An exported kernel of the extension module that is being built. kernel: as numba knows it."""

    function: Callable[..., Any]
    kernel: Any
    releases_gil: bool


EXPORTED: list[Exported] = []
"""All that were met, in a process that builds."""

FAULTS: list[str] = []
"""The arrays whose indices checked kernels compare: struct and field. By the number that a kernel ends with, less
`FIRST_FAULT`."""
FIRST_FAULT = 100

_UNWRAPPED = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False}


def compiled(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """`njit` with these options."""
    usual = {"nogil": True} if MODE == JIT else _UNWRAPPED
    return njit(**{"boundscheck": MODE == BUILDING_CHECKED, **usual, **options})(function)


def note_exported(function: Callable[..., Any], kernel: Any, releases_gil: bool) -> Any:
    """The kernel; a process that builds keeps it in mind."""
    if MODE != JIT:
        EXPORTED.append(Exported(function, kernel, releases_gil))
    return kernel


def fault_number(place: str) -> int:
    """What a checked kernel ends with where an index of this array is out of bounds."""
    FAULTS.append(place)
    return FIRST_FAULT + len(FAULTS) - 1
