"""What an object must satisfy to be written in a style: a formula to stand beside that of a schema.

No name and no text holds a mark. A string is written only where readers take it for that string, by the one rule of
`style_texts`. All else that looks at the schema then sees what can't be written: required keys, alternatives, counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache

from ..cached import cached_property
from ..errors import UnsupportedSchemaError
from ..regex import algebra as lang
from ..regex import python_re
from ..regex.algebra import Language
from ..spec import StyledWriting
from ..styles import STYLES, JsonType, Style
from .formula import (
    FALSE,
    KINDS,
    TRUE,
    Each,
    Formula,
    Has,
    Reference,
    all_of,
    any_of,
    each,
    items,
    kinds,
    names_in,
    string_in,
)
from .residual import atoms, conjuncts, may_hold
from .specialise import number_language, specialise, string_language
from .value_types import types_at

_SPACE = r"[ \n\r\t]*"
_SCALARS: dict[JsonType, str] = {
    "null": "null",
    "boolean": "true|false",
    "number": r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?",
}
_BEGINS: dict[JsonType, str] = {"array": r"\[[\s\S]*", "object": r"\{[\s\S]*"}
_SUGGESTION = "this model's calls hold parameters one by one, between marks"
MARK_CHARACTERS = "\x0e\x0f\x10\x11\x12\x13\x14\x15"
"""What stands for the special tokens of marks. Grammars with such marks take no token that holds one of them."""

_ESCAPED = re.compile(r"[\\^$.*+?()\[\]{}|]")


@dataclass(frozen=True)
class StyleTexts:
    """The texts that values may be in a style. excludes: what no string and no name holds, beside the style's marks."""

    style: Style
    excludes: tuple[str, ...] = ()
    _strings: dict[frozenset[JsonType], Language] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def _marks(self) -> str:
        return "|".join([self.style.marks, *[_ESCAPED.sub(r"\\\g<0>", text) for text in self.excludes]])

    @cached_property
    def clean(self) -> Language:
        """Texts without a mark."""
        return lang.complement(lang.concat(lang.ANYTHING, python_re.full(self._marks), lang.ANYTHING))

    def is_name(self, name: str) -> bool:
        """Whether a name can be written: whether it is one of `names`."""
        return re.fullmatch(self.style.names, name) is not None and re.search(self._marks, name) is None

    @cached_property
    def names(self) -> Language:
        """Names that can be written."""
        return lang.intersect(python_re.full(self.style.names), self.clean)

    def strings(self, others: frozenset[JsonType]) -> Language:
        """The strings that can be written where values of other types may stand, too."""
        found = self._strings.get(others)
        if found is None:
            found = self._strings[others] = self._find_strings(others)
        return found

    def _find_strings(self, others: frozenset[JsonType]) -> Language:
        if self.style.tells_strings:
            return self.clean
        read_as = [rf"{_SPACE}(?:{_SCALARS[one]}){_SPACE}" for one in sorted(others & _SCALARS.keys())]
        read_as += [_SPACE + _BEGINS[one] for one in sorted(others & _BEGINS.keys())]
        return lang.difference(self.clean, lang.union(*map(python_re.full, read_as))) if read_as else self.clean

    def object(self, formula: Formula) -> Formula:
        """A schema's formula, for objects that can be written."""
        special = specialise(formula, "object")
        parts = conjuncts(special)
        eaches = [atom for atom in atoms(special) if isinstance(atom, Each)]
        names: dict[str, None] = {}
        for atom in atoms(special):
            if isinstance(atom, Each):
                names |= dict.fromkeys(atom.properties)
            elif isinstance(atom, Has):
                names[atom.key] = None
        if len(eaches) == 1 and eaches[0] in parts and not eaches[0].patterns:
            parts = tuple([self._each(part) if part is eaches[0] else part for part in parts])
        else:
            parts = (*parts, self._beside(special, names))
        return all_of([kinds(["object"]), *parts, names_in(self.names)])

    def _each(self, atom: Formula) -> Formula:
        """What a schema asks of its members, where that is all that it asks of them, and that they can be written.

        PERF: of those that it names it is found when a text gets there.
        """
        assert isinstance(atom, Each)
        properties = {name: all_of([value, self._later(value)]) for name, value in atom.properties.items()}
        return each(properties, (), all_of([atom.additional, self._later(atom.additional)]))

    def _later(self, value: Formula) -> Formula:
        if isinstance(value, Reference):
            return Reference(f"{value.name}, between marks", lambda: self._value(types_at(value, None)))
        return self._value(types_at(value, None))

    def _beside(self, special: Formula, names: Iterable[str]) -> Formula:
        """That the members can be written of objects that satisfy a formula."""
        asked: dict[Formula, list[str]] = {}
        for name in names:
            asked.setdefault(self._value(types_at(special, (None, name))), []).append(name)
        others = self._value(_types_of(special, None))
        patterns = [(lang.words(same), value) for value, same in asked.items() if value is not others]
        for pattern in _patterns_in(special):
            value = self._value(_types_of(special, pattern))
            if value is not others:
                patterns.append((lang.difference(pattern, lang.words(names)), value))
        return each({}, patterns, others)

    def why_empty(self, formula: Formula) -> UnsupportedSchemaError:
        """The error for a formula that objects satisfy, but none that can be written."""
        for part in conjuncts(specialise(formula, "object")):
            if isinstance(part, Has) and not self.is_name(part.key):
                reason = f"asks for the parameter {part.key!r}, whose name can't stand between the marks"
                return UnsupportedSchemaError("", "required", reason, _SUGGESTION)
        reason = "lets no object be written: a string would hold a mark, or would be read as another value"
        return UnsupportedSchemaError("", "style", reason, _SUGGESTION)

    def _value(self, types: frozenset[JsonType]) -> Formula:
        """What a member's value of some types must satisfy to be written."""
        strings = self.strings(types - {"string"} if "string" in types else frozenset())
        return all_of([string_in(strings), *self._inside])

    @cached_property
    def _inside(self) -> list[Formula]:
        """What arrays and objects must satisfy, which are JSON."""
        inside = Reference("values without marks", lambda: whole)
        parts = [names_in(self.clean), each({}, (), inside), items((), inside)]
        whole = all_of([string_in(self.clean), *parts])
        return parts


