"""Small hand-written documents as frames: what the machine is tested with, without any JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from guided.grammars.machine.frames import Frame, KeySpec, Lexeme, ValueSpec
from guided.grammars.regex import algebra as lang
from guided.grammars.regex import charset as cs

OPEN = 1000  # the class of open keys


def digits(low: int, high: int | None = None) -> lang.Language:
    """That many decimal digits."""
    return lang.repeat(lang.chars(((0x30, 0x39),)), low, high)


def integer() -> lang.Language:
    """JSON integers without fraction and exponent, and no -0."""
    nonzero = lang.concat(lang.chars(((0x31, 0x39),)), digits(0))
    return lang.union(lang.text("0"), lang.concat(lang.repeat(lang.text("-"), 0, 1), nonzero))


def number() -> lang.Language:
    """Plain JSON numbers."""
    sign = lang.chars(cs.from_chars("+-"))
    return lang.concat(
        lang.repeat(lang.text("-"), 0, 1),
        lang.union(lang.text("0"), lang.concat(lang.chars(((0x31, 0x39),)), digits(0))),
        lang.repeat(lang.concat(lang.text("."), digits(1)), 0, 1),
        lang.repeat(lang.concat(lang.chars(cs.from_chars("eE")), lang.repeat(sign, 0, 1), digits(1)), 0, 1),
    )


class Value:
    """A value that is not a container: what `ValueSpec` takes."""

    def __init__(self, **parts: Any) -> None:
        self.parts = parts

    def spec(self, **more: Any) -> ValueSpec:
        return ValueSpec(**self.parts, **more)


def string(language: lang.Language = lang.ANYTHING) -> Value:
    return Value(strings=((language, 0),))


def strings(*pairs: tuple[lang.Language, int]) -> Value:
    return Value(strings=pairs)


def enum(*texts: str) -> Value:
    return string(lang.words(texts))


def numbers(language: lang.Language | None = None) -> Value:
    return Value(numbers=((language or number(), 0),))


def boolean() -> Value:
    return Value(true=0, false=0)


class Object(Value):
    """An object: properties in order, each (name, value, is_required); others of `extra` where it is given."""

    def __init__(
        self,
        properties: Sequence[tuple[str, Value, bool]] = (),
        extra: Value | None = None,
        names: lang.Language = lang.ANYTHING,
    ) -> None:
        self.properties, self.extra, self.names = list(properties), extra, names
        self.declared = frozenset(name for name, _, _ in properties)
        self.frames: dict[Any, Any] = {}

    def spec(self, **more: Any) -> ValueSpec:
        return ValueSpec(object=self.frame_at(0, frozenset()), **more)

    def frame_at(self, index: int, used: frozenset[str]) -> ObjectFrame:
        key = (index, used)
        if key not in self.frames:
            self.frames[key] = ObjectFrame(self, index, used)
        return self.frames[key]

    def member(self, index: int, used: frozenset[str]) -> MemberFrame:
        key = ("member", index, used)
        if key not in self.frames:
            self.frames[key] = MemberFrame(self, index, used)
        return self.frames[key]


class ObjectFrame:
    kind = "object"
    plain = None

    def __init__(self, owner: Object, index: int, used: frozenset[str]) -> None:
        self.owner, self.index, self.used = owner, index, used
        self.required = [i for i in range(index, len(owner.properties)) if owner.properties[i][2]]

    def key_spec(self) -> KeySpec | None:
        last = self.required[0] + 1 if self.required else len(self.owner.properties)
        words = {self.owner.properties[i][0]: i for i in range(self.index, last)}
        is_open = self.owner.extra is not None and not self.required
        if not words and not is_open:
            return None
        excluded = self.owner.declared | self.used
        left = lang.difference(self.owner.names, lang.words(excluded))
        is_open = is_open and not lang.is_empty(left)
        if not words and not is_open:
            return None
        return KeySpec(words, ((self.owner.names, OPEN),) if is_open else (), excluded)

    @property
    def close_class(self) -> int | None:
        return None if self.required else 0

    def on_return(self, cls: int) -> Frame | None:
        return self.owner.member(len(self.owner.properties) if cls == OPEN else cls, self.used)

    def on_capture(self, cls: int, text: bytes) -> Frame:
        return self.owner.member(len(self.owner.properties), self.used | {json.loads(text)})


class MemberFrame:
    kind = "value"
    plain = None
    close_class = None

    def __init__(self, owner: Object, index: int, used: frozenset[str]) -> None:
        self.owner, self.index, self.used = owner, index, used

    def value_spec(self) -> ValueSpec:
        if self.index == len(self.owner.properties):
            assert self.owner.extra is not None
            return self.owner.extra.spec()
        return self.owner.properties[self.index][1].spec()

    def key_spec(self) -> None:
        return None

    def on_return(self, cls: int) -> Frame | None:
        return self.owner.frame_at(min(self.index + 1, len(self.owner.properties)), self.used)

    def on_capture(self, cls: int, text: bytes) -> Frame | None:
        raise AssertionError


class Array(Value):
    """An array of items, at least `low`, at most `high`; unique when asked, if they are scalars."""

    def __init__(self, items: Value, low: int = 0, high: int | None = None, unique: bool = False) -> None:
        self.items, self.low, self.high, self.unique = items, low, high, unique
        self.frames: dict[Any, ArrayFrame] = {}

    def spec(self, **more: Any) -> ValueSpec:
        return ValueSpec(array=self.frame_at(0, frozenset()), **more)

    def frame_at(self, count: int, used: frozenset[bytes]) -> ArrayFrame:
        if self.high is None and not self.unique:
            count = min(count, self.low)
        key = (count, used)
        if key not in self.frames:
            self.frames[key] = ArrayFrame(self, count, used)
        return self.frames[key]


class ArrayFrame:
    kind = "array"
    plain = None

    def __init__(self, owner: Array, count: int, used: frozenset[bytes]) -> None:
        self.owner, self.count, self.used = owner, count, used

    def value_spec(self) -> ValueSpec | None:
        if self.owner.high is not None and self.count >= self.owner.high:
            return None
        if not self.owner.unique:
            return self.owner.items.spec()
        used_strings = frozenset(json.loads(text) for text in self.used if text.startswith(b'"'))
        used_numbers = frozenset(text.decode() for text in self.used if text[:1] in b"-0123456789")
        spec = self.owner.items.spec(
            captures=True,
            excluded_strings=used_strings,
            excluded_numbers=used_numbers,
        )
        for name in ("true", "false", "null"):
            if name.encode() in self.used:
                setattr(spec, name, None)
        return spec if _offers(spec) else None

    def key_spec(self) -> None:
        return None

    @property
    def close_class(self) -> int | None:
        return 0 if self.count >= self.owner.low else None

    def on_return(self, cls: int) -> Frame | None:
        return self.owner.frame_at(self.count + 1, self.used)

    def on_capture(self, cls: int, text: bytes) -> Frame:
        return self.owner.frame_at(self.count + 1, self.used | {text})


def _offers(spec: ValueSpec) -> bool:
    """False when a unique array's spec has nothing left; drops what is empty."""
    spec.strings = _left(spec.strings, spec.excluded_strings)
    spec.numbers = _left(spec.numbers, spec.excluded_numbers)
    literals = [spec.true, spec.false, spec.null]
    return bool(spec.strings or spec.numbers or spec.object or spec.array or any(c is not None for c in literals))


def _left(lexeme: Lexeme, excluded: frozenset[str]) -> Lexeme:
    words = lang.words(excluded)
    return tuple(pair for pair in lexeme if not lang.is_empty(lang.difference(pair[0], words)))


class AnyJson(Value):
    """Any value at all, recursively."""

    def __init__(self) -> None:
        self.object = Object(extra=self)
        self.array = Array(self)

    def spec(self, **more: Any) -> ValueSpec:
        return ValueSpec(
            strings=((lang.ANYTHING, 0),),
            numbers=((number(), 0),),
            true=0,
            false=0,
            null=0,
            object=self.object.frame_at(0, frozenset()),
            array=self.array.frame_at(0, frozenset()),
            **more,
        )


class Root:
    kind = "value"
    plain = None
    close_class = None

    def __init__(self, value: Value) -> None:
        self.value = value

    def value_spec(self) -> ValueSpec:
        return self.value.spec()

    def key_spec(self) -> None:
        return None

    def on_return(self, cls: int) -> Frame | None:
        return None

    def on_capture(self, cls: int, text: bytes) -> Frame | None:
        return None
