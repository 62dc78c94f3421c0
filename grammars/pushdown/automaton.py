"""`PushdownAutomaton`: one grammar on one vocabulary: its local states, stacks, places and masks, built when first met.

The kernels read its tables; when they meet something that is not built they say so, `_serve` builds it, and they go on
from there. Everything is done under the lexicon's lock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from ..automaton import layout as at
from ..automaton.bounded import BoundedWork
from ..automaton.lexicon import Lexicon
from ..automaton.patches import Patches
from ..automaton.segments import copy_row
from ..automaton.tables import Tail
from ..automaton.turnstile import Turnstile
from ..limits import Limits
from ..memory.structs import address_of
from ..rules.network import Network
from ..watch import Watch, checkpoint
from . import layout as pd
from .documents import EmbeddedAutomaton, Schemas
from .kind_rows import KindRows
from .masks import fill_mask
from .stack import Stack
from .states import LocalStates
from .steps import advance, follow_entry, forced_byte, known_mask, next_place
from .structs import RuleMachine
from .walks import walk_segment
from .worlds import GENERAL, World, Worlds

if TYPE_CHECKING:
    from ..closing.base import Closing

_PLACE_BYTES = 500  # of a place with its steps. A guess
TOKEN_BITS: Final = 32
ENDED: Final = -1
"""The place after an end token."""

Mask = tuple[int, int, int]
"""Address of the base row, address of the changed words, how many of them."""


class PushdownAutomaton:
    """The tables of one grammar and its places. `start` is that of the empty text, `ended` the one after an end token.

    Places are numbers: at most of them there is one local state with a stack, and only bytes come: local state << 32 |
    stack. Where several things may come, of different kinds, they are worlds: places below ENDED.
    steps: place << TOKEN_BITS | token -> the place after it, where it was met and does not depend on the text before.
    masks: of the places where they were made or met again. verify: place -> tokens that its mask leaves open, because
    they depend on the text before.
    """

    ended: Final = ENDED

    def __init__(self, network: Network, lexicon: Lexicon, schemas: Schemas, limits: Limits) -> None:
        self.lexicon = lexicon
        self.lock = Turnstile(lexicon.lock)
        self.limits = limits
        self._limits = limits
        self.machine = RuleMachine(lexicon.tables)
        self._address = self.machine.address
        self._work = BoundedWork(limits)
        self.states = LocalStates(network, lexicon, self.machine, limits)
        self._stack = Stack(self.machine)
        self.machine.segments.ensure(64)
        self.machine.exits.ensure(1 << 11)
        self._rows: list[NDArray[np.int32]] = []
        self._patches = Patches(self.machine.patch)
        self._kind_rows = KindRows(lexicon, self.machine)
        self._known_masks: list[Mask] = []  # by the numbers of the kernels
        self._num_mask_nodes = 0
        self.masks: dict[int, Mask] = {ENDED: (lexicon.zero_row, 0, 0)}
        self.verify: dict[int, tuple[int, ...]] = {}
        self.steps: dict[int, int] = {}
        self._forced: dict[int, int] = {}  # place -> the only byte that may come, -1 for none
        self._worlds_at: list[tuple[World, ...]] = [()]  # of place ENDED - i
        self._places_of: dict[tuple[World, ...], int] = {}
        self.documents = schemas.automata(lexicon)
        self.has_guards = False  # of a document; its worlds find out
        self._worlds = Worlds(self)
        self._builders: dict[int, Callable[[int, int], None]] = {
            **self.states.builders,
            pd.NEED_SEGMENT: self._build_segment,
            pd.NEED_KINDS: lambda state, node: self._kind_rows.add(state, self.states.loops(state), node),
            at.NEED_STACK: lambda _a, _b: self._stack.grow(),
            at.NEED_QUEUE: lambda _, room: lexicon.grow_queue(room),
            at.NEED_PATCH: lambda _, count: self._patches.add_chunk(count),
        }
        with self.lock:
            self.start = self._place(*self.follow_entry(self.states.start(), 0))

    @property
    def num_bytes(self) -> int:
        """Estimate of its memory, without the lexicon's."""
        rows = sum([row.nbytes for row in self._rows]) + self._patches.num_bytes
        documents = sum([machine.num_bytes for machine in self.documents.values()])
        places = _PLACE_BYTES * (len(self.masks) + len(self.states.content))
        return self.machine.num_bytes + rows + documents + places

    @property
    def is_worn(self) -> bool:
        """True when new matchers should have a new automaton: this one, or its lexicon, comes near its limits."""
        is_long = 2 * len(self.states.content) > self._limits.max_automaton_states
        return is_long or self.lexicon.is_full or any(machine.is_worn for machine in self.documents.values())

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

    def _keep_mask(self, mask: Mask, state: int, stack: int) -> None:
        """Remember the mask that was just made, by the frames on the stack as far as they were read."""
        num_frames = max(0, self._stack.depth(stack) - self.machine.lowest + 1)
        self._known_masks.append(mask)
        found, keep = self.states.mask(state), partial(self.states.set_mask, state)
        for _ in range(num_frames):
            if found == 0:
                self._num_mask_nodes += 1
                found = -self._num_mask_nodes
                keep(found)
            frame, stack = self._stack.top(stack)
            masks = self.machine.masks
            found, keep = masks.value(-found, frame), partial(masks.insert, -found, frame)
        if found == 0:
            keep(len(self._known_masks))

    def mask_under(self, node: int, state: int, stack: int) -> tuple[Mask, list[tuple[int, int, int]]]:
        """The mask of the tokens under a trie node, when a text is at a local state there.

        Then where documents may begin inside of these tokens: node, local state and stack. Called under the lock.
        """
        mask = fill_mask(self._address, node, state, stack, 0)
        watch = self._work.watch() if mask[0] < 0 else None
        while mask[0] < 0:
            self._serve(watch)
            mask = fill_mask(self._address, node, state, stack, 1)
        base, patch, num_changed = mask
        if 2 * num_changed > self.lexicon.num_words:
            base, patch, num_changed = self._flattened(base, patch, num_changed), 0, 0
        return (base, patch, num_changed), self.lexicon.delayed() if self.documents else []

    def _flattened(self, base: int, patch: int, num_changed: int) -> int:
        """The address of a row of its own for the mask that was just made, whose patch is given up."""
        row = self.new_row()
        copy_row(row.reshape(1, -1), 0, base, patch, num_changed)
        self.machine.patch.used -= num_changed
        return address_of(row)

    def follow(self, place: int, token_id: int, tail: Tail) -> int | None:
        """The place after a token; None when it is not allowed."""
        with self.lock:
            if place >= 0:
                following, mask = next_place(self._address, place, token_id)
                if following == pd.NEED:
                    following, mask = self._next_further(token_id)
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

    def advance(self, state: int, stack: int, token_id: int) -> tuple[int, int, bool]:
        """The local state and stack after a token's bytes (DEAD: none), and whether a document may begin in between."""
        if self.documents:
            self.machine.meets_documents = 0
        following, new_stack = advance(self._address, state, stack, token_id, 0)
        if following == pd.NEED:
            following, new_stack = self._advance_further(token_id)
        return following, new_stack, bool(self.documents and self.machine.meets_documents)

    def _advance_further(self, token_id: int) -> tuple[int, int]:
        """Go on with a token for which something must be built."""
        watch, machine = self._work.watch(), self.machine
        following, stack = pd.NEED, 0
        while following == pd.NEED:
            before, position = (machine.state, machine.stack), machine.position
            self._serve(watch)
            following, stack = advance(self._address, *before, token_id, position)
        return following, stack

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
                forced = int(forced_byte(self._address, place >> 32))
                while forced == pd.NEED:
                    self._serve(self._work.watch())
                    forced = int(forced_byte(self._address, place >> 32))
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

    @cached_property
    def closing(self) -> Closing[int]:
        """See `RunningAutomaton`."""
        from ..closing.rules_closing import RulesClosing

        return RulesClosing(self, self._limits)

    @property
    def num_nodes(self) -> int:
        """How many stack nodes there are, node 0 included."""
        return self._stack.num_nodes

    def top_frame(self, stack: int) -> tuple[int, int]:
        """The frame on top of a stack that is not empty, and the stack without it."""
        return self._stack.top(stack)

    def worlds_at(self, place: int) -> tuple[World, ...]:
        """The worlds of a place; where there is one local state, that."""
        return (World(GENERAL, place >> 32, place & at.MASK32),) if place >= 0 else self._worlds_at[ENDED - place]

    def worlds_after(self, state: int, stack: int) -> tuple[World, ...]:
        """The worlds that begin at a local state."""
        return self._worlds.begun(state, stack)

    def document_of(self, world: World) -> EmbeddedAutomaton:
        """The machine of a world's document."""
        return self._worlds.machine(world.document)

    def follow_entry(self, entry: int, stack: int) -> tuple[int, int]:
        """Where an entry of a row leads to."""
        state, following = follow_entry(self._address, entry, stack)
        while state == pd.NEED:
            self._serve(self._work.watch())
            state, following = follow_entry(self._address, entry, stack)
        return state, following

    def _serve(self, watch: Watch | None) -> None:
        """Build what a kernel asked for."""
        request = self.machine.request
        need, a, b = request.need, request.first, request.second
        key = (need, a, b) if need == pd.NEED_TERMINAL else None
        self._work.run(key, lambda: self._builders[need](a, b), watch)

    def _build_segment(self, state: int, _: int) -> None:
        machine, row = self.machine, address_of(self.new_row())
        missing = walk_segment(self._address, state, row, 0)
        while missing:
            self._build()
            missing = walk_segment(self._address, state, row, 1)
        exits = self.lexicon.exits()[:, :2].copy().view(machine.exits.dtype).ravel()
        number = machine.segments.reserve(1)
        segment = machine.segments[number]
        segment.row, segment.first_exit, segment.num_exits = row, machine.exits.append(exits), len(exits)
        machine.states[state].segment = number

    def _build(self) -> None:
        """Build what a kernel asked for, while something else is being built."""
        request = self.machine.request
        self._builders[request.need](request.first, request.second)
        checkpoint()

    def new_row(self) -> NDArray[np.int32]:
        """A row that never moves."""
        row = np.zeros(self.lexicon.num_words, dtype=np.int32)
        self._rows.append(row)
        return row
