"""`ProductCompletion`: the ends of texts that belong to a grammar and to a regular language at once.

The grammar's shortest completion is tried on the regular side; where that refuses it, completions beside it are tried,
a bounded number of them. So, other than for one grammar alone, the distance of some configurations stays unknown.
Tokens that lead there are cleared only when less than `_PATIENCE` tokens and twice the grammar's own bound are left.
"""

from __future__ import annotations

import heapq
from itertools import count

import numpy as np

from ..automaton.tails import Tail, longer, whole
from ..bitset import Bitmask, bit
from ..product.automaton import ProductAutomaton
from ..pushdown.branches import Branch
from ..watch import checkpoint
from .base import Completion, clear_all_but
from .documents import Trust
from .levels import Levels, levels_of
from .ropes import Item, Rope, flatten, join, of_items, of_text
from .rules_completion import RulesCompletion
from .walk import Reached, TokenWalk

_PATIENCE = 128
_MANY_TOKENS = 16  # that lead to configurations of unknown distance are tried out at one configuration
_MANY_LEVELS = 64
_MANY_PLACES = 2000


class ProductCompletion(Completion):
    """See `Completion`. It asks that of the grammar without the regular side."""

    def __init__(self, automaton: ProductAutomaton) -> None:
        super().__init__(automaton)
        self._automaton = automaton
        self._left = RulesCompletion(automaton.rules)
        self._walk: TokenWalk | None = None
        self._levels: dict[int, tuple[Levels, Bitmask]] = {}

    @property
    def knows_all(self) -> bool:
        """See `Completion.knows_all`."""
        return self._left.knows_all

    def is_far(self, config: int, budget: int) -> bool:
        """See `Completion.is_far`; of texts that the regular side does not lengthen by much."""
        left = (budget - _PATIENCE) // 2
        return left > 0 and self._left.is_far(self._automaton.left_of(config), left)

    def rope(self, config: int, tail: Tail) -> tuple[Rope | None, bool]:
        """See `Completion.rope`."""
        if self._automaton.is_complete_at(config):
            return Rope(0, 0, ()), True
        rope, is_sure = self._left.rope(self._automaton.left_of(config), tail)
        if rope is not None and self._automaton.takes(config, flatten(rope)):
            return rope, is_sure
        return None, is_sure

    def guess(self, config: int, tail: Tail) -> int | None:
        """See `Completion.guess`."""
        return self._left.distance(self._automaton.left_of(config), tail)

    def _items(self, config: int, tail: Tail) -> list[Item] | None:
        rope, _ = self._left.rope(self._automaton.left_of(config), tail)
        return None if rope is None else flatten(rope)

    def _look_around(self, config: int, tail: Tail) -> list[int] | None:
        """A completion found by A* over configurations, byte by byte; what the grammar alone needs is the bound."""
        size, order = self.vocabulary_tables.vocabulary.size, count()
        waiting: list[tuple[int, int, bytes, int]] = [(0, 0, b"", config)]
        seen = {config}
        for _ in range(_MANY_PLACES):
            if not waiting:
                break
            _, _, written, here = heapq.heappop(waiting)
            so_far = longer(tail, written)
            items = self._items(here, so_far)
            if items is not None and self._automaton.takes(here, items):
                token_ids = self.speller.spell(flatten(join(of_text(written), of_items(items))))
                if token_ids is not None and self.is_completion(config, tail, token_ids):
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

    def restrict(self, row: Bitmask, config: int, tail: Tail, budget: int) -> bool:
        """See `Completion.restrict`."""
        with self.running.lock:
            levels, unknown = self._levels_at(config)
            proven = levels.within(budget)
            kept = np.zeros_like(row) if proven is None else proven.copy()
            if self._is_patient(config, budget):
                kept |= unknown
            asked = np.flatnonzero(np.unpackbits((row & ~kept).view(np.uint8), bitorder="little"))
            for token_id in asked[:_MANY_TOKENS].tolist():
                if self.fits(config, token_id, tail, budget):
                    kept[token_id >> 5] |= bit(token_id)
            for token_id in self.vocabulary_tables.vocabulary.eos_token_ids:
                kept[token_id >> 5] |= bit(token_id)
            return clear_all_but(row, kept)

    def _is_patient(self, config: int, budget: int) -> bool:
        """Whether configurations of unknown distance may still be gone to."""
        distance = self.guess(config, whole(b""))
        return distance is not None and budget >= 2 * distance + _PATIENCE

    def nearest(self, config: int, tail: Tail) -> tuple[int, int] | None:
        """See `Completion.nearest`."""
        return self._levels_at(config)[0].nearest()

    def _levels_at(self, config: int) -> tuple[Levels, Bitmask]:
        """What `_find_levels` finds; kept for some configurations."""
        if config not in self._levels:
            if len(self._levels) >= _MANY_LEVELS:
                self._levels.clear()
            self._levels[config] = self._find_levels(config)
        return self._levels[config]

    def _find_levels(self, config: int) -> tuple[Levels, Bitmask]:
        """The levels of a configuration, and the tokens that lead to configurations of unknown distance."""
        if self._walk is None:
            self._walk = TokenWalk(self.vocabulary_tables, self._automaton.limits, self._automaton.language)
        both: list[tuple[Reached, list[int | None]]] = []
        unknown: list[tuple[Reached, list[int | None]]] = []
        rules = self._automaton.rules
        q = self._automaton.right_of(config)
        waiting = [(0, branch, q) for branch in rules.branches_at(self._automaton.left_of(config))]
        seen = set(waiting)
        for node, branch, q in waiting:
            reached = self._walk.reached(rules.running(branch), branch.code, branch.stack, node, q)
            distances = [
                self._distance_of(branch, state, q) for state, q in zip(reached.states, reached.regular, strict=True)
            ]
            both.append((reached, distances))
            unknown.append((reached, [0 if distance is None else None for distance in distances]))
            for below, number in reached.events:
                for begun in rules.begun_inside(branch, *reached.states[number][:2]):
                    item = (below, begun, reached.regular[number])
                    if item not in seen:
                        seen.add(item)
                        waiting.append(item)
        found = levels_of(self.vocabulary_tables, unknown).within(0)
        nothing = np.zeros(self.vocabulary_tables.num_words, dtype=np.int32)
        return levels_of(self.vocabulary_tables, both), nothing if found is None else found

    def _distance_of(self, branch: Branch, state: tuple[int, int, int], q: int) -> int | None:
        """The distance of a state of the grammar with a state of the regular side, None where it is not known."""
        code, stack, capture = state
        rope, trust = self._left.ropes.of_branch(branch._replace(code=code, stack=stack), None)
        if rope is None or capture or trust is not Trust.SURE or self._automaton.has_guards:
            return None
        return self.count(rope) if self._automaton.takes_from(q, flatten(rope)) else None
