"""`ProductCompletion`: the ends of texts that belong to a grammar and to a regular language at once.

The grammar's shortest completion is tried on the DFA of the regular language (the regular side). If that refuses the
completion, a bounded number of neighbouring completions is tried. Unlike for one grammar alone, the distance of some
configurations stays unknown. Tokens that lead there are cleared only if fewer tokens are left than `_PATIENCE` plus
twice the grammar's own distance.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from ..bitset import Bitmask
from ..cached import cached_property
from ..machine.product.automaton import ProductAutomaton
from ..machine.product.machines import Workspace
from ..machine.rules.branches import Branch
from ..machine.tails import Tail
from .base import Completer
from .distance_bounds import DistanceBound
from .levels import Group, of_tokens
from .ropes import EMPTY, Rope, Trust, Way, flatten
from .rules import RuleRopes

_PATIENCE = 128


class ProductCompletion(Completer):
    """The completions of a product; see `Completer`. ropes, bound: those of the grammar alone."""

    may_pause: ClassVar[bool] = False

    def __init__(self, automaton: ProductAutomaton, ropes: RuleRopes, bound: DistanceBound) -> None:
        super().__init__(automaton, ropes, bound)
        self._automaton = automaton

    @cached_property
    def _walks(self) -> Workspace:
        return Workspace(self._automaton.rules, self._automaton.dfa)

    def _most_after(self, config: int) -> int:
        """Like in `Completer`. The regular side may double a completion and add `_PATIENCE` tokens to it."""
        return 2 * max(super()._most_after(config), 1) + _PATIENCE

    def rope(self, config: int, tail: Tail | None) -> Way:
        """Like `Completer.rope`, if the regular side accepts that way."""
        if self._automaton.is_complete_at(config):
            return EMPTY, Trust.SURE
        rope, trust = super().rope(config, tail)
        return (rope if self._takes(config, rope) else None), trust

    def _takes(self, config: int, rope: Rope | None) -> bool:
        """Return True if the regular side accepts a way to the grammar's end."""
        return rope is not None and self._automaton.takes(self._q_at(config), flatten(rope))

    def _guess(self, config: int, tail: Tail) -> Way:
        return super().rope(config, tail)

    def _spelled(self, config: int, tail: Tail, rope: Rope | None) -> list[int] | None:
        return super()._spelled(config, tail, rope) if self._takes(config, rope) else None

    def _keep_uncertain(self, kept: Bitmask, uncertain: Bitmask, config: int, tail: Tail, budget: int) -> None:
        """Like in `Completer`, but keeps all uncertain tokens while many tokens are left."""
        guess, _ = self._guess(config, tail)
        distance = None if guess is None else self._count(guess)
        if distance is not None and budget >= 2 * distance + _PATIENCE:
            kept |= uncertain
        else:
            super()._keep_uncertain(kept, uncertain, config, tail, budget)

    def _branches_at(self, config: int) -> tuple[Branch, ...]:
        return self._automaton.rules.branches_at(self._automaton.left_of(config))

    def _q_at(self, config: int) -> int:
        return self._automaton.states_at[config][1]

    def _by_id(self, branch: Branch) -> Iterator[Group]:
        if token_ids := self._automaton.rules.branches.tokens_by_id(branch):
            yield of_tokens(sorted(token_ids)), [(None, Trust.ONE_TEXT)]

    def _after_walk(self, code: int, stack: int, q: int, capture: int) -> Way:
        rope, trust = super()._after_walk(code, stack, q, capture)
        if rope is not None and self._automaton.takes(q, flatten(rope)):
            return rope, trust
        return None, Trust.ONE_TEXT
