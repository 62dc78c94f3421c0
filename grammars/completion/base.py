"""`Completion`: how the texts of an automaton can end. Each automaton has one, but does not know of it.

A configuration's *distance* is the number of tokens that a completion found for it takes; the end-of-sequence token is
not counted. Parts of a text are compared by the tokens that each takes by itself. So the distance is the least number
of tokens, unless tokens that reach over two parts make another text shorter.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from itertools import count, groupby
from typing import Any, ClassVar, Protocol, TypeVar, cast

import numpy as np

from ..bitset import Bitmask, allowed_token_ids, bit
from ..cached import cached_property
from ..machine.machine_automaton import MachineAutomaton
from ..machine.product.dfa import Dfa
from ..machine.product.machines import Workspace
from ..machine.rules.automaton import branches_of
from ..machine.rules.branches import Branch
from ..machine.running import RunningAutomaton
from ..machine.tails import Tail, longer
from ..watch import checkpoint, pausing
from .distance_bounds import DistanceBound
from .levels import MANY_ROWS, Distance, Group, Levels, levels_of, of_tokens
from .ropes import MARGIN, Item, Rope, Trust, Way, best_of, flatten, join, of_text, text_of
from .spelling import Speller

_Found = TypeVar("_Found")

_MANY_PLACES = 2000


class Ropes(Protocol):
    """The ways to the ends of the texts of one kind of automaton: all that kinds differ in."""

    many_tokens: int
    """That lead to states of uncertain distance are tried out at one configuration."""

    def rope(self, branch: Branch, tail: Tail | None, capture: int = 0) -> Way:
        """A short completion of the text at a branch, None where none was found; and for which texts it holds.

        tail: None where the text is not known. capture: of the walk that led there, see `product.structs.Pair`.
        """

    def by_id(self, branch: Branch) -> Iterable[tuple[frozenset[int], Way]]:
        """Tokens that may come by their ids, with a way to the end after each."""


class Completion:
    """Of the texts of one automaton. All is done under the lock of the vocabulary tables.

    bound: of the distances of its configurations. may_pause: its searches let go of the lock where others want it.
    highest: for configurations that were looked into, no token of the mask leads to a distance above this.
    """

    may_pause: ClassVar[bool] = True

    def __init__(self, automaton: RunningAutomaton[Any], ropes: Ropes, bound: DistanceBound) -> None:
        self.running, self.ropes, self._bound = automaton, ropes, bound
        self.vocabulary_tables = automaton.vocabulary_tables
        self.speller = automaton.vocabulary_tables.attached(Speller)
        self.highest: dict[int, int] = {}
        self._levels: dict[int, Levels] = {}
        self._num_rows = 0  # of all kept levels
        self._end_token_ids = self.vocabulary_tables.vocabulary.eos_token_ids

    @cached_property
    def _walks(self) -> Workspace:
        """Walks of all tokens, beside a regular side that allows every text."""
        dfa = Dfa(None, self.vocabulary_tables.lazy_dfas, self.running.limits.max_automaton_states)
        return Workspace(cast(MachineAutomaton, self.running), dfa)

    @property
    def num_bytes(self) -> int:
        """Memory of what is kept: rows by distance, and walks."""
        walks = self.__dict__.get("_walks")
        rows = 4 * self.vocabulary_tables.num_words * self._num_rows
        return rows + (0 if walks is None else walks.num_bytes)

    # --- what is different beside a regular side

    def rope(self, config: int, tail: Tail | None) -> Way:
        """See `Ropes.rope`: the best of all branches of a configuration."""
        return best_of([self.ropes.rope(branch, tail) for branch in self._branches_at(config)])

    def _branches_at(self, config: int) -> tuple[Branch, ...]:
        """The branches of a configuration."""
        return branches_of(self.running.states_at[config])

    def _q_at(self, config: int) -> int:
        """The state of the regular side at a configuration."""
        return self._walks.dfa.start

    def _after_walk(self, code: int, stack: int, q: int, capture: int) -> Way:
        """A way to the end from a pair that a walk reached."""
        return self.ropes.rope(Branch(code, stack), None, capture)

    def _by_id(self, branch: Branch) -> Iterator[Group]:
        """Tokens that count by their ids."""
        for token_ids, way in self.ropes.by_id(branch):
            yield of_tokens(sorted(token_ids)), [way]

    def _find_groups(self, config: int) -> Iterator[Group]:
        """Where all tokens lead from a configuration."""
        branches = self._branches_at(config)
        for branch in branches:
            yield from self._by_id(branch)
        for _, reached in self._walks.from_branches(branches, self._q_at(config)):
            yield reached, [self._after_walk(*pair) for pair in reached.pairs]

    @property
    def knows_all(self) -> bool:
        """True when `is_far` has nothing to look for."""
        return not self._bound.is_new

    def is_far(self, config: int, budget: int) -> bool:
        """True when it is known at once that no token of a configuration's mask, which was made, leads to a
        configuration where more than `budget` tokens are needed."""
        if self._bound.is_new:
            self._with_lock(self._bound.find)
        return self._bound.is_within(self._branches_at(config), budget)

    def _guess(self, config: int, tail: Tail) -> Way:
        """As `rope`; where the text before leaves no way, one that it may rule out."""
        rope, trust = self.rope(config, tail)
        return (rope, trust) if rope is not None else (self.rope(config, None)[0], Trust.ONE_TEXT)

    def _with_lock(self, work: Callable[[], _Found]) -> _Found:
        with self.running.lock:
            return pausing(self.running.lock if self.may_pause else None, work)

    # --- completions

    def token_ids(self, config: int, tail: Tail) -> list[int] | None:
        """The tokens of a short completion of the text at a configuration, tried out; None where none was found."""

        def find() -> list[int] | None:
            found = self._spelled(config, tail, self.rope(config, tail)[0])
            return self._look_around(config, tail) if found is None else found

        return self._with_lock(find)

    def fewer_token_ids(self, config: int, tail: Tail, most: int | None = None) -> list[int] | None:
        """As `token_ids`, after looking at all tokens at each step for one that brings the text nearer to its end.

        most: once more than so many tokens are needed in any case, no more is looked at.
        """
        rest, found = self.token_ids(config, tail), list[int]()
        while rest:
            checkpoint()
            if most is not None and len(found) >= most:
                return found + rest
            nearest = self.nearest(config)
            token_id, rest = rest[0], rest[1:]
            following = None
            if nearest is not None and nearest[1] < len(rest):
                following = self.running.follow(config, nearest[0], tail)
                better = None if following is None else self.token_ids(following, self._tail_after(tail, nearest[0]))
                if better is not None and len(better) < len(rest):
                    token_id, rest = nearest[0], better
            following = self.running.follow(config, token_id, tail)
            assert following is not None, "completions are tried out"
            tail, config = self._tail_after(tail, token_id), following
            found.append(token_id)
        return found if rest is not None else None

    def nearest(self, config: int) -> tuple[int, int] | None:
        """A token after which the fewest tokens are needed, and how many; None where none is known."""
        return self._with_lock(lambda: self._levels_at(config).nearest())

    def is_within(self, config: int, tail: Tail, budget: int) -> bool:
        """True when at most `budget` tokens are surely needed at a configuration."""

        def look() -> bool:
            rope, _ = self.rope(config, tail)
            distance = None if rope is None else self._count(rope)
            return distance is not None and distance <= budget

        return self._with_lock(look)

    def _spelled(self, config: int, tail: Tail, rope: Rope | None) -> list[int] | None:
        """The tokens of a way to the end; None where there is none, or the text before rules it out."""
        token_ids = None if rope is None else self.speller.spell(self._items(rope))
        return token_ids if token_ids is not None and self._is_completion(config, tail, token_ids) else None

    def _is_completion(self, config: int, tail: Tail, token_ids: list[int]) -> bool:
        """True when tokens complete the text at a configuration."""
        running, written = self.running, bytearray()
        tail_so_far = longer(tail, written)
        for token_id in token_ids:
            running.lock.checkpoint()
            following = running.follow(config, token_id, tail_so_far)
            if following is None:
                return False
            written += running.text_of(token_id)
            config = following
        return running.is_complete_at(config)

    def _items(self, rope: Rope) -> list[Item]:
        """The pieces of a rope, with special tokens in the marks of styles as ids."""
        items, marks = flatten(rope), {text[0]: token_id for token_id, text in self.running.mark_bytes.items()}
        if not marks:
            return items
        found: list[Item] = []
        for item in items:
            if isinstance(item, int):
                found.append(item)
                continue
            for is_text, run in groupby(item, lambda byte: byte not in marks):
                piece = bytes(run)
                found += [piece] if is_text else [marks[byte] for byte in piece]
        return found

    def _count(self, rope: Rope) -> int | None:
        """The fewest tokens of a rope's text; None where no tokens spell it."""
        counts = [1 if isinstance(item, int) else self.speller.num_tokens(item) for item in self._items(rope)]
        known = [count for count in counts if count is not None]
        return sum(known) if len(known) == len(counts) else None

    def _look_around(self, config: int, tail: Tail) -> list[int] | None:
        """Another completion, where what the text holds elsewhere rules out the one that was found.

        A* over texts, byte by byte. From each, the way to the end that is guessed bounds how long it gets, and is tried
        out. Where the text before does not count, configurations are looked at once.
        """
        order, seen, tried = count(), set[int](), set[bytes]()
        waiting: list[tuple[int, int, bytes, int]] = [(0, 0, b"", config)]
        for _ in range(_MANY_PLACES):
            if not waiting:
                break
            _, _, written, here = heapq.heappop(waiting)
            so_far = longer(tail, written)
            rope, _ = self._guess(here, so_far)
            if rope is None:
                continue
            whole = join(of_text(written), rope)
            text = text_of(whole)
            if text not in tried:
                tried.add(text)
                token_ids = self._spelled(config, tail, whole)
                if token_ids is not None:
                    return token_ids
            for further, following in self._one_byte_further(here, written, text[len(written) :], so_far):
                if following in seen:
                    continue
                guess, trust = self._guess(following, longer(tail, further))
                if trust is Trust.SURE:
                    seen.add(following)
                if guess is not None:
                    heapq.heappush(waiting, (len(further) + guess.num_bytes, -next(order), further, following))
        return None

    def _one_byte_further(self, here: int, written: bytes, rest: bytes, tail: Tail) -> list[tuple[bytes, int]]:
        """Texts that are one byte longer: that with the first byte of the rest, and one for each configuration that
        others lead to."""
        found: dict[tuple[int, bool], bytes] = {}
        checkpoint()
        for byte, following in self.running.allowed_bytes(here, tail):
            found.setdefault((following, rest[:1] == bytes([byte])), written + bytes([byte]))
        return [(text, following) for (following, _), text in found.items()]

    def _tail_after(self, tail: Tail, token_id: int) -> Tail:
        return longer(tail, self.running.text_of(token_id))

    # --- masks that leave room for the end

    def restrict(self, row: Bitmask, config: int, tail: Tail, budget: int) -> bool:
        """Clear the tokens of a mask after which more than `budget` tokens would be needed; whether any was cleared.

        row: int32 (W,), the mask of the configuration, changed in place. End tokens stay.
        """

        def work() -> bool:
            levels = self._levels_at(config)
            if levels.highest is not None and levels.highest <= budget:
                return False
            kept = self._kept(levels, row, budget)
            if levels.uncertain is not None:
                self._keep_uncertain(kept, row & levels.uncertain & ~kept, config, tail, budget)
            return _put(row, kept)

        return self._with_lock(work)

    def restrict_exactly(self, row: Bitmask, config: int, budget: int) -> bool | None:
        """As `restrict`, for an exact configuration; None where no token would be left. The row is then as it was."""
        levels = self._levels[config]
        if levels.highest is not None and levels.highest <= budget:
            return False
        kept = self._kept(levels, row, budget)
        return _put(row, kept) if kept.any() else None

    def is_exact(self, config: int) -> bool:
        """True for configurations whose masks are known to be restricted to exactly the tokens after which the text can
        be completed in time, whatever stands before."""
        levels = self._levels.get(config)
        return levels is not None and levels.uncertain is None

    def _kept(self, levels: Levels, row: Bitmask, budget: int) -> Bitmask:
        """The tokens of a mask that surely leave room for the end, int32 (W,); end tokens among them."""
        proven = levels.within(budget)
        kept = np.zeros_like(row) if proven is None else row & proven
        for token_id in self._end_token_ids:
            kept[token_id >> 5] |= row[token_id >> 5] & bit(token_id)
        return kept

    def _keep_uncertain(self, kept: Bitmask, uncertain: Bitmask, config: int, tail: Tail, budget: int) -> None:
        """Keep those of the allowed tokens with uncertain distances that fit, of the first ones."""
        token_ids = allowed_token_ids(uncertain, self.vocabulary_tables.vocabulary.size)
        for token_id in token_ids[: self.ropes.many_tokens].tolist():
            following = self.running.follow(config, token_id, tail)
            if following is not None and self.is_within(following, self._tail_after(tail, token_id), budget):
                kept[token_id >> 5] |= bit(token_id)

    def _levels_at(self, config: int) -> Levels:
        """The levels of a configuration, kept for some of them."""
        levels = self._levels.get(config)
        if levels is None:
            if self._num_rows >= MANY_ROWS:
                self._levels.clear()
                self._num_rows = 0
            groups = [(reached, [self._distance(*way) for way in ways]) for reached, ways in self._find_groups(config)]
            levels = self._levels[config] = levels_of(self.vocabulary_tables, groups)
            self._num_rows += len(levels.rows)
            if levels.highest is not None:
                self.highest[config] = levels.highest
        return levels

    def _distance(self, rope: Rope | None, trust: Trust) -> Distance:
        """The distance of a state from which a rope is the way to the end, for the texts that `trust` says."""
        distance = None if rope is None else self._count(rope)
        if trust is Trust.SURE:
            return distance, True
        return (None if distance is None or trust is Trust.ONE_TEXT else 2 * distance + MARGIN), False


def _put(row: Bitmask, kept: Bitmask) -> bool:
    """Let a row have the bits of another one; whether that changes it."""
    if row.tobytes() == kept.tobytes():
        return False
    row[:] = kept
    return True
