"""Checks of the values of keywords, without the schemas inside them: one function for each sort of value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..json_paths import kind_name

Check = Callable[[Any, Any], str | None]
"""Function of (the `Checker`, value) that returns a message if the value is wrong; None if it is right."""

_TYPES = frozenset({"null", "boolean", "object", "array", "number", "string", "integer"})
_NUMBERS = frozenset({int, float})


def type_names(_: Any, value: Any) -> str | None:
    if type(value) is str:
        return None if value in _TYPES else f"unknown type {value!r}; known are {', '.join(sorted(_TYPES))}"
    if type(value) is not list or not value:
        return "expected the name of a type or a non-empty array of such names"
    for name in value:
        if type(name) is not str or name not in _TYPES:
            return f"unknown type {name!r}; known are {', '.join(sorted(_TYPES))}"
    return "a type is named twice" if len(set(value)) < len(value) else None


def number(_: Any, value: Any) -> str | None:
    return None if type(value) in _NUMBERS else f"expected a number, not {kind_name(value)}"


def exclusive_bound(_: Any, value: Any) -> str | None:
    if type(value) is bool:
        return "expected a number; a boolean beside `minimum` or `maximum` is draft 4, which `$schema` should name then"
    return number(_, value)


def exclusive_flag(_: Any, value: Any) -> str | None:
    if type(value) in _NUMBERS:
        return "expected true or false; a number here is draft 6 or later, which `$schema` should name then"
    return boolean(_, value)


def boolean(_: Any, value: Any) -> str | None:
    return None if type(value) is bool else f"expected true or false, not {kind_name(value)}"


def positive(_: Any, value: Any) -> str | None:
    if type(value) not in _NUMBERS:
        return f"expected a number, not {kind_name(value)}"
    return None if value > 0 else "expected a number greater than 0"


def count(_: Any, value: Any) -> str | None:
    if type(value) is float and value.is_integer():
        value = int(value)
    if type(value) is not int:
        return f"expected an integer that is not negative, not {value!r}"
    return None if value >= 0 else "expected an integer that is not negative"


def string(_: Any, value: Any) -> str | None:
    return None if type(value) is str else f"expected a string, not {kind_name(value)}"


def quote(checker: Any, value: Any) -> str | None:
    from ..quote_sources import read_quote  # the import loads numpy, which most schemas do not need

    found = read_quote(value, checker.sources)
    return found if isinstance(found, str) else None


def keys(_: Any, value: Any) -> str | None:
    if type(value) is not list:
        return f"expected an array of keys (strings), not {kind_name(value)}"
    for key in value:
        if type(key) is not str:
            return f"expected only keys (strings) in the array, not {kind_name(key)}"
    return "a key is named twice" if len(set(value)) < len(value) else None


def required(checker: Any, value: Any) -> str | None:
    if value == [] and checker.scope.draft.number == 4:
        return "draft 4 does not allow an empty array here"
    return keys(checker, value)


def enum(checker: Any, value: Any) -> str | None:
    """Draft 4 also forbids equal values; they are accepted here because they do no harm."""
    if checker.scope.draft.number == 4:
        return None if type(value) is list and value else "expected a non-empty array of values"
    return None if type(value) is list else f"expected an array of values, not {kind_name(value)}"


def dependent_required(_: Any, value: Any) -> str | None:
    if type(value) is not dict:
        return f"expected an object of arrays of keys, not {kind_name(value)}"
    for key, names in value.items():
        problem = keys(_, names)
        if problem is not None:
            return f"{key!r}: {problem}"
    return None


def one_schema(_: Any, value: Any) -> str | None:
    """The check of `items` since draft 2020-12."""
    if type(value) is list:
        return "expected a schema, not an array; in draft 2020-12 an array of schemas is `prefixItems`"
    return None


def schemas(_: Any, value: Any) -> str | None:
    if type(value) is not list or not value:
        return f"expected a non-empty array of schemas, not {kind_name(value) if value != [] else 'an empty one'}"
    return None


def schema_or_schemas(checker: Any, value: Any) -> str | None:
    return schemas(checker, value) if value == [] and checker.scope.draft.number == 4 else None


def object_of_schemas(_: Any, value: Any) -> str | None:
    return None if type(value) is dict else f"expected an object of schemas, not {kind_name(value)}"


def objects_of_schemas(_: Any, value: Any) -> str | None:
    if type(value) is not dict or not all(type(inner) is dict for inner in value.values()):
        return "expected an object of objects of schemas"
    return None


def dependencies(_: Any, value: Any) -> str | None:
    if type(value) is not dict:
        return f"expected an object of schemas and arrays of keys, not {kind_name(value)}"
    for key, item in value.items():
        if type(item) is list and not all(type(name) is str for name in item):
            return f"expected only keys (strings) in the array of {key!r}"
    return None
