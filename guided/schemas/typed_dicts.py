"""Converts `typing.TypedDict` for Pydantic, which requires that of `typing_extensions` before Python 3.12.

There the class of `typing` does not record which class declared a key as required. The annotations, required keys and
optional keys of the class suffice for a schema.
"""

from __future__ import annotations

import sys
import types
import typing
from typing import Any

import typing_extensions

NEEDS_CONVERSION = sys.version_info < (3, 12)


def readable(annotation: Any) -> Any:
    """The annotation with every `typing.TypedDict` in it replaced by one of `typing_extensions`."""
    return _converted(annotation, {}) if NEEDS_CONVERSION else annotation


def _converted(annotation: Any, made: dict[Any, Any]) -> Any:
    if _is_plain_typed_dict(annotation):
        return _typed_dict(annotation, made)
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is None or origin is typing.Literal or not arguments:
        return annotation
    if origin is typing.Annotated:
        inner = _converted(arguments[0], made)
        return annotation if inner is arguments[0] else typing.Annotated[(inner, *arguments[1:])]
    new = tuple([_converted(one, made) for one in arguments])
    if all(one is other for one, other in zip(new, arguments, strict=True)):
        return annotation
    if origin is types.UnionType:
        return typing.Union[new]  # noqa: UP007
    return annotation.copy_with(new) if hasattr(annotation, "copy_with") else origin[new]


def _is_plain_typed_dict(annotation: Any) -> bool:
    return type(annotation).__name__ == "_TypedDictMeta" and type(annotation).__module__ == "typing"


def _typed_dict(annotation: Any, made: dict[Any, Any]) -> Any:
    if annotation in made:
        return made[annotation]
    hints = typing_extensions.get_type_hints(annotation, include_extras=True)
    fields = {}
    for key, hint in hints.items():
        plain = _without_qualifiers(hint)
        needed = key in annotation.__required_keys__
        fields[key] = (typing_extensions.Required if needed else typing_extensions.NotRequired)[_converted(plain, made)]
    # a TypedDict that refers to itself can't be rebuilt this way
    new = typing_extensions.TypedDict(annotation.__name__, fields)  # type: ignore[misc]
    new.__doc__, new.__module__ = annotation.__doc__, annotation.__module__
    made[annotation] = new
    return new


def _without_qualifiers(hint: Any) -> Any:
    while typing.get_origin(hint) in (typing.Required, typing.NotRequired):
        hint = typing.get_args(hint)[0]
    return hint
