"""`compile_schema`: a JSON Schema as a formula, each part translated when a document gets there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..backends.base import ReportEntry
from ..errors import InvalidSchemaError
from ..limits import Limits
from .check import Checker, DynamicReferenceError
from .drafts import DRAFT_4, DRAFT_7, DRAFT_2020, Draft
from .formula import FALSE, TRUE, Formula, Reference, all_of
from .inexact import nodes_that_reach
from .keywords import TRANSLATIONS, TRANSLATIONS_OF_STRINGS, Translations, type_formula
from .paths import pointer
from .place import Place
from .report import report_of
from .resolve import Node, Resolver, Schema, Scope, Target
from .surely import is_surely_satisfiable

_MAX_PLAIN = 6  # keywords, annotations included, up to which a schema is looked at for being no more than a type
_TYPE_ALONE = {"type"}


class CompiledSchema:
    """A schema that was checked, as a formula. It keeps the schema, which must not be changed."""

    def __init__(self, schema: Schema, resolver: Resolver, checker: Checker, limits: Limits) -> None:
        self.schema = schema
        self._limits = limits
        self._languages = tuple(checker.languages)  # so that the patterns are not parsed again
        inexact = nodes_that_reach(checker.inexact, checker.reached, resolver) if checker.inexact else frozenset()
        translator = Translator(resolver, inexact, is_canonical=checker.is_canonical)
        self._translator = translator
        self.formula = translator.deferred(schema, resolver.root, "")
        for (_, scope), (one, _, path) in checker.reached.items():  # which refuse what is too much for them
            if "unevaluatedProperties" in one or "unevaluatedItems" in one:
                reference = translator.deferred(one, scope, pointer(path))
                assert isinstance(reference, Reference)
                _ = reference.target

    def dismantle(self) -> None:
        """Let the formulas go; they can't be used any more."""
        self._translator.dismantle()

    @property
    def report(self) -> tuple[ReportEntry, ...]:
        """How each keyword that constrains is enforced, in the order of the schema; checks it again at each call."""
        checker = Checker(self._translator.resolver)
        checker.check(self.schema, self._limits)
        return report_of(self.schema, checker.reached.values())


_CHANGED_SINCE_7 = frozenset({"items", "exclusiveMinimum", "exclusiveMaximum", "$ref"})
"""Keywords of which older drafts take what 2020-12 does not ("$ref": anchors that are written as ids)."""


def compile_schema(
    schema: Schema, *, resources: Mapping[str, Schema] | None, limits: Limits, is_canonical: bool = False
) -> CompiledSchema:
    """Check a schema and everything that it refers to; the formula of the values that it allows.

    schema: strict JSON data within the limits on size and depth.
    resources: URI -> further schema documents that references may lead to, strict JSON data as well; the drafts'
        meta-schemas are known without. Nothing is fetched.
    is_canonical: formats are held to what writers write.
    A schema that names no draft is read as 2020-12; one that is not valid there but in draft 7, or else in draft 4 (an
    array as `items`, `true` as `exclusiveMinimum`), is read as that.
    Raises InvalidSchemaError and UnsupportedSchemaError with a JSON pointer, or LimitExceededError.
    """
    try:
        return _compile(schema, resources or {}, limits, DRAFT_2020, is_canonical)
    except InvalidSchemaError as error:
        names_draft = isinstance(schema, dict) and "$schema" in schema
        if names_draft or error.pointer.rpartition("/")[2] not in _CHANGED_SINCE_7:
            raise
        for draft in (DRAFT_7, DRAFT_4):
            try:
                return _compile(schema, resources or {}, limits, draft, is_canonical)
            except InvalidSchemaError:
                continue
        raise


def _compile(
    schema: Schema, resources: Mapping[str, Schema], limits: Limits, default: Draft, is_canonical: bool
) -> CompiledSchema:
    resolver = Resolver(schema, resources, default=default)
    checker = Checker(resolver, is_canonical=is_canonical)
    try:
        checker.check(schema, limits)
    except DynamicReferenceError:
        resolver = Resolver(schema, resources, is_dynamic=True, default=default)
        checker = Checker(resolver, is_canonical=is_canonical)
        checker.check(schema, limits)
    return CompiledSchema(schema, resolver, checker, limits)


