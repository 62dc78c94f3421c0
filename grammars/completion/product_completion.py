"""`ProductCompletion`: the ends of texts that belong to a grammar and to a regular language at once.

The grammar's shortest completion is tried on the regular side; where that refuses it, completions beside it are tried,
a bounded number of them. So, other than for one grammar alone, the distance of some configurations stays unknown.
Tokens that lead there are cleared only when less than `_PATIENCE` tokens and twice the grammar's own bound are left.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from itertools import count
from typing import ClassVar

from ..automaton.tails import Tail, longer
from ..bitset import Bitmask
from ..product.automaton import ProductAutomaton
from ..pushdown.branches import Branch
from ..watch import checkpoint
from .documents import Trust
from .level_completion import Distance, Group, LevelCompletion
from .ropes import Item, Rope, flatten, join, of_items, of_text
from .rules_completion import RulesCompletion
from .walk import TokenWalk, of_tokens, walks_from

_PATIENCE = 128
_MANY_PLACES = 2000


class ProductCompletion(LevelCompletion):
    """See `Completion`. It asks that of the grammar without the regular side."""

    many_tokens: ClassVar[int] = 16

    def __init__(self, automaton: ProductAutomaton) -> None:
        super().__init__(automaton)
        self._automaton = automaton
        self._left = RulesCompletion(automaton.rules)
        self._walk: TokenWalk | None = None

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
        left, q = self._automaton.states_at[config]
        rope, is_sure = self._left.rope(left, tail)
        if rope is not None and self._automaton.takes(q, flatten(rope)):
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
            so_far, q = longer(tail, written), self._automaton.states_at[here][1]
            items = self._items(here, so_far)
            if items is not None and self._automaton.takes(q, items):
                token_ids = self.speller.spell(flatten(join(of_text(written), of_items(items))))
                if token_ids is not None and self.is_completion(config, tail, token_ids):
                    return token_ids
            for byte in self._automaton.bytes_after(q):
                following = self.running.follow(here, size + byte, so_far)
                if following is not None and following not in seen:
                    checkpoint()
                    seen.add(following)
                    text = written + bytes([byte])
                    rope, _ = self._left.rope(self._automaton.left_of(following), longer(tail, text))
                    if rope is not None:
                        heapq.heappush(waiting, (len(text) + rope.num_bytes, next(order), text, following))
        return None

    def _keep_uncertain(self, kept: Bitmask, uncertain: Bitmask, config: int, tail: Tail, budget: int) -> None:
        """See `LevelCompletion`. While there is patience, all are kept."""
        distance = self.guess(config, tail)
        if distance is not None and budget >= 2 * distance + _PATIENCE:
            kept |= uncertain
        else:
            super()._keep_uncertain(kept, uncertain, config, tail, budget)

    def _find_groups(self, config: int) -> Iterator[Group]:
        automaton, branches = self._automaton, self._automaton.rules.branches
        if self._walk is None:
            self._walk = TokenWalk(self.vocabulary_tables, automaton.limits, automaton.language)
        left, q = automaton.states_at[config]
        starts = automaton.rules.branches_at(left)
        by_id = set[int]().union(*[branches.tokens_by_id(branch) for branch in starts])
        if by_id:
            yield of_tokens(by_id), [(None, False)]
        for branch, reached in walks_from(branches, starts, self._walk, q):
            pairs = zip(reached.states, reached.regular, strict=True)
            yield reached, [self._distance_of(branch, state, end) for state, end in pairs]

    def _distance_of(self, branch: Branch, state: tuple[int, int, int], q: int) -> Distance:
        """The distance of a state of the grammar with a state of the regular side."""
        code, stack, capture = state
        rope, trust = self._left.ropes.of_branch(branch._replace(code=code, stack=stack), None)
        if rope is None or capture or trust is not Trust.SURE or self._automaton.has_guards:
            return None, False
        is_taken = self._automaton.takes(q, flatten(rope))
        return (self.count(rope) if is_taken else None), is_taken
