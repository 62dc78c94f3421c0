"""`StyledScanner`: reads arguments in a style of `styles.py` while they arrive, and returns JSON text.

`style_texts` decides what a value is. Once its type is certain, a value is returned piece by piece. Until then the
reader holds it back, at most up to the mark after it. Example: `12` may become a number, or the string `12 apples`.
Whitespace may stand between marks, even if the grammar does not write it. Arguments end where no further mark begins;
the reader leaves the text there unread.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from guided.grammars.json_paths import Path
from guided.grammars.style_texts import TypesAt, container_type, json_of_text, may_become_scalar
from guided.grammars.styles import WHITESPACE, JsonType, Style

from .arguments import ArgumentScanner, Scanned
from .marks import overlap


class _Found(NamedTuple):
    """A mark in a text, or the beginning of one. end: position after it; None: the text ends inside the mark."""

    end: int | None
    name: str = ""
    kind: str = ""


class _Mark:
    """A mark that contains a name and a type. texts: its parts, with whitespace between them, as in `Style`."""

    def __init__(self, texts: tuple[str, ...]) -> None:
        self._parts: list[str] = []
        for text in texts:
            self._parts += [part for part in re.split("(NAME|KIND)", text) if part] + ["SPACE"]

    def read(self, text: str, place: int) -> _Found | None:
        """The mark at a place; None if none begins there."""
        found = {"NAME": "", "KIND": ""}
        for part, following in zip(self._parts, [*self._parts[1:], ""], strict=True):
            if part == "SPACE":
                place = place if following == "" else _behind_space(text, place)
            elif part in found:
                literal = self._parts[self._parts.index(part) + 1 :]
                end = text.find(next(one for one in literal if one != "SPACE"), place)
                if end < 0:
                    return _Found(None)
                found[part], place = text[place:end], end
            elif text.startswith(part, place):
                place += len(part)
            else:
                return _Found(None) if part.startswith(text[place:]) else None
        return _Found(place, found["NAME"], found["KIND"])


@dataclass
class _Container:
    """An open array or object. end: its closing mark; "" if it has none, like the object of all arguments between
    marks.
    """

    path: Path
    is_array: bool
    end: str
    num_members: int = 0


@dataclass
class _Value:
    """A value that is being read. end: the mark after it."""

    path: Path
    kind: str
    end: str


class StyledScanner(ArgumentScanner):
    """Reads arguments in a style, see the module. types_at: types permitted by the schema of the arguments."""

    def __init__(self, style: Style, types_at: TypesAt) -> None:
        self._style = style
        self._types_at = types_at
        self._member, self._item = _Mark(style.begin), _Mark(style.item[:1] if style.item else ())
        self._names = re.compile(style.names)
        self._text, self._place = "", 0
        self._parts: list[str] = []
        self._open: list[_Container] = []
        self._value = _Value(None, "", "")
        self._is_done = False
        self._state: Callable[[], bool] = self._at_begin

    def push(self, text: str) -> Scanned:
        """See `ArgumentScanner.push`."""
        self._text, self._place = text, 0
        while not self._is_done and self._state():
            pass
        return Scanned(self._take(), self._place, self._is_done)

    def finish(self, text: str) -> str:
        """See `ArgumentScanner.finish`."""
        text = self._without_mark(text)
        self._text, self._place = text, 0
        if self._state == self._in_string:
            self._parts.append(_inside(text))
        elif self._state == self._in_json:
            self._parts.append(text)
        elif text and self._state in (self._in_text, self._at_text):
            is_json = _may_be_json(text, self._types_at(self._value.path), is_deep=self._style.is_deep)
            self._parts.append(text if is_json else f'"{_inside(text)}')
        return self._take()

    def _without_mark(self, text: str) -> str:
        """A text that was cut off, without the incomplete mark at its end."""
        found = re.search(self._style.marks, text)
        text = text[: found.start()] if found else text
        ends = (self._value.end, f"\n{self._value.end}") if self._style.is_wrapped else (self._value.end,)
        return text[: len(text) - max(overlap(text, end) for end in ends)]

    def _take(self) -> str:
        taken, self._parts = "".join(self._parts), []
        return taken

    def _at_begin(self) -> bool:
        before, behind = self._style.braces
        place = _behind_space(self._text, self._place) if before else self._place
        if not self._text.startswith(before, place):
            self._is_done = not before.startswith(self._text[place:])
            return False
        self._place = place + len(before)
        self._push(None, is_array=False, end=behind)
        return True

    def _push(self, path: Path, *, is_array: bool, end: str) -> None:
        self._open.append(_Container(path, is_array, end))
        self._parts.append("[" if is_array else "{")
        self._state = self._between

    def _pop(self) -> None:
        self._parts.append("]" if self._open.pop().is_array else "}")
        self._is_done = not self._open

    def _between(self) -> bool:
        """Read the beginning of a member or an item, or the end of its container."""
        inner = self._open[-1]
        place = _behind_space(self._text, self._place)
        if place == len(self._text):
            return False
        if inner.end and self._text.startswith(inner.end, place):
            self._place = place + len(inner.end)
            self._pop()
            return True
        if self._style.separator and inner.num_members and self._text.startswith(self._style.separator, place):
            place = _behind_space(self._text, place + len(self._style.separator))
        if inner.end.startswith(self._text[place:]) and inner.end:
            return False
        found = (self._item if inner.is_array else self._member).read(self._text, place)
        if found is not None and found.end is None:
            return False
        if found is None or not self._begin(inner, found):
            self._place = place if not self._style.braces[0] else self._place
            while self._open:
                self._pop()
        return not self._is_done

    def _begin(self, inner: _Container, found: _Found) -> bool:
        """Begin the value after a mark. Returns False if the name is invalid, so that the text is no mark."""
        assert found.end is not None
        name = found.name
        for character, escape in reversed(self._style.escapes):
            name = name.replace(escape, character)
        if not self._names.fullmatch(name):
            name = name.strip()
        if not inner.is_array and not self._names.fullmatch(name):
            return False
        self._parts.append(", " if inner.num_members else "")
        if inner.is_array:
            assert self._style.item is not None
            self._value = _Value((inner.path, inner.num_members), found.kind, self._style.item[1])
        else:
            self._parts.append(f"{json.dumps(name, ensure_ascii=False)}: ")
            self._value = _Value((inner.path, name), found.kind, self._style.end_of(name))
        inner.num_members += 1
        self._place = found.end
        self._state = self._at_value
        return True

    def _at_value(self) -> bool:
        if self._place == len(self._text):
            return False
        if self._style.is_wrapped and self._text[self._place] == "\n":
            self._place += 1
        self._state = self._at_quoted if self._style.quote else self._at_kind if self._style.kinds else self._at_text
        return True

    def _at_quoted(self) -> bool:
        """Begin a value of a style that quotes strings."""
        place = _behind_space(self._text, self._place)
        rest, quote = self._text[place:], self._style.quote
        if rest.startswith(quote):
            self._value.end = quote + self._value.end
            self._begin_string(place + len(quote))
            return True
        if quote.startswith(rest):
            return False
        for is_array, (before, behind) in enumerate((self._style.braces, self._style.brackets)):
            if rest.startswith(before):
                self._place = place + len(before)
                self._push(self._value.path, is_array=bool(is_array), end=behind)
                return True
        end = re.search(r"[,\]}\s]", rest)
        if end is None:
            return False
        self._parts.append(json_of_text(rest[: end.start()], _SCALARS, is_deep=True))
        self._place = place + end.start()
        self._state = self._between
        return True

    def _at_kind(self) -> bool:
        """Begin a value whose mark tells its type."""
        value, kinds = self._value, self._style.kinds
        if value.kind == kinds["string"]:
            self._begin_string(self._place)
        elif self._style.is_deep and value.kind in (kinds["array"], kinds["object"]):
            self._push(value.path, is_array=value.kind == kinds["array"], end=value.end)
        else:
            self._state = self._in_json
        return True

    def _at_text(self) -> bool:
        """Begin a value whose type is read from its text, as soon as its beginning tells enough."""
        permitted = self._types_at(self._value.path)
        rest = self._text[self._place :]
        if self._style.is_deep and (begun := self._begin_container(permitted)) is not None:
            return begun
        is_deep = self._style.is_deep
        if not is_deep and container_type(rest) in permitted and "string" not in permitted:
            self._state = self._in_json
        elif _may_be_json(rest.lstrip(WHITESPACE)[:1], permitted, is_deep=is_deep) or self._is_ending(rest):
            self._state = self._in_text
        else:
            self._begin_string(self._place)
        return True

    def _is_ending(self, rest: str) -> bool:
        """True if the value may be empty."""
        bare = rest.lstrip(WHITESPACE)
        return bare.startswith(self._value.end) or self._value.end.startswith(bare)

    def _begin_container(self, permitted: frozenset[JsonType]) -> bool | None:
        """Begin an array or object if marks stand in the value. False if more text is needed, None if there are no
        marks.
        """
        place = _behind_space(self._text, self._place)
        if self._value.end.startswith(self._text[place:]):
            return False
        if self._text.startswith(self._value.end, place):
            return None
        found = self._member.read(self._text, place)
        if found is None or found.end is None:
            return None if found is None else False
        is_array = "array" in permitted and (found.name == "item" or "object" not in permitted)
        self._push(self._value.path, is_array=is_array, end=self._value.end)
        return True

    def _in_text(self) -> bool:
        """Read a value that may have several types until its end has come."""
        permitted = self._types_at(self._value.path)
        end = self._text.find(self._value.end, self._place)
        rest = self._text[self._place :]
        if end < 0:
            begun = rest[: len(rest) - overlap(rest, self._value.end)]
            if _may_be_json(begun, permitted, is_deep=self._style.is_deep) or self._is_ending(rest):
                return False
            self._begin_string(self._place)
            return True
        text = self._text[self._place : end]
        text = text.removesuffix("\n") if self._style.is_wrapped else text
        self._parts.append(json_of_text(text, permitted, is_deep=self._style.is_deep))
        self._place = end + len(self._value.end)
        self._state = self._between
        return True

    def _begin_string(self, place: int) -> None:
        self._place = place
        self._parts.append('"')
        self._state = self._in_string

    def _in_string(self) -> bool:
        piece, is_all = self._piece()
        self._parts.append(_inside(piece))
        if is_all:
            self._parts.append('"')
            self._state = self._between
        return is_all

    def _in_json(self) -> bool:
        piece, is_all = self._piece()
        self._parts.append(piece.strip(WHITESPACE) if is_all else piece)
        if is_all:
            self._state = self._between
        return is_all

    def _piece(self) -> tuple[str, bool]:
        """The decided characters of the value, and whether they complete it."""
        start, mark = self._place, self._value.end
        end = self._text.find(mark, start)
        if end >= 0:
            self._place = end + len(mark)
            piece = self._text[start:end]
            return (piece.removesuffix("\n") if self._style.is_wrapped else piece), True
        end = len(self._text) - overlap(self._text[start:], mark)
        if self._style.is_wrapped and self._text[start:end].endswith("\n"):
            end -= 1
        self._place = end
        return self._text[start:end], False


_SCALARS: frozenset[JsonType] = frozenset(("null", "boolean", "number"))


def _may_be_json(begun: str, permitted: frozenset[JsonType], *, is_deep: bool) -> bool:
    """True if a text with this beginning may be JSON of a permitted type other than string."""
    return (not is_deep and container_type(begun) in permitted) or may_become_scalar(begun, permitted)


def _behind_space(text: str, place: int) -> int:
    while place < len(text) and text[place] in WHITESPACE:
        place += 1
    return place


def _inside(text: str) -> str:
    """A text as the inside of a JSON string."""
    return json.dumps(text, ensure_ascii=False)[1:-1]
