"""`NativeGrammar`: a compiled JSON Schema; it hands out matchers."""

from __future__ import annotations

import threading

from ..errors import UnsatisfiableError
from ..json_schema.document import Document
from ..json_schema.formula import all_of
from ..json_schema.spellable import spellable
from ..json_schema.translate import CompiledSchema
from ..lifetime import Lifetime
from ..limits import Limits
from ..protocol import CompiledGrammar, Matcher, ReportEntry
from ..spec import GrammarSpec
from ..vocabulary import Vocabulary
from .machine import Machine


class NativeGrammar(CompiledGrammar):
    """A compiled schema and the machine of its documents.

    The machine and its frames only grow; when they have grown past `limits.max_grammar_bytes`, new matchers get fresh
    ones, and the old ones go with their last matcher.
    """

    def __init__(self, spec: GrammarSpec, vocabulary: Vocabulary, schema: CompiledSchema, limits: Limits) -> None:
        super().__init__(spec, vocabulary)
        self._schema = schema
        self._limits = limits
        self._of_schema = Lifetime(schema.dismantle)
        self._lock = threading.Lock()
        self._machine = self._new_machine()

    def _new_machine(self) -> Machine:
        any_order = self.spec.property_order == "any"
        formula, spelling = self._schema.formula, self.vocabulary.spelling
        if spelling is not None:
            formula = all_of([formula, spellable(spelling)])
        document = self._document = Document(
            formula,
            any_order=any_order,
            max_plans=self._limits.max_plans,
            is_canonical=self.spec.is_canonical,
        )
        if not document.is_satisfiable(formula):
            missing = "" if spelling is None else ", or none that the vocabulary's tokens can spell"
            raise UnsatisfiableError(f"no JSON document satisfies this schema{missing}")
        lifetime = Lifetime(document.dismantle, after=self._of_schema)
        return Machine(document.root(), self.vocabulary.of_whole_texts, self.spec.whitespace, self._limits, lifetime)

    @property
    def report(self) -> tuple[ReportEntry, ...]:
        """See `CompiledGrammar.report`."""
        return self._schema.report

    @property
    def num_bytes(self) -> int:
        """See `CompiledGrammar.num_bytes`."""
        return self._machine.num_bytes + self._document.num_bytes

    def matcher(self) -> Matcher:
        """See `CompiledGrammar.matcher`."""
        with self._lock:
            if self.num_bytes > self._limits.max_grammar_bytes:
                self._machine = self._new_machine()
            return self._machine.matcher()
