"""A slow, independent reader of complete documents over frames: the oracle of what the machine accepts."""

from __future__ import annotations

import json
import re
from typing import Any

from guided.grammars.machine.frames import Frame, Lexeme
from guided.grammars.regex import algebra as lang

_STRING = re.compile(r'"((?:[^"\\\x00-\x1f]|\\["\\bfnrt]|\\u00[01][0-9a-f])*)"')
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_LITERALS = {"true": "true", "false": "false", "null": "null"}


class _Refused(Exception):
    pass


def accepts(root: Frame, document: bytes, space: str = r"[ \t\n]{0,2}") -> bool:
    """True if a complete document is one of the root's. space: a regex of what may stand between JSON tokens."""
    try:
        text = document.decode()
        reader = _Reader(text, re.compile(space))
        reader.value(root)
    except (_Refused, UnicodeDecodeError):
        return False
    return reader.config == len(text)


class _Reader:
    def __init__(self, text: str, space: re.Pattern[str]) -> None:
        self.text, self.space, self.config = text, space, 0

    def value(self, frame: Frame) -> tuple[int, bytes]:
        """Read a value that a frame expects: its class and its canonical bytes."""
        spec = frame.value_spec()
        if spec is None:
            raise _Refused
        char = self.peek()
        if char == '"':
            decoded, text = self.string()
            if decoded in spec.excluded_strings:
                raise _Refused
            return _class_of(spec.strings, decoded), text
        if char in "-0123456789":
            number = self.take(_NUMBER)
            if number in spec.excluded_numbers:
                raise _Refused
            return _class_of(spec.numbers, number), number.encode()
        if char in "{[":
            inner = spec.object if char == "{" else spec.array
            if inner is None:
                raise _Refused
            start = self.config
            returned = self.members(inner) if char == "{" else self.items(inner)
            written = json.loads(self.text[start : self.config])
            text = json.dumps(written, separators=(",", ":"), ensure_ascii=False).encode()
            return returned, text
        for name in ("true", "false", "null"):
            if self.text.startswith(name, self.config):
                self.config += len(name)
                returned = getattr(spec, name)
                if returned is None:
                    raise _Refused
                return returned, name.encode()
        raise _Refused

    def items(self, frame: Frame) -> int:
        self.expect("[")
        self.skip()
        if self.peek() != "]":
            while True:
                spec = frame.value_spec()
                returned, text = self.value(frame)
                assert spec is not None
                frame = _follow(frame.on_capture(returned, text) if spec.captures else frame.on_return(returned))
                self.skip()
                if self.peek() == "]":
                    break
                self.expect(",")
                self.skip()
        self.expect("]")
        return _close(frame)

    def members(self, frame: Frame) -> int:
        self.expect("{")
        self.skip()
        if self.peek() != "}":
            while True:
                frame = self.key(frame)
                self.skip()
                self.expect(":")
                self.skip()
                returned, _ = self.value(frame)
                frame = _follow(frame.on_return(returned))
                self.skip()
                if self.peek() == "}":
                    break
                self.expect(",")
                self.skip()
        self.expect("}")
        return _close(frame)

    def key(self, frame: Frame) -> Frame:
        spec = frame.key_spec()
        if spec is None:
            raise _Refused
        decoded, text = self.string()
        if decoded in spec.words:
            return _follow(frame.on_return(spec.words[decoded]))
        if decoded in spec.excluded:
            raise _Refused
        return _follow(frame.on_capture(_class_of(spec.open, decoded), text))

    def string(self) -> tuple[str, bytes]:
        spelled = self.take(_STRING)
        decoded: str = json.loads(spelled)
        if json.dumps(decoded, ensure_ascii=False) != spelled:
            raise _Refused
        return decoded, spelled.encode()

    def take(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.config)
        if match is None:
            raise _Refused
        self.config = match.end()
        return match.group()

    def skip(self) -> None:
        self.take(self.space)

    def peek(self) -> str:
        if self.config >= len(self.text):
            raise _Refused
        return self.text[self.config]

    def expect(self, char: str) -> None:
        if self.peek() != char:
            raise _Refused
        self.config += 1


def _class_of(lexeme: Lexeme, text: str) -> int:
    for language, returned in lexeme:
        if lang.matches(language, text):
            return returned
    raise _Refused


def _close(frame: Frame) -> int:
    if frame.close_class is None:
        raise _Refused
    return frame.close_class


def _follow(frame: Any) -> Frame:
    if frame is None:
        raise _Refused
    following: Frame = frame
    return following
