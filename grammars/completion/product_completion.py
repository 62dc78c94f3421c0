"""`ProductCompletion`: the ends of texts that belong to a grammar and to a regular language at once.

The grammar's shortest completion is tried on the regular side; where that refuses it, completions beside it are tried,
a bounded number of them. So, other than for one grammar alone, the distance of some configurations stays unknown.
Tokens that lead there are cleared only when less than `_PATIENCE` tokens and twice the grammar's own bound are left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from ..automaton.tails import Tail
from ..bitset import Bitmask
from ..cached import cached_property
from ..product.automaton import ProductAutomaton
from ..product.machines import Reached, Workspace
from .base import Completion
from .levels import Group, of_tokens
from .ropes import EMPTY, Rope, Trust, flatten
from .rules_completion import RulesCompletion

_PATIENCE = 128


class ProductCompletion(Completion):
    """See `Completion`. It asks that of the grammar without the regular side."""

    may_pause: ClassVar[bool] = False

    def __init__(self, automaton: ProductAutomaton) -> None:
        super().__init__(automaton)
        self._automaton = automaton
        self._left = RulesCompletion(automaton.rules)
        self._bound = self._left._bound

    @cached_property
    def _walks(self) -> Workspace:
        return Workspace(self._automaton.rules, self._automaton.dfa)

    def is_far(self, config: int, budget: int) -> bool:
        """See `Completion.is_far`; of texts that the regular side does not lengthen by much."""
        left = (budget - _PATIENCE) // 2
        return left > 0 and self._left.is_far(self._automaton.left_of(config), left)

    def rope(self, config: int, tail: Tail | None) -> tuple[Rope | None, Trust]:
        """See `Completion.rope`."""
        if self._automaton.is_complete_at(config):
            return EMPTY, Trust.SURE
        left, q = self._automaton.states_at[config]
        rope, trust = self._left.rope(left, tail)
        return (rope if rope is not None and self._automaton.takes(q, flatten(rope)) else None), trust

    def _guess(self, config: int, tail: Tail) -> tuple[Rope | None, Trust]:
        return self._left.rope(self._automaton.left_of(config), tail)

    def _bytes_at(self, config: int) -> Iterable[int]:
        return self._automaton.bytes_after(self._automaton.states_at[config][1])

    def _spelled(self, config: int, tail: Tail, rope: Rope | None) -> list[int] | None:
        if rope is None or not self._automaton.takes(self._automaton.states_at[config][1], flatten(rope)):
            return None
        return super()._spelled(config, tail, rope)

    def _keep_uncertain(self, kept: Bitmask, uncertain: Bitmask, config: int, tail: Tail, budget: int) -> None:
        """See `Completion`. While there is patience, all are kept."""
        guess, _ = self._guess(config, tail)
        distance = None if guess is None else self._count(guess)
        if distance is not None and budget >= 2 * distance + _PATIENCE:
            kept |= uncertain
        else:
            super()._keep_uncertain(kept, uncertain, config, tail, budget)

    def _reached(self, config: int) -> Iterator[Reached]:
        left, q = self._automaton.states_at[config]
        rules = self._automaton.rules
        for _, reached in self._walks.from_branches(rules.branches, rules.branches_at(left), q):
            yield reached

    def _find_groups(self, config: int) -> Iterator[Group]:
        rules = self._automaton.rules
        starts = rules.branches_at(self._automaton.left_of(config))
        by_id = set[int]().union(*[rules.branches.tokens_by_id(branch) for branch in starts])
        if by_id:
            yield of_tokens(sorted(by_id)), [(None, Trust.ONE_TEXT)]
        yield from super()._find_groups(config)

    def _after_walk(self, code: int, stack: int, q: int, capture: int) -> tuple[Rope | None, Trust]:
        rope, trust = self._left.ropes.after_walk(code, stack, capture)
        is_sure = trust is Trust.SURE and not capture and not self._automaton.has_guards
        if rope is not None and is_sure and self._automaton.takes(q, flatten(rope)):
            return rope, trust
        return None, Trust.ONE_TEXT
