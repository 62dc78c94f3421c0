"""The `native` backend: lazy deterministic pushdown automata over bytes, for every kind of grammar.

A JSON Schema becomes a formula (`json_schema/`), the formula frames, the frames masks (`automaton/`). Everything else
becomes a graph of rules (`rules/`), whose leaves are regular languages, schemas and tokens, and runs in `pushdown/`.
Each state is built when a text first gets there, so compiling costs little and a grammar grows with use.
"""

from __future__ import annotations

import json
import threading

from ..automaton.machine import Machine
from ..errors import UnsatisfiableError
from ..json_schema.document import Document
from ..json_schema.formula import all_of
from ..json_schema.spellable import spellable
from ..json_schema.translate import CompiledSchema, compile_schema
from ..lifetime import Lifetime
from ..limits import Limits
from ..pushdown.compiled import ChoiceGrammar, GeneralGrammar
from ..rules.expressions import JsonDocument, RuleGraph, Terminal
from ..spec import GrammarSpec
from ..vocabulary import Vocabulary
from .base import CompiledGrammar, GrammarBackend, Matcher, ReportEntry


class NativeBackend(GrammarBackend):
    """Compiles JSON Schemas of all drafts from 04 to 2020-12, regexes, choices, EBNF grammars and structural tags."""

    name = "native"
    kinds = frozenset({"json_schema", "regex", "choice", "ebnf", "structural_tag", "all_of"})
    writes_canonical = True

    def compile(self, spec: GrammarSpec, vocabulary: Vocabulary, limits: Limits) -> CompiledGrammar:
        """See `GrammarBackend.compile`."""
        if spec.kind == "choice":
            return ChoiceGrammar(spec, vocabulary, json.loads(spec.source), limits)
        if spec.kind == "all_of":
            return _combination(spec, vocabulary, limits)
        if spec.kind != "json_schema":
            return GeneralGrammar(spec, vocabulary, _rule_graph(spec, vocabulary, limits), limits)
        resources = {uri: json.loads(text) for uri, text in spec.resources}
        schema = compile_schema(
            json.loads(spec.source), resources=resources, limits=limits, is_canonical=spec.is_canonical
        )
        return NativeGrammar(spec, vocabulary, schema, limits)


def _combination(spec: GrammarSpec, vocabulary: Vocabulary, limits: Limits) -> CompiledGrammar:
    """Several grammars at once: one language where all are regular, else that beside a graph of rules."""
    from ..combination import general_part, regular_parts
    from ..intersection.compiled import IntersectionGrammar
    from ..intersection.regular import regular_language
    from ..intersection.report import report_of

    language = regular_language(regular_parts(spec))
    general = general_part(spec)
    if general is None:
        graph = RuleGraph({"all_of": Terminal(language)}, "all_of")
        return GeneralGrammar(spec, vocabulary, graph, limits)
    graph = _rule_graph(general, vocabulary, limits)
    return IntersectionGrammar(spec, vocabulary, graph, language, limits, report_of(spec, graph, limits))


def _rule_graph(spec: GrammarSpec, vocabulary: Vocabulary, limits: Limits) -> RuleGraph:
    """The rules of a grammar; a schema's is one document. Readers are loaded when they are first needed."""
    if spec.kind == "json_schema":
        return RuleGraph({"json_schema": JsonDocument(spec)}, "json_schema")
    if spec.kind == "ebnf":
        from ..ebnf import read_ebnf

        return read_ebnf(spec.source, spec.dialect or None, limits, vocabulary)
    if spec.kind == "structural_tag":
        from ..structural_tags import read_structural_tag

        return read_structural_tag(json.loads(spec.source), vocabulary, limits, is_plain=True)
    from ..regex.python_re import full

    return RuleGraph({"regex": Terminal(full(spec.source))}, "regex")


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
        formula, vocabulary, spelling = self._schema.formula, self.vocabulary, self.vocabulary.spelling
        if spelling is not None:
            formula, vocabulary = all_of([formula, spellable(spelling)]), spelling.vocabulary
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
        return Machine(document.root(), vocabulary, self.spec.whitespace, self._limits, lifetime)

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
