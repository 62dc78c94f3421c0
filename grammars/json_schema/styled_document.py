"""Frames of an object that is written in a style: as the frames of a JSON object, with marks around names and values.

The frames of the JSON object tell which members may come, what their values must satisfy, and when the object may end.
The frames here turn names into texts with the marks after them, and values into texts with their mark.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Literal, NamedTuple

from ..cached import cached_property
from ..machine.frames import (
    Frame,
    KeySpec,
    Lexeme,
    OpenArray,
    OpenObject,
    StyledContainer,
    StyledFrame,
    StyledSpec,
    ValueFrame,
    ValueSpec,
)
from ..regex import algebra as lang
from ..regex import python_re
from ..regex.algebra import Language
from ..regex.spelled import spelled
from ..spec import StyledWriting
from ..styles import JSON_TYPES, JsonType, Style
from .context import Context
from .specialise import specialise
from .styled_captures import json_of_item, last_item
from .styled_values import StyleTexts

_OF_TEXT = 1 << 20  # added to the class of a value that is no array or object
_OF_ITEM = 1 << 30  # added to the class of an item's mark, to tell it from the mark of a member
_BETWEEN_MARKS = ("", "\n")  # permitted texts between two marks of one member
_NO_OUTER_BREAK = python_re.full(r"(?!\n)(?![\s\S]*\n\Z)[\s\S]*")


class MarkedTypes(NamedTuple):
    """Types of values with the same marks. behind_name: texts that may stand after the name."""

    types: frozenset[JsonType]
    behind_name: tuple[str, ...]


class StyledDocument:
    """The documents of a formula in a style.

    document: the same documents as JSON; its formula is that of `StyleTexts.object`.
    kinds, item_kinds: types of members and of items, grouped by their marks.
    item_marks: marks of an array's items, see `Marks`.
    """

    def __init__(self, document: Context, texts: StyleTexts, styled: StyledWriting) -> None:
        self.document = document
        self.texts = texts
        self.style = style = texts.style
        opening, _, behind = style.begin[0].partition("NAME")
        self.marks = texts.marks_with(opening, styled.max_spaces)
        self.kinds = _kinds(style, [behind, *style.begin[1:]])
        item = "" if style.item is None else style.item[0]
        before, kind, behind = item.partition("KIND") if "KIND" in item else (opening, "", item.removeprefix(opening))
        self.item_marks = texts.marks_with(before, styled.max_spaces)
        self.item_kinds = _kinds(style, [kind + behind])

    def root(self) -> StyledRoot:
        """The frame of the whole document."""
        return StyledRoot(self)

    def object(self, inner: OpenObject) -> StyledObject:
        """The frame of an object."""
        return self.document.kept(("styled", id(inner)), lambda: StyledObject(self, inner))

    def array(self, inner: OpenArray) -> StyledArray:
        """The frame of an array, in a deep style."""
        return self.document.kept(("styled", id(inner)), lambda: StyledArray(self, inner))

    def container(self, inner: Frame | None) -> StyledObject | StyledArray | None:
        """The frame of an object or array."""
        if inner is None:
            return None
        assert inner.kind != "value"
        assert not isinstance(inner, StyledContainer), "it is JSON"
        return self.object(inner) if inner.kind == "object" else self.array(inner)

    def either(self, object: OpenObject, array: OpenArray) -> StyledEither:
        """The frame at the first mark of an object or array, which decides between them."""
        key = ("styled either", id(object), id(array))
        return self.document.kept(key, lambda: StyledEither(self.object(object), self.array(array)))

    def value(self, inner: ValueFrame | OpenArray, kind: int, name: str | None) -> StyledValue:
        """The frame of a value with the marks of one kind.

        name: the member's name; None: unknown, and the mark after the value contains it.
        """
        name = name if self.marks.names_end else ""
        key = ("styled value", id(inner), kind, name)
        return self.document.kept(key, lambda: StyledValue(self, inner, name, kind))

    def after_container(self, inner: ValueFrame | OpenArray, returned: int, name: str | None) -> AfterContainer:
        """The frame of the mark after an array or object that has returned a class."""
        key = ("styled end", id(inner), returned, name)
        return self.document.kept(key, lambda: AfterContainer(self, inner, name, returned))

    def spec(self, spec: ValueSpec, kind: MarkedTypes, name: str | None, is_item: bool) -> StyledSpec:
        """The texts between marks for the values of a spec; equal arguments give the same object."""
        key = ("styled spec", id(spec), kind, name, is_item)
        made = self.document.kept(key, lambda: (self._new_spec(spec, kind.types, name, is_item), spec))
        return made[0]  # the spec is kept, too: its id is in the key

    def _new_spec(self, spec: ValueSpec, types: frozenset[JsonType], name: str | None, is_item: bool) -> StyledSpec:
        strings = _without(spec.strings, spec.excluded_strings) if "string" in types else ()
        others = _scalars(spec, types)
        bare, after_break = strings, None
        if self.style.is_wrapped:
            bare = tuple([(lang.intersect(one, _NO_OUTER_BREAK), cls) for one, cls in strings])
            after_break = _of_texts((*strings, *others))
        object_ = spec.object if "object" in types else None
        array = spec.array if "array" in types else None
        written = [pair for pair in bare if not lang.is_empty(pair[0])]
        if self.style.is_deep and not self.style.kinds:
            written += self._empty(object_, array)
        texts, end = self._with_end(_of_texts((*written, *others)), name, is_item)
        captures = 2 if spec.captures else 0
        if not self.style.is_deep:
            return StyledSpec(texts, end, after_break, object_, array)
        styled = self.container(object_), self.container(array)
        return StyledSpec(texts, end, None, *styled, captures, self.opened(object_, array))

    def opened(self, object: Frame | None, array: Frame | None) -> Frame | None:
        """The frame at the beginning of a value, for the case that the value is an object or an array."""
        if object is None or array is None:
            return self.container(array if object is None else object)
        assert object.kind == "object"
        assert not isinstance(object, StyledContainer), "it is JSON"
        assert array.kind == "array"
        return self.either(object, array)

    def _empty(self, *containers: Frame | None) -> list[tuple[Language, int]]:
        """The texts of empty containers (whitespace), for marks that do not tell the type of a value."""
        classes = [None if one is None else one.close_class for one in containers]
        return [(self.space, cls) for cls in classes if cls is not None]

    def end_of(self, name: str, is_item: bool) -> str:
        """The mark after a value."""
        if is_item:
            assert self.style.item is not None
            return self.style.item[1]
        return self.style.end_of(name)

    def _with_end(self, texts: Lexeme, name: str | None, is_item: bool) -> tuple[Lexeme, str]:
        """Texts, and the mark after them. If the mark contains an unknown name, the texts include its beginning."""
        if is_item or name is not None:
            return texts, self.end_of(name or "", is_item)
        before, _, behind = self.style.end.partition("NAME")
        begun = lang.concat(lang.text(before), self.texts.names)
        return tuple([(lang.concat(language, begun), cls) for language, cls in texts]), behind

    def ended_spec(self, returned: int, name: str | None, captures: int, is_item: bool) -> StyledSpec:
        """The mark after an array or object that has returned a class."""
        texts, end = self._with_end(((self.space, _OF_TEXT + returned),), name, is_item)
        return StyledSpec(texts, end, captures=captures)

    def keys(self, names: Mapping[str, int]) -> Mapping[str, int]:
        """The texts of declared names with their classes; equal arguments give the same mapping."""
        made = self.document.kept(("styled keys", id(names)), lambda: (self._keys(names), names))
        return made[0]

    def _keys(self, names: Mapping[str, int]) -> Mapping[str, int]:
        return {
            text: cls * len(self.kinds) + kind
            for name, cls in names.items()
            for kind in range(len(self.kinds))
            for text in self.key_texts(name, kind)
        }

    def key_texts(self, name: str, kind: int) -> list[str]:
        """A name with each mark that may follow it; [] for a name that can't be written.

        No text is a prefix of another one, as word sets require.
        """
        if not self.texts.is_name(name):
            return []
        escaped = self.texts.style.escaped(name)
        return [escaped + behind for behind in self.kinds[kind].behind_name]

    def kinds_of(self, spec: ValueSpec | None, kinds: tuple[MarkedTypes, ...]) -> list[int]:
        """The kinds of marks that a value may have."""
        return [kind for kind, of in enumerate(kinds) if spec is not None and _has_values(spec, of.types)]

    def names(self, spec: KeySpec) -> Mapping[int, str]:
        """The declared names of an object by their classes."""
        declared = spec.words if spec.declared is None else spec.declared
        key = ("styled names", id(declared))
        made = self.document.kept(key, lambda: ({cls: name for name, cls in declared.items()}, declared))
        return made[0]

    def open_keys(self, language: Language, kind: int) -> Language:
        """Names that the schema does not declare, with the marks after them."""
        behind = lang.words(self.kinds[kind].behind_name)
        return lang.concat(spelled(language, self.texts.style.escapes), behind)

    def name_in(self, text: str, kind: int) -> str:
        """The name in a text of `key_texts` or `open_keys`."""
        behind = next(one for one in self.kinds[kind].behind_name if text.endswith(one))
        name = text.removesuffix(behind)
        for character, escape in reversed(self.texts.style.escapes):
            name = name.replace(escape, character)
        return name

    @cached_property
    def space(self) -> Language:
        """The whitespace between members."""
        return lang.repeat(lang.chars(((9, 10), (13, 13), (32, 32))), 0, self.marks.max_spaces)


def _kinds(style: Style, marks: list[str]) -> tuple[MarkedTypes, ...]:
    """The types, grouped by their marks. marks: marks after a name, with KIND."""
    of_kinds: dict[str, set[JsonType]] = {}
    for one in sorted(JSON_TYPES):
        of_kinds.setdefault(style.kinds.get(one, ""), set()).add(one)
    return tuple(
        [
            MarkedTypes(frozenset(types), tuple(_joined([mark.replace("KIND", kind) for mark in marks])))
            for kind, types in of_kinds.items()
        ]
    )


def _joined(marks: list[str]) -> list[str]:
    """Consecutive marks, with and without a line break between them."""
    return list(
        dict.fromkeys([space.join(marks) for space in (_BETWEEN_MARKS if len(marks) > 1 else _BETWEEN_MARKS[:1])])
    )


class _StyledValueFrame(StyledFrame):
    """Base of frames that expect a value or the rest of one."""

    kind: Literal["value"] = "value"
    close_class: int | None = None
    plain = None

    def value_spec(self) -> ValueSpec | None:
        """None: `styled_spec` has the value."""
        return None

    def key_spec(self) -> None:
        """None: a value comes here."""


class StyledRoot(_StyledValueFrame):
    """The whole document: an object."""

    def __init__(self, styled: StyledDocument) -> None:
        self._styled = styled
        self.marks = styled.marks

    def value_spec(self) -> ValueSpec:
        """The object."""
        document = self._styled.document
        inner = document.live_object(specialise(document.formula, "object"))
        return ValueSpec(object=None if inner is None else self._styled.object(inner))

    def on_return(self, cls: int) -> None:
        """Nothing follows."""
        del cls

    def on_capture(self, cls: int, text: bytes) -> None:
        """Nothing follows."""
        del cls, text


class StyledObject(StyledContainer):
    """A frame inside an object. inner: the frame of the same object as JSON.

    The class of a key is (class of its name) * (number of kinds of marks) + (number of the kind).
    """

    def __init__(self, styled: StyledDocument, inner: OpenObject) -> None:
        self._styled = styled
        self.inner = inner
        self.marks = styled.marks

    @property
    def close_class(self) -> int | None:
        return self.inner.close_class

    def key_spec(self) -> KeySpec | None:
        """The names that may come now, with the marks after them."""
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
    def json(self) -> OpenObject:
        return self.inner

    def specs_of(self, spec: ValueSpec) -> list[StyledSpec]:
        styled = self._styled
        return [styled.spec(spec, styled.kinds[kind], "", False) for kind in styled.kinds_of(spec, styled.kinds)]

    def texts_of(self, name: str) -> list[str]:
        styled = self._styled
        return [text for kind in range(len(styled.kinds)) for text in styled.key_texts(name, kind)]

    def members_of(self, name: str, member: Frame) -> list[tuple[str, Frame]]:
        assert member.kind == "value"
        styled = self._styled
        kinds = styled.kinds_of(member.value_spec(), styled.kinds)
        texts = [(styled.key_texts(name, kind), kind) for kind in kinds]
        return [(of_kind[0], styled.value(member, kind, name)) for of_kind, kind in texts if of_kind]

    def with_used(self, keys: Iterable[str]) -> StyledObject:
        return self._styled.object(self.inner.with_used(keys))

    def _kinds_after(self, cls: int, names: Language | None = None) -> list[int]:
        """The kinds of marks that the value after a key of this class may have.

        names: the open keys of the class, which all have the same values.
        """
        if len(self._styled.kinds) == 1:
            return [0]
        name = None if names is None else lang.find_word(names)
        key = None if name is None else json.dumps(name).encode()
        member = self.inner.on_return(cls) if key is None else self.inner.on_capture(cls, key)
        return self._styled.kinds_of(None if member is None else member.value_spec(), self._styled.kinds)

    def on_return(self, cls: int) -> StyledValue | None:
        """The frame of the member's value."""
        name_class, kind = divmod(cls, len(self._styled.kinds))
        member = self.inner.on_return(name_class)
        if member is None or not self.marks.names_end:
            return self._value(member, kind, "")
        spec = self.inner.key_spec()
        return self._value(member, kind, None if spec is None else self._styled.names(spec).get(name_class))

    def on_capture(self, cls: int, text: bytes) -> StyledValue | None:
        """The frame of an open key's value. text: the key with the marks after it."""
        name_class, kind = divmod(cls, len(self._styled.kinds))
        name = self._styled.name_in(text.decode(), kind)
        return self._value(self.inner.on_capture(name_class, json.dumps(name).encode()), kind, name)

    def _value(self, member: Frame | None, kind: int, name: str | None) -> StyledValue | None:
        if member is None:
            return None
        assert member.kind == "value"
        return self._styled.value(member, kind, name)


