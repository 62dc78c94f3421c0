"""`GeneralGrammar`, a compiled rule graph, and `ChoiceGrammar`, a compiled list of strings; they hand out matchers."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from ..automaton.lexicon import lexicon_of
from ..automaton.matcher import AutomatonMatcher
from ..backends.base import CompiledGrammar, Matcher, ReportEntry
from ..errors import UnsatisfiableError
from ..limits import Limits
from ..rules.expressions import RuleGraph
from ..rules.network import build_network
from ..rules.tokens import check_tokens
from ..spec import GrammarSpec
from ..vocabulary import Vocabulary
from .automaton import PushdownAutomaton
from .choices import ChoiceAutomaton
from .documents import Schemas
from .matcher import PushdownMatcher


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
        self._spelling = vocabulary.spelling
        self._schemas = Schemas(self._spelling, limits, is_canonical=spec.is_canonical)
        characters = None if self._spelling is None else self._spelling.characters
        check_tokens(graph, vocabulary)
        self._network = build_network(self._schemas.resolve(graph), limits, characters)
        self._lock = threading.Lock()
        self._automaton = self._new_automaton()

    def _new_automaton(self) -> PushdownAutomaton:
        vocabulary = self.vocabulary if self._spelling is None else self._spelling.vocabulary
        return PushdownAutomaton(self._network, lexicon_of(vocabulary), self._schemas, self._limits)

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
            return PushdownMatcher(self._automaton)


class ChoiceGrammar(CompiledGrammar):
    """One of several strings. Grows a little with each place that texts get to."""

    def __init__(self, spec: GrammarSpec, vocabulary: Vocabulary, texts: Sequence[str], limits: Limits) -> None:
        super().__init__(spec, vocabulary, [ReportEntry("", spec.kind, "exactly; the whole text is one of them")])
        self._limits = limits
        self._lock = threading.Lock()
        spelling = vocabulary.spelling
        self._texts = texts if spelling is None else [text for text in texts if spelling.can_spell(text)]
        if not self._texts:
            raise UnsatisfiableError("the vocabulary's tokens can spell none of the strings")
        self._lexicon_vocabulary = vocabulary if spelling is None else spelling.vocabulary
        self._automaton = self._new_automaton()

    def _new_automaton(self) -> ChoiceAutomaton:
        return ChoiceAutomaton(self._texts, lexicon_of(self._lexicon_vocabulary), self._limits)

    @property
    def num_bytes(self) -> int:
        """See `CompiledGrammar.num_bytes`."""
        return self._automaton.num_bytes

    def matcher(self) -> Matcher:
        """See `CompiledGrammar.matcher`."""
        with self._lock:
            if self._automaton.lexicon.is_full or self._automaton.num_bytes > self._limits.max_grammar_bytes:
                self._automaton = self._new_automaton()
            return AutomatonMatcher(self._automaton)
