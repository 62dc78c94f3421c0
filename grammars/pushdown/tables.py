"""`RuleTables`: one grammar on one vocabulary: its local states and stacks, built when first met.

The kernels read its tables; when they meet something that is not built they ask for it (`requests`), and they go on
from there. Everything is done under the lock of the vocabulary tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..automaton import asking
from ..automaton.interiors import copy_row
from ..automaton.requests import Asked
from ..automaton.tables import Mask
from ..automaton.turnstile import Turnstile
from ..automaton.vocabulary_tables import VocabularyTables
from ..limits import Limits
from ..memory.structs import address_of
from ..rules.network import Network
from ..spec import GrammarSpec
from .documents import EmbeddedAutomaton
from .masks import begin_mask, fill_mask
from .states import LocalStates
from .steps import advance, follow_entry
from .structs import RuleMachine
from .walks import begin_segment, walk_interior


class RuleTables:
    """The tables of one grammar. documents: the machines of its schemas."""

    def __init__(
        self,
        network: Network,
        vocabulary_tables: VocabularyTables,
        documents: Mapping[GrammarSpec, EmbeddedAutomaton],
        limits: Limits,
    ) -> None:
        self.vocabulary_tables = vocabulary_tables
        self.lock = Turnstile(vocabulary_tables.lock)
        self.limits = limits
        self.machine = RuleMachine(vocabulary_tables.tables)
        self._address = self.machine.address
        self.states = LocalStates(network, vocabulary_tables, self.machine, limits)
        self.machine.depths.ensure(256)
        self.machine.interiors.ensure(64)
        self.machine.exits.ensure(1 << 11)
        self._rows: list[NDArray[np.int32]] = []
        self._known_masks: list[Mask] = []  # by the numbers of the kernels
        self._num_mask_nodes = 0
        self.documents = documents
        self.has_guards = False  # of a document; its branches find out
        self.requests = self.states.requests
        self.states.handlers[asking.INTERIOR] = self._build_segment
        self.states.handlers[asking.BYTE_CLASSES] = self._find_byte_class_row

    @property
    def num_bytes(self) -> int:
        """Estimate of its memory, without the vocabulary tables'."""
        rows = sum([row.nbytes for row in self._rows])
        return self.machine.num_bytes + rows + sum([machine.num_bytes for machine in self.documents.values()])

    @property
    def is_worn(self) -> bool:
        """True when new matchers should have a new automaton: this one, or its vocabulary tables, comes near its
        limits."""
        is_long = 2 * len(self.states) > self.limits.max_automaton_states
        return is_long or self.vocabulary_tables.is_full or any(machine.is_worn for machine in self.documents.values())

    def mask_under(self, node: int, state: int, stack: int) -> tuple[Mask, list[tuple[int, int, int]]]:
        """The mask of the tokens under a trie node, when a text is at a local state there.

        Then where documents may begin inside of these tokens: node, local state and stack. Called under the lock.
        """
        begin_mask(self._address, node, state, stack)
        base, patch, num_changed = self.requests.run(lambda: fill_mask(self._address))
        if 2 * num_changed > self.vocabulary_tables.num_words:
            base, patch, num_changed = self._flattened(base, patch, num_changed), 0, 0
        return (base, patch, num_changed), self.vocabulary_tables.delayed() if self.documents else []

    def _flattened(self, base: int, patch: int, num_changed: int) -> int:
        """The address of a row of its own for the mask that was just made, whose patch is given up."""
        row = self.new_row()
        copy_row(row.reshape(1, -1), 0, base, patch, num_changed, 32 * len(row))
        self.machine.patch.words.used -= num_changed
        return address_of(row)

    def _keep_mask(self, mask: Mask, state: int, stack: int) -> None:
        """Remember the mask that was just made, by the frames on the stack as far as they were read."""
        num_frames = max(0, self.machine.depths.data.item(stack) - self.machine.lowest + 1)
        self._known_masks.append(mask)
        local_state = self.machine.states[state]
        found, keep = local_state.mask, partial(setattr, local_state, "mask")
        for _ in range(num_frames):
            if found == 0:
                self._num_mask_nodes += 1
                found = -self._num_mask_nodes
                keep(found)
            frame, stack = self.machine.top(stack)
            masks = self.machine.masks
            found, keep = masks.value(-found, frame), partial(masks.insert, -found, frame)
        if found == 0:
            keep(len(self._known_masks))

    def advance(self, state: int, stack: int, token_id: int) -> tuple[int, int, bool]:
        """The local state and stack after a token's bytes (DEAD: none), and whether a document may begin in between."""
        if self.documents:
            self.machine.meets_documents = 0
        following, new_stack = advance(self._address, state, stack, token_id, 0) or self._advance_further(token_id)
        return following, new_stack, bool(self.documents and self.machine.meets_documents)

    def _advance_further(self, token_id: int) -> tuple[int, int]:
        """Go on with a token for which something must be built."""
        machine = self.machine
        following: tuple[int, int] = self.requests.go_on(
            lambda: advance(self._address, machine.state, machine.stack, token_id, machine.position)
        )
        return following

    def follow_entry(self, entry: int, stack: int) -> tuple[int, int]:
        """Where an entry of a row leads to."""
        following: tuple[int, int] = self.requests.run(lambda: follow_entry(self._address, entry, stack))
        return following

    def _build_segment(self, asked: Asked) -> None:
        machine, state, row = self.machine, asked.state, address_of(self.new_row())
        begin_segment(self._address, state, row)
        self.requests.run_inside(lambda: walk_interior(self._address, row))
        exits = self.vocabulary_tables.exits()[:, :2].copy().view(machine.exits.dtype).ravel()
        number = machine.interiors.reserve(1)
        interior = machine.interiors[number]
        interior.row, interior.first_exit, interior.num_exits = row, machine.exits.append(exits), len(exits)
        machine.states[state].interior = number

    def _find_byte_class_row(self, asked: Asked) -> None:
        """Let the kernels have the row of what leaves a local state as it is."""
        number = self.vocabulary_tables.byte_class_row(asked.byte_classes, asked.node)
        self.machine.byte_class_row_of.insert(asked.state, asked.node + 1, number)

    def new_row(self) -> NDArray[np.int32]:
        """A row that never moves."""
        row = np.zeros(self.vocabulary_tables.num_words, dtype=np.int32)
        self._rows.append(row)
        return row