class StyledArray(StyledContainer):
    """A frame inside an array. inner: the same frame for JSON. The class of an item's mark is its kind's number."""

    def __init__(self, styled: StyledDocument, inner: OpenArray) -> None:
        self._styled = styled
        self.inner = inner
        self.marks = styled.item_marks

    @property
    def json(self) -> OpenArray:
        return self.inner

    @property
    def close_class(self) -> int | None:
        return self.inner.close_class

    def specs_of(self, spec: ValueSpec) -> list[StyledSpec]:
        styled = self._styled
        kinds = styled.kinds_of(spec, styled.item_kinds)
        return [styled.spec(spec, styled.item_kinds[kind], "", True) for kind in kinds]

    def _kinds(self) -> list[int]:
        return self._styled.kinds_of(self.inner.value_spec(), self._styled.item_kinds)

    def key_spec(self) -> KeySpec | None:
        """The marks of the next item; None if no further item can come."""
        words = {text: kind for kind in self._kinds() for text in self._styled.item_kinds[kind].behind_name}
        return KeySpec(words) if words else None

    def on_return(self, cls: int) -> StyledValue:
        """The frame of the item."""
        return self._styled.value(self.inner, cls, "")

    def on_capture(self, cls: int, text: bytes) -> StyledValue:
        """Never called: no mark is captured."""
        del text
        return self.on_return(cls)


