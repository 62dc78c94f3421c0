"""`RulesClosing`: the ends of the texts of a general grammar."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from ..automaton import layout as at
from ..automaton.tables import Tail
from ..bitset import Bitmask
from ..intersection import layout as ix
from ..limits import Limits
from ..pushdown.automaton import PushdownAutomaton
from ..pushdown.worlds import GENERAL, World
from .base import Closing, bit, clear_all_but
from .ceilings import FAR
from .documents import MARGIN, Trust
from .levels import Levels, levels_of
from .ropes import Rope
from .rule_ceilings import RuleCeiling
from .rules import RuleRopes
from .walk import Reached

_MANY_TOKENS = 16
_MANY_LEVELS = 64


class RulesClosing(Closing[int]):
    """See `Closing`. Tokens are grouped by the world that they lead to."""

    def __init__(self, automaton: PushdownAutomaton, limits: Limits) -> None:
        super().__init__(automaton)
        self._automaton = automaton
        self.ropes = RuleRopes(automaton, self.tools)
        self._limits = limits
        self._ceiling = RuleCeiling(automaton, self.ropes, self.tools)
        self._most = FAR
        self._levels: dict[int, tuple[Levels, list[int]]] = {}

    def is_complete(self, place: int) -> bool:
        """See `Closing.is_complete`."""
        return self._automaton.is_complete_at(place)

    def rope(self, place: int, tail: Tail) -> tuple[Rope | None, bool]:
        """See `Closing.rope`."""
        rope, is_sure = self.ropes.of_worlds(self._automaton.worlds_at(place), tail)
        return rope, is_sure and not self._automaton.has_guards

    @property
    def knows_all(self) -> bool:
        """See `Closing.knows_all`."""
        return not self._ceiling.is_new

    def is_far(self, place: int, budget: int) -> bool:
        """See `Closing.is_far`."""
        if self._ceiling.is_new:
            with self.running.lock:
                self._most = self._ceiling.find()
        if self._most > budget:
            return False
        if place >= 0 and place & at.MASK32 == 0:
            return True
        worlds = self._automaton.worlds_at(place)
        return all(self._most + self._ceiling.below(_stack_of(world)) <= budget for world in worlds)

    def restrict(self, row: Bitmask, place: int, tail: Tail, budget: int) -> bool:
        """See `Closing.restrict`."""
        with self.running.lock:
            levels, uncertain = self._levels_at(place)
            if levels.highest is not None and levels.highest <= budget:
                return False
            proven = levels.within(budget)
            kept = np.zeros_like(row) if proven is None else proven.copy()
            for token_id in self._proven(row & ~kept, uncertain, place, tail, budget):
                kept[token_id >> 5] |= bit(token_id)
            for token_id in self.lexicon.vocabulary.eos_token_ids:
                kept[token_id >> 5] |= bit(token_id)
            return clear_all_but(row, kept)

    def nearest(self, place: int, tail: Tail) -> tuple[int, int] | None:
        """See `Closing.nearest`."""
        return self._levels_at(place)[0].nearest()

    def _levels_at(self, place: int) -> tuple[Levels, list[int]]:
        """What `_find_levels` finds, of some places kept."""
        if place not in self._levels:
            if len(self._levels) >= _MANY_LEVELS:
                self._levels.clear()
            self._levels[place] = self._find_levels(place)
        return self._levels[place]

    def _find_levels(self, place: int) -> tuple[Levels, list[int]]:
        """The levels of a place, and tokens whose need depends on the text before."""
        groups: list[tuple[Reached, list[int | None]]] = []
        uncertain: list[int] = []
        waiting = [(0, world) for world in self._automaton.worlds_at(place)]
        seen = set(waiting)
        for node, world in waiting:
            if world.document == GENERAL and node == 0:
                groups += self._by_id(world)
            reached = self._reached(world, node)
            needs = [self._need_of(world, state) for state in reached.states]
            groups.append((reached, [need for need, _ in needs]))
            for number, (_, is_certain) in enumerate(needs):
                if not is_certain:
                    uncertain += self._tokens_of(reached, number, _MANY_TOKENS - len(uncertain))
            for below, number in reached.events:
                for begun in self._begun(world, reached.states[number]):
                    if (below, begun) not in seen:
                        seen.add((below, begun))
                        waiting.append((below, begun))
        return levels_of(self.lexicon, groups), uncertain

    def _reached(self, world: World, node: int) -> Reached:
        walk = self.tools.walk(self._limits)
        if world.document == GENERAL:
            return walk.reached(self._automaton, ix.OF_RULES, world.code, world.stack, node)
        machine = self._automaton.document_of(world)
        return walk.reached(machine, ix.OF_DOCUMENTS, world.code, world.stack, node)

    def _begun(self, world: World, state: tuple[int, int, int]) -> Iterator[World]:
        """What begins in a state inside of tokens: documents, or what comes after one."""
        code, stack, _ = state
        if world.document == GENERAL:
            worlds = self._automaton.worlds_after(code, stack)
            return (other for other in worlds if other.document != GENERAL)
        return iter(self._automaton.worlds_after(world.next_state, world.next_stack))

    def _need_of(self, world: World, state: tuple[int, int, int]) -> tuple[int | None, bool]:
        """The need of a state that a walk from a world reached, and whether that is the last word on it."""
        code, stack, capture = state
        rope, trust = self.ropes.of_world(world._replace(code=code, stack=stack), None)
        need = None if rope is None else self.count(rope)
        if world.document == GENERAL:
            return need, True
        if capture:
            trust = max(trust, self.ropes.of_document(world).trust_after_capture(stack, capture))
        if trust is Trust.SURE and not self._automaton.document_of(world).has_guards:
            return need, True
        return (None if need is None or trust is Trust.ONE_TEXT else 2 * need + MARGIN), False

    def _by_id(self, world: World) -> Iterator[tuple[Reached, list[int | None]]]:
        """Tokens that count by their ids, as groups."""
        states = self._automaton.states
        for number, continuation in states.content[world.code].tokens:
            entry = states.after(continuation)
            following = self._automaton.worlds_after(*self._automaton.follow_entry(entry, world.stack))
            found = [self.ropes.of_world(other, None) for other in following]
            needs = [self.count(rope) for rope, trust in found if rope is not None and trust is not Trust.ONE_TEXT]
            known = [need for need in needs if need is not None]
            token_ids = np.array(sorted(states.token_sets[number]), dtype=np.int32)
            reached = Reached([(0, 0, 0)], -1 - token_ids, np.zeros(len(token_ids), dtype=np.int32), [], [0])
            yield reached, [min(known) if known else None]

    def _proven(self, row: Bitmask, uncertain: Iterable[int], place: int, tail: Tail, budget: int) -> list[int]:
        """Of some tokens of a row those whose need is within a budget."""
        asked = [token_id for token_id in uncertain if row[token_id >> 5] & bit(token_id)]
        return [token_id for token_id in asked if self.fits(place, token_id, tail, budget)]

    def _tokens_of(self, reached: Reached, number: int, most: int) -> list[int]:
        found: list[int] = []
        for node in reached.nodes[reached.states_of == number].tolist():
            if len(found) >= most:
                break
            found += self.lexicon.tokens_at(node & (ix.SUBTREE - 1), bool(node & ix.SUBTREE))
        return found[: max(most, 0)]


def _stack_of(world: World) -> int:
    """The stack of rules under a world."""
    return world.stack if world.document == GENERAL else world.next_stack
