"""The `native` backend: a lazy deterministic pushdown automaton over bytes, for JSON Schema.

The schema becomes a formula (`json_schema/`), the formula frames, the frames masks (`automaton/`). Each is built when a
document first gets there, so compiling costs little and a grammar grows with use.
"""

from __future__ import annotations

import json
import threading

from ..automaton.machine import Machine
from ..errors import UnsatisfiableError
from ..json_schema.document import Document
from ..json_schema.translate import CompiledSchema, compile_schema
from ..limits import Limits
from ..spec import GrammarSpec
from ..vocabulary import Vocabulary
from .base import CompiledGrammar, GrammarBackend, Matcher, ReportEntry


class NativeBackend(GrammarBackend):
    """Compiles JSON Schemas of all drafts from 04 to 2020-12."""

    name = "native"
    kinds = frozenset({"json_schema"})

    def compile(self, spec: GrammarSpec, vocabulary: Vocabulary, limits: Limits) -> CompiledGrammar:
        """See `GrammarBackend.compile`."""
        resources = {uri: json.loads(text) for uri, text in spec.resources}
        schema = compile_schema(json.loads(spec.source), resources=resources, limits=limits)
        return NativeGrammar(spec, vocabulary, schema, limits)


class NativeGrammar(CompiledGrammar):
    """A compiled schema and the machine of its documents.

    The machine only grows; when it has grown past `limits.max_grammar_bytes`, new matchers get a fresh one, and
    the old one goes with its last matcher.
    """

    def __init__(self, spec: GrammarSpec, vocabulary: Vocabulary, schema: CompiledSchema, limits: Limits) -> None:
        super().__init__(spec, vocabulary)
        self._schema = schema
        self._limits = limits
        self._lock = threading.Lock()
        self._machine = self._new_machine()

    def _new_machine(self) -> Machine:
        any_order = self.spec.property_order == "any"
        document = Document(self._schema.formula, any_order=any_order, max_plans=self._limits.max_plans)
        if not document.is_satisfiable(self._schema.formula):
            raise UnsatisfiableError("no JSON document satisfies this schema")
        return Machine(document.root(), self.vocabulary, self.spec.whitespace, self._limits)

    @property
    def report(self) -> tuple[ReportEntry, ...]:
        """See `CompiledGrammar.report`."""
        return self._schema.report

    @property
    def num_bytes(self) -> int:
        """See `CompiledGrammar.num_bytes`."""
        return self._machine.num_bytes

    def matcher(self) -> Matcher:
        """See `CompiledGrammar.matcher`."""
        with self._lock:
            if self._machine.num_bytes > self._limits.max_grammar_bytes:
                self._machine = self._new_machine()
            return self._machine.matcher()
