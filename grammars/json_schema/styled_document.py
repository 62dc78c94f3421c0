"""Frames of an object that is written in a style: those of the object as JSON, with marks around names and values.

Which members may come, what their values must satisfy, and when the object may end, is what the frames of the JSON
object say. Here names become texts with the marks behind them, and values become texts with their mark.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from ..cached import cached_property
from ..machine.frames import (
    MAX_SPACES,
    Choices,
    Frame,
    KeySpec,
    Lexeme,
    Marks,
    OpenObject,
    StyledFrame,
    StyledSpec,
    ValueFrame,
    ValueGoal,
    ValueSpec,
)
from ..regex import algebra as lang
from ..regex import python_re
from ..regex.algebra import Language
from ..spec import StyledWriting
from ..styles import JSON_TYPES, JsonType
from .context import Context
from .escaped_names import escaped
from .specialise import specialise
from .styled_values import MARK_CHARACTERS, StyleTexts

_OF_TEXT = 1 << 20  # is added to the class of a value that is no array or object
_BETWEEN_MARKS = ("", "\n")  # of one member
_NO_OUTER_BREAK = python_re.full(r"(?!\n)(?![\s\S]*\n\Z)[\s\S]*")


class MarkedTypes(NamedTuple):
    """Types of values that have the same marks. behind_name: what may stand behind the name."""

    types: frozenset[JsonType]
    behind_name: tuple[str, ...]


class StyledDocument:
    """The documents of a formula in a style. document: the same as JSON; its formula is that of `StyleTexts.object`."""

    def __init__(self, document: Context, texts: StyleTexts, styled: StyledWriting) -> None:
        self.document = document
        self._texts = texts
        style = texts.style
        opening, _, behind = style.begin[0].partition("NAME")
        marks = [behind, *style.begin[1:]]
        tokens = tuple([(number, ord(one)) for (_, number), one in zip(styled.tokens, MARK_CHARACTERS, strict=False)])
        self.marks = Marks(opening.encode(), min(styled.max_spaces, MAX_SPACES), tokens)
        self.end = style.end
        of_kinds: dict[str, set[JsonType]] = {}
        for one in sorted(JSON_TYPES):
            of_kinds.setdefault(style.kinds.get(one, ""), set()).add(one)
        self.kinds: tuple[MarkedTypes, ...] = tuple(
            [
                MarkedTypes(frozenset(types), tuple(_joined([mark.replace("KIND", kind) for mark in marks])))
                for kind, types in of_kinds.items()
            ]
        )
        self._objects: dict[int, StyledObject] = {}
        self._values: dict[tuple[int, int], StyledValue] = {}
        self._ended: dict[tuple[int, int], AfterContainer] = {}
        self._declared: dict[int, tuple[Mapping[str, int], Mapping[str, int]]] = {}

    def root(self) -> StyledRoot:
        """The frame of the whole document."""
        return StyledRoot(self)

    def object(self, inner: OpenObject) -> StyledObject:
        """The frame of an object."""
        return self._objects.setdefault(id(inner), StyledObject(self, inner))

    def value(self, inner: ValueFrame, kind: int) -> StyledValue:
        """The frame of a value that has the marks of `kinds[kind]`."""
        return self._values.setdefault((id(inner), kind), StyledValue(self, inner, kind))

    def after_container(self, inner: ValueFrame, returned: int) -> AfterContainer:
        """The frame of the mark behind an array or object that has ended with a class."""
        return self._ended.setdefault((id(inner), returned), AfterContainer(self, inner, returned))

    def keys(self, names: Mapping[str, int]) -> Mapping[str, int]:
        """The texts of declared names with their classes; the same mapping for the same."""
        known = self._declared.get(id(names))
        if known is None:
            texts = {
                text: cls * len(self.kinds) + kind
                for name, cls in names.items()
                for kind in range(len(self.kinds))
                for text in self.key_texts(name, kind)
            }
            known = self._declared[id(names)] = texts, names
        return known[0]

    def key_texts(self, name: str, kind: int) -> list[str]:
        """A name with each of the marks that may stand behind it; none for a name that can't be written.

        So no text begins another, which word sets rely on.
        """
        if not self._texts.is_name(name):
            return []
        escaped = self._texts.style.escaped(name)
        return [escaped + behind for behind in self.kinds[kind].behind_name]

    def all_key_texts(self, name: str) -> list[str]:
        """A name with each of the marks that may stand behind it, of any kind."""
        return [text for kind in range(len(self.kinds)) for text in self.key_texts(name, kind)]

    def kinds_of(self, spec: ValueSpec | None) -> list[int]:
        """The kinds of marks of which a value may be."""
        return [kind for kind, of in enumerate(self.kinds) if spec is not None and _has_values(spec, of.types)]

    def open_keys(self, language: Language, kind: int) -> Language:
        """Names that no schema names, with the marks behind them."""
        behind = lang.words(self.kinds[kind].behind_name)
        return lang.concat(escaped(language, self._texts.style.escapes), behind)

    def name_in(self, text: str, kind: int) -> str:
        """The name of a text that `key_texts` or `open_keys` has."""
        behind = next(one for one in self.kinds[kind].behind_name if text.endswith(one))
        name = text.removesuffix(behind)
        for character, escape in reversed(self._texts.style.escapes):
            name = name.replace(escape, character)
        return name

    @property
    def is_wrapped(self) -> bool:
        """A line break on each side of a value belongs to the marks."""
        return self._texts.style.is_wrapped

    @cached_property
    def end_after_json(self) -> Language:
        """Whitespace that may stand behind an array or object."""
        return lang.repeat(lang.chars(((9, 10), (13, 13), (32, 32))), 0, self.marks.max_spaces)


def _joined(marks: list[str]) -> list[str]:
    """Marks one behind the other, with or without a line break between them."""
    return list(
        dict.fromkeys([space.join(marks) for space in (_BETWEEN_MARKS if len(marks) > 1 else _BETWEEN_MARKS[:1])])
    )


class StyledRoot(StyledFrame):
    """The whole document: an object."""

    kind: Literal["value"] = "value"
    close_class: int | None = None
    plain = None

    def __init__(self, styled: StyledDocument) -> None:
        self._styled = styled
        self.marks = styled.marks

    def value_spec(self) -> ValueSpec:
        """The object."""
        document = self._styled.document
        inner = document.live_object(specialise(document.formula, "object"))
        return ValueSpec(object=None if inner is None else self._styled.object(inner))

    def key_spec(self) -> None:
        """No object is open."""

    def on_return(self, cls: int) -> None:
        """Nothing follows."""
        del cls

    def on_capture(self, cls: int, text: bytes) -> None:
        """Nothing follows."""
        del cls, text


class StyledObject(StyledFrame):
    """Inside of the object. inner: the same as JSON.

    The class of a key is that of its name times the number of kinds of marks, and the number of the kind.
    """

    kind: Literal["object"] = "object"
    plain = None

    def __init__(self, styled: StyledDocument, inner: OpenObject) -> None:
        self._styled = styled
        self.inner = inner
        self.marks = styled.marks

    def value_spec(self) -> None:
        """A key comes first."""

    @property
    def close_class(self) -> int | None:
        """See `frames.OpenObject`."""
        return self.inner.close_class

    def key_spec(self) -> KeySpec | None:
        """The names that may come now, with the marks behind them."""
        spec = self.inner.key_spec()
        if spec is None:
            return None
        styled, num_kinds = self._styled, len(self._styled.kinds)
        words = {
            text: cls * num_kinds + kind
            for name, cls in spec.words.items()
            for kind in self._kinds_after(cls)
            for text in styled.key_texts(name, kind)
        }
        open_keys = tuple(
            [
                (styled.open_keys(language, kind), cls * num_kinds + kind)
                for language, cls in spec.open
                for kind in self._kinds_after(cls, lang.difference(language, lang.words(spec.excluded)))
            ]
        )
        names = spec.words if spec.declared is None else spec.declared
        excluded = [
            text for name in spec.excluded for kind in range(num_kinds) for text in styled.key_texts(name, kind)
        ]
        if not words and not open_keys:
            return None
        return KeySpec(words, open_keys, frozenset(excluded) if open_keys else frozenset(), styled.keys(names))

    @property
    def is_settled(self) -> bool:
        """See `frames.OpenObject`, as all that follows here."""
        return self.inner.is_settled

    @property
    def num_outcomes(self) -> int:
        return self.inner.num_outcomes

    def left_to_choose(self) -> tuple[Hashable, Choices]:
        return self.inner.left_to_choose()

    def distance(self) -> int:
        return self.inner.distance()

    def value_before(self, goal: ValueGoal) -> ValueFrame:
        raise AssertionError("it is not plain")

    @property
    def members(self) -> Hashable:
        return self, self.inner.members

    def member_specs(self) -> Iterator[ValueSpec]:
        return self.inner.member_specs()

    def needed_members(self) -> Iterable[Sequence[int]]:
        return self.inner.needed_members()

    def member(self, number: int) -> tuple[str, ValueGoal]:
        name, goal = self.inner.member(number)
        kind = next(iter(self._styled.kinds_of(goal.spec())), 0)
        return self._styled.key_texts(name, kind)[0], goal

    @property
    def min_members(self) -> int:
        return self.inner.min_members

    def helpful_keys(self) -> Collection[str]:
        return [text for name in self.inner.helpful_keys() for text in self._styled.all_key_texts(name)]

    @property
    def any_key_helps(self) -> bool:
        return self.inner.any_key_helps

    def possible_members(self) -> Iterator[int]:
        return self.inner.possible_members()

    def next_members(self) -> Sequence[tuple[str, Frame]]:
        return [
            (texts[0], self._styled.value(member, kind))
            for name, member in self.inner.next_members()
            if member.kind == "value"
            for kind in self._styled.kinds_of(member.value_spec())
            if (texts := self._styled.key_texts(name, kind))
        ]

    @property
    def used(self) -> Collection[str]:
        return self.inner.used

    @property
    def has_plenty(self) -> bool:
        return self.inner.has_plenty

    def with_used(self, keys: Iterable[str]) -> StyledObject:
        return self._styled.object(self.inner.with_used(keys))

    def _kinds_after(self, cls: int, names: Language | None = None) -> list[int]:
        """The kinds of marks of which a value may be that follows a key of a class. names: of open keys, which are all
        alike."""
        if len(self._styled.kinds) == 1:
            return [0]
        name = None if names is None else lang.find_word(names)
        key = None if name is None else json.dumps(name).encode()
        member = self.inner.on_return(cls) if key is None else self.inner.on_capture(cls, key)
        return self._styled.kinds_of(None if member is None else member.value_spec())

    def on_return(self, cls: int) -> StyledValue | None:
        """The frame of the member's value."""
        name_class, kind = divmod(cls, len(self._styled.kinds))
        return self._value(self.inner.on_return(name_class), kind)

    def on_capture(self, cls: int, text: bytes) -> StyledValue | None:
        """The same for an open key. text: with the marks behind it."""
        name_class, kind = divmod(cls, len(self._styled.kinds))
        name = self._styled.name_in(text.decode(), kind)
        return self._value(self.inner.on_capture(name_class, json.dumps(name).encode()), kind)

    def _value(self, member: Frame | None, kind: int) -> StyledValue | None:
        if member is None:
            return None
        assert member.kind == "value"
        return self._styled.value(member, kind)


