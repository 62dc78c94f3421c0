"""A grammar of hand-written frames."""

from __future__ import annotations

from guided.grammars.limits import Limits
from guided.grammars.machine.frames import Frame
from guided.grammars.machine.machine_automaton import DocumentAutomaton
from guided.grammars.machine.vocabulary_tables import vocabulary_tables_of
from guided.grammars.native.grammar import AutomatonGrammar
from guided.grammars.spec import GrammarSpec
from guided.grammars.vocabulary import Vocabulary


class Machine(AutomatonGrammar):
    """The documents of a root frame, as compiled grammars have them."""

    def __init__(self, root: Frame, vocabulary: Vocabulary, whitespace: str, limits: Limits) -> None:
        super().__init__(GrammarSpec("json_schema", "{}"), vocabulary, limits)
        self._root, self._whitespace = root, whitespace
        self._renew()

    def _new_automaton(self) -> tuple[DocumentAutomaton, None]:
        tables = vocabulary_tables_of(self.vocabulary)
        return DocumentAutomaton(self._root, tables, tables.whitespace(self._whitespace), self._limits), None
