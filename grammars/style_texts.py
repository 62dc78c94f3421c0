"""What a value's text is in a style, and `write_object`, which writes an object in one.

Where marks tell strings from other values, they decide. Elsewhere there is one rule: a text that is JSON of a type that
the schema permits here, other than string, is that value; any other text is the string. So a string that would be read
as something else can't be written there. No string can be written either that begins like an array (an object) where
one is permitted: that keeps the strings a regular language.

The marks of `minimax_m3_xml` tell neither arrays from objects nor empty ones from strings. There a value with marks is
an array where it may be one and its first mark says `item`. An empty text is a string where it may be one, else an array
where it may be one, else an object.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from .errors import UnwritableValueError
from .json_paths import Path, pointer
from .styles import JSON_TYPES, WHITESPACE, JsonType, Layout, Style, type_of

TypesAt = Callable[[Path], frozenset[JsonType]]
"""Of which types a schema permits the value at a path to be."""

_SCALARS: dict[JsonType, re.Pattern[str]] = {
    "null": re.compile("null"),
    "boolean": re.compile("true|false"),
    "number": re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"),
}


def any_type(path: Path) -> frozenset[JsonType]:
    """For a schema that permits all values."""
    return JSON_TYPES


def scalar_type(text: str) -> JsonType | None:
    """The type of the number or literal that a JSON text is; None: it is none of them."""
    bare = text.strip(WHITESPACE)
    return next((name for name, pattern in _SCALARS.items() if pattern.fullmatch(bare)), None)


def is_string_text(text: str, permitted: frozenset[JsonType], *, is_deep: bool) -> bool:
    """Whether a text is written for the string that it is, by the rule. permitted: the types at its place."""
    if is_deep:
        return scalar_type(text) not in permitted
    begin = text.lstrip(WHITESPACE)[:1]
    is_container = (begin == "[" and "array" in permitted) or (begin == "{" and "object" in permitted)
    return not is_container and scalar_type(text) not in permitted


def write_object(
    style: Style, value: Mapping[str, Any], types_at: TypesAt = any_type, layout: Layout | None = None
) -> str:
    """An object in a style. types_at: says what the rule asks for.

    Raises UnwritableValueError for one that the style can't write.
    """
    return _Writer(style, types_at, layout or Layout()).object(value, None)


class _Writer:
    def __init__(self, style: Style, types_at: TypesAt, layout: Layout) -> None:
        self._style = style
        self._types_at = types_at
        self._layout = layout
        self._marks = re.compile(style.marks)
        self._names = re.compile(style.names)

    def object(self, value: Mapping[str, Any], path: Path) -> str:
        members = [self._member(name, item, (path, name)) for name, item in value.items()]
        before, behind = self._style.braces
        return f"{before}{self._style.separator.join(members)}{behind}"

    def _member(self, name: str, value: Any, path: Path) -> str:
        if not self._names.fullmatch(name) or self._marks.search(name):
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
        if not style.tells_strings and not is_string_text(value, self._types_at(path), is_deep=style.is_deep):
            raise UnwritableValueError(pointer(path), f"the string {value!r} would be read as another value")
        return f"{style.quote}{value}{style.quote}"

    def _other(self, value: Any, path: Path) -> str:
        if self._style.item is None or not isinstance(value, list | Mapping):
            text = json.dumps(value, ensure_ascii=False, allow_nan=False)
            self._check(text, path)
            return text
        if not self._style.tells_strings:
            self._check_container(value, path)
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
        if found := self._marks.search(text):
            raise UnwritableValueError(pointer(path), f"it holds {found[0]!r}, which readers take for a mark")

    def _check_container(self, value: list[Any] | Mapping[str, Any], path: Path) -> None:
        """See the module: of what marks do not tell."""
        permitted = self._types_at(path)
        is_empty_string = not value and "string" in permitted
        is_array = isinstance(value, Mapping) and "array" in permitted and next(iter(value), "item") == "item"
        if is_empty_string or is_array:
            raise UnwritableValueError(pointer(path), f"{value!r} would be read as another value")
