"""The condition under which an object can be written in a style: a formula beside that of the schema.

No name or text may contain a mark. A string may only be written if readers take it for that string, by the rule of
`style_texts`. The rest of the schema's machinery then sees what can't be written: required keys, alternatives, counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from ..cached import cached_property
from ..errors import UnsupportedSchemaError
from ..machine.frames import MAX_SPACES, Marks
from ..regex import algebra as lang
from ..regex import python_re
from ..regex.algebra import Language
from ..spec import StyledWriting
from ..styles import ITEM, STYLES, JsonType, Style
from .formula import (
    FALSE,
    KINDS,
    TRUE,
    Atom,
    Each,
    Formula,
    Has,
    Items,
    Reference,
    all_of,
    any_of,
    each,
    item_count,
    items,
    kinds,
    member_count,
    names_in,
    string_in,
)
from .residual import atoms, conjuncts, said_of
from .specialise import number_language, specialise, string_language
from .value_types import kinds_at, types_at, value_at

_SPACE = r"[ \n\r\t]*"
_SCALARS: dict[JsonType, str] = {
    "null": "null",
    "boolean": "true|false",
    "number": r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?",
}
_BEGINS: dict[JsonType, str] = {"array": r"\[[\s\S]*", "object": r"\{[\s\S]*"}
_SUGGESTION = "this model's calls hold parameters one by one, between marks"
MARK_CHARACTERS = "\x0e\x0f\x10\x11\x12\x13\x14\x15"
"""Characters that stand for the special tokens of marks. A grammar with such marks takes no token with one of them."""

_ESCAPED = re.compile(r"[\\^$.*+?()\[\]{}|]")


@dataclass(frozen=True, eq=False)
class StyleTexts:
    """The texts that values may have in a style.

    excludes: texts that no string or name may contain, beside the style's marks.
    tokens: see `StyledWriting`.
    """

    style: Style
    excludes: tuple[str, ...] = ()
    tokens: tuple[tuple[str, int], ...] = ()
    _strings: dict[frozenset[JsonType], Language] = field(default_factory=dict, repr=False)
    _of_any: dict[Any, Formula] = field(default_factory=dict, repr=False)  # this object's memo of TRUE, see `_value`

    @cached_property
    def _marks(self) -> str:
        return "|".join([self.style.marks, *[_ESCAPED.sub(r"\\\g<0>", text) for text in self.excludes]])

    @cached_property
    def clean(self) -> Language:
        """Texts without a mark."""
        return lang.complement(lang.concat(lang.ANYTHING, python_re.full(self._marks), lang.ANYTHING))

    def is_name(self, name: str) -> bool:
        """True if a name can be written, that is, if `names` contains it."""
        return re.fullmatch(self.style.names, name) is not None and re.search(self._marks, name) is None

    @cached_property
    def names(self) -> Language:
        """Names that can be written."""
        return lang.intersect(python_re.full(self.style.names), self.clean)

    def strings(self, others: frozenset[JsonType]) -> Language:
        """The strings that can be written if values of other types may stand there too."""
        found = self._strings.get(others)
        if found is None:
            found = self._strings[others] = self._find_strings(others)
        return found

    def _find_strings(self, others: frozenset[JsonType]) -> Language:
        if self.style.tells_strings:
            return self.clean
        read_as = [rf"{_SPACE}(?:{_SCALARS[one]}){_SPACE}" for one in sorted(others & _SCALARS.keys())]
        if not self.style.is_deep:
            read_as += [_SPACE + _BEGINS[one] for one in sorted(others & _BEGINS.keys())]
        return lang.difference(self.clean, lang.union(*map(python_re.full, read_as))) if read_as else self.clean

    @property
    def marks(self) -> Marks | None:
        """The marks around strings in documents that are otherwise JSON; see `frames.Marks`."""
        return self.marks_with(self.style.quote, 0) if self.style.quote else None

    def marks_with(self, opening: str, max_spaces: int) -> Marks:
        """See `frames.Marks`."""
        tokens = tuple([(number, ord(one)) for (_, number), one in zip(self.tokens, MARK_CHARACTERS, strict=False)])
        max_spaces, names_end = min(max_spaces, MAX_SPACES), "NAME" in self.style.end
        return Marks(opening.encode(), max_spaces, tokens, bool(self.style.quote), names_end)

    def value(self, formula: Formula) -> Formula:
        """A schema's formula for documents that can be written, in styles that are JSON with marks around strings.

        If the schema has objects, only objects can be written.
        """
        is_object = [] if specialise(formula, "object") is FALSE else [kinds(["object"])]
        return all_of([formula, *is_object, string_in(self.clean), *self._inside])

    def object(self, formula: Formula) -> Formula:
        """A schema's formula for objects that can be written."""
        special = specialise(formula, "object")
        parts = conjuncts(special)
        eaches = [atom for atom in atoms(special) if isinstance(atom, Each)]
        if len(eaches) == 1 and eaches[0] in parts and not eaches[0].patterns:
            parts = tuple([self._each(part) if part is eaches[0] else part for part in parts])
        else:
            parts = (*parts, self._beside(special))
        return all_of([kinds(["object"]), *parts, names_in(self.names)])

    def _each(self, atom: Formula) -> Formula:
        """An assertion about members, with the condition that the members can be written.

        PERF: for declared members the condition is computed when a text gets there.
        """
        assert isinstance(atom, Each)
        properties = {name: all_of([value, self._later(value)]) for name, value in atom.properties.items()}
        return each(properties, (), all_of([atom.additional, self._later(atom.additional)]))

    def _later(self, value: Formula) -> Formula:
        if isinstance(value, Reference):
            return Reference(f"{value.name}, between marks", lambda: self._value(value))
        return self._value(value)

    def _beside(self, special: Formula) -> Formula:
        """The condition that the members of objects that satisfy a formula can be written."""
        asked: dict[Formula, list[str]] = {}
        names = _names_in(special)
        for name in names:
            asked.setdefault(self._readable(value_at(special, (None, name))), []).append(name)
        others = self._value(_asked_of(special, None))
        patterns = [(lang.words(same), value) for value, same in asked.items() if value is not others]
        for pattern in _patterns_in(special):
            value = self._value(_asked_of(special, pattern))
            if value is not others:
                patterns.append((lang.difference(pattern, lang.words(names)), value))
        return each({}, patterns, others)

    def why_empty(self, formula: Formula) -> UnsupportedSchemaError:
        """The error if objects satisfy a formula, but none of them can be written."""
        for part in conjuncts(specialise(formula, "object")):
            if isinstance(part, Has) and not self.is_name(part.key):
                reason = f"asks for the parameter {part.key!r}, whose name can't stand between the marks"
                return UnsupportedSchemaError("", "required", reason, _SUGGESTION)
        reason = "lets no object be written: a string would hold a mark, or would be read as another value"
        return UnsupportedSchemaError("", "style", reason, _SUGGESTION)

    def _readable(self, formula: Formula) -> Formula:
        """The condition under which readers recognise a value at a place. formula: what `value_at` gave."""
        return self._value(formula) if self.style.tells_strings else all_of([self._value(formula), kinds_at(formula)])

    def _value(self, formula: Formula) -> Formula:
        """The condition under which a value that satisfies a formula can be written."""
        types = types_at(formula, None)
        strings = string_in(self.strings(types - {"string"} if "string" in types else frozenset()))
        if not self.style.is_deep or self.style.tells_strings:
            return all_of([strings, *self._inside])
        if not types & {"object", "array"}:
            return strings
        # A table of this object would keep the formulas of all grammars. The memo of TRUE, which always lives, would
        # keep this object.
        memo = self._of_any if formula is TRUE else formula.memo()
        known: Formula | None = memo.get(self)
        if known is None:
            name = f"values between marks, {formula.id}"
            known = memo[self] = Reference(name, lambda: all_of([strings, *self._elements(formula, types)]))
        return known

    def _elements(self, formula: Formula, types: frozenset[JsonType]) -> Iterator[Formula]:
        """The conditions under which readers recognise arrays and objects. Marks don't distinguish arrays from objects,
        nor empty ones from strings."""
        if "object" in types:
            yield self._beside(specialise(formula, "object"))
            yield names_in(self.names)
            if types & {"string", "array"}:
                yield member_count(1, None)
            if "array" in types:
                yield names_in(lang.complement(lang.text(ITEM)))
        if "array" in types:
            special = specialise(formula, "array")
            lengths = [len(atom.prefix) - atom.offset for atom in atoms(special) if isinstance(atom, Items)]
            places = range(max(lengths, default=0) + 1)
            *prefix, rest = [self._readable(value_at(special, (None, index))) for index in places]
            yield items(tuple(prefix), rest)
            if "string" in types:
                yield item_count(1, None)

    @cached_property
    def _inside(self) -> list[Formula]:
        """The conditions on arrays and objects inside values: their names and strings contain no mark."""
        inside = Reference("values without marks", lambda: whole)
        parts = [names_in(self.names if self.style.is_deep else self.clean), each({}, (), inside), items((), inside)]
        whole = all_of([string_in(self.clean), *parts])
        return parts


