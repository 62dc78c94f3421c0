"""The JSON value that a style's readers take a text for, and `write_object`, which writes an object in a style.

If a style's marks tell strings from other values, the marks decide. Otherwise one rule holds. A text that is JSON of a
permitted type other than string is that value; any other text is the string. A string that would be read as another
value therefore can't be written. If arrays (objects) are permitted, no string that begins like an array (object) can be
written either: that keeps the strings a regular language.

The marks of `minimax_m3_xml` tell neither arrays from objects nor empty containers from strings. There, a value with
marks is an array if an array is permitted and the first mark says `item`. Text of whitespace alone is a string if one
is permitted, else an array if one is permitted, else an object. So no empty array or object is
written beside strings, and beside arrays no object that is empty or has a member `item`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from .errors import UnwritableValueError
from .json_paths import Path, pointer
from .styles import ITEM, JSON_TYPES, WHITESPACE, JsonType, Layout, Style, type_of

TypesAt = Callable[[Path], frozenset[JsonType]]
"""Returns the types that a schema permits for the value at a path."""

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")

_BEGUN_NUMBER = re.compile(r"-?[0-9]*\.?[0-9]*(?:[eE][+-]?[0-9]*)?")
_WORDS: dict[str, JsonType] = {"null": "null", "true": "boolean", "false": "boolean"}
_CONTAINERS: dict[str, JsonType] = {"[": "array", "{": "object"}


def any_type(path: Path) -> frozenset[JsonType]:
    """`TypesAt` for a schema that permits all values."""
    return JSON_TYPES


def scalar_type(text: str) -> JsonType | None:
    """Return the type of a JSON number or literal; None if the text is neither."""
    bare = text.strip(WHITESPACE)
    return "number" if _NUMBER.fullmatch(bare) else _WORDS.get(bare)


def may_become_scalar(begun: str, permitted: frozenset[JsonType]) -> bool:
    """Return True if a text that begins with `begun` may become a number or literal of a permitted type.

    The answer may be True for a few other texts, too.
    """
    bare = begun.strip(WHITESPACE)
    if "number" in permitted and _BEGUN_NUMBER.fullmatch(bare):
        return True
    return any(word.startswith(bare) for word, kind in _WORDS.items() if kind in permitted)


def is_string_text(text: str, permitted: frozenset[JsonType], *, is_deep: bool) -> bool:
    """Return True if a reader takes the text for a string, by the rule above. permitted: the types allowed at its
    place.
    """
    if is_deep:
        is_other = bool(text) or bool(permitted & {"array", "object"})  # where no string may be, whitespace is not kept
        is_empty = not text.strip(WHITESPACE) and "string" not in permitted and is_other
        return not is_empty and scalar_type(text) not in permitted
    return container_type(text) not in permitted and scalar_type(text) not in permitted


def container_type(text: str) -> JsonType | None:
    """Return the type of the JSON array or object that the text begins like; None if neither."""
    return _CONTAINERS.get(text.lstrip(WHITESPACE)[:1])


def json_of_text(text: str, permitted: frozenset[JsonType], *, is_deep: bool) -> str:
    """Return the JSON text of the value that a reader sees in a whole text without type marks, by the rule above."""
    bare = text.strip(WHITESPACE)
    if is_deep and not bare and "string" not in permitted:
        empty = next((kind for kind in ("array", "object") if kind in permitted), None)
        return '""' if empty is None else "[]" if empty == "array" else "{}"
    is_scalar = scalar_type(text) in permitted
    is_container = not is_deep and container_type(text) in permitted and _is_json(bare)
    return bare if is_scalar or is_container else json.dumps(text, ensure_ascii=False)


def _is_json(text: str) -> bool:
    try:
        json.loads(text, parse_int=str, parse_float=str, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return False
    return True


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def write_object(
    style: Style,
    value: Mapping[str, Any],
    types_at: TypesAt = any_type,
    layout: Layout | None = None,
    *,
    is_checked: bool = True,
) -> str:
    """Write an object in a style.

    style: the style.
    value: the object.
    types_at: function that returns the types permitted at a path; default: all types.
    layout: whitespace to write; None: none.
    is_checked: True (default) refuses values that readers would take for something else; False writes them.

    Raises UnwritableValueError if the style can't write the object.
    """
    return _Writer(style, types_at, layout or Layout(), is_checked).object(value, None)


class _Writer:
    def __init__(self, style: Style, types_at: TypesAt, layout: Layout, is_checked: bool) -> None:
        self._style = style
        self._is_checked = is_checked
        self._types_at = types_at
        self._layout = layout
        self._marks = re.compile(style.marks)
        self._names = re.compile(style.names)

    def object(self, value: Mapping[str, Any], path: Path) -> str:
        members = [self._member(name, item, (path, name)) for name, item in value.items()]
        before, behind = self._style.braces
        return f"{before}{self._style.separator.join(members)}{behind}"

    def _member(self, name: str, value: Any, path: Path) -> str:
        if self._is_checked and (not self._names.fullmatch(name) or self._marks.search(name)):
            raise UnwritableValueError(pointer(path), f"its name {name!r} can't stand between the marks")
        begin = self._layout.between.join(self._style.begin_of(name, type_of(value)))
        return f"{begin}{self._value(value, path)}{self._style.end_of(name)}{self._layout.behind}"

    def _value(self, value: Any, path: Path) -> str:
        text = self._string(value, path) if isinstance(value, str) else self._other(value, path)
        around = self._layout.around
        is_broken = self._style.is_wrapped and not around and text != text.strip("\n")
        return f"\n{text}\n" if is_broken else f"{around}{text}{around}"

    def _string(self, value: str, path: Path) -> str:
        style = self._style
        self._check(value, path)
        if self._is_checked and not style.tells_strings:
            self._check_string(value, path)
        return f"{style.quote}{value}{style.quote}"

    def _other(self, value: Any, path: Path) -> str:
        if self._is_checked and not self._style.tells_strings:
            self._check_type(value, path)
        if self._style.item is None or not isinstance(value, list | Mapping):
            text = json.dumps(value, ensure_ascii=False, allow_nan=False)
            self._check(text, path)
            return text
        if isinstance(value, Mapping):
            return self.object(value, path)
        items = [self._item(item, (path, index)) for index, item in enumerate(value)]
        before, behind = self._style.brackets
        return f"{before}{self._style.separator.join(items)}{behind}"

    def _item(self, value: Any, path: Path) -> str:
        assert self._style.item is not None
        begin, end = self._style.item
        kind = self._style.kinds.get(type_of(value), "")
        return f"{begin.replace('KIND', kind)}{self._value(value, path)}{end}"

    def _check(self, text: str, path: Path) -> None:
        if self._is_checked and (found := self._marks.search(text)):
            raise UnwritableValueError(pointer(path), f"it holds {found[0]!r}, which readers take for a mark")

    def _check_string(self, value: str, path: Path) -> None:
        if not is_string_text(value, self._types_at(path), is_deep=self._style.is_deep):
            raise UnwritableValueError(pointer(path), f"the string {value!r} would be read as another value")

    def _check_type(self, value: Any, path: Path) -> None:
        """Raise UnwritableValueError if readers would see another type, by the rule above or by ambiguous marks."""
        permitted = self._types_at(path)
        is_other = type_of(value) not in permitted
        if self._style.is_deep and isinstance(value, list | Mapping):
            is_other |= not value and "string" in permitted
            is_other |= isinstance(value, Mapping) and "array" in permitted and (not value or ITEM in value)
        if is_other:
            raise UnwritableValueError(pointer(path), f"{value!r} would be read as another value")
