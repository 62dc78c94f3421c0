"""Numbers and dates that must be stated in the text: marks in a schema, and the schema for one text.

`quotes=True` marks each free number, and each string of format `date`, `date-time` or `time`. A number with `enum` or
`const` is not free. Nor is a scale: a number whose bounds leave at most SCALE whole numbers, such as 1 to 5.

`restricted_to` gives a marked part the values that the text states. If no stated value fits, the part becomes null,
absent or an empty list, if the schema permits that. Otherwise it stays unchanged, so a required number may then be
invented. A number that may have a fraction also stays unchanged if the text has one with more digits than a float
keeps.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Literal

from .schema_walk import inside, schemas, unshared
from .stated import Number, Stated, begins_with

STATED_KEYWORD = "x-stated"
Without = Literal["free", "none"]
"""The mark of a schema part: the values allowed if no stated value fits. "free": any value; "none": no value."""

JsonSchema = dict[str, Any]

SCALE = 11
_NUMBERS = {"integer", "number"}
_DATE_FORMATS = ("date", "date-time", "time")
_CHOSEN = frozenset({"enum", "const"})
_SPELT = _CHOSEN | {"pattern", "x-quote"}


def mark_stated(part: JsonSchema) -> bool:
    """Mark a part in place if it is a free number or date. Returns whether it is."""
    types = _types(part)
    kinds = types - {"null"}
    is_number = bool(kinds) and kinds <= _NUMBERS and not _CHOSEN & part.keys() and not _is_scale(part)
    is_date = kinds == {"string"} and part.get("format") in _DATE_FORMATS and not _SPELT & part.keys()
    if is_number or is_date:
        part[STATED_KEYWORD] = "none" if "null" in types else "free"
    return is_number or is_date


def mark_dispensable(parts: Iterable[JsonSchema]) -> None:
    """Record in place which marked parts are dispensable: parts beside null, list items, and optional members."""
    for part in parts:
        found = []
        for keyword in ("anyOf", "oneOf"):
            branches = inside(part, (keyword,))
            found += branches if any(isinstance(one, dict) and one.get("type") == "null" for one in branches) else []
        if isinstance(part.get("items"), dict) and not part.get("minItems"):
            found.append(part["items"])
        required = part.get("required", ())
        if isinstance(part.get("properties"), dict) and isinstance(required, list | tuple):
            found += [one for name, one in part["properties"].items() if name not in required]
        for one in found:
            if isinstance(one, dict) and STATED_KEYWORD in one:
                one[STATED_KEYWORD] = "none"


def has_stated(schema: Any) -> bool:
    """True if any part of a schema is marked."""
    return any(STATED_KEYWORD in part for part in schemas(schema))


def restricted_to(schema: Any, stated: Stated) -> Any:
    """The schema for one text, without marks; the given schema is not changed."""
    found = unshared(schema)
    for part in schemas(found):
        without: Without | None = part.pop(STATED_KEYWORD, None)
        if without is not None:
            _restrict(part, stated, without)
    return found


def is_stated(value: Any, part: JsonSchema, stated: Stated) -> bool:
    """True if `restricted_to` allows this value at the marked part. Values of types other than its own are allowed."""
    is_free = part[STATED_KEYWORD] == "free"
    if _is_too_long(part, stated) or isinstance(value, str) != ("string" in _types(part)):
        return True
    if isinstance(value, str):
        pattern = _written(part, stated, part[STATED_KEYWORD])
        return begins_with(pattern, value) if pattern else is_free
    numbers = _fitting(part, stated)
    return value in numbers if numbers else is_free


def _restrict(part: JsonSchema, stated: Stated, without: Without) -> None:
    if _is_too_long(part, stated):
        return
    null = [None] if "null" in _types(part) else []
    if "string" in _types(part):
        if pattern := _written(part, stated, without):
            part["pattern"] = pattern
            return
    elif numbers := _fitting(part, stated):
        part["enum"] = [*numbers, *null]
        return
    if without == "none":
        part.clear()
        nothing: JsonSchema = {"type": "null"} if null else {"not": {}}
        part.update(nothing)


def _written(part: JsonSchema, stated: Stated, without: Without) -> str | None:
    """A pattern of the stated dates or times that fit a part; None if there are none. If a date must have a time but
    the text states no time, any time is allowed.
    """
    if part["format"] == "time":
        return f"^{stated.times}$" if stated.times else None
    if stated.dates is None or part["format"] == "date":
        return stated.dates
    if stated.times is None:
        return stated.dates if without == "free" else None
    return f"{stated.dates}T{stated.times}$"


def _is_too_long(part: JsonSchema, stated: Stated) -> bool:
    """True if a part may be a number of the text that a float would round. Such a part stays unchanged, for a
    `Decimal`.
    """
    return "number" in _types(part) and not stated.is_exact


def _fitting(part: JsonSchema, stated: Stated) -> list[Number]:
    """The stated numbers that the part's own bounds allow."""
    return sorted(one for one in stated.numbers if _fits(one, part))


def _fits(number: Number, part: JsonSchema) -> bool:
    if "number" not in _types(part) and not isinstance(number, int):
        return False
    low, high = _bounds(part)
    if not (low <= number <= high) or number in _excluded(part):
        return False
    step = part.get("multipleOf")
    return step is None or Fraction(str(number)) % Fraction(str(step)) == 0


def _bounds(part: JsonSchema) -> tuple[Number, Number]:
    """The lowest and the highest number; each may itself be excluded."""
    lows = [one for name in ("minimum", "exclusiveMinimum") if not isinstance(one := part.get(name), bool | None)]
    highs = [one for name in ("maximum", "exclusiveMaximum") if not isinstance(one := part.get(name), bool | None)]
    return max(lows, default=float("-inf")), min(highs, default=float("inf"))


def _excluded(part: JsonSchema) -> list[Any]:
    """Exclusive bounds. A bool makes `minimum` or `maximum` exclusive in early drafts."""
    named = (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum"))
    return [part.get(bound) if part.get(name) is True else part.get(name) for name, bound in named]


def _is_scale(part: JsonSchema) -> bool:
    low, high = _bounds(part)
    return high - low < SCALE


def _types(part: JsonSchema) -> set[str]:
    kind = part.get("type", ())
    return {kind} if isinstance(kind, str) else set(kind)
