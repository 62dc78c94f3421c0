"""`Translator`: translates schemas to formulas. `Place`: a schema with its surroundings, for translations of keywords.

The translations of keywords are functions of a place; the translator gets them as an argument (`keywords.py`).
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

_MAX_PLAIN = 6  # most keywords, with annotations, of a schema that is tested for being only a type or a reference
_TYPE_ALONE = {"type"}

_INSIDE = {"properties", "patternProperties", "additionalProperties", "items", "additionalItems"}
_CONSTRAINING = frozenset(one.name for one in KEYWORDS if one.role == "constrains") - _INSIDE
"""Constraining keywords that at least one of {}, [], "" and 0 may violate."""

_TYPE_AND_ENUM = {"type", "enum"}
_OF_ONE_KIND = {one.name: one.types for one in KEYWORDS if one.types} | {"type": frozenset[str]()}
"""Keyword -> the types that it constrains, for keywords that do not constrain all; and "type", which is read apart."""

_MAX_LENGTH = 1000  # length up to which strings surely exist, without a search
_MAX_NUMBER = 10**15  # magnitude up to which integers surely exist, without a search
_MAX_NESTING = 3  # depth of members down to which schemas are examined

NONE_INEXACT: frozenset[Node] = frozenset()

Translation: TypeAlias = Callable[[Any, "Place"], "Formula | list[Formula]"]
"""Function of (a keyword's value, place) that returns a formula, or a list of formulas that must all hold."""

Translations: TypeAlias = dict[int, dict[str, Translation]]
"""Number of the draft -> keyword -> its translation."""


@dataclass(slots=True, eq=False)
class Place:
    """A schema with its surroundings.

    translator: the translator of its subschemas.
    schema: the schema.
    scope: the scope inside it.
    name: pointer to it.
    """

    translator: Translator
    schema: dict[str, Any]
    scope: Scope
    name: str

    def here(self, schema: Schema, *keys: str | int) -> Formula:
        """The formula of a subschema that describes the same value. keys: path to the subschema."""
        return self.translator.formula(schema, self.scope, _joined(self.name, keys))

    def inside(self, schema: Schema, *keys: str | int) -> Formula:
        """The formula of a subschema that describes members or items. The subschema is translated on first use."""
        return self.translator.deferred(schema, self.scope, self.name, *keys)

    @property
    def opposite(self) -> Place:
        """The same place for use under a negation."""
        return Place(self.translator.opposite, self.schema, self.scope, self.name)

    def target(self, schema: Schema, *keys: str | int) -> Target:
        """A subschema as the target of a reference. keys: path to the subschema."""
        return schema, self.scope, _joined(self.name, keys)

    def references(self) -> Iterator[Target]:
        """The targets of the schema's references."""
        return self.translator.resolver.references(self.schema, self.scope)

    def with_schema(self, schema: dict[str, Any]) -> Place:
        """The same place with another schema in it."""
        return Place(self.translator, schema, self.scope, self.name)


def _joined(name: str, keys: tuple[str | int, ...]) -> str:
    """The pointer `name`, extended by keys."""
    for key in keys:
        name = f"{name}/{escape(key) if isinstance(key, str) else key}"
    return name


class Translator:
    """The formulas of the schemas of one `compile_schema` call, each made once.

    A schema that depends on an inexact format has two formulas. The lower one accepts only valid values. The upper
    one, of a translator with `is_upper`, accepts all valid values. A `not` takes the other one.

    resolver: finds the targets of references.
    translations: translations of all keywords.
    inexact: the schemas that depend on an inexact format; all others have one formula.
    opposite: the lower translator, given to the upper one, for schemas under a negation; None: this is the lower one.
    sources: the texts that may be quoted; None: no sources.
    is_canonical: True: strings of formats and numbers only as common writers write them.
    """

    def __init__(
        self,
        resolver: Resolver,
        translations: Translations,
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
        self._translations = translations
        if not inexact:
            self.opposite = self
        else:
            self.opposite = opposite or Translator(
                resolver, translations, inexact, self, sources=sources, is_canonical=is_canonical
            )
        self._references: dict[tuple[int, int], Reference] = {}  # by the ids of schemas and scopes, which stay alive
        self._other_references: list[Reference] = []

    def dismantle(self) -> None:
        """Make all references of this translator and of its opposite drop their formulas."""
        for translator in {self, self.opposite}:
            for reference in (*translator._references.values(), *translator._other_references):
                reference.dismantle()
            translator._references.clear()
            translator._other_references.clear()
            del translator.opposite

    def formula(self, schema: Schema, scope: Scope, name: str) -> Formula:
        """The formula of a schema, translated now. Schemas of members and items, and targets of `$ref`, are deferred.

        scope: the scope around the schema.
        name: pointer to it.
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
        """The `Place` of a schema; None if it is not a JSON object."""
        if not isinstance(schema, dict):
            return None
        if scope.draft.id_keyword in schema or "$schema" in schema:
            scope = self.resolver.enter(schema, scope, name)
        return Place(self, schema, scope, name)

    def deferred(self, schema: Schema, scope: Scope, name: str, *keys: str | int) -> Formula:
        """The formula of a schema, translated when it is needed. A schema with only a type or only a `$ref` is
        translated now.

        keys: path from `name` to the schema.
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

    def reference(self, name: str, expand: Callable[[], Formula]) -> Reference:
        """A reference to a formula that is built when it is needed. name, expand: as in `Reference`."""
        self._other_references.append(Reference(name, expand))
        return self._other_references[-1]


class _Deferred(Reference):
    """A reference to a schema that is translated when it is needed."""

    __slots__ = ("_schema", "_scope", "_translator")

    def __init__(self, translator: Translator, schema: dict[str, Any], scope: Scope, name: str) -> None:
        super().__init__(name, None, is_satisfiable=_is_surely_satisfiable(schema))
        self._translator: Translator | None = translator
        self._schema: Any = schema
        self._scope: Any = scope

    def _expanded(self) -> Formula | None:
        schema, scope, translator = self._schema, self._scope, self._translator  # `_let_go` drops the last one first
        return None if translator is None else translator.formula(schema, scope, self.name)

    def _let_go(self) -> None:
        self._translator = self._schema = self._scope = None


def _is_surely_satisfiable(schema: dict[str, Any], nesting: int = 0) -> bool:
    """True if the keywords alone show that some value satisfies a valid schema; False if that needs a search.

    The function knows schemas with a type alone, an `enum`, strings with a format or bounds on the length, and objects
    with required members. It knows numbers with an integer between the bounds. PERF: these are nine of ten schemas.
    """
    keywords = _CONSTRAINING.intersection(schema)
    if not keywords or keywords == _TYPE_ALONE:
        return True
    named = schema.get("type")
    if "enum" in keywords:
        of_strings = named == "string" and any(isinstance(one, str) for one in schema["enum"])
        return keywords <= _TYPE_AND_ENUM and (of_strings or (named is None and bool(schema["enum"])))
    if not keywords <= _OF_ONE_KIND.keys():
        return False
    return any(
        _allows_some(kind, schema, {one for one in keywords if kind in _OF_ONE_KIND[one]}, nesting)
        for kind in ([named] if isinstance(named, str) else named or ["null"])
    )


def _allows_some(kind: str, schema: dict[str, Any], keywords: Set[str], nesting: int) -> bool:
    """True if some value of a type surely satisfies the keywords that constrain it; see `_is_surely_satisfiable`."""
    if not keywords:
        return True
    if kind == "string":
        has_length = schema.get("minLength", 0) <= min(schema.get("maxLength", _MAX_LENGTH), _MAX_LENGTH)
        return keywords == {"format"} or (keywords <= {"minLength", "maxLength"} and bool(has_length))
    if kind in ("integer", "number"):
        low, high = schema.get("minimum", -_MAX_NUMBER), schema.get("maximum", _MAX_NUMBER)
        is_near = keywords <= {"minimum", "maximum"} and low >= -_MAX_NUMBER and high <= _MAX_NUMBER
        return is_near and math.ceil(low) <= math.floor(high)
    if kind != "object" or keywords != {"required"} or "patternProperties" in schema or nesting >= _MAX_NESTING:
        return False
    declared, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    members = [declared.get(key, others) for key in schema["required"]]
    return all(one is True or (isinstance(one, dict) and _is_surely_satisfiable(one, nesting + 1)) for one in members)
