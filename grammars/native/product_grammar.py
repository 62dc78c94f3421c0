"""`ProductGrammar`: a rule graph and a regular language, compiled together."""

from __future__ import annotations

from ..errors import UnsatisfiableError
from ..limits import Limits
from ..machine.product.automaton import ProductAutomaton
from ..regex import algebra as lang
from ..regex.algebra import Language
from ..rules.expressions import RuleGraph
from ..spec import GrammarSpec
from ..vocabulary import Vocabulary
from .general_grammar import GeneralGrammar
from .grammar import quotes_for


class ProductGrammar(GeneralGrammar):
    """The texts that belong to a network of rules without JSON documents and to a regular language."""

    may_count = False  # liveness beside the regular side knows only the states of terminals

    def __init__(
        self, spec: GrammarSpec, vocabulary: Vocabulary, graph: RuleGraph, language: Language, limits: Limits
    ) -> None:
        if vocabulary.spelling is not None:
            language = lang.intersect(language, lang.repeat(lang.chars(vocabulary.spelling.characters), 0))
        self._language = language
        if lang.is_empty(language, limits.max_automaton_states):
            raise UnsatisfiableError("no text belongs to all of the regular grammars, without the banned substrings")
        super().__init__(spec, vocabulary, graph, limits)
        if self._automaton.is_empty:
            raise UnsatisfiableError("no text belongs to all of these grammars at once; each of them alone has some")

    def _new_automaton(self) -> tuple[ProductAutomaton, None]:
        tables = self._tables()
        quotes = quotes_for(self.spec, tables, self._limits)
        return ProductAutomaton(self._network, self._language, tables, self._limits, quotes), None