class SchemaReference(Reference):
    """A reference to the formula of a schema, which keeps what it is made of until it is."""

    __slots__ = ("_schema", "_scope", "_translator")

    def __init__(
        self, translator: Translator, schema: dict[str, Any], scope: Scope, name: str, is_satisfiable: bool
    ) -> None:
        super().__init__(name, None, is_satisfiable)
        self._translator: Translator | None = translator
        self._schema, self._scope = schema, scope

    def expand(self) -> Formula:
        """Translate it."""
        assert self._translator is not None
        found = self._translator.formula(self._schema, self._scope, self.name)
        self._translator = None
        return found

    def dismantle(self) -> None:
        """See `Reference.dismantle`."""
        super().dismantle()
        self._translator = None


class Translator:
    """Formulas of the schemas of one `compile_schema` call, each made once.

    Where a schema depends on a format that is known only from within and from without, there are two formulas of it:
    one holds of no value that is not valid, the other one (of a translator with `is_upper`) of every valid value.
    opposite: the translator of the other sort, for what stands under a negation.
    inexact: the schemas that depend on such a format; of all others the two formulas are one.
    """

    def __init__(
        self,
        resolver: Resolver,
        inexact: frozenset[Node] = frozenset(),
        translations: Translations = TRANSLATIONS,
        opposite: Translator | None = None,
        *,
        is_canonical: bool = False,
    ) -> None:
        self.resolver = resolver
        self.is_canonical = is_canonical
        self.is_upper = opposite is not None
        self._inexact = inexact
        self._translations = translations
        self._of_strings: Translator | None = None
        if not inexact:
            self.opposite = self
        else:
            self.opposite = opposite or Translator(resolver, inexact, translations, self, is_canonical=is_canonical)
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
            return self.reference(self.resolver.resolve(schema["$ref"], scope))
        translations = self._translations[scope.draft.number]
        parts = []
        for keyword, value in schema.items():
            translate = translations.get(keyword)
            if translate is not None:
                parts.append(translate(value, place))
        return all_of(parts)

    def place(self, schema: Any, scope: Scope, name: str) -> Place | None:
        """The schema with the scope inside it; None when it has no keywords."""
        if not isinstance(schema, dict):
            return None
        if scope.draft.id_keyword in schema or "$schema" in schema:
            scope = self.resolver.enter(schema, scope, name)
        return Place(self, schema, scope, name)

    def deferred(self, schema: Schema, scope: Scope, name: str) -> Formula:
        """The same formula; translated when it is needed, unless it is a type or a reference and nothing else."""
        if not isinstance(schema, dict):
            return TRUE if schema else FALSE
        if len(schema) <= _MAX_PLAIN and scope.draft.id_keyword not in schema and "$schema" not in schema:
            constraints = self._translations[scope.draft.number].keys() & schema.keys()
            if "$ref" in constraints and (len(constraints) == 1 or scope.draft.ref_stands_alone):
                return self.reference(self.resolver.resolve(schema["$ref"], scope))
            if constraints == _TYPE_ALONE:
                return type_formula(schema["type"], scope.draft)
            if not constraints:
                return TRUE
        if self.is_upper and (id(schema), scope) not in self._inexact:
            return self.opposite.deferred(schema, scope, name)
        key = (id(schema), id(scope))
        found = self._references.get(key)
        if found is None:
            is_satisfiable = is_surely_satisfiable(schema)
            found = self._references[key] = SchemaReference(self, schema, scope, name, is_satisfiable)
        return found

    def of_strings(self, schema: Schema, scope: Scope, name: str) -> Formula:
        """What a schema says of strings; what it says of their like inside of other values never comes up."""
        if self._translations is TRANSLATIONS_OF_STRINGS:
            return self.deferred(schema, scope, name)
        if self._of_strings is None:
            strings = Translator(self.resolver, self._inexact, TRANSLATIONS_OF_STRINGS, is_canonical=self.is_canonical)
            self._of_strings = strings.opposite if self.is_upper else strings
        return self._of_strings.deferred(schema, scope, name)

    def reference(self, target: Target) -> Formula:
        """The formula of what a reference leads to."""
        return self.deferred(*target)
