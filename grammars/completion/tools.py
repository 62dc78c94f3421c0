"""`Tools`: what completion needs of a vocabulary: the fewest tokens of a text, ends of lexemes, walks of all tokens."""

from __future__ import annotations

from ..automaton.vocabulary_tables import VocabularyTables
from ..limits import Limits
from ..product.dfa import Dfa
from ..product.machines import Reached, RunMachine, Served, Workspace
from .lexeme_ends import LexemeEnds
from .spelling import Speller


class Tools:
    """Those of the tables of one vocabulary: `vocabulary_tables.attached(Tools)`. Called under its lock."""

    def __init__(self, vocabulary_tables: VocabularyTables) -> None:
        self.speller = Speller(vocabulary_tables)
        self.lexeme_ends = LexemeEnds(vocabulary_tables.lazy_dfas)
        self.vocabulary_tables = vocabulary_tables
        self._workspace: Workspace | None = None

    def reached(self, automaton: Served, node: int, code: int, stack: int, limits: Limits) -> Reached:
        """Where the tokens under a node of the trie lead from a state of an automaton there, within these limits.

        The walk is that of products, beside a regular side that allows every text.
        """
        if self._workspace is None:
            dfa = Dfa(None, self.vocabulary_tables.lazy_dfas, limits.max_automaton_states)
            self._workspace = Workspace(dfa, self.vocabulary_tables, limits)
        workspace = self._workspace
        workspace.limits = limits
        return workspace.reached(RunMachine(automaton, workspace), node, (code, stack, workspace.dfa.start))
