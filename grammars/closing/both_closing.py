"""`BothClosing`: the ends of texts that belong to a grammar and to a regular language at once.

The grammar's shortest completion is tried on the regular side; where that refuses it, completions beside it are tried,
a bounded number of them. So, other than for one grammar alone, the need of some places stays unknown. Tokens that lead
there are cleared only when less than `_PATIENCE` tokens and twice the grammar's own bound are left.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from itertools import count

import numpy as np

from ..automaton.automaton import Config
from ..automaton.tables import Tail
from ..bitset import Bitmask
from ..intersection import layout as ix
from ..intersection.automaton import IntersectionAutomaton
from ..limits import Limits
from ..pushdown.worlds import GENERAL, World
from ..regex.algebra import Language
from ..watch import checkpoint
from .base import Closing, bit, clear_all_but, longer
from .documents import Trust
from .levels import Levels, levels_of
from .ropes import Item, Rope, flatten, join, of_items, of_text
from .rules_closing import RulesClosing
from .walk import Reached, TokenWalk

_PATIENCE = 128
_MANY_TOKENS = 16  # that lead to places of unknown need are tried out at one place
_MANY_LEVELS = 64
_MANY_PLACES = 2000


class BothClosing(Closing[Config]):
    """See `Closing`. left: of the grammar alone."""

    def __init__(
        self, automaton: IntersectionAutomaton, left: RulesClosing, language: Language, limits: Limits
    ) -> None:
        super().__init__(automaton)
        self._automaton = automaton
        self._left = left
        self._limits, self._language = limits, language
        self._walk: TokenWalk | None = None
        self._levels: dict[Config, tuple[Levels, Bitmask]] = {}

    def is_complete(self, place: Config) -> bool:
        """See `Closing.is_complete`."""
        return place.is_complete

    @property
    def knows_all(self) -> bool:
        """See `Closing.knows_all`."""
        return self._left.knows_all

    def is_far(self, place: Config, budget: int) -> bool:
        """See `Closing.is_far`; of texts that the regular side does not lengthen by much."""
        left = (budget - _PATIENCE) // 2
        return left > 0 and self._left.is_far(self._automaton.left_of(place), left)

    def rope(self, place: Config, tail: Tail) -> tuple[Rope | None, bool]:
        """See `Closing.rope`."""
        if place.is_complete:
            return Rope(0, 0, ()), True
        rope, is_sure = self._left.rope(self._automaton.left_of(place), tail)
        if rope is not None and self._automaton.takes(place, flatten(rope)):
            return rope, is_sure
        return None, is_sure

    def guess(self, place: Config, tail: Tail) -> int | None:
        """See `Closing.guess`."""
        return self._left.need(self._automaton.left_of(place), tail)

    def _items(self, place: Config, tail: Tail) -> list[Item] | None:
        rope, _ = self._left.rope(self._automaton.left_of(place), tail)
        return None if rope is None else flatten(rope)

    def _look_around(self, place: Config, tail: Tail) -> list[int] | None:
        """A completion found by A* over places, byte by byte; what the grammar alone needs is the bound."""
        size, order = self.lexicon.vocabulary.size, count()
        waiting: list[tuple[int, int, bytes, Config]] = [(0, 0, b"", place)]
        seen = {place}
        for _ in range(_MANY_PLACES):
            if not waiting:
                break
            _, _, written, here = heapq.heappop(waiting)
            so_far = longer(tail, written)
            items = self._items(here, so_far)
            if items is not None and self._automaton.takes(here, items):
                token_ids = self.speller.spell(flatten(join(of_text(written), of_items(items))))
                if token_ids is not None and self.is_completion(place, tail, token_ids):
                    return token_ids
            for byte in self._automaton.bytes_at(here):
                following = self.running.follow(here, size + byte, so_far)
                if following is not None and following not in seen:
                    checkpoint()
                    seen.add(following)
                    text = written + bytes([byte])
                    rope, _ = self._left.rope(self._automaton.left_of(following), longer(tail, text))
                    if rope is not None:
                        heapq.heappush(waiting, (len(text) + rope.num_bytes, next(order), text, following))
        return None

    def restrict(self, row: Bitmask, place: Config, tail: Tail, budget: int) -> bool:
        """See `Closing.restrict`."""
        with self.running.lock:
            levels, unknown = self._levels_at(place)
            proven = levels.within(budget)
            kept = np.zeros_like(row) if proven is None else proven.copy()
            if self._is_patient(place, budget):
                kept |= unknown
            asked = np.flatnonzero(np.unpackbits((row & ~kept).view(np.uint8), bitorder="little"))
            for token_id in asked[:_MANY_TOKENS].tolist():
                if self.fits(place, token_id, tail, budget):
                    kept[token_id >> 5] |= bit(token_id)
            for token_id in self.lexicon.vocabulary.eos_token_ids:
                kept[token_id >> 5] |= bit(token_id)
            return clear_all_but(row, kept)

    def _is_patient(self, place: Config, budget: int) -> bool:
        """Whether places of unknown need may still be gone to."""
        need = self.guess(place, lambda _: (b"", True))
        return need is not None and budget >= 2 * need + _PATIENCE

    def nearest(self, place: Config, tail: Tail) -> tuple[int, int] | None:
        """See `Closing.nearest`."""
        return self._levels_at(place)[0].nearest()

    def _levels_at(self, place: Config) -> tuple[Levels, Bitmask]:
        """What `_find_levels` finds, of some places kept."""
        if place not in self._levels:
            if len(self._levels) >= _MANY_LEVELS:
                self._levels.clear()
            self._levels[place] = self._find_levels(place)
        return self._levels[place]

    def _find_levels(self, place: Config) -> tuple[Levels, Bitmask]:
        """The levels of a place, and the tokens that lead to places of unknown need."""
        if self._walk is None:
            self._walk = TokenWalk(self.lexicon, self._limits, self._language)
        both: list[tuple[Reached, list[int | None]]] = []
        unknown: list[tuple[Reached, list[int | None]]] = []
        rules = self._automaton.rules
        q = self._walk.dfa.number_of(self._automaton.lexeme_at(place))
        waiting = [(0, world, q) for world in rules.worlds_at(self._automaton.left_of(place))]
        seen = set(waiting)
        for node, world, q in waiting:
            kind = ix.OF_RULES if world.document == GENERAL else ix.OF_DOCUMENTS
            machine = rules if world.document == GENERAL else rules.document_of(world)
            reached = self._walk.reached(machine, kind, world.code, world.stack, node, q)
            needs = [self._need_of(world, state, q) for state, q in zip(reached.states, reached.regular, strict=True)]
            both.append((reached, needs))
            unknown.append((reached, [0 if need is None else None for need in needs]))
            for below, number in reached.events:
                for begun in self._begun(world, reached.states[number]):
                    item = (below, begun, reached.regular[number])
                    if item not in seen:
                        seen.add(item)
                        waiting.append(item)
        found = levels_of(self.lexicon, unknown).within(0)
        nothing = np.zeros(self.lexicon.num_words, dtype=np.int32)
        return levels_of(self.lexicon, both), nothing if found is None else found

    def _begun(self, world: World, state: tuple[int, int, int]) -> Iterator[World]:
        rules = self._automaton.rules
        if world.document == GENERAL:
            return (other for other in rules.worlds_after(state[0], state[1]) if other.document != GENERAL)
        return iter(rules.worlds_after(world.next_state, world.next_stack))

    def _need_of(self, world: World, state: tuple[int, int, int], q: int) -> int | None:
        """The need of a state of the grammar with a state of the regular side, None where it is not known."""
        code, stack, capture = state
        rope, trust = self._left.ropes.of_world(world._replace(code=code, stack=stack), None)
        if rope is None or capture or trust is not Trust.SURE or self._automaton.has_guards:
            return None
        assert self._walk is not None
        end = self._automaton.end_of(self._walk.dfa, q, flatten(rope))
        return self.count(rope) if end is not None and self._walk.dfa.accepts(end) else None
