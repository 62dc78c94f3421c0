"""JSON documents inside of general grammars: each schema's own machine, run beside the local states."""

from __future__ import annotations

from ..automaton.guards import GuardedTables
from ..automaton.masks import begin_mask, fill_mask
from ..automaton.tables import Mask


class EmbeddedAutomaton(GuardedTables):
    """The machine of one schema's documents, whose text goes on after them."""

    def mask_under(self, node: int, code: int, stack: int) -> tuple[Mask, list[tuple[int, bool]], tuple[int, ...]]:
        """The mask of the tokens under a trie node, when a document is in a state there.

        Then the nodes at which the document ends inside of tokens, each with whether the tokens under it must be tried
        out; and the other tokens that must be. Called under the lock of the vocabulary tables.
        """
        begin_mask(self._address, node, code, stack)
        mask = self.requests.run(lambda: fill_mask(self._address))
        return mask, self.vocabulary_tables.ends(), self.vocabulary_tables.tokens_to_verify()
