"""`RuleTables`: one grammar on one vocabulary: the local states of its rules, its documents, and their stacks.

The kernels read its tables. If they need something that is not built, they ask for it (`requests`) and go on from
there. All work holds the automaton's lock.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ...limits import Limits
from ...rules.network import Network
from ...spec import GrammarSpec
from .. import asking
from .. import layout as at
from ..frames import Frame
from ..machine_automaton import MachineAutomaton
from ..quotes.lexemes import QuoteLexemes
from ..requests import RequestCopy
from ..vocabulary_tables import VocabularyTables
from .states import LocalStates
from .steps import follow_entry
from .structs import Rules

Documents = Mapping[GrammarSpec, tuple[Frame, NDArray[np.int32]]]
"""spec of a schema -> root frame of its documents, and their whitespace table."""


class RuleTables(MachineAutomaton):
    """The tables of one grammar with rules.

    documents: spec of a schema -> root frame of its documents, which nothing follows, and their whitespace table.
    is_alone: True if nothing else is half-made while its masks are made, so that these may pause.
    """

    def __init__(
        self,
        network: Network,
        vocabulary_tables: VocabularyTables,
        documents: Documents,
        limits: Limits,
        quotes: QuoteLexemes | None = None,
        *,
        is_alone: bool = True,
    ) -> None:
        self._can_pause = is_alone
        super().__init__(vocabulary_tables, limits, quotes)
        self._rules = self.machine.rules = Rules(vocabulary_tables.tables, self.machine.request)
        self.states = LocalStates(network, vocabulary_tables, self._rules, self.requests, limits)
        self.documents = {spec: self.add_root(*document) for spec, document in documents.items()}
        self._whitespace_of = {spec: whitespace for spec, (_, whitespace) in documents.items()}
        self._document_of: dict[int, int] = {}  # root frame -> number of the document

    def make(self, asked: RequestCopy) -> None:
        """Serve a kernel's request."""
        match asked.kind:
            case asking.TERMINALS:
                self.states.make_terminals()
            case asking.UNCOUNTED:
                self.states.positions.counted.make_uncounted(asked.state)
            case asking.PAUSE:
                self.states.look_at_the_watch()
                if self.quotes is not None:
                    self.quotes.look_at_the_watch()
            case asking.ROOT:
                self._build_root(asked.state, asked.node)
            case asking.BYTE_CLASSES:
                self.vocabulary_tables.byte_class_row(asked.byte_classes, asked.node)
            case _:
                super().make(asked)

    @property
    def num_bytes(self) -> int:
        """Estimated memory in bytes, without the vocabulary tables."""
        return super().num_bytes + self._rules.num_bytes

    @property
    def is_worn(self) -> bool:
        """True if new matchers should get a new automaton."""
        return super().is_worn or 2 * len(self.states) > self.limits.max_automaton_states

    def follow_entry(self, entry: int, stack: int) -> tuple[int, int]:
        """Return the local state and stack that an entry of a row leads to."""
        following: tuple[int, int] = self.requests.run(lambda: follow_entry(self._address, entry, stack))
        return following

    def after_document(self, root: int) -> tuple[int, int]:
        """Return the local state and stack after a document. root: stack with the document's root frame on top."""
        frame, below = self.machine.top(root)
        return self.follow_entry(self.states.after(self._rows[frame].then - 1), below)

    def document_of(self, root: int) -> int:
        """Return the number of a document, as `states.document` takes it. root: stack with its root frame on top."""
        return self._document_of[self.machine.top(root)[0]]

    def kept_below(self, stack: int) -> tuple[list[int], int]:
        """Return the GSS nodes that the top frame of a stack keeps, by label, and the stack below it.

        A document's frame keeps none.
        """
        frame, below = self.machine.top(stack)
        return self.states.numbers(frame & ~at.RULE_FRAME) if frame & at.RULE_FRAME else [], below

    def begin_document(self, document: int, gss_node: int, stack: int) -> tuple[int, int]:
        """Return the configuration at the beginning of a document that a GSS node follows."""
        frame = self._rules.roots.value(document, 1 + gss_node) or self._build_root(document, gss_node)
        return self.first_code(frame), self.push(stack, frame)

    def _build_root(self, document: int, gss_node: int) -> int:
        """Return the root frame of a document that a GSS node follows."""
        spec = self.states.document(document).spec
        frame = self.add_root(self.frame(self.documents[spec]), self._whitespace_of[spec], 1 + gss_node)
        self._document_of[frame] = document
        self._rules.roots.insert(document, 1 + gss_node, frame)
        return frame
