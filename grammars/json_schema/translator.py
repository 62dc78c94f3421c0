"""`Translator`: the formulas of schemas. `Place`: a schema where it stands, and how its subschemas' formulas are had.

Keywords are translated by functions of a place, which the translator is given (`keywords.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass
from typing import Any, TypeAlias

from ..json_paths import escape
from ..quote_sources import Sources
from .formula import FALSE, TRUE, Formula, Reference, all_of
from .keyword_table import KEYWORDS
from .resolve import Node, Resolver, Schema, Scope, Target
from .values import type_formula

_MAX_PLAIN = 6  # keywords, annotations included, up to which a schema is looked at for being no more than a type
_TYPE_ALONE = {"type"}

_INSIDE = {"properties", "patternProperties", "additionalProperties", "items", "additionalItems"}
_CONSTRAINING = frozenset(one.name for one in KEYWORDS if one.role == "constrains") - _INSIDE
"""Keywords that {}, [], "" and 0 may not satisfy."""

_TYPE_AND_ENUM = {"type", "enum"}
_OF_ONE_KIND = {one.name: one.types for one in KEYWORDS if one.types} | {"type": frozenset[str]()}
"""Keywords that speak of values of some types alone; "type" itself is asked for those that it names."""

_MAX_LENGTH = 1000  # of the strings that are taken to exist without a look
_MAX_NUMBER = 10**15
_MAX_NESTING = 3  # of required members whose schemas are looked at

NONE_INEXACT: frozenset[Node] = frozenset()

Translation: TypeAlias = Callable[[Any, "Place"], "Formula | list[Formula]"]
"""(value, place) -> a formula, or some that must all hold."""

Translations: TypeAlias = dict[int, dict[str, Translation]]
"""Number of the draft -> keyword -> its translation."""


@dataclass(slots=True, eq=False)
class Place:
    """A schema where it stands. scope: inside it."""

    translator: Translator
    schema: dict[str, Any]
    scope: Scope
    name: str

    def here(self, schema: Schema, *keys: str | int) -> Formula:
        """The formula of a subschema, under `keys`, that speaks of the same value."""
        return self.translator.formula(schema, self.scope, _joined(self.name, keys))

    def inside(self, schema: Schema, *keys: str | int) -> Formula:
        """The formula of a subschema that speaks of members or items; translated when it is needed."""
        return self.translator.deferred(schema, self.scope, self.name, *keys)

    def opposite(self, schema: Schema, *keys: str | int) -> Formula:
        """As `here`, for use under a negation."""
        return self.translator.opposite.formula(schema, self.scope, _joined(self.name, keys))

    def opposite_inside(self, schema: Schema, *keys: str | int) -> Formula:
        """As `inside`, for use under a negation."""
        return self.translator.opposite.deferred(schema, self.scope, self.name, *keys)

    def target(self, schema: Schema, *keys: str | int) -> Target:
        """A subschema under `keys`, as a reference would find it."""
        return schema, self.scope, _joined(self.name, keys)

    def references(self) -> Iterator[Target]:
        """What the schema refers to."""
        return self.translator.resolver.references(self.schema, self.scope)

    def with_schema(self, schema: dict[str, Any]) -> Place:
        """The same place with another schema in it."""
        return Place(self.translator, schema, self.scope, self.name)


def _joined(name: str, keys: tuple[str | int, ...]) -> str:
    """The pointer that goes on from another one."""
    for key in keys:
        name = f"{name}/{escape(key) if isinstance(key, str) else key}"
    return name


class Translator:
    """Formulas of the schemas of one `compile_schema` call, each made once.

    Where a schema depends on a format that is known only from within and from without, there are two formulas of it:
    one holds of no value that is not valid, the other one (of a translator with `is_upper`) of every valid value.
    translations, of_strings: of all keywords, and of those that say something of strings.
    opposite: the translator of the other sort, for what stands under a negation.
    sources: the texts that may be quoted.
    inexact: the schemas that depend on such a format; of all others the two formulas are one.
    """

    def __init__(
        self,
        resolver: Resolver,
        translations: Translations,
        of_strings: Translations,
        inexact: frozenset[Node] = NONE_INEXACT,
        opposite: Translator | None = None,
        *,
        sources: Sources | None = None,
        is_canonical: bool = False,
    ) -> None:
        self.resolver = resolver
        self.sources = sources
        self.is_canonical = is_canonical
        self.is_upper = opposite is not None
        self._inexact = inexact
        self._translations, self._translations_of_strings = translations, of_strings
        self._of_strings: Translator | None = None
        if not inexact:
            self.opposite = self
        else:
            self.opposite = opposite or Translator(
                resolver, translations, of_strings, inexact, self, sources=sources, is_canonical=is_canonical
            )
        self._references: dict[tuple[int, int], Reference] = {}  # by the ids of schemas and scopes, which stay

    def dismantle(self) -> None:
        """Let the references, those of its like too, forget what they stand for."""
        translators, waiting = {self}, [self]
        while waiting:
            translator = waiting.pop()
            for other in (translator.opposite, translator._of_strings):
                if other is not None and other not in translators:
                    translators.add(other)
                    waiting.append(other)
        for translator in translators:
            for reference in translator._references.values():
                reference.dismantle()
            translator._references.clear()
            translator._of_strings = None
            del translator.opposite

    def formula(self, schema: Schema, scope: Scope, name: str) -> Formula:
        """The formula of a schema, translated now; what is inside of its values, and what `$ref` names, is deferred.

        scope: where the schema stands. name: its pointer.
        """
        if not isinstance(schema, dict):
            return TRUE if schema else FALSE
        if self.is_upper and (id(schema), scope) not in self._inexact:
            return self.opposite.formula(schema, scope, name)
        place = self.place(schema, scope, name)
        assert place is not None
        scope = place.scope
        if "$ref" in schema and scope.draft.ref_stands_alone:
            return self.deferred(*self.resolver.resolve(schema["$ref"], scope))
        translations = self._translations[scope.draft.number]
        parts: list[Formula] = []
        for keyword, value in schema.items():
            translate = translations.get(keyword)
            if translate is not None:
                found = translate(value, place)
                parts += found if isinstance(found, list) else (found,)
        return all_of(parts)

    def place(self, schema: Any, scope: Scope, name: str) -> Place | None:
        """The schema with the scope inside it; None when it has no keywords."""
        if not isinstance(schema, dict):
            return None
        if scope.draft.id_keyword in schema or "$schema" in schema:
            scope = self.resolver.enter(schema, scope, name)
        return Place(self, schema, scope, name)

    def deferred(self, schema: Schema, scope: Scope, name: str, *keys: str | int) -> Formula:
        """The same formula; translated when it is needed, unless it is a type or a reference and nothing else.

        keys: its pointer goes on with them.
        """
        if not isinstance(schema, dict):
            return TRUE if schema else FALSE
        if len(schema) <= _MAX_PLAIN and scope.draft.id_keyword not in schema and "$schema" not in schema:
            constraints = self._translations[scope.draft.number].keys() & schema.keys()
            if "$ref" in constraints and (len(constraints) == 1 or scope.draft.ref_stands_alone):
                return self.deferred(*self.resolver.resolve(schema["$ref"], scope))
            if constraints == _TYPE_ALONE:
                return type_formula(schema["type"], scope.draft)
            if not constraints:
                return TRUE
        if self.is_upper and (id(schema), scope) not in self._inexact:
            return self.opposite.deferred(schema, scope, name, *keys)
        key = (id(schema), id(scope))
        found = self._references.get(key)
        if found is None:
            found = self._references[key] = _Deferred(self, schema, scope, _joined(name, keys))
        return found

    def of_strings(self, schema: Schema, scope: Scope, name: str) -> Formula:
        """What a schema says of strings; what it says of their like inside of other values never comes up."""
        of_strings = self._translations_of_strings
        if self._translations is of_strings:
            return self.deferred(schema, scope, name)
        if self._of_strings is None:
            strings = Translator(
                self.resolver,
                of_strings,
                of_strings,
                self._inexact,
                sources=self.sources,
                is_canonical=self.is_canonical,
            )
            self._of_strings = strings.opposite if self.is_upper else strings
        return self._of_strings.deferred(schema, scope, name)


class _Deferred(Reference):
    """A schema that is translated when it is needed."""

    __slots__ = ("_schema", "_scope", "_translator")

    def __init__(self, translator: Translator, schema: dict[str, Any], scope: Scope, name: str) -> None:
        super().__init__(name, None, is_satisfiable=_is_surely_satisfiable(schema))
        self._translator: Translator | None = translator
        self._schema: Any = schema
        self._scope: Any = scope

    def _expanded(self) -> Formula:
        assert self._translator is not None
        return self._translator.formula(self._schema, self._scope, self.name)

    def _let_go(self) -> None:
        self._translator = self._schema = self._scope = None


def _is_surely_satisfiable(schema: dict[str, Any], nesting: int = 0) -> bool:
    """True when its keywords leave no doubt; False where one would have to look. The schema is checked.

    Of `enum`, without a type or with that of strings, any value will do, of `anyOf` alone any alternative; or some type
    has a value of which the keywords that speak of it leave no doubt.
    """
    keywords = _CONSTRAINING.intersection(schema)
    if not keywords or keywords == _TYPE_ALONE:
        return True
    if "enum" in keywords:
        named = schema.get("type")
        of_strings = named == "string" and any(isinstance(one, str) for one in schema["enum"])
        return keywords <= _TYPE_AND_ENUM and (of_strings or (named is None and bool(schema["enum"])))
    if "anyOf" in keywords:
        return (
            len(keywords) == 1
            and nesting < _MAX_NESTING
            and any(isinstance(one, dict) and _is_surely_satisfiable(one, nesting + 1) for one in schema["anyOf"])
        )
    if not keywords <= _OF_ONE_KIND.keys():
        return False
    named = schema.get("type", "null")
    return any(
        _allows_some(kind, schema, {one for one in keywords if kind in _OF_ONE_KIND[one]}, nesting)
        for kind in ([named] if isinstance(named, str) else named)
    )


def _allows_some(kind: str, schema: dict[str, Any], keywords: Set[str], nesting: int) -> bool:
    """Whether some value of a type surely satisfies the keywords that speak of it; see `_is_surely_satisfiable`.

    {}, [], "" and 0 satisfy the others. Strings may have a format, or bounds on their length, numbers bounds with an
    integer between them, arrays bounds on how many items come that each can, objects required members that can.
    """
    if not keywords:
        return True
    if kind == "string":
        bounds = schema.get("minLength", 0) <= min(schema.get("maxLength", _MAX_LENGTH), _MAX_LENGTH)
        return keywords == {"format"} or (keywords <= {"minLength", "maxLength"} and bool(bounds))
    if kind in ("integer", "number"):
        low, high = schema.get("minimum", -_MAX_NUMBER), schema.get("maximum", _MAX_NUMBER)
        return keywords <= {"minimum", "maximum"} and _holds_an_integer(low, high)
    if nesting >= _MAX_NESTING:
        return False
    if kind == "array":
        return keywords <= {"minItems", "maxItems", "uniqueItems"} and _can_have_items(schema, nesting)
    return keywords == {"required"} and _can_have_members(schema, nesting)


def _holds_an_integer(low: float, high: float) -> bool:
    return low >= -_MAX_NUMBER and high <= _MAX_NUMBER and math.ceil(low) <= math.floor(high)


def _can_have_items(schema: dict[str, Any], nesting: int) -> bool:
    """Whether enough items surely can be written, each apart from the others."""
    low = schema.get("minItems", 0)
    if low > min(schema.get("maxItems", low), 1 if schema.get("uniqueItems") else low):
        return False
    item = schema.get("items", True)
    return not low or item is True or (isinstance(item, dict) and _is_surely_satisfiable(item, nesting + 1))


def _can_have_members(schema: dict[str, Any], nesting: int) -> bool:
    """Whether all required members surely can be written, each apart from the others."""
    if "patternProperties" in schema:
        return False
    declared = schema.get("properties", {})
    for key in schema["required"]:
        member = declared[key] if key in declared else schema.get("additionalProperties", True)
        if member is True:
            continue
        if not isinstance(member, dict) or not _is_surely_satisfiable(member, nesting + 1):
            return False
    return True
