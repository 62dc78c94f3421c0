"""`GeneralGrammar`: a compiled rule graph; it hands out matchers."""

from __future__ import annotations

import threading
from functools import cache, partial
from typing import TYPE_CHECKING

from ..automaton.vocabulary_tables import vocabulary_tables_of
from ..limits import Limits
from ..protocol import CompiledGrammar, Matcher, ReportEntry
from ..pushdown.automaton import PushdownAutomaton
from ..rules.expressions import RuleGraph
from ..rules.network import build_network
from ..rules.tokens import check_tokens
from ..spec import GrammarSpec
from ..vocabulary import Vocabulary
from .pushdown_matcher import PushdownMatcher
from .schemas import Schemas

if TYPE_CHECKING:
    from ..completion.base import Completion


class GeneralGrammar(CompiledGrammar):
    """A network of rules and the automaton of its texts.

    The automaton only grows; when it has come near its limits, new matchers get a fresh one, and the old one goes
    with its last matcher.
    """

    def __init__(self, spec: GrammarSpec, vocabulary: Vocabulary, graph: RuleGraph, limits: Limits) -> None:
        entries = [ReportEntry("", spec.kind, "exactly; the whole text matches")]
        entries += [ReportEntry("", "note", note) for note in graph.notes]
        super().__init__(spec, vocabulary, entries)
        self._limits = limits
        spelling = vocabulary.spelling
        self._schemas = Schemas(spelling, limits, is_canonical=spec.is_canonical)
        characters = None if spelling is None else spelling.characters
        check_tokens(graph, vocabulary)
        self._network = build_network(self._schemas.resolve(graph), limits, characters)
        self._lock = threading.Lock()
        self._automaton = self._new_automaton()

    def _new_automaton(self) -> PushdownAutomaton:
        vocabulary_tables = vocabulary_tables_of(self.vocabulary.of_whole_texts)
        automaton = PushdownAutomaton(
            self._network, vocabulary_tables, self._schemas.automata(vocabulary_tables), self._limits
        )
        self._completion = cache(partial(_closing_of, automaton, self._limits))
        return automaton

    @property
    def num_bytes(self) -> int:
        """See `CompiledGrammar.num_bytes`."""
        return self._automaton.num_bytes + self._schemas.num_bytes

    def matcher(self) -> Matcher:
        """See `CompiledGrammar.matcher`."""
        with self._lock:
            if self._automaton.is_worn or self.num_bytes > self._limits.max_grammar_bytes:
                self._schemas.renew()
                self._automaton = self._new_automaton()
            return PushdownMatcher(self._automaton, self._completion)


def _closing_of(automaton: PushdownAutomaton, limits: Limits) -> Completion[int]:
    """What is known about the ends of its texts; loaded when it is first needed."""
    from ..completion.rules_completion import RulesCompletion

    return RulesCompletion(automaton, limits)
