"""`IntersectionGrammar`: a rule graph and a regular language, compiled together; it hands out matchers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from ..automaton.automaton import Config
from ..automaton.lexicon import lexicon_of
from ..errors import UnsatisfiableError
from ..intersection.automaton import IntersectionAutomaton
from ..limits import Limits
from ..protocol import CompiledGrammar, Matcher, ReportEntry
from ..regex import algebra as lang
from ..regex.algebra import Language
from ..rules.expressions import RuleGraph
from ..rules.network import build_network
from ..rules.tokens import check_tokens
from ..spec import GrammarSpec
from ..vocabulary import Vocabulary
from .intersection_matcher import IntersectionMatcher
from .schemas import Schemas

if TYPE_CHECKING:
    from ..closing.base import Closing


class IntersectionGrammar(CompiledGrammar):
    """The texts of a rule graph that a regular language has too.

    The automaton only grows; when it has come near its limits, new matchers get a fresh one, and the old one goes
    with its last matcher.
    """

    def __init__(
        self,
        spec: GrammarSpec,
        vocabulary: Vocabulary,
        graph: RuleGraph,
        language: Language,
        limits: Limits,
        report: Callable[[], Sequence[ReportEntry]],
    ) -> None:
        super().__init__(spec, vocabulary)
        self._make_report = report
        self._limits = limits
        spelling = vocabulary.spelling
        self._schemas = Schemas(spelling, limits, is_canonical=any(part.is_canonical for part in spec.parts))
        characters = None if spelling is None else spelling.characters
        check_tokens(graph, vocabulary)
        self._network = build_network(self._schemas.resolve(graph), limits, characters)
        if characters is not None:
            language = lang.intersect(language, lang.repeat(lang.chars(characters), 0))
        self._language = language
        if lang.is_empty(language, limits.max_automaton_states):
            raise UnsatisfiableError("no text belongs to all of the regular grammars, without the banned substrings")
        self._lock = threading.Lock()
        self._automaton = self._new_automaton()
        if self._automaton.is_empty:
            raise UnsatisfiableError("no text belongs to all of these grammars at once; each of them alone has some")

    def _new_automaton(self) -> IntersectionAutomaton:
        lexicon, limits = lexicon_of(self.vocabulary.of_whole_texts), self._limits
        documents = self._schemas.automata(lexicon)
        automaton = IntersectionAutomaton(self._network, self._language, lexicon, documents, limits)
        self._closing = cache(partial(_closing_of, automaton, self._language, limits))
        return automaton

    @property
    def report(self) -> tuple[ReportEntry, ...]:
        """See `CompiledGrammar.report`."""
        return tuple(self._make_report())

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
            return IntersectionMatcher(self._automaton, self._closing)


def _closing_of(automaton: IntersectionAutomaton, language: Language, limits: Limits) -> Closing[Config]:
    """What is known about the ends of its texts; loaded when it is first needed."""
    from ..closing.both_closing import BothClosing
    from ..closing.rules_closing import RulesClosing

    return BothClosing(automaton, RulesClosing(automaton.rules, limits), language, limits)
