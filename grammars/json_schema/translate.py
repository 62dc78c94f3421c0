"""`compile_schema`: a JSON Schema as a formula, each part translated when a document gets there."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from ..errors import InvalidSchemaError
from ..json_paths import Path, pointer
from ..limits import Limits
from ..protocol import ReportEntry
from ..quote_sources import Sources
from ..regex import algebra as lang
from .check import Checker, DynamicReferenceError
from .drafts import DRAFT_4, DRAFT_7, DRAFT_2020, Draft
from .formula import TRUE, Formula, Reference, all_of
from .keywords import TRANSLATIONS
from .quoting import Quoting, source_of
from .report import report_of
from .resolve import Resolver, Schema, Scope
from .specialise import string_language
from .spellable import without_substrings
from .translator import NONE_INEXACT, Translator


class CompiledSchema:
    """A schema that was checked, as a formula. Nobody may change the schema, which the object keeps.

    condition: formula that every value must satisfy beside the schema; a part of `formula`.
    """

    def __init__(
        self, schema: Schema, resolver: Resolver, checker: Checker, limits: Limits, condition: Formula
    ) -> None:
        self.schema, self.condition = schema, condition
        self._limits = limits
        self._languages = tuple(checker.languages)  # kept, so that the patterns are not parsed again
        inexact = checker.nodes_that_reach(checker.inexact) if checker.inexact else NONE_INEXACT
        translator = Translator(
            resolver,
            TRANSLATIONS,
            inexact,
            sources=checker.sources,
            is_canonical=checker.is_canonical,
        )
        self.quoting = Quoting(checker)
        self._translator = translator
        self.formula = all_of([translator.deferred(schema, resolver.root, ""), condition])
        # Translates these keywords now, since translating them may raise an error.
        for (_, scope), (one, _, path) in checker.reached.items():
            if "unevaluatedProperties" in one or "unevaluatedItems" in one:
                reference = translator.deferred(one, scope, pointer(path))
                assert isinstance(reference, Reference)
                _ = reference.target

    def missing_quotes(self) -> list[str]:
        """The reasons why no value is possible, for an error: places whose source has no quote that fits."""
        return [
            f"the source {source_of(one)!r} has no quote that fits {where or 'the root'!r}"
            for one, scope, where in self.quoting.places
            if lang.is_empty(string_language(self._translator.deferred(one, scope, where)))
        ]

    def formulas(self) -> dict[int, Formula]:
        """The formula of each constraining schema in it, by the `id` of that schema. Each call checks it again."""
        checker = self._checked_again()
        return {id(one): self._translator.deferred(one, scope, pointer(path)) for one, scope, path in checker}

    def dismantle(self) -> None:
        """Break the reference cycles of the formulas, which can't be used afterwards."""
        self._translator.dismantle()

    @property
    def report(self) -> tuple[ReportEntry, ...]:
        """How each constraining keyword is enforced, in the order of the schema. Each call checks the schema again."""
        return report_of(self.schema, self._checked_again())

    def _checked_again(self) -> Collection[tuple[dict[str, Any], Scope, Path]]:
        """The constraining schemas inside this one, each with its inner scope and its path."""
        checker = Checker(self._translator.resolver, self._translator.sources)
        checker.check(self.schema, self._limits)
        return checker.reached.values()


_CHANGED_SINCE_7 = frozenset({"items", "exclusiveMinimum", "exclusiveMaximum", "$ref"})
"""Keywords that accept more values in older drafts ("$ref": anchors written as ids)."""


def compile_schema(
    schema: Schema,
    *,
    resources: Mapping[str, Schema] | None,
    limits: Limits,
    sources: Sources | None = None,
    is_canonical: bool = False,
    banned_substrings: tuple[str, ...] = (),
) -> CompiledSchema:
    """Check a schema and everything that it refers to; the formula of the values that it allows.

    schema: strict JSON data within the limits on size and depth.
    resources: URI -> further schema documents that references may lead to, strict JSON data as well; the drafts'
        meta-schemas are known without. Nothing is fetched.
    sources: the texts that `x-quote` may name. is_canonical: formats are held to what writers write.
    banned_substrings: strings that no string value and no key contains.
    A schema that names no draft is read as the first of 2020-12, 7 and 4 in which it is valid. Examples: an array as
    `items` is valid in draft 7, `true` as `exclusiveMinimum` in draft 4.
    Raises InvalidSchemaError and UnsupportedSchemaError with a JSON pointer, or LimitExceededError.
    """
    condition = without_substrings(banned_substrings) if banned_substrings else TRUE
    try:
        return _compile(schema, resources or {}, limits, DRAFT_2020, sources, is_canonical, condition)
    except InvalidSchemaError as error:
        names_draft = isinstance(schema, dict) and "$schema" in schema
        if names_draft or error.pointer.rpartition("/")[2] not in _CHANGED_SINCE_7:
            raise
        for draft in (DRAFT_7, DRAFT_4):
            try:
                return _compile(schema, resources or {}, limits, draft, sources, is_canonical, condition)
            except InvalidSchemaError:
                continue
        raise


def _compile(
    schema: Schema,
    resources: Mapping[str, Schema],
    limits: Limits,
    default: Draft,
    sources: Sources | None,
    is_canonical: bool,
    condition: Formula,
) -> CompiledSchema:
    resolver = Resolver(schema, resources, default=default)
    checker = Checker(resolver, sources, is_canonical=is_canonical)
    try:
        checker.check(schema, limits)
    except DynamicReferenceError:
        resolver = Resolver(schema, resources, is_dynamic=True, default=default)
        checker = Checker(resolver, sources, is_canonical=is_canonical)
        checker.check(schema, limits)
    return CompiledSchema(schema, resolver, checker, limits, condition)
