"""`PushdownAutomaton`: one grammar on one vocabulary: its local states, stacks, places and masks, built when first met.

The kernels read its columns; when they meet something that is not built they say so, `_serve` builds it, and they go on
from there. Everything is done under the lexicon's lock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..automaton import layout as at
from ..automaton.automaton import Config, Tail
from ..automaton.bounded import BoundedWork
from ..automaton.lexicon import Lexicon
from ..automaton.memory import Block, Column, address
from ..automaton.patches import Patches
from ..automaton.segments import copy_row
from ..limits import Limits
from ..rules.network import Network
from ..watch import Watch, checkpoint
from . import layout as pd
from .documents import EmbeddedAutomaton, Schemas
from .kind_rows import KindRows
from .masks import fill_mask
from .stack import Stack
from .states import LocalStates
from .steps import advance, follow, forced_byte
from .walks import walk_segment
from .worlds import GENERAL, World, Worlds

if TYPE_CHECKING:
    from ..closing.base import Closing

_PLACE_BYTES = 600  # of a Place with its transitions. A guess

Mask = tuple[int, int, int]
"""Address of the base row, address of the changed words, how many of them."""

_Masks = dict[int, "_Masks | Mask"]
"""Masks by what they depend on: by local state, then by the frames on the stack, as far as they were read."""


class Place(Config):
    """A place in a text where several things may come, of different kinds. Interned, so what is known about it is
    computed once. At most places there is one local state with a stack, and only bytes come: these are plain Configs.

    worlds: where the text may be.
    """

    __slots__ = ("worlds",)

    def __init__(self, is_complete: bool, worlds: tuple[World, ...]) -> None:
        super().__init__(0, 0, is_complete)
        self.worlds = worlds


def worlds_of(place: Config) -> tuple[World, ...]:
    """The worlds of a place, see `Place`."""
    return place.worlds if isinstance(place, Place) else ()


class PushdownAutomaton:
    """The tables of one grammar. `start` is the place of the empty text, `ended` the one after an end token."""

    def __init__(self, network: Network, lexicon: Lexicon, schemas: Schemas, limits: Limits) -> None:
        self.lexicon = lexicon
        self._limits = limits
        self.block = Block(pd.NUM_FIELDS)
        self._address, self._fields = self.block.address, self.block.fields
        self._fields[at.M_LEXICON] = lexicon.block.address
        self._work = BoundedWork(limits, self.block)
        self.states = LocalStates(network, lexicon, self.block, limits)
        self._stack = Stack(self.block)
        self._segments = Column(self.block, pd.P_SEGMENTS, np.int64, 64 * pd.SEGMENT_FIELDS)
        self._exits = Column(self.block, pd.P_EXITS, np.int32, 1 << 12)
        self._rows: list[NDArray[np.int32]] = []
        self._patches = Patches(self.block)
        self._kind_rows = KindRows(lexicon, self.block)
        self._masks: dict[int, _Masks | Mask] = {}
        self._flags: dict[int, int] = {}
        self._places: dict[tuple[int, int] | tuple[World, ...], Config] = {}
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
        with lexicon.lock:
            self.start = self._place(*self.follow_entry(self.states.start(), 0))
        self.ended = Config(at.DONE, 0, False)
        self.ended.base = int(lexicon.block.fields[at.L_ZERO_ROW])

    @property
    def num_bytes(self) -> int:
        """Estimate of its memory, without the lexicon's."""
        rows = sum([row.nbytes for row in self._rows]) + self._patches.num_bytes
        documents = sum([machine.num_bytes for machine in self.documents.values()])
        return self.block.num_bytes + rows + documents + _PLACE_BYTES * (len(self._places) + len(self.states.content))

    @property
    def is_worn(self) -> bool:
        """True when new matchers should have a new automaton: this one, or its lexicon, comes near its limits."""
        is_long = 2 * len(self.states.content) > self._limits.max_automaton_states
        return is_long or self.lexicon.is_full or any(machine.is_worn for machine in self.documents.values())

    def make_mask(self, place: Config) -> None:
        """Fill in a place's mask."""
        with self.lexicon.lock:
            if place.base:
                return
            worlds = worlds_of(place)
            if worlds:
                mask, place.verify = self._worlds.mask(worlds)
            else:
                mask = self._mask_of(place)
            base, place.patch, place.num_changed = mask
            place.base = base

    def _mask_of(self, place: Config) -> Mask:
        """The mask of a place with one local state."""
        known = self._known_mask(place.code, place.stack)
        if known is not None:
            return known
        mask, begins = self.mask_under(0, place.code, place.stack)
        if begins:
            mask, place.verify = self._worlds.mask((World(GENERAL, place.code, place.stack),))
        else:
            self._keep_mask(mask, place.code, place.stack)
        return mask

    def _known_mask(self, state: int, stack: int) -> Mask | None:
        """The mask of a local state with the same upper frames, if one was made."""
        known = self._masks.get(state)
        while isinstance(known, dict):
            frame, stack = self._stack.top(stack)
            known = known.get(frame)
        return known

    def _keep_mask(self, mask: Mask, state: int, stack: int) -> None:
        """Remember the mask that was just made."""
        num_frames = max(0, self._stack.depth(stack) - int(self._fields[pd.P_LOWEST]) + 1)
        known, key = self._masks, state
        for _ in range(num_frames):
            below = known.setdefault(key, {})
            assert isinstance(below, dict)
            known = below
            key, stack = self._stack.top(stack)
        known[key] = mask

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
        self._fields[at.M_PATCH_USED] -= num_changed
        return address(row)

    def follow(self, place: Config, token_id: int, tail: Tail) -> Config | None:
        """The place after a token; None when it is not allowed."""
        with self.lexicon.lock:
            worlds = worlds_of(place)
            if not worlds:
                state, stack, meets_documents = self.advance(place.code, place.stack, token_id)
                if not meets_documents:
                    if state < 0:
                        return None
                    following = self._places.get((state, stack)) or self._place(state, stack)
                    place.note(token_id, following)
                    return following
                worlds = (World(GENERAL, place.code, place.stack),)
            found, is_sure = self._worlds.follow(worlds, token_id, tail)
            if not found:
                return None
            following = self._place_of(found)
            if is_sure:
                place.note(token_id, following)
            return following

    def advance(self, state: int, stack: int, token_id: int) -> tuple[int, int, bool]:
        """The local state and stack after a token's bytes (DEAD: none), and whether a document may begin in between."""
        if self.documents:
            self._fields[at.M_FOUND] = 0
        following, new_stack = advance(self._address, state, stack, token_id, 0)
        if following == pd.NEED:
            following, new_stack = self._advance_further(token_id)
        return following, new_stack, bool(self.documents and self._fields[at.M_FOUND])

    def _advance_further(self, token_id: int) -> tuple[int, int]:
        """Go on with a token for which something must be built."""
        watch = self._work.watch()
        following, stack = pd.NEED, 0
        while following == pd.NEED:
            before = int(self._fields[at.M_CODE]), int(self._fields[at.M_STACK])
            position = int(self._fields[at.M_POSITION])
            self._serve(watch)
            following, stack = advance(self._address, *before, token_id, position)
        return following, stack

    def is_allowed(self, place: Config, token_id: int, tail: Tail) -> bool:
        """True when a token (of text) may come."""
        return self.follow(place, token_id, tail) is not None

    def keeps_guards(self, following: Config, token_id: int, tail: Tail) -> bool:
        """True: `follow` has looked at everything."""
        return True

    def uncertain_tokens(self, place: Config, tail: Tail) -> Iterable[int]:
        """The tokens of a place that must be tried out in spite of its mask."""
        if not self.has_guards:
            return place.verify
        with self.lexicon.lock:
            return {*place.verify, *self._worlds.guarded_tokens(worlds_of(place), tail)}

    def forced_byte(self, place: Config, tail: Tail) -> int | None:
        """The only byte that may come next; None where there is a choice, or the text may end."""
        if worlds_of(place):
            return self._only_byte(place, tail)
        if place.forced == -2:
            with self.lexicon.lock:
                byte = forced_byte(self._address, place.code)
                while byte == pd.NEED:
                    self._serve(self._work.watch())
                    byte = forced_byte(self._address, place.code)
                place.forced = -1 if place.is_complete else byte
        return None if place.forced < 0 else place.forced

    def _only_byte(self, place: Config, tail: Tail) -> int | None:
        """As `forced_byte`, by trying all bytes."""
        by_id = [
            world for world in worlds_of(place) if world.document == GENERAL and self.states.content[world.code].tokens
        ]
        if place.is_complete or by_id:
            return None
        size = self.lexicon.vocabulary.size
        found = [byte for byte in range(256) if self.is_allowed(place, size + byte, tail)]
        return found[0] if len(found) == 1 else None

    def _place(self, state: int, stack: int) -> Config:
        """The place of a state that does not return, and a stack."""
        place = self._places.get((state, stack))
        if place is None:
            flags = self._flags.get(state)
            if flags is None:
                flags = self._flags[state] = self.states.flags(state)
            if flags & (pd.HAS_DOCUMENTS | pd.HAS_TOKENS):
                place = self._place_of(self._worlds.begun(state, stack))
            else:
                place = Config(state, stack, flags & pd.HAS_COMPLETE != 0)
                mask = self._known_mask(state, stack)
                if mask is not None:
                    place.base, place.patch, place.num_changed = mask
            self._places[state, stack] = place
        return place

    def _place_of(self, worlds: tuple[World, ...]) -> Config:
        """The place of some worlds, sorted."""
        if len(worlds) == 1 and worlds[0].document == GENERAL:
            state, stack = worlds[0].code, worlds[0].stack
            if not self.states.flags(state) & (pd.HAS_DOCUMENTS | pd.HAS_TOKENS):
                return self._place(state, stack)
        place = self._places.get(worlds)
        if place is None:
            place = self._places[worlds] = Place(self._worlds.is_complete(worlds), worlds)
        return place

    @cached_property
    def closing(self) -> Closing[Config]:
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

    def worlds_at(self, place: Config) -> tuple[World, ...]:
        """The worlds of a place; where there is one local state, that."""
        return worlds_of(place) or (World(GENERAL, place.code, place.stack),)

    def worlds_after(self, state: int, stack: int) -> tuple[World, ...]:
        """The worlds that begin at a local state."""
        return self._worlds.begun(state, stack)

    def document_of(self, world: World) -> EmbeddedAutomaton:
        """The machine of a world's document."""
        return self._worlds.machine(world.document)

    def follow_entry(self, entry: int, stack: int) -> tuple[int, int]:
        """Where an entry of a row leads to."""
        state, following = follow(self._address, entry, stack)
        while state == pd.NEED:
            self._serve(self._work.watch())
            state, following = follow(self._address, entry, stack)
        return state, following

    def _serve(self, watch: Watch | None) -> None:
        """Build what a kernel asked for."""
        need, a, b = (int(self._fields[field]) for field in (at.M_NEED, at.M_NEED_A, at.M_NEED_B))
        key = (need, a, b) if need == pd.NEED_TERMINAL else None
        self._work.run(key, lambda: self._builders[need](a, b), watch)

    def _build_segment(self, state: int, _: int) -> None:
        row = self.new_row()
        missing = walk_segment(self._address, state, address(row), 0)
        while missing:
            self._build()
            missing = walk_segment(self._address, state, address(row), 1)
        exits = self.lexicon.exits(2)
        segment = self._segments.reserve(pd.SEGMENT_FIELDS)
        first = self._exits.append(exits.ravel()) // 2
        self._segments.data[segment : segment + pd.SEGMENT_FIELDS] = (address(row), first, len(exits))
        self.states.set_segment(state, segment // pd.SEGMENT_FIELDS)

    def _build(self) -> None:
        """Build what a kernel asked for, while something else is being built."""
        need, a, b = self._fields[at.M_NEED : at.M_NEED + 3].tolist()
        self._builders[need](a, b)
        checkpoint()

    def new_row(self) -> NDArray[np.int32]:
        """A row that never moves."""
        row = np.zeros(self.lexicon.num_words, dtype=np.int32)
        self._rows.append(row)
        return row