def _patterns_in(special: Formula) -> list[Language]:
    """The patterns of names in an object's formula."""
    eaches = [atom for atom in atoms(special) if isinstance(atom, Each)]
    return list(dict.fromkeys([pattern for atom in eaches for pattern, _ in atom.patterns]))


def _names_in(special: Formula) -> Mapping[str, None]:
    """The names that an object's formula has."""
    names: dict[str, None] = {}
    for atom in atoms(special):
        if isinstance(atom, Each):
            names |= dict.fromkeys(atom.properties)
        elif isinstance(atom, Has):
            names[atom.key] = None
    return names


def _asked_of(special: Formula, pattern: Language | None) -> Formula:
    """The condition on values whose names the schema does not declare.

    pattern: a pattern that the name fits; None: the name fits no pattern.
    """

    def of_member(atom: Atom) -> Formula | None:
        if not isinstance(atom, Each):
            return None
        fitting = [value for language, value in atom.patterns if language is pattern]
        if fitting or pattern is None:
            return all_of(fitting) if fitting else atom.additional
        return any_of([*[value for _, value in atom.patterns], atom.additional])

    return said_of(special, of_member).needed


@lru_cache(maxsize=32)
def style_texts(styled: StyledWriting, stops: tuple[str, ...] = ()) -> StyleTexts:
    """The texts for a way to write a schema. Cached, since a grammar may have hundreds of schemas in one style.

    stops: further texts that no string may contain. Special tokens count as characters of the marks, so texts don't
        contain them.
    """
    style = STYLES[styled.style]
    marks = [style.quote, style.end, *(style.item or ("", "")), *style.begin]
    for (name, _), character in zip(styled.tokens, MARK_CHARACTERS, strict=False):
        marks = [mark.replace(name, character) for mark in marks]
    quote, end, before_item, behind_item, *begin = marks
    item = None if style.item is None else (before_item, behind_item)
    excludes = (*styled.excludes, *stops, *MARK_CHARACTERS[: len(styled.tokens)])
    return StyleTexts(replace(style, quote=quote, end=end, item=item, begin=tuple(begin)), excludes, styled.tokens)


def lone_text(formula: Formula, styled: StyledWriting) -> Language:
    """The texts of a document that is a string, number or literal, without marks.

    Raises UnsupportedSchemaError if the document can have values but no string.
    """
    texts = style_texts(styled, styled.stops)
    if all(specialise(formula, kind) is FALSE for kind in KINDS):
        return lang.NOTHING
    if specialise(formula, "string") is FALSE:
        raise UnsupportedSchemaError(
            "", "type", "of arguments is an object, and of a value alone a string", _SUGGESTION
        )
    types = types_at(formula, None)
    found = [lang.intersect(string_language(specialise(formula, "string")), texts.strings(types - {"string"}))]
    if "number" in types:
        found.append(number_language(specialise(formula, "number"), is_written=False))
    found += [lang.text(kind) for kind in ("null", "true", "false") if specialise(formula, kind) is TRUE]
    return lang.union(*found)
