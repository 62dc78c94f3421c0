"""Finds items of arrays between marks at the end of a text, and reads them as JSON, if later items depend on them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from ..machine.documents.words import quoted
from ..machine.frames import Lexeme, OpenArray, OpenObject, StyledContainer, ValueSpec
from ..regex import algebra as lang
from ..styles import ITEM, JSON_TYPES, WHITESPACE, JsonType, Style


@dataclass
class _Element:
    """The content between two marks. start: its position in the text."""

    name: str
    kind: str
    start: int
    text: str = ""
    inside: list[_Element] = field(default_factory=list)


def _marks(style: Style) -> re.Pattern[str]:
    """The marks of a deep style."""
    assert style.item is not None
    return _marks_of(style.end, style.item, "".join(style.begin))


@lru_cache(maxsize=8)
def _marks_of(end: str, of_item: tuple[str, str], begin: str) -> re.Pattern[str]:
    behind, item, member = re.escape(end), re.escape(of_item[0]), re.escape(begin)
    behind, member = behind.replace("NAME", ".*?"), member.replace("NAME", "(?P<name>.*?)")
    return re.compile(
        f"(?P<end>{behind}|{re.escape(of_item[1])})|(?P<item>{item.replace('KIND', '(?P<of_item>[a-z]*)')})"
        f"|{member.replace('KIND', '(?P<kind>[a-z]*)')}",
        re.DOTALL,
    )


def last_item(style: Style, text: bytes) -> bytes | None:
    """The item, with its marks, that ends the text; None if it begins before the given part of the text."""
    decoded, depth = text.decode(errors="ignore"), 0
    for match in reversed(list(_marks(style).finditer(decoded))):
        depth += 1 if match["end"] else -1
        if depth == 0:
            return decoded[match.start() :].encode()
    return None


def json_of_item(style: Style, spec: ValueSpec, text: str) -> bytes:
    """An item with its marks, as JSON. spec: the values that the item may have."""
    root = _Element("", "", 0)
    opened = [root]
    for match in _marks(style).finditer(text):
        if match["end"]:
            ended = opened.pop()
            ended.text = text[ended.start : match.start()]
        else:
            groups = match.groupdict()
            name = groups["name"] if match["item"] is None else ITEM
            kind = groups.get("kind") or groups.get("of_item") or ""
            opened[-1].inside.append(_Element(_unescaped(style, name), kind, match.end()))
            opened.append(opened[-1].inside[-1])
    return _Items(style).json(spec, root.inside[0])[0]


def _unescaped(style: Style, name: str) -> str:
    for character, escape in reversed(style.escapes):
        name = name.replace(escape, character)
    return name


class _Items:
    """Reads items in one style. The spec decides the type of a text: no text has two types."""

    def __init__(self, style: Style) -> None:
        self._style = style

    def json(self, spec: ValueSpec, element: _Element) -> tuple[bytes, int]:
        """The JSON text of a value, and its class."""
        types = frozenset([one for one in JSON_TYPES if self._style.kinds.get(one, "") == element.kind])
        if not element.inside and (found := self._scalar(spec, types, element.text)) is not None:
            return found
        is_item = not element.inside or element.inside[0].name == ITEM
        if spec.array is not None and "array" in types and (spec.object is None or is_item):
            assert spec.array.kind == "array"
            return self._array(spec.array, element)
        assert spec.object is not None
        assert spec.object.kind == "object"
        assert not isinstance(spec.object, StyledContainer), "it is JSON"
        return self._object(spec.object, element)

    def _scalar(self, spec: ValueSpec, types: frozenset[JsonType], text: str) -> tuple[bytes, int] | None:
        if "string" in types and (cls := _class_of(spec.strings, text)) is not None:
            return quoted(text), cls
        bare = text.strip(WHITESPACE)
        if "number" in types and (cls := _class_of(spec.numbers, bare)) is not None:
            return bare.encode(), cls
        return next(((literal, cls) for literal, cls in spec.literals if literal == bare.encode()), None)

    def _array(self, array: OpenArray, element: _Element) -> tuple[bytes, int]:
        found: list[bytes] = []
        for one in element.inside:
            spec = array.value_spec()
            assert spec is not None
            text, cls = self.json(spec, one)
            following = array.on_capture(cls, text) if spec.captures else array.on_return(cls)
            assert following is not None
            assert following.kind == "array"
            array = following
            found.append(text)
        assert array.close_class is not None
        return b"[%b]" % b",".join(found), array.close_class

    def _object(self, object: OpenObject, element: _Element) -> tuple[bytes, int]:
        found: list[bytes] = []
        for one in element.inside:
            keys = object.key_spec()
            assert keys is not None
            if one.name in keys.words:
                member = object.on_return(keys.words[one.name])
            else:
                cls = _class_of(keys.open, one.name)
                assert cls is not None
                member = object.on_capture(cls, quoted(one.name))
            spec = None if member is None else member.value_spec()
            assert member is not None
            assert spec is not None
            text, cls = self.json(spec, one)
            following = member.on_return(cls)
            assert following is not None
            assert following.kind == "object"
            assert not isinstance(following, StyledContainer), "it is JSON"
            object = following
            found.append(quoted(one.name) + b":" + text)
        assert object.close_class is not None
        return b"{%b}" % b",".join(found), object.close_class


def _class_of(lexeme: Lexeme, text: str) -> int | None:
    return next((cls for language, cls in lexeme if lang.matches(language, text)), None)
