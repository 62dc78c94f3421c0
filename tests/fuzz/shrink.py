"""The smallest schema that still shows a fault, by leaving out one part after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any


def shrunk(schema: Any, shows_fault: Callable[[Any], bool]) -> Any:
    """The schema with everything left out without which the fault still shows."""
    while True:
        smaller = next((one for one in _smaller(schema) if shows_fault(one)), None)
        if smaller is None:
            return schema
        schema = smaller


def _smaller(value: Any) -> Iterator[Any]:
    """The value with one part left out, or replaced by what is inside of it; large cuts first."""
    if isinstance(value, dict):
        for key in value:
            yield {other: one for other, one in value.items() if other != key}
        for key, one in value.items():
            yield from ({**value, key: smaller} for smaller in _smaller(one))
    elif isinstance(value, list):
        for place in range(len(value) if len(value) > 1 else 0):  # many keywords take no empty list
            yield value[:place] + value[place + 1 :]
        for place, one in enumerate(value):
            yield from ([*value[:place], smaller, *value[place + 1 :]] for smaller in _smaller(one))
    elif type(value) is int and value > 0:
        yield value - 1
