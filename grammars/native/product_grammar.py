"""`ProductGrammar`: a rule graph and a regular language, compiled together."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..errors import UnsatisfiableError, UnsupportedSchemaError
from ..limits import Limits
from ..machine.product.automaton import ProductAutomaton
from ..protocol import ReportEntry
from ..regex import algebra as lang
from ..regex.algebra import Language
from ..rules.expressions import JsonDocument, RuleGraph
from ..spec import GrammarSpec
from ..vocabulary import Vocabulary
from .general_grammar import GeneralGrammar
from .grammar import quotes_for


def _not_held(style: str) -> UnsupportedSchemaError:
    reason = f"{style!r} can't be combined with other grammars or banned substrings"
    instead = "write the schema as JSON, or give substrings that no value may contain as `excludes` of the format"
    return UnsupportedSchemaError("", "style", reason, instead)


class ProductGrammar(GeneralGrammar):
    """The texts that belong to a network of rules and to a regular language. report: function that makes the report."""

    may_count = False  # liveness beside the regular side knows only the states of terminals

    def __init__(
        self,
        spec: GrammarSpec,
        vocabulary: Vocabulary,
        graph: RuleGraph,
        language: Language,
        limits: Limits,
        report: Callable[[], Sequence[ReportEntry]],
    ) -> None:
        self._make_report = report
        if vocabulary.spelling is not None:
            language = lang.intersect(language, lang.repeat(lang.chars(vocabulary.spelling.characters), 0))
        self._language = language
        if lang.is_empty(language, limits.max_automaton_states):
            raise UnsatisfiableError("no text belongs to all of the regular grammars, without the banned substrings")
        for _, part in graph.foreign:
            if isinstance(part, JsonDocument) and part.spec.styled is not None:
                raise part.located(_not_held(part.spec.styled.style))
        super().__init__(spec, vocabulary, graph, limits)
        if self._automaton.is_empty:
            raise UnsatisfiableError("no text belongs to all of these grammars at once; each of them alone has some")

    @property
    def report(self) -> tuple[ReportEntry, ...]:
        """How each keyword is enforced."""
        return tuple(self._make_report())

    def _new_automaton(self) -> tuple[ProductAutomaton, None]:
        tables = self._tables()
        quotes, documents = quotes_for(self.spec, tables, self._limits), self._schemas.roots(tables)
        return ProductAutomaton(self._network, self._language, tables, documents, self._limits, quotes), None
