"""`DocumentAutomaton`: the documents of one schema."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..errors import LimitExceededError
from ..limits import Limits
from . import layout as at
from .advance import advance
from .frames import Frame
from .guards import GuardedTables
from .running import CONFIG_BYTES, NOT_MADE, RunningAutomaton
from .tables import Mask
from .tails import Tail
from .text_places import in_document
from .vocabulary_tables import VocabularyTables

State = tuple[int, int]
"""A code and a stack; see layout.py."""


class DocumentAutomaton(GuardedTables, RunningAutomaton[State]):
    """The tables of one grammar and its configurations; see `RunningAutomaton`."""

    def __init__(
        self, root: Frame, vocabulary_tables: VocabularyTables, whitespace: NDArray[np.int32], limits: Limits
    ) -> None:
        GuardedTables.__init__(self, vocabulary_tables, limits)
        self._mask_work = vocabulary_tables.tables.mask
        RunningAutomaton.__init__(self, (at.DEAD, 0))
        start = self.push(0, self.add_root(root, whitespace))
        self.start = self.config((at.ROOT_VALUE << at.CONTEXT_SHIFT, start))

    @property
    def num_bytes(self) -> int:
        """See `RunningAutomaton.num_bytes`."""
        return super().num_bytes + CONFIG_BYTES * len(self.states_at)

    def is_complete_at(self, config: int) -> bool:
        """See `RunningAutomaton.is_complete_at`."""
        return self.is_complete(*self.states_at[config])

    def follow_made(self, config: int, token_id: int) -> int | None:
        """See `RunningAutomaton.follow_made`."""
        with self.lock:
            found = advance(self._address, *self.states_at[config], token_id, 0)
            if found is None:
                return NOT_MADE
            return None if found[0] < 0 else self._noted(config, token_id, found[:2], True)

    def keeps_guards(self, following: int, token_id: int, tail: Tail) -> bool:
        """False when after a token an item could only become one that is excluded."""
        with self.lock:
            return self.keeps_guards_in(*self.states_at[following], token_id, tail)

    def located(self, error: LimitExceededError, configs: list[int], token_ids: list[int]) -> LimitExceededError:
        """See `RunningAutomaton.located`."""
        return in_document(error, self.vocabulary_tables.vocabulary.join(token_ids))

    def _make_mask(self, state: State) -> tuple[Mask, tuple[int, ...]]:
        mask = self.fill(*state)
        return mask, self.vocabulary_tables.tokens_to_verify() if self._mask_work.num_must_try else ()

    def _guarded_tokens(self, state: State, tail: Tail) -> set[int]:
        return self.guarded_tokens(*state, tail)

    def _step(self, state: State, token_id: int, tail: Tail) -> tuple[State | None, bool]:
        found, is_captured = self.step(*state, token_id, tail)
        return None if found[0] < 0 else found[:2], not is_captured

    def _only_byte(self, state: State) -> int | None:
        byte, is_sure = self.only_byte(*state)
        return byte if is_sure else None
