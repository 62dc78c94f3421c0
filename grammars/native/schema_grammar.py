"""`SchemaGrammar`: a compiled JSON Schema."""

from __future__ import annotations

from ..errors import UnsatisfiableError
from ..json_schema.document import Document
from ..json_schema.formula import all_of
from ..json_schema.spellable import spellable
from ..json_schema.translate import CompiledSchema
from ..lifetime import Lifetime
from ..limits import Limits
from ..machine.machine_automaton import DocumentAutomaton
from ..protocol import ReportEntry, banned_entries
from ..spec import GrammarSpec
from ..vocabulary import Vocabulary
from .grammar import AutomatonGrammar, quotes_for, tables_for


class SchemaGrammar(AutomatonGrammar):
    """The documents of a schema. A fresh automaton gets fresh frames."""

    def __init__(self, spec: GrammarSpec, vocabulary: Vocabulary, schema: CompiledSchema, limits: Limits) -> None:
        super().__init__(spec, vocabulary, limits, banned_entries(spec, "string values and keys"))
        self._schema = schema
        self._of_schema = Lifetime(schema)
        self._renew()

    @property
    def report(self) -> tuple[ReportEntry, ...]:
        """How each keyword is enforced."""
        return (*self._report, *self._schema.report)

    @property
    def num_bytes(self) -> int:
        """Estimated memory in bytes."""
        return super().num_bytes + self._document.num_bytes

    def _new_automaton(self) -> tuple[DocumentAutomaton, Lifetime]:
        tables = tables_for(self.vocabulary, is_shared=self._schema.quoting.is_plain)
        quotes = quotes_for(self.spec, tables, self._limits)
        document = self._new_document()
        whitespace = tables.whitespace(self.spec.whitespace)
        automaton = DocumentAutomaton(document.root(), tables, whitespace, self._limits, quotes)
        self._document = document
        return automaton, Lifetime(automaton, document, after=self._of_schema)

    def _new_document(self) -> Document:
        """Return fresh frames. Raises UnsatisfiableError if the schema has no document."""
        formula, spelling = self._schema.formula, self.vocabulary.spelling
        if spelling is not None:
            formula = all_of([formula, spellable(spelling)])
        document = Document(
            formula,
            any_order=self.spec.property_order == "any",
            max_plans=self._limits.max_plans,
            is_canonical=self.spec.is_canonical,
        )
        if not document.is_satisfiable(formula):
            from .schemas import why_empty

            missing = " without the banned substrings" if self.spec.banned_substrings else ""
            missing += "" if spelling is None else ", or none that the vocabulary's tokens can spell"
            sources, is_canonical = self.spec.sources, self.spec.is_canonical
            why = why_empty(self._schema, self.spec, self._limits, spelling, sources, is_canonical=is_canonical)
            raise UnsatisfiableError(f"no JSON document satisfies this schema{missing}: {why}")
        return document