class StyledValue(StyledFrame):
    """The value of a member, with the mark behind it. inner: the same as JSON."""

    kind: Literal["value"] = "value"
    close_class: int | None = None
    plain = None

    def __init__(self, styled: StyledDocument, inner: ValueFrame, kind: int) -> None:
        self._styled = styled
        self.inner = inner
        self._kind = kind
        self.marks = styled.marks

    def styled_spec(self) -> StyledSpec:
        """What may be written."""
        spec = self.inner.value_spec()
        assert spec is not None
        types = self._styled.kinds[self._kind].types
        strings = spec.strings if "string" in types else ()
        others = _scalars(spec, types)
        bare, after_break = strings, None
        if self._styled.is_wrapped:
            bare = tuple([(lang.intersect(one, _NO_OUTER_BREAK), cls) for one, cls in strings])
            after_break = _of_texts((*strings, *others))
        return StyledSpec(
            _of_texts((*[pair for pair in bare if not lang.is_empty(pair[0])], *others)),
            self._styled.end,
            after_break,
            spec.object if "object" in types else None,
            spec.array if "array" in types else None,
        )

    def value_spec(self) -> ValueSpec | None:
        """The same as JSON."""
        return self.inner.value_spec()

    def key_spec(self) -> None:
        """A value comes here."""

    def on_return(self, cls: int) -> Frame | None:
        """The object after this member, where its mark has been read too; else the frame of that mark."""
        if cls < _OF_TEXT:
            return None if self.inner.on_return(cls) is None else self._styled.after_container(self.inner, cls)
        following = self.inner.on_return(cls - _OF_TEXT)
        if following is None:
            return None
        assert following.kind == "object"
        return self._styled.object(following)

    def on_capture(self, cls: int, text: bytes) -> Frame | None:
        """Texts of member values do not matter."""
        del text
        return self.on_return(cls)


