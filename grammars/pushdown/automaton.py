"""`PushdownAutomaton`: one grammar on one vocabulary: the places that its texts got to, and their masks.

Everything is done under the lexicon's lock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from ..automaton import layout as at
from ..automaton.lexicon import Lexicon
from ..automaton.tables import Tail
from ..limits import Limits
from ..rules.network import Network
from ..spec import GrammarSpec
from . import layout as pd
from .documents import EmbeddedAutomaton
from .steps import forced_byte, known_mask, next_place
from .tables import Mask, RuleTables
from .worlds import GENERAL, World, Worlds

_PLACE_BYTES = 500  # of a place with its steps. A guess
TOKEN_BITS: Final = 32
ENDED: Final = -1
"""The place after an end token."""


class PushdownAutomaton(RuleTables):
    """The tables of one grammar and its places. `start` is that of the empty text, `ended` the one after an end token.

    Places are numbers: at most of them there is one local state with a stack, and only bytes come: local state << 32 |
    stack. Where several things may come, of different kinds, they are worlds: places below ENDED.
    steps: place << TOKEN_BITS | token -> the place after it, where it was met and does not depend on the text before.
    masks: of the places where they were made or met again. verify: place -> tokens that its mask leaves open, because
    they depend on the text before.
    """

    ended: Final = ENDED

    def __init__(
        self, network: Network, lexicon: Lexicon, documents: Mapping[GrammarSpec, EmbeddedAutomaton], limits: Limits
    ) -> None:
        super().__init__(network, lexicon, documents, limits)
        self.masks: dict[int, Mask] = {ENDED: (lexicon.zero_row, 0, 0)}
        self.verify: dict[int, tuple[int, ...]] = {}
        self.steps: dict[int, int] = {}
        self._forced: dict[int, int] = {}  # place -> the only byte that may come, -1 for none
        self._worlds_at: list[tuple[World, ...]] = [()]  # of place ENDED - i
        self._places_of: dict[tuple[World, ...], int] = {}
        self._worlds = Worlds(self)
        with self.lock:
            self.start = self._place(*self.follow_entry(self.states.start(), 0))

    @property
    def num_bytes(self) -> int:
        """Estimate of its memory, without the lexicon's."""
        return super().num_bytes + _PLACE_BYTES * (len(self.masks) + len(self.states.content))

    def is_complete_at(self, place: int) -> bool:
        """True when the text may end at a place."""
        if place >= 0:
            return self.states.is_complete(place >> 32)
        return self._worlds.is_complete(self.worlds_at(place))

    def make_mask(self, place: int) -> Mask:
        """The mask of a place, made if that is not done yet."""
        with self.lock:
            mask = self.masks.get(place)
            if mask is None:
                if place >= 0:
                    mask = self._mask_of(place)
                else:
                    mask, verify = self._worlds.mask(self.worlds_at(place))
                    if verify:
                        self.verify[place] = verify
                self.masks[place] = mask
            return mask

    def _mask_of(self, place: int) -> Mask:
        """The mask of a place with one local state."""
        state, stack = place >> 32, place & at.MASK32
        known: int = known_mask(self._address, state, stack)
        if known >= 0:
            return self._known_masks[known]
        mask, begins = self.mask_under(0, state, stack)
        if begins:
            mask, verify = self._worlds.mask((World(GENERAL, state, stack),))
            if verify:
                self.verify[place] = verify
        else:
            self._keep_mask(mask, state, stack)
        return mask

    def follow(self, place: int, token_id: int, tail: Tail) -> int | None:
        """The place after a token; None when it is not allowed."""
        with self.lock:
            if place >= 0:
                following, mask = next_place(self._address, place, token_id) or self._next_further(token_id)
                if following >= 0:
                    if mask >= 0:
                        self.masks[following] = self._known_masks[mask]
                    self.steps[place << TOKEN_BITS | token_id] = following
                    return following  # type: ignore[no-any-return]
                if following == pd.DEAD:
                    return None
            found, is_sure = self._worlds.follow(self.worlds_at(place), token_id, tail)
            if not found:
                return None
            following = self._place_of(found)
            if is_sure:
                self.steps[place << TOKEN_BITS | token_id] = following
            return following

    def _next_further(self, token_id: int) -> tuple[int, int]:
        """As `next_place`, where something must be built on the way."""
        state, stack = self._advance_further(token_id)
        if self.machine.meets_documents or (state >= 0 and self.states.is_beside(state)):
            return pd.BESIDE, -1
        return (state << 32 | stack, known_mask(self._address, state, stack)) if state >= 0 else (state, -1)

    def is_allowed(self, place: int, token_id: int, tail: Tail) -> bool:
        """True when a token (of text) may come."""
        return self.follow(place, token_id, tail) is not None

    def keeps_guards(self, following: int, token_id: int, tail: Tail) -> bool:
        """True: `follow` has looked at everything."""
        return True

    def uncertain_tokens(self, place: int, tail: Tail) -> Iterable[int]:
        """The tokens of a place that must be tried out in spite of its mask."""
        verify = self.verify.get(place, ())
        if not self.has_guards:
            return verify
        with self.lock:
            return {*verify, *self._worlds.guarded_tokens(self.worlds_at(place), tail)}

    def forced_byte(self, place: int, tail: Tail) -> int | None:
        """The only byte that may come next; None where there is a choice, or the text may end."""
        if place < 0:
            return self._only_byte(place, tail)
        forced = self._forced.get(place)
        if forced is None:
            with self.lock:
                forced = self.requests.run(lambda: forced_byte(self._address, place >> 32))
                forced = self._forced[place] = -1 if self.is_complete_at(place) else forced
        return None if forced < 0 else forced

    def _only_byte(self, place: int, tail: Tail) -> int | None:
        """As `forced_byte`, by trying all bytes."""
        by_id = [
            world
            for world in self.worlds_at(place)
            if world.document == GENERAL and self.states.content[world.code].tokens
        ]
        if by_id or self.is_complete_at(place):
            return None
        size = self.lexicon.vocabulary.size
        found = [byte for byte in range(256) if self.is_allowed(place, size + byte, tail)]
        return found[0] if len(found) == 1 else None

    def _place(self, state: int, stack: int) -> int:
        """The place of a state that does not return, and a stack."""
        if self.states.is_beside(state):
            return self._place_of(self._worlds.begun(state, stack))
        return state << 32 | stack

    def _place_of(self, worlds: tuple[World, ...]) -> int:
        """The place of some worlds, sorted."""
        if len(worlds) == 1 and worlds[0].document == GENERAL:
            state, stack = worlds[0].code, worlds[0].stack
            if not self.states.is_beside(state):
                return state << 32 | stack
        place = self._places_of.get(worlds)
        if place is None:
            place = self._places_of[worlds] = ENDED - len(self._worlds_at)
            self._worlds_at.append(worlds)
        return place

    def worlds_at(self, place: int) -> tuple[World, ...]:
        """The worlds of a place; where there is one local state, that."""
        return (World(GENERAL, place >> 32, place & at.MASK32),) if place >= 0 else self._worlds_at[ENDED - place]

    def worlds_after(self, state: int, stack: int) -> tuple[World, ...]:
        """The worlds that begin at a local state."""
        return self._worlds.begun(state, stack)

    def document_of(self, world: World) -> EmbeddedAutomaton:
        """The machine of a world's document."""
        return self._worlds.machine(world.document)