class StyledEither(StyledContainer):
    """At the first mark of a value with members: an array (classes from `_OF_ITEM` on) or an object."""

    def __init__(self, object: StyledObject, array: StyledArray) -> None:
        self._object, self._array = object, array
        self.marks = object.marks

    json = None
    close_class = None

    @property
    def alternatives(self) -> tuple[StyledContainer, ...]:
        return self._object, self._array

    def specs_of(self, spec: ValueSpec) -> list[StyledSpec]:
        raise AssertionError("its alternatives have values")

    def key_spec(self) -> KeySpec | None:
        """The marks of members and items. No mark is both: here no name of a member looks like an item's mark."""
        keys, items = self._object.key_spec(), self._array.key_spec()
        if keys is None or items is None:
            return keys if items is None else KeySpec({text: _OF_ITEM + cls for text, cls in items.words.items()})
        of_items = {text: _OF_ITEM + cls for text, cls in items.words.items()}
        excluded = frozenset((*keys.excluded, *of_items)) if keys.open else keys.excluded
        return KeySpec({**keys.words, **of_items}, keys.open, excluded)

    def on_return(self, cls: int) -> StyledValue | None:
        """The frame of the member's value."""
        return self._object.on_return(cls) if cls < _OF_ITEM else self._array.on_return(cls - _OF_ITEM)

    def on_capture(self, cls: int, text: bytes) -> StyledValue | None:
        """The frame of an open key's value."""
        return self._object.on_capture(cls, text)


