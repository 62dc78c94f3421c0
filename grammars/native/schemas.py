"""`Schemas`: the compiled JSON Schemas of a general grammar.

The machine of documents knows the end of a text by its last byte, except for numbers: the byte after a number ends it.
Schemas therefore lose the documents that are numbers. A Terminal of the grammar, which is regular, reads them instead.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import GrammarError, LimitExceededError, refuse_deep
from ..json_schema.document import Document
from ..json_schema.empty_parts import find_empty_part
from ..json_schema.formula import FALSE, TRUE, Formula, all_of, kinds
from ..json_schema.resolve import Schema
from ..json_schema.specialise import specialise
from ..json_schema.spellable import spellable
from ..json_schema.styled_document import StyledDocument, StyledRoot
from ..json_schema.styled_values import lone_text, style_texts
from ..json_schema.translate import CompiledSchema, compile_schema
from ..limits import Limits
from ..machine.frames import NO_TEXTS, Frame, KeySpec, Marks, ValueSpec
from ..machine.rules.tables import Documents
from ..machine.vocabulary_tables import VocabularyTables
from ..quote_sources import Sources
from ..regex import algebra as lang
from ..rules.expressions import Choice, CountedRepeat, Expression, JsonDocument, RuleGraph, Sequence, Terminal
from ..spec import GrammarSpec, StyledWriting
from ..spelling import Spelling


class Schemas:
    """The compiled schemas of one grammar, by their specs.

    sources: texts that the schemas may quote.
    is_canonical: True if all of them write canonical values.
    has_states_of_quotes: True if a schema compiled so far needs DFA states of quotes. Quotes of JSON strings are places
        if `Quoting.is_plain`; quotes between the marks of a style are always read by states.
    """

    def __init__(
        self, spelling: Spelling | None, limits: Limits, sources: Sources | None = None, *, is_canonical: bool = False
    ) -> None:
        self._spelling, self._limits, self._sources = spelling, limits, sources
        self._is_canonical = is_canonical
        self._empty: dict[GrammarSpec, str] = {}  # schemas without documents, each with its place in the grammar
        self.has_states_of_quotes = False
        self._documents: dict[GrammarSpec, Document] = {}
        self._unused: dict[GrammarSpec, _WithoutNumbers | StyledRoot] = {}  # root frames that no automaton uses yet

    @property
    def num_bytes(self) -> int:
        """Estimated memory of the documents' frames, in bytes."""
        return sum([document.num_bytes for document in self._documents.values()])

    def reasons(self) -> list[str]:
        """Return why schemas have no document, for an error."""
        found: list[str] = []
        for spec, place in self._empty.items():
            schema = self._compile(spec)
            why = why_empty(schema, spec, self._limits, self._spelling, self._sources, is_canonical=self._is_canonical)
            found.append(f"the schema {place}".rstrip() + f" has no document: {why}")
        return found

    def resolve(self, graph: RuleGraph) -> RuleGraph:
        """Return the graph with terminals for the numbers that documents may be, beside these documents.

        Raises what compiling a schema raises.
        """
        if not any(isinstance(part, JsonDocument) for _, part in graph.foreign):
            return graph
        return replace(graph, rules={name: self._resolve(rule) for name, rule in graph.rules.items()})

    def roots(self, vocabulary_tables: VocabularyTables) -> Documents:
        """Return the documents of each schema, with new frames, which are freed with the last machine that uses
        them.
        """
        roots: dict[GrammarSpec, tuple[Frame, NDArray[np.int32]]] = {}
        for spec, document in list(self._documents.items()):
            root = self._unused.pop(spec, None) or self._new_root(spec, document.formula)
            roots[spec] = root, vocabulary_tables.whitespace(spec.whitespace)
        return roots

    def _resolve(self, expression: Expression) -> Expression:
        match expression:
            case Sequence(parts):
                return Sequence(tuple([self._resolve(part) for part in parts]))
            case Choice(options):
                return Choice(tuple([self._resolve(option) for option in options]))
            case CountedRepeat(child, low, high):
                return CountedRepeat(self._resolve(child), low, high)
            case JsonDocument(spec):
                try:
                    if spec.styled is not None and style_texts(spec.styled).marks is None:
                        return self._resolve_styled(expression, spec.styled)
                    root = self._root(spec)
                except GrammarError as error:
                    raise expression.located(error) from error
                except LimitExceededError as error:
                    raise error.located(f"of the schema {expression.place}".rstrip()) from None
                if root.is_empty:
                    self._empty.setdefault(spec, expression.place)
                numbers = Terminal(root.numbers)
                return Choice((numbers, expression)) if _has_more(root) else numbers
        return expression

    def _resolve_styled(self, document: JsonDocument, styled: StyledWriting) -> Expression:
        """Return the expression of objects in a style, or of plain texts if the schema permits no objects."""
        spec = document.spec
        if spec not in self._unused:
            formula, texts = self._compile(spec).formula, style_texts(styled)
            can_be_spelled = TRUE if self._spelling is None else spellable(self._spelling)
            if specialise(formula, "object") is FALSE:
                text = lone_text(all_of([formula, can_be_spelled]), styled)
                if text is lang.NOTHING:
                    self._empty.setdefault(spec, document.place)
                return Terminal(text)
            self._unused[spec] = self._new_root(spec, all_of([texts.object(formula), can_be_spelled]))
            if isinstance(self._unused[spec], _WithoutNumbers):
                as_json = all_of([formula, kinds(["object"])])
                if Document(as_json).is_satisfiable(as_json):
                    raise texts.why_empty(formula)
        if isinstance(self._unused[spec], StyledRoot):
            return document
        self._empty.setdefault(spec, document.place)
        return Terminal(lang.NOTHING)

    def _root(self, spec: GrammarSpec) -> _WithoutNumbers:
        """Return the root frame of a schema's documents that are no numbers."""
        if spec not in self._unused:
            schema = self._compile(spec)
            formula = schema.formula
            if spec.styled is not None:
                formula = style_texts(spec.styled).value(formula)
            if self._spelling is not None:
                formula = all_of([formula, spellable(self._spelling)])
            root = self._unused[spec] = self._new_root(spec, formula)
            assert isinstance(root, _WithoutNumbers)
            if spec.styled is not None and root.is_empty and Document(schema.formula).is_satisfiable(schema.formula):
                raise style_texts(spec.styled).why_empty(schema.formula)
        root = self._unused[spec]
        assert isinstance(root, _WithoutNumbers)
        return root

    def _compile(self, spec: GrammarSpec) -> CompiledSchema:
        with refuse_deep(self._limits):
            schema = _compiled(spec.data, spec, self._limits, self._sources, self._is_canonical)
        quoting = schema.quoting
        self.has_states_of_quotes |= not quoting.is_plain or (spec.styled is not None and bool(quoting.places))
        return schema

    def _new_root(self, spec: GrammarSpec, formula: Formula) -> _WithoutNumbers | StyledRoot:
        texts = None if spec.styled is None else style_texts(spec.styled)
        document = self._documents[spec] = Document(
            formula,
            any_order=spec.property_order == "any",
            max_plans=self._limits.max_plans,
            is_canonical=self._is_canonical,
            marks=None if texts is None else texts.marks,
        )
        if not document.is_satisfiable(formula):
            return _WithoutNumbers(None)
        if spec.styled is not None and texts is not None and texts.marks is None:
            return StyledDocument(document, texts, spec.styled).root()
        return _WithoutNumbers(document.root())


