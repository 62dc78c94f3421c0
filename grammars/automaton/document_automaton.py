"""`DocumentAutomaton`: the configurations that documents of one grammar got to, as numbers.

What is known about configurations stands in a few lists, so a grammar that was much in use is still few objects: a
garbage collection looks at every object that a process holds, but not at numbers, nor at tuples of numbers.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ..limits import Limits
from . import layout as at
from .advance import advance
from .frames import Frame
from .guards import GuardedTables
from .tables import Mask, Tail
from .vocabulary_tables import VocabularyTables

TOKEN_SHIFT = 40
NOT_MADE = -1
"""What a token leads to must be made first."""
_CONFIG_BYTES = 500  # of a configuration with its steps. A guess
_NO_MASK: Mask = (0, 0, 0)


class DocumentAutomaton(GuardedTables):
    """The tables of one grammar and its configurations. `start` is that of the empty text, `ended` the one after an end
    token.

    Lists with an entry for each configuration: states, as (code, stack). masks: their first number 0 where they are not
    made yet. tokens: one that was met there, if any, and that leads to the same configuration whatever the text before
    is; following: that configuration.
    others: token << TOKEN_SHIFT | configuration -> the configuration after it, of all other such tokens that were met.
    verify: configuration -> tokens that its mask leaves open, because they depend on the text before.
    """

    _can_pause = True

    def __init__(
        self, root: Frame, vocabulary_tables: VocabularyTables, whitespace: NDArray[np.int32], limits: Limits
    ) -> None:
        super().__init__(root, vocabulary_tables, whitespace, limits)
        self.limits = limits
        self._size = vocabulary_tables.vocabulary.size
        self._mask_work = vocabulary_tables.tables.mask
        self.states: list[tuple[int, int]] = []
        self.masks: list[Mask] = []
        self.tokens: list[int | None] = []
        self.following: list[int] = []
        self.verify: dict[int, tuple[int, ...]] = {}
        self.others: dict[int, int] = {}
        self._forced: dict[int, int] = {}  # configuration -> the only byte that may come, -1 for none
        self._numbers: dict[tuple[int, int], int] = {}  # state -> configuration
        self.ended = self.config((at.DEAD, 0))
        self._forced[self.ended] = -1
        self.masks[self.ended] = (vocabulary_tables.zero_row, 0, 0)
        self.start = self.config(self.start_state)

    @property
    def num_bytes(self) -> int:
        """Estimate of its memory, without the vocabulary tables'."""
        return super().num_bytes + _CONFIG_BYTES * len(self._numbers)

    def config(self, state: tuple[int, int]) -> int:
        """The configuration of a state: a code and a stack."""
        config = self._numbers.get(state)
        if config is None:
            config = self._numbers[state] = len(self.states)
            self.masks.append(_NO_MASK)
            self.tokens.append(None)
            self.following.append(0)
            self.states.append(state)
        return config

    def is_complete_at(self, config: int) -> bool:
        """True when the document may end at a configuration."""
        return self.is_complete(*self.states[config])

    def make_mask(self, config: int) -> Mask:
        """Fill in a configuration's mask, if that is not done yet."""
        with self.lock:
            mask = self.masks[config]
            if not mask[0]:
                mask = self.fill(*self.states[config])
                if self._mask_work.num_must_try:
                    self.verify[config] = self.vocabulary_tables.tokens_to_verify()
                self.masks[config] = mask
            return mask

    def follow(self, config: int, token_id: int, tail: Tail) -> int | None:
        """The configuration after a token (of text); None when it is not allowed."""
        with self.lock:
            state, is_captured = self.step(*self.states[config], token_id, tail)
            return self._noted(config, token_id, state, not is_captured)

    def follow_made(self, config: int, token_id: int) -> int | None:
        """As `follow`, but NOT_MADE where something must be made for it."""
        with self.lock:
            state = advance(self._address, *self.states[config], token_id, 0)
            return NOT_MADE if state is None else self._noted(config, token_id, state, True)

    def _noted(self, config: int, token_id: int, state: tuple[int, int], is_sure: bool) -> int | None:
        """The configuration of the state after a token, noted where it is always so; None for no state."""
        if state[0] < 0:
            return None
        following = self.config(state)
        if is_sure and token_id < self._size:
            if self.tokens[config] is None:
                self.following[config] = following
                self.tokens[config] = token_id
            else:
                self.others[token_id << TOKEN_SHIFT | config] = following
        return following

    def forced_byte(self, config: int, tail: Tail) -> int | None:
        """The only byte that may come next; None where there is a choice, or the text may end."""
        forced = self._forced.get(config)
        if forced is None:
            with self.lock:
                forced, is_sure = self.only_byte(*self.states[config])
                if not is_sure:
                    return self._tried_byte(config, tail)
                forced = self._forced[config] = -1 if self.is_complete_at(config) else forced
        return None if forced < 0 else forced

    def _tried_byte(self, config: int, tail: Tail) -> int | None:
        """As forced_byte, by trying all bytes."""
        size = self.vocabulary_tables.vocabulary.size
        if self.is_complete_at(config):
            return None
        found = [byte for byte in range(256) if self.is_allowed(config, size + byte, tail)]
        return found[0] if len(found) == 1 else None

    def is_allowed(self, config: int, token_id: int, tail: Tail) -> bool:
        """True when a token (of text) may come."""
        with self.lock:
            following = self.follow(config, token_id, tail)
            return following is not None and (not self.has_guards or self.keeps_guards(following, token_id, tail))

    def keeps_guards(self, following: int, token_id: int, tail: Tail) -> bool:
        """False when after a token an item could only become one that is excluded."""
        with self.lock:
            return self.keeps_guards_in(*self.states[following], token_id, tail)

    def uncertain_tokens(self, config: int, tail: Tail) -> Iterable[int]:
        """The tokens of a configuration that must be tried out in spite of its mask."""
        verify = self.verify.get(config, ())
        if not self.has_guards:
            return verify
        with self.lock:
            return {*verify, *self.guarded_tokens(*self.states[config], tail)}
