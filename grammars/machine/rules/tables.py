"""`RuleTables`: one grammar on one vocabulary: the local states of its rules, its documents, and their stacks.

The kernels read its tables; when they meet something that is not built they ask for it (`requests`), and they go on
from there. Everything is done under the lock of the vocabulary tables.
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
from ..requests import Asked
from ..vocabulary_tables import VocabularyTables
from .states import LocalStates
from .steps import follow_entry
from .structs import Rules

Documents = Mapping[GrammarSpec, tuple[Frame, NDArray[np.int32]]]
"""The root frame of the documents of each schema, and their whitespace table."""


class RuleTables(MachineAutomaton):
    """The tables of one grammar.

    documents: the root frame of each schema's documents, after which nothing comes. is_alone: nothing else is half made
        while its masks are, so these may pause.
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

    def make(self, asked: Asked) -> None:
        """See `DocumentTables.make`."""
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
        """See `DocumentTables.num_bytes`."""
        return super().num_bytes + self._rules.num_bytes

    @property
    def is_worn(self) -> bool:
        """See `DocumentTables.is_worn`."""
        return super().is_worn or 2 * len(self.states) > self.limits.max_automaton_states

    def follow_entry(self, entry: int, stack: int) -> tuple[int, int]:
        """The local state and stack to which an entry of a row leads."""
        following: tuple[int, int] = self.requests.run(lambda: follow_entry(self._address, entry, stack))
        return following

    def after_document(self, root: int) -> tuple[int, int]:
        """The local state and stack after a document. root: the stack at its root frame."""
        frame, below = self.machine.top(root)
        return self.follow_entry(self.states.after(self._rows[frame].then - 1), below)

    def document_of(self, root: int) -> int:
        """The number of a document, as `states.document` takes it. root: the stack at its root frame."""
        return self._document_of[self.machine.top(root)[0]]

    def lone_root(self, root: int) -> int:
        """The root frame of the same documents after which nothing comes. root: the stack at a root frame of theirs."""
        frame, _ = self.machine.top(root)
        document = self._document_of.get(frame)
        return frame if document is None else self.documents[self.states.document(document).spec]

    def kept_below(self, stack: int) -> tuple[list[int], int]:
        """The GSS nodes that the frame on top of a stack keeps, by their labels (one of a document keeps none); and the
        stack without it."""
        frame, below = self.machine.top(stack)
        return self.states.numbers(frame & ~at.RULE_FRAME) if frame & at.RULE_FRAME else [], below

    def begin_document(self, document: int, gss_node: int, stack: int) -> tuple[int, int]:
        """The configuration at the beginning of a document that is followed by a GSS node."""
        frame = self._rules.roots.value(document, 1 + gss_node) or self._build_root(document, gss_node)
        return self.first_code(frame), self.push(stack, frame)

    def _build_root(self, document: int, gss_node: int) -> int:
        """The root frame of a document that is followed by a GSS node."""
        spec = self.states.document(document).spec
        frame = self.add_root(self.frame(self.documents[spec]), self._whitespace_of[spec], 1 + gss_node)
        self._document_of[frame] = document
        self._rules.roots.insert(document, 1 + gss_node, frame)
        return frame