def _compiled(
    schema: Schema, spec: GrammarSpec, limits: Limits, sources: Sources | None, is_canonical: bool
) -> CompiledSchema:
    """Compile a schema, with the documents that `spec` names."""
    return compile_schema(
        schema,
        resources=spec.documents,
        limits=limits,
        sources=sources,
        is_canonical=is_canonical,
        banned_substrings=spec.banned_substrings,
    )


def why_empty(
    schema: CompiledSchema,
    spec: GrammarSpec,
    limits: Limits,
    spelling: Spelling | None,
    sources: Sources | None,
    *,
    is_canonical: bool,
) -> str:
    """Return why a schema has no document, for an error: the smallest part without a value, and missing quotes."""

    def is_empty(formula: Formula) -> bool:
        formula = all_of([formula, schema.condition, TRUE if spelling is None else spellable(spelling)])
        document = Document(formula, max_plans=limits.max_plans, is_canonical=is_canonical)
        try:
            return not document.is_satisfiable(formula)
        finally:
            document.dismantle()

    part = find_empty_part(schema, lambda changed: _compiled(changed, spec, limits, sources, is_canonical), is_empty)
    return "; ".join([part, *schema.missing_quotes()])


def _has_more(root: Frame) -> bool:
    """Return True if a document may be something other than a number."""
    spec = root.value_spec()
    return spec is not None and bool(spec.strings or spec.object or spec.array or spec.literals)


class _WithoutNumbers:
    """A document that is no number. root: the frame of all documents; None if there are none."""

    kind: Literal["value"] = "value"
    close_class: int | None = None
    plain = None

    def __init__(self, root: Frame | None) -> None:
        self._root = root
        self._spec: ValueSpec | None = None
        self.marks: Marks | None = getattr(root, "marks", None)

    @property
    def is_empty(self) -> bool:
        """True if there is no document."""
        return self._root is None

    @property
    def numbers(self) -> lang.Language:
        """The texts of the numbers that are left out."""
        spec = None if self._root is None else self._root.value_spec()
        if spec is None or not spec.numbers:
            return lang.NOTHING
        language = lang.union(*[language for language, _ in spec.numbers])
        return lang.difference(language, lang.words(spec.excluded_numbers)) if spec.excluded_numbers else language

    def value_spec(self) -> ValueSpec | None:
        if self._spec is None and self._root is not None:
            spec = self._root.value_spec()
            self._spec = None if spec is None else replace(spec, numbers=(), excluded_numbers=NO_TEXTS)
        return self._spec

    def key_spec(self) -> KeySpec | None:
        return None

    def on_return(self, cls: int) -> Frame | None:
        return None if self._root is None else self._root.on_return(cls)

    def on_capture(self, cls: int, text: bytes) -> Frame | None:
        return None if self._root is None else self._root.on_capture(cls, text)