class AfterContainer(StyledFrame):
    """The mark behind an array or object that has ended with a class."""

    kind: Literal["value"] = "value"
    close_class: int | None = None
    plain = None

    def __init__(self, styled: StyledDocument, inner: ValueFrame, returned: int) -> None:
        self._styled = styled
        self._inner = inner
        self._returned = returned
        self.marks = styled.marks

    def styled_spec(self) -> StyledSpec:
        """The mark."""
        return StyledSpec(((self._styled.end_after_json, _OF_TEXT + self._returned),), self._styled.end)

    def value_spec(self) -> None:
        """The value has ended."""

    def key_spec(self) -> None:
        """The value has ended."""

    def on_return(self, cls: int) -> Frame | None:
        """The object after this member."""
        following = self._inner.on_return(cls - _OF_TEXT)
        if following is None:
            return None
        assert following.kind == "object"
        return self._styled.object(following)

    def on_capture(self, cls: int, text: bytes) -> Frame | None:
        """Texts of member values do not matter."""
        del text
        return self.on_return(cls)


def _of_texts(texts: Lexeme) -> Lexeme:
    """One language for each class, whose classes say that no array or object has ended."""
    by_class: dict[int, list[Language]] = {}
    for language, cls in texts:
        by_class.setdefault(cls, []).append(language)
    return tuple([(lang.union(*languages), _OF_TEXT + cls) for cls, languages in by_class.items()])


def _scalars(spec: ValueSpec, types: frozenset[JsonType]) -> Lexeme:
    """The texts of numbers and literals of some types."""
    literals: list[tuple[JsonType, str, int | None]] = [
        ("boolean", "true", spec.true),
        ("boolean", "false", spec.false),
        ("null", "null", spec.null),
    ]
    found = [(lang.words([text]), cls) for one, text, cls in literals if cls is not None and one in types]
    return (*(spec.numbers if "number" in types else ()), *found)


def _has_values(spec: ValueSpec, types: frozenset[JsonType]) -> bool:
    """Whether values of some types may come."""
    has_strings = "string" in types and bool(spec.strings)
    has_containers = ("object" in types and spec.object is not None) or ("array" in types and spec.array is not None)
    return has_strings or has_containers or bool(_scalars(spec, types))
