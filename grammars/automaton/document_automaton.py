"""`DocumentAutomaton`: the places that documents of one grammar got to, as numbers.

What is known about places stands in a few lists, so a grammar that was much in use is still few objects: a garbage
collection looks at every object that a process holds, but not at numbers, nor at tuples of numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import index

import numpy as np
from numpy.typing import NDArray

from ..limits import Limits
from . import layout as at
from .frames import Frame
from .guards import GuardedTables
from .lexicon import Lexicon
from .tables import Mask, Tail

_TOKEN_SHIFT = 40
_PLACE_BYTES = 500  # of a place with its steps. A guess
_NOT_MADE: Mask = (0, 0, 0)


class DocumentAutomaton(GuardedTables):
    """The tables of one grammar and its places. `start` is that of the empty text, `ended` the one after an end token.

    Lists with an entry for each place: states, as (code, stack). masks: as `segments.copy_row` takes them, their first
    number 0 where they are not made yet. tokens: one that was met there, if any; following: the place after it.
    verify: place -> tokens that its mask leaves open, because they depend on the text before.
    """

    _can_pause = True

    def __init__(self, root: Frame, lexicon: Lexicon, whitespace: NDArray[np.int32], limits: Limits) -> None:
        super().__init__(root, lexicon, whitespace, limits)
        self.limits = limits
        self.states: list[tuple[int, int]] = []
        self.masks: list[Mask] = []
        self.tokens: list[int | None] = []
        self.following: list[int] = []
        self.verify: dict[int, tuple[int, ...]] = {}
        self._others: dict[int, int] = {}  # token << _TOKEN_SHIFT | place -> the place after it, of all other tokens
        self._forced: dict[int, int] = {}  # place -> the only byte that may come, -1 for none
        self._numbers: dict[tuple[int, int], int] = {}  # state -> place
        self.ended = self.place((at.DEAD, 0))
        self._forced[self.ended] = -1
        self.masks[self.ended] = (lexicon.zero_row, 0, 0)
        self.start = self.place(self.start_state)

    @property
    def num_bytes(self) -> int:
        """Estimate of its memory, without the lexicon's."""
        return super().num_bytes + _PLACE_BYTES * len(self._numbers)

    def place(self, state: tuple[int, int]) -> int:
        """The place of a state: a code and a stack."""
        place = self._numbers.get(state)
        if place is None:
            place = self._numbers[state] = len(self.states)
            self.masks.append(_NOT_MADE)
            self.tokens.append(None)
            self.following.append(0)
            self.states.append(state)
        return place

    def is_complete_at(self, place: int) -> bool:
        """True when the document may end at a place."""
        return self.is_complete(*self.states[place])

    def make_mask(self, place: int) -> Mask:
        """Fill in a place's mask, if that is not done yet."""
        lexicon = self.lexicon
        with self.lock:
            mask = self.masks[place]
            if not mask[0]:
                mask = self.fill(*self.states[place])
                if lexicon.tables.mask.num_must_try:
                    self.verify[place] = lexicon.tokens_to_verify()
                self.masks[place] = mask
            return mask

    def follow(self, place: int, token_id: int, tail: Tail) -> int | None:
        """The place after a token (of text); None when it is not allowed."""
        lexicon = self.lexicon
        with self.lock:
            state, is_captured = self.step(*self.states[place], token_id, tail)
            if state[0] < 0:
                return None
            following = self.place(state)
            if is_captured or token_id >= lexicon.vocabulary.size:
                return following
            if self.tokens[place] is None:
                self.following[place] = following
                self.tokens[place] = token_id
            else:
                self._others[token_id << _TOKEN_SHIFT | place] = following
            return following

    def after(self, place: int, token_id: int) -> int | None:
        """The place after a token, where it was met before and does not depend on the text before."""
        if token_id == self.tokens[place]:
            return self.following[place]
        return self._others.get(index(token_id) << _TOKEN_SHIFT | place)

    def forced_byte(self, place: int, tail: Tail) -> int | None:
        """The only byte that may come next; None where there is a choice, or the text may end."""
        forced = self._forced.get(place)
        if forced is None:
            with self.lock:
                forced, is_sure = self.only_byte(*self.states[place])
                if not is_sure:
                    return self._tried_byte(place, tail)
                forced = self._forced[place] = -1 if self.is_complete_at(place) else forced
        return None if forced < 0 else forced

    def _tried_byte(self, place: int, tail: Tail) -> int | None:
        """As forced_byte, by trying all bytes."""
        size = self.lexicon.vocabulary.size
        if self.is_complete_at(place):
            return None
        found = [byte for byte in range(256) if self.is_allowed(place, size + byte, tail)]
        return found[0] if len(found) == 1 else None

    def is_allowed(self, place: int, token_id: int, tail: Tail) -> bool:
        """True when a token (of text) may come."""
        with self.lock:
            following = self.follow(place, token_id, tail)
            return following is not None and (not self.has_guards or self.keeps_guards(following, token_id, tail))

    def keeps_guards(self, following: int, token_id: int, tail: Tail) -> bool:
        """False when after a token an item could only become one that is excluded."""
        with self.lock:
            return self.keeps_guards_in(*self.states[following], token_id, tail)

    def uncertain_tokens(self, place: int, tail: Tail) -> Iterable[int]:
        """The tokens of a place that must be tried out in spite of its mask."""
        verify = self.verify.get(place, ())
        if not self.has_guards:
            return verify
        with self.lock:
            return {*verify, *self.guarded_tokens(*self.states[place], tail)}
