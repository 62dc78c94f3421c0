"""`Completer`: how the texts of an automaton can end. Each automaton has one, but does not know about it.

A configuration's *distance* is the number of tokens in a completion found for it, without the end-of-sequence token.
Parts of a text are compared by the tokens that each takes alone. The distance is therefore the least number of tokens,
unless tokens that reach over two parts make another text shorter.
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
from ..machine.product.dfa import ProductDfa
from ..machine.product.machines import Workspace
from ..machine.rules.automaton import branches_of
from ..machine.rules.branches import Branch
from ..machine.running import RunningAutomaton
from ..machine.tails import Tail, longer
from ..watch import checkpoint, paced, pausing
from .bounds import FAR
from .distance_bounds import DistanceBound
from .levels import MANY_ROWS, Distance, Group, Levels, levels_of, of_tokens
from .ropes import MARGIN, Item, Rope, Trust, Way, best_of, flatten, join, of_text, text_of
from .spelling import Speller

_Found = TypeVar("_Found")

_MANY_PLACES = 2000
_MANY_FROM_START = 32  # maximum number of results kept for the empty text
_DISTANCE_BYTES = 90  # bytes of a configuration's distance in a dictionary; 63 to 90 by tracemalloc


class Ropes(Protocol):
    """The ways to the ends of texts, for one kind of automaton. Kinds of automata differ in nothing else."""

    many_tokens: int
    """Maximum number of tokens with uncertain distances that are tried out at one configuration."""

    def rope(self, branch: Branch, tail: Tail | None, capture: int = 0) -> Way:
        """Return a short completion of the text at a branch, or None if none was found; and the `Trust` in it.

        branch: the branch.
        tail: end of the text; None if the text is unknown.
        capture: capture of the walk that led to the branch, see `product.structs.Pair`.
        """

    def by_id(self, branch: Branch) -> Iterable[tuple[frozenset[int], Way]]:
        """Yield sets of tokens that the grammar names by their ids and that may come, each with a way to the end."""


class Completer:
    """The completions of one automaton's texts. All work holds the automaton's lock.

    bound: upper bound on the distances of its configurations.
    may_pause: True if its searches let go of the tables when other threads want them. While the tokens of a completion
        are tried out, all let go of them.
    highest: configuration -> upper bound on the distance after any token of its mask; not all configurations.
    from_start: `most` of `fewer_token_ids` -> its result for the empty text, which all texts share. A result depends on
        `most` alone, so no mask depends on the requests before.
    """

    may_pause: ClassVar[bool] = True

    def __init__(self, automaton: RunningAutomaton[Any], ropes: Ropes, bound: DistanceBound) -> None:
        self.running, self.ropes, self._bound = automaton, ropes, bound
        self.vocabulary_tables = automaton.vocabulary_tables
        self.speller = automaton.vocabulary_tables.attached(Speller)
        self.highest: dict[int, int] = {}
        self.from_start: dict[int | None, list[int]] = {}
        self._distances: dict[int, int] = {}  # of configurations whose way to the end does not depend on the text
        self._levels: dict[int, Levels] = {}
        self._num_rows = 0  # number of rows in all kept levels
        self._end_token_ids = self.vocabulary_tables.vocabulary.eos_token_ids

    @cached_property
    def _walks(self) -> Workspace:
        """Walks of all tokens in a product whose regular language contains every text."""
        dfa = ProductDfa(None, self.vocabulary_tables.lazy_dfas, self.running.limits.max_automaton_states)
        return Workspace(cast(MachineAutomaton, self.running), dfa)

    @property
    def num_bytes(self) -> int:
        """Memory of kept rows, distances and walks, in bytes."""
        walks = self.__dict__.get("_walks")
        rows = 4 * self.vocabulary_tables.num_words * self._num_rows
        return (
            rows
            + _DISTANCE_BYTES * (len(self.highest) + len(self._distances))
            + (0 if walks is None else walks.num_bytes)
        )

    # --- methods that products override

    def rope(self, config: int, tail: Tail | None) -> Way:
        """Return the best way to the end of all branches of a configuration; see `Ropes.rope`."""
        return best_of([self.ropes.rope(branch, tail) for branch in self._branches_at(config)])

    def _branches_at(self, config: int) -> tuple[Branch, ...]:
        """Return the branches of a configuration."""
        return branches_of(self.running.states_at[config])

    def _q_at(self, config: int) -> int:
        """Return the state of the regular language's DFA at a configuration."""
        return self._walks.dfa.start

    def _after_walk(self, code: int, stack: int, q: int, capture: int) -> Way:
        """Return a way to the end from a pair that a walk reached."""
        return self.ropes.rope(Branch(code, stack), None, capture)

    def _by_id(self, branch: Branch) -> Iterator[Group]:
        """Yield the tokens that the grammar names by their ids, see `Ropes.by_id`."""
        for token_ids, way in self.ropes.by_id(branch):
            yield of_tokens(sorted(token_ids)), [way]

    def _find_groups(self, config: int) -> Iterator[Group]:
        """Yield the states that all tokens lead to from a configuration, with the way to the end from each."""
        branches = self._branches_at(config)
        for branch in branches:
            yield from self._by_id(branch)
        for reached in self._walks.from_branches(branches, self._q_at(config)):
            yield reached, [self._after_walk(*pair) for pair in reached.pairs]

    @property
    def knows_all(self) -> bool:
        """True if `surely_fits` needs no search."""
        return not self._bound.is_new

    def surely_fits(self, config: int, budget: int) -> bool:
        """Return True if each token of a configuration's mask leaves at most `budget` tokens to the end, as a bound
        proves. The mask must have been made. No search is needed.
        """
        if self._bound.is_new:
            self._with_lock(self._bound.find)
        most = self._most_after(config)
        if most > budget:
            return False
        self.highest.setdefault(config, most)
        return True

    def _most_after(self, config: int) -> int:
        """Return an upper bound on the distance after any token of a configuration's mask; at least FAR if unknown."""
        return self._bound.most_at(self._branches_at(config))

    def _guess(self, config: int, tail: Tail) -> Way:
        """Like `rope`; if the text before leaves no way, a way that ignores that text."""
        rope, trust = self.rope(config, tail)
        return (rope, trust) if rope is not None else (self.rope(config, None)[0], Trust.ONE_TEXT)

    def _with_lock(self, work: Callable[[], _Found]) -> _Found:
        with self.running.lock:
            return pausing(self.running.lock if self.may_pause else None, work)

    # --- completions

    def token_ids(self, config: int, tail: Tail) -> list[int] | None:
        """Return the tokens of a short completion, after trying it out; None if none was found."""

        def find() -> list[int] | None:
            found = self._spelled(config, tail, self.rope(config, tail)[0])
            return self._look_around(config, tail) if found is None else found

        return self._with_lock(find)

    def keep_from_start(self, most: int | None, token_ids: list[int]) -> None:
        """Keep a result for the empty text; see `from_start`."""
        if len(self.from_start) >= _MANY_FROM_START:
            self.from_start.clear()
        self.from_start[most] = token_ids

    def fewer_token_ids(self, config: int, tail: Tail, most: int | None = None) -> list[int] | None:
        """Like `token_ids`, but mostly shorter: each step looks at all tokens for one that is nearer to the end.

        most: stop the search if more than `most` tokens seem to be needed, by the forced beginning or by the length of
            the known completion; None: never. The length is a guess (see `_is_least`).

        A token that is nearer to the end is taken untested. If there is no such token, a whole completion is tried out.
        """
        best = rest = self.token_ids(config, tail)
        if best is None or self._is_least(config, tail, best, most):
            return best
        found, left = list[int](), len(best)  # `left` tokens are known to be enough after `found`, `rest` if it is set
        while left and len(found) < min(len(best), len(best) if most is None else most):
            checkpoint()
            nearest, following = self.nearest(config), None
            if nearest is not None and nearest[1] < left - 1:
                following = self.running.follow(config, nearest[0], tail)
            if nearest is not None and following is not None:
                token_id, rest, left = nearest[0], None, nearest[1]
            else:
                if rest is None:
                    rest = self.token_ids(config, tail)
                    if not rest:
                        break
                    best = min(best, found + rest, key=len)
                token_id, rest = rest[0], rest[1:]
                left = len(rest)
                following = self.running.follow(config, token_id, tail)
                assert following is not None, "completions are tried out"
            tail, config = self._tail_after(tail, token_id), following
            found.append(token_id)
        if rest is None:
            rest = self.token_ids(config, tail)
        return best if rest is None else min(best, found + rest, key=len)

    def _is_least(self, config: int, tail: Tail, token_ids: list[int], most: int | None) -> bool:
        """Return True if no completion has fewer tokens than a known one, or probably none has at most `most` tokens.

        The known completion may have more bytes than `most` tokens can spell. Then no search is worth its time. That is
        a guess: another completion may have fewer bytes. At worst the mask stays unrestricted.

        Else the answer is proved: the known completion spells its text in the fewest tokens. Thus no other is shorter
        if all its bytes are forced. Else all tokens of a completion but the last ones spell a part of the forced bytes.
        The rest of these bytes is shorter than the longest token, and needs at most a token for each byte.
        """
        vocabulary, text = self.vocabulary_tables.vocabulary, b"".join(map(self.running.text_of, token_ids))
        if most is not None and len(text) > most * vocabulary.longest_token:
            return True
        if self.running.names_tokens or self.running.mark_bytes or not vocabulary.missing_bytes.isdisjoint(text):
            return False  # tokens may stand for other things than bytes, or bytes have no tokens of their own
        num_forced = self._num_forced(config, tail, text)
        if num_forced == len(text):
            return True
        num_tokens = None if most is None else self.speller.num_tokens(text[:num_forced])
        return most is not None and num_tokens is not None and num_tokens - vocabulary.longest_token > most

    def _num_forced(self, config: int, tail: Tail, text: bytes) -> int:
        """Return how many of the first bytes of a text are forced at a configuration."""
        running, written = self.running, bytearray()
        tail_so_far = longer(tail, written)
        for byte in paced(text):
            if running.forced_byte(config, tail_so_far) != byte:
                break
            following = running.follow(config, running.vocabulary_tables.vocabulary.size + byte, tail_so_far)
            assert following is not None, "forced bytes are allowed"
            config = following
            written.append(byte)
        return len(written)

    def nearest(self, config: int) -> tuple[int, int] | None:
        """Return a token with the smallest distance after it, and that distance; None if none is known."""
        return self._with_lock(lambda: self._levels_at(config).nearest())

    def is_within(self, config: int, tail: Tail, budget: int) -> bool:
        """Return True if a completion of at most `budget` tokens is known at a configuration."""

        def look() -> int:
            rope, trust = self.rope(config, tail)
            distance = None if rope is None else self._count(rope)
            distance = FAR if distance is None else distance
            if trust is Trust.SURE:
                self._distances[config] = distance
            return distance

        distance = self._distances.get(config)
        return (self._with_lock(look) if distance is None else distance) <= budget

    def _spelled(self, config: int, tail: Tail, rope: Rope | None) -> list[int] | None:
        """Return the tokens of a way to the end; None if there is none, or the text before rules it out."""
        token_ids = None if rope is None else self.speller.spell(self._items(rope))
        return token_ids if token_ids is not None and self._is_completion(config, tail, token_ids) else None

    def _is_completion(self, config: int, tail: Tail, token_ids: list[int]) -> bool:
        """Return True if tokens complete the text at a configuration."""
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
        """Return the pieces of a rope; special tokens in the marks of styles become ids."""
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
        """Return the fewest tokens of a rope's text; None if no tokens spell it."""
        counts = [1 if isinstance(item, int) else self.speller.num_tokens(item) for item in self._items(rope)]
        known = [count for count in counts if count is not None]
        return sum(known) if len(known) == len(counts) else None

    def _look_around(self, config: int, tail: Tail) -> list[int] | None:
        """Search for another completion if the text before rules out the known one.

        A* over texts, byte by byte. The guessed way to the end of each text bounds its length, and is tried out. If the
        text before does not matter, each configuration is visited once.
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
        """Return texts that are one byte longer: the one along `rest`, and one for each other configuration reached."""
        found: dict[tuple[int, bool], bytes] = {}
        checkpoint()
        for byte, following in self.running.allowed_bytes(here, tail):
            found.setdefault((following, rest[:1] == bytes([byte])), written + bytes([byte]))
        return [(text, following) for (following, _), text in found.items()]

    def _tail_after(self, tail: Tail, token_id: int) -> Tail:
        return longer(tail, self.running.text_of(token_id))

    # --- masks that leave room for the end

    def restrict(self, row: Bitmask, config: int, tail: Tail, budget: int) -> bool:
        """Clear the tokens of a mask that would leave more than `budget` tokens to the end. Returns True if any was
        cleared.

        row: int32 (W,), the mask of the configuration, modified in place. End-of-sequence tokens stay.
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
        """Like `restrict`, for an exact configuration; None if no token would be left. The row is then unchanged."""
        levels = self._levels[config]
        if levels.highest is not None and levels.highest <= budget:
            return False
        kept = self._kept(levels, row, budget)
        return _put(row, kept) if np.count_nonzero(kept) else None

    def is_exact(self, config: int) -> bool:
        """Return True if `restrict` is exact at a configuration: it keeps all tokens that leave room for the end.

        The answer holds for all texts that lead to the configuration.
        """
        levels = self._levels.get(config)
        return levels is not None and levels.uncertain is None

    def _kept(self, levels: Levels, row: Bitmask, budget: int) -> Bitmask:
        """Return the tokens of a mask that surely leave room for the end, int32 (W,), end-of-sequence tokens
        included.
        """
        proven = levels.within(budget)
        kept = np.zeros_like(row) if proven is None else row & proven
        for token_id in self._end_token_ids:
            kept[token_id >> 5] |= row[token_id >> 5] & bit(token_id)
        return kept

    def _keep_uncertain(self, kept: Bitmask, uncertain: Bitmask, config: int, tail: Tail, budget: int) -> None:
        """Try out the first allowed tokens with uncertain distances, and keep the fitting ones."""
        token_ids = allowed_token_ids(uncertain, self.vocabulary_tables.vocabulary.size)
        for token_id in token_ids[: self.ropes.many_tokens].tolist():
            following = self.running.follow(config, token_id, tail)
            if following is not None and self.is_within(following, self._tail_after(tail, token_id), budget):
                kept[token_id >> 5] |= bit(token_id)

    def _levels_at(self, config: int) -> Levels:
        """Return the levels of a configuration; some levels are kept."""
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
        """Return the distance of a state whose way to the end is `rope`, and True if it is certain."""
        distance = None if rope is None else self._count(rope)
        if trust is Trust.SURE:
            return distance, True
        return (None if distance is None or trust is Trust.ONE_TEXT else 2 * distance + MARGIN), False


def _put(row: Bitmask, kept: Bitmask) -> bool:
    """Copy the bits of another row. Returns True if that changes the row."""
    if row.tobytes() == kept.tobytes():
        return False
    row[:] = kept
    return True