class _BetweenMarks(_StyledValueFrame):
    """A value, or the mark after one.

    inner: the frame of the value for JSON, or the array that contains it.
    name: see `StyledDocument.value`.
    """

    def __init__(self, styled: StyledDocument, inner: ValueFrame | OpenArray, name: str | None) -> None:
        self.styled = styled
        self.inner = inner
        self.name = name
        self.is_item = inner.kind == "array"
        self.marks = styled.item_marks if self.is_item else styled.marks

    def on_return(self, cls: int) -> Frame | None:
        """The object or array after this member or item."""
        return self.styled.container(self.inner.on_return(cls - _OF_TEXT))

    def on_capture(self, cls: int, text: bytes) -> Frame | None:
        """The object or array after this item. text: the item with the mark after it."""
        if not self.is_item:
            return self.on_return(cls)
        spec = self.inner.value_spec()
        assert spec is not None
        value = json_of_item(self.styled.style, spec, text.decode())
        return self.styled.container(self.inner.on_capture(cls - _OF_TEXT, value))

    def ended(self, returned: int, tail: Callable[[int], tuple[bytes, bool]]) -> bytes:
        """See `StyledFrame`: an item with its marks; b"" if `returned` is the class of an array or object."""
        length = 64 if returned >= _OF_TEXT else 0
        while length:
            text, is_all = tail(length)
            found = last_item(self.styled.style, text)
            if found is not None:
                return found
            assert not is_all, "an item has a mark before it"
            length *= 4
        return b""


