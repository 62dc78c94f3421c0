"""`ProductGrammar`: a rule graph and a regular language, compiled together; it hands out matchers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from ..automaton.automaton import Config
from ..automaton.vocabulary_tables import vocabulary_tables_of
from ..errors import UnsatisfiableError
from ..limits import Limits
from ..product.automaton import ProductAutomaton
from ..protocol import CompiledGrammar, Matcher, ReportEntry
from ..regex import algebra as lang
from ..regex.algebra import Language
from ..rules.expressions import RuleGraph
from ..rules.network import build_network
from ..rules.tokens import check_tokens
from ..spec import GrammarSpec
from ..vocabulary import Vocabulary
from .product_matcher import ProductMatcher
from .schemas import Schemas

if TYPE_CHECKING:
    from ..completion.base import Completion


class ProductGrammar(CompiledGrammar):
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

    def _new_automaton(self) -> ProductAutomaton:
        vocabulary_tables, limits = vocabulary_tables_of(self.vocabulary.of_whole_texts), self._limits
        documents = self._schemas.automata(vocabulary_tables)
        automaton = ProductAutomaton(self._network, self._language, vocabulary_tables, documents, limits)
        self._completion = cache(partial(_closing_of, automaton, self._language, limits))
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
            return ProductMatcher(self._automaton, self._completion)


def _closing_of(automaton: ProductAutomaton, language: Language, limits: Limits) -> Completion[Config]:
    """What is known about the ends of its texts; loaded when it is first needed."""
    from ..completion.product_completion import ProductCompletion
    from ..completion.rules_completion import RulesCompletion

    return ProductCompletion(automaton, RulesCompletion(automaton.rules, limits), language, limits)