def _patterns_in(special: Formula) -> list[Language]:
    """The patterns of names in an object's formula."""
    eaches = [atom for atom in atoms(special) if isinstance(atom, Each)]
    return list(dict.fromkeys([pattern for atom in eaches for pattern, _ in atom.patterns]))


def _types_of(special: Formula, pattern: Language | None) -> frozenset[JsonType]:
    """Of which types values may be whose names no schema has. pattern: that the name fits; None: it fits none."""

    def of_member(atom: Formula) -> Formula:
        if not isinstance(atom, Each):
            return atom
        fitting = [value for language, value in atom.patterns if language is pattern]
        if fitting or pattern is None:
            return all_of(fitting) if fitting else atom.additional
        return any_of([*[value for _, value in atom.patterns], atom.additional])

    return types_at(may_hold(special, of_member), None)


@lru_cache(maxsize=32)
def style_texts(styled: StyledWriting, stops: tuple[str, ...] = ()) -> StyleTexts:
    """Those of how a schema is written. Kept, as a grammar may have hundreds of schemas in one style.

    stops: further texts that no string holds. Special tokens are characters in the marks, which no text holds.
    """
    style = STYLES[styled.style]
    begin, end = list(style.begin), style.end
    for place, (name, _) in enumerate(styled.tokens):
        begin, end = (
            [mark.replace(name, MARK_CHARACTERS[place]) for mark in begin],
            end.replace(name, MARK_CHARACTERS[place]),
        )
    characters = MARK_CHARACTERS[: len(styled.tokens)]
    return StyleTexts(replace(style, begin=tuple(begin), end=end), (*styled.excludes, *stops, *characters))


def lone_text(formula: Formula, styled: StyledWriting) -> Language:
    """The texts of a document that is a string, number or literal, without marks of its own."""
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
