"""`GeneralGrammar`: a compiled rule graph."""

from __future__ import annotations

from typing import Any

from ..limits import Limits
from ..machine.rules.automaton import PushdownAutomaton
from ..machine.running import RunningAutomaton
from ..machine.vocabulary_tables import vocabulary_tables_of
from ..protocol import ReportEntry
from ..rules.expressions import RuleGraph
from ..rules.network import build_network
from ..rules.tokens import check_tokens
from ..spec import GrammarSpec
from ..vocabulary import Vocabulary
from .grammar import AutomatonGrammar
from .schemas import Schemas


class GeneralGrammar(AutomatonGrammar):
    """The texts of a network of rules."""

    def __init__(self, spec: GrammarSpec, vocabulary: Vocabulary, graph: RuleGraph, limits: Limits) -> None:
        report = [ReportEntry("", spec.kind, "exactly; the whole text matches")]
        report += [ReportEntry("", "note", note) for note in graph.notes]
        super().__init__(spec, vocabulary, limits, report)
        is_canonical = any(part.is_canonical for part in (spec, *spec.parts))
        spelling = vocabulary.spelling
        self._schemas = Schemas(spelling, limits, is_canonical=is_canonical)
        check_tokens(graph, vocabulary)
        characters = None if spelling is None else spelling.characters
        self._network = build_network(self._schemas.resolve(graph), limits, characters)
        self._renew()

    @property
    def num_bytes(self) -> int:
        """See `CompiledGrammar.num_bytes`."""
        return super().num_bytes + self._schemas.num_bytes

    def _new_automaton(self) -> tuple[RunningAutomaton[Any], None]:
        tables = vocabulary_tables_of(self.vocabulary.of_whole_texts)
        return PushdownAutomaton(self._network, tables, self._schemas.roots(tables), self._limits), None
