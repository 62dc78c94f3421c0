"""`GeneralGrammar`: a compiled rule graph."""

from __future__ import annotations

from typing import Any, ClassVar

from ..errors import UnsatisfiableError
from ..limits import Limits
from ..machine.rules.automaton import PushdownAutomaton
from ..machine.running import RunningAutomaton
from ..machine.vocabulary_tables import VocabularyTables
from ..protocol import ReportEntry, banned_entries
from ..rules.expressions import JsonDocument, RuleGraph
from ..rules.network import build_network
from ..rules.tokens import check_tokens
from ..spec import GrammarSpec
from ..vocabulary import Vocabulary
from .grammar import AutomatonGrammar, quotes_for, tables_for
from .schemas import Schemas


class GeneralGrammar(AutomatonGrammar):
    """A compiled network of rules. may_count: see `build_network`."""

    may_count: ClassVar[bool] = True

    def __init__(self, spec: GrammarSpec, vocabulary: Vocabulary, graph: RuleGraph, limits: Limits) -> None:
        has_documents = any(isinstance(part, JsonDocument) for _, part in graph.foreign)
        where = "keys, string values and the texts between documents" if has_documents else "the text"
        report = banned_entries(spec, where)
        report += [ReportEntry("", part.kind, "exactly; the whole text matches") for part in spec.parts or (spec,)]
        report += [ReportEntry("", "note", note) for note in graph.notes]
        super().__init__(spec, vocabulary, limits, report)
        is_canonical = any(part.is_canonical for part in (spec, *spec.parts))
        spelling = vocabulary.spelling
        self._schemas = Schemas(spelling, limits, spec.sources, is_canonical=is_canonical)
        check_tokens(graph, vocabulary)
        characters = None if spelling is None else spelling.characters
        self._has_quotes = any(language.is_transient for language in graph.languages)
        search = quotes_for(spec, tables_for(vocabulary), limits)
        graph = self._schemas.resolve(graph)
        try:
            self._network = build_network(graph, limits, characters, may_count=self.may_count)
        except UnsatisfiableError:
            what = "all of these grammars at once" if len(spec.parts) > 1 else "this grammar"
            missing = " without the banned substrings" if spec.banned_substrings else ""
            raise UnsatisfiableError(
                "; ".join([f"no text belongs to {what}{missing}", *self._schemas.reasons()])
            ) from None
        del search  # the object must live until here
        self._renew()

    @property
    def num_bytes(self) -> int:
        """Estimated memory in bytes."""
        return super().num_bytes + self._schemas.num_bytes

    def _new_automaton(self) -> tuple[RunningAutomaton[Any], None]:
        tables = self._tables()
        quotes = quotes_for(self.spec, tables, self._limits)
        return PushdownAutomaton(self._network, tables, self._schemas.roots(tables), self._limits, quotes), None

    def _tables(self) -> VocabularyTables:
        """Return the vocabulary tables for its automata."""
        return tables_for(self.vocabulary, is_shared=not (self._has_quotes or self._schemas.has_states_of_quotes))
