"""What the values of keywords that hold no schemas must be: a function for each that says what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Check = Callable[[Any, Any], str | None]
"""(who asks, value) -> what is wrong with the value; None when nothing is."""

_TYPES = frozenset({"null", "boolean", "object", "array", "number", "string", "integer"})
_NUMBERS = frozenset({int, float})


def kind_name(value: Any) -> str:
    """What JSON calls a value, with its article."""
    names = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")


def _type(_: Any, value: Any) -> str | None:
    if type(value) is str:
        return None if value in _TYPES else f"unknown type {value!r}; known are {', '.join(sorted(_TYPES))}"
    if type(value) is not list or not value:
        return "expected the name of a type or a non-empty array of such names"
    for name in value:
        if type(name) is not str or name not in _TYPES:
            return f"unknown type {name!r}; known are {', '.join(sorted(_TYPES))}"
    return "a type is named twice" if len(set(value)) < len(value) else None


def _number(_: Any, value: Any) -> str | None:
    return None if type(value) in _NUMBERS else f"expected a number, not {kind_name(value)}"


def _exclusive_bound(_: Any, value: Any) -> str | None:
    if type(value) is bool:
        return "expected a number; a boolean beside `minimum` or `maximum` is draft 4, which `$schema` should name then"
    return _number(_, value)


def _boolean(_: Any, value: Any) -> str | None:
    return None if type(value) is bool else f"expected true or false, not {kind_name(value)}"


def _exclusive_flag(_: Any, value: Any) -> str | None:
    if type(value) in _NUMBERS:
        return "expected true or false; a number here is draft 6 or later, which `$schema` should name then"
    return _boolean(_, value)


def _positive(_: Any, value: Any) -> str | None:
    if type(value) not in _NUMBERS:
        return f"expected a number, not {kind_name(value)}"
    return None if value > 0 else "expected a number greater than 0"


def _count(_: Any, value: Any) -> str | None:
    if type(value) is float and value.is_integer():
        value = int(value)
    if type(value) is not int:
        return f"expected an integer that is not negative, not {value!r}"
    return None if value >= 0 else "expected an integer that is not negative"


def _string(_: Any, value: Any) -> str | None:
    return None if type(value) is str else f"expected a string, not {kind_name(value)}"


def _keys(_: Any, value: Any) -> str | None:
    if type(value) is not list:
        return f"expected an array of keys (strings), not {kind_name(value)}"
    for key in value:
        if type(key) is not str:
            return f"expected only keys (strings) in the array, not {kind_name(key)}"
    return "a key is named twice" if len(set(value)) < len(value) else None


def _keys_of_draft_4(_: Any, value: Any) -> str | None:
    return "draft 4 does not allow an empty array here" if value == [] else _keys(_, value)


def _enum(_: Any, value: Any) -> str | None:
    return None if type(value) is list else f"expected an array of values, not {kind_name(value)}"


def _enum_of_draft_4(_: Any, value: Any) -> str | None:
    """Draft 4 asks for different values, too; equal ones do no harm."""
    return None if type(value) is list and value else "expected a non-empty array of values"


def _dependent_required(_: Any, value: Any) -> str | None:
    if type(value) is not dict:
        return f"expected an object of arrays of keys, not {kind_name(value)}"
    for key, names in value.items():
        problem = _keys(_, names)
        if problem is not None:
            return f"{key!r}: {problem}"
    return None


_COUNTS = ("maxLength", "minLength", "maxItems", "minItems", "maxProperties", "minProperties")
_4: dict[str, Check] = {
    "type": _type,
    "enum": _enum_of_draft_4,
    "multipleOf": _positive,
    "maximum": _number,
    "minimum": _number,
    "exclusiveMaximum": _exclusive_flag,
    "exclusiveMinimum": _exclusive_flag,
    **dict.fromkeys(_COUNTS, _count),
    "uniqueItems": _boolean,
    "required": _keys_of_draft_4,
    "format": _string,
}
_6: dict[str, Check] = {
    **_4,
    "$id": _string,
    "enum": _enum,
    "exclusiveMaximum": _exclusive_bound,
    "exclusiveMinimum": _exclusive_bound,
    "required": _keys,
}
_2019: dict[str, Check] = {
    **_6,
    "$anchor": _string,
    "$recursiveAnchor": _boolean,
    "dependentRequired": _dependent_required,
    "minContains": _count,
    "maxContains": _count,
}
_2020: dict[str, Check] = {key: check for key, check in _2019.items() if key != "$recursiveAnchor"}
_2020["$dynamicAnchor"] = _string

VALUE_CHECKS: dict[int, dict[str, Check]] = {4: _4, 6: _6, 7: _6, 2019: _2019, 2020: _2020, 2026: _2020}
"""Number of the draft -> keyword -> check."""
