"""JSON text with numbers exactly as they were written (`WrittenFloat`).

Results are written and read this way: 12.50 stays 12.50, and no digit beyond the 17th is lost. Comparisons are exact
too.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator
from decimal import Decimal
from typing import Any

from .decimal_places import WrittenFloat

_encode = json.JSONEncoder(ensure_ascii=False).encode
_decode = json.JSONDecoder(parse_float=WrittenFloat).decode


def write_json(data: Any) -> str:
    """JSON data in one line, as `json.dumps` writes it, except that each `WrittenFloat` keeps its digits.

    Raises TypeError for a value that is no JSON data.
    """
    return "".join(_parts(data)) if _has_other_digits(data) else _encode(data)


def read_json(text: str) -> Any:
    """Parse JSON text. Floats (numbers with a point or exponent) become `WrittenFloat`s.

    Raises ValueError for text that is no JSON.
    """
    return _decode(text)


def equality_key(data: Any) -> Hashable:
    """A key for comparing JSON data: equal for equal data. Numbers compare by exact value (12, 12.0 and 1.2e1 are
    equal).
    """
    if isinstance(data, dict):
        return frozenset((name, equality_key(value)) for name, value in data.items())
    if isinstance(data, list | tuple):
        return tuple(map(equality_key, data))
    if isinstance(data, bool):
        return (bool, data)  # Python treats True as equal to 1
    return Decimal(write_json(data)) if isinstance(data, int | float) else data


def _has_other_digits(data: Any) -> bool:
    """True if `json.dumps` would write a number in the data differently."""
    pending = [data]
    while pending:
        one = pending.pop()
        if isinstance(one, dict):
            pending.extend(one.values())
        elif isinstance(one, list | tuple):
            pending.extend(one)
        elif isinstance(one, WrittenFloat) and one.text != float.__repr__(one):
            return True
    return False


def _parts(data: Any) -> Iterator[str]:
    if isinstance(data, WrittenFloat):
        yield data.text
    elif isinstance(data, dict):
        yield "{"
        for place, (key, value) in enumerate(data.items()):
            yield f"{', ' if place else ''}{_encode(key)}: "
            yield from _parts(value)
        yield "}"
    elif isinstance(data, list | tuple):
        yield "["
        for place, value in enumerate(data):
            yield ", " if place else ""
            yield from _parts(value)
        yield "]"
    else:
        yield _encode(data)