class StyledValue(_BetweenMarks):
    """The value of a member or item, with the mark after it."""

    def __init__(self, styled: StyledDocument, inner: ValueFrame | OpenArray, name: str | None, kind: int) -> None:
        super().__init__(styled, inner, name)
        self._kind = (styled.item_kinds if self.is_item else styled.kinds)[kind]

    def styled_spec(self) -> StyledSpec:
        """The values that may be written."""
        spec = self.inner.value_spec()
        assert spec is not None
        return self.styled.spec(spec, self._kind, self.name, self.is_item)

    def on_return(self, cls: int) -> Frame | None:
        """The container after this value if the mark after it was read (`_OF_TEXT`); else the frame of that mark."""
        if cls >= _OF_TEXT:
            return super().on_return(cls)
        ended = None if self.inner.on_return(cls) is None else self.inner
        return None if ended is None else self.styled.after_container(ended, cls, self.name)

    def on_capture(self, cls: int, text: bytes) -> Frame | None:
        """Like `on_return`, for an item whose text was captured."""
        return super().on_capture(cls, text) if cls >= _OF_TEXT else self.on_return(cls)


class AfterContainer(_BetweenMarks):
    """The mark after an array or object that has returned a class."""

    def __init__(self, styled: StyledDocument, inner: ValueFrame | OpenArray, name: str | None, returned: int) -> None:
        super().__init__(styled, inner, name)
        self._returned = returned

    def styled_spec(self) -> StyledSpec:
        """The mark."""
        spec = self.inner.value_spec()
        captures = 2 if spec is not None and spec.captures else 0
        return self.styled.ended_spec(self._returned, self.name, captures, self.is_item)


def _of_texts(texts: Lexeme) -> Lexeme:
    """The languages with `_OF_TEXT` added to their classes: no array or object has ended."""
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
    numbers = _without(spec.numbers, spec.excluded_numbers) if "number" in types else ()
    return (*numbers, *found)


def _without(lexeme: Lexeme, excluded: frozenset[str]) -> Lexeme:
    """The languages without some texts."""
    if not excluded:
        return lexeme
    left = [(lang.difference(language, lang.words(excluded)), cls) for language, cls in lexeme]
    return tuple([pair for pair in left if not lang.is_empty(pair[0])])


def _has_values(spec: ValueSpec, types: frozenset[JsonType]) -> bool:
    """True if a value of one of these types may come."""
    has_strings = "string" in types and bool(spec.strings)
    has_containers = ("object" in types and spec.object is not None) or ("array" in types and spec.array is not None)
    return has_strings or has_containers or bool(_scalars(spec, types))
