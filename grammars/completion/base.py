"""`Completion`: how the texts of an automaton can end. Each automaton has one, but does not know of it.

A configuration's *distance* is the number of tokens that a completion found for it takes; the end-of-sequence token is
not counted. Parts of a text are compared by the tokens that each takes by itself. So the distance is the least number
of tokens, unless tokens that reach over two parts make another text shorter.
"""

from __future__ import annotations

import heapq
from abc import abstractmethod
from typing import Any

import numpy as np

from ..automaton.running import RunningAutomaton
from ..automaton.tails import Tail, longer
from ..bitset import Bitmask, allowed_token_ids, bit
from ..watch import checkpoint
from .levels import Levels
from .ropes import Item, Rope, flatten
from .tools import Tools

_MANY_DETOURS = 64


class Completion:
    """Of the texts of one automaton. All is done under the lock of the vocabulary tables.

    exact: configurations whose masks were last restricted to exactly the tokens after which the text can be completed
        in time, whatever stands before. Empty where there are guards.
    """

    def __init__(self, automaton: RunningAutomaton[Any]) -> None:
        self.running = automaton
        self.vocabulary_tables = automaton.vocabulary_tables
        self.tools = automaton.vocabulary_tables.attached(Tools)
        self.speller = self.tools.speller
        self._highest: dict[int, int] = {}
        self.exact: set[int] = set()
        self._had_guards = False  # when these were found
        self._distances: dict[int, int | None] = {}
        self._end_token_ids = self.vocabulary_tables.vocabulary.eos_token_ids

    def token_ids(self, config: int, tail: Tail) -> list[int] | None:
        """The tokens of a short completion of the text at a configuration, tried out; None where none was found."""
        with self.running.lock:
            items = self._items(config, tail)
            token_ids = None if items is None else self.speller.spell(items)
            if token_ids is not None and self.is_completion(config, tail, token_ids):
                return token_ids
            return self._look_around(config, tail)

    def fewer_token_ids(self, config: int, tail: Tail, most: int | None = None) -> list[int] | None:
        """As `token_ids`, after looking at all tokens at each step for one that brings the text nearer to its end.

        most: once more than so many tokens are needed in any case, no more is looked at.
        """
        rest, found = self.token_ids(config, tail), list[int]()
        while rest:
            checkpoint()
            if most is not None and len(found) >= most:
                return found + rest
            with self.running.lock:
                nearest = self.nearest(config, tail)
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

    def nearest(self, config: int, tail: Tail) -> tuple[int, int] | None:
        """A token after which the fewest tokens are needed, and how many; None where that is not looked at."""
        return None

    def distance(self, config: int, tail: Tail) -> int | None:
        """How many tokens a completion takes; None where none was found."""
        if config in self._distances:
            return self._distances[config]
        with self.running.lock:
            rope, is_sure = self.rope(config, tail)
            distance = None if rope is None else self.count(rope)
            if is_sure:
                self._distances[config] = distance
            return distance

    def guess(self, config: int, tail: Tail) -> int | None:
        """As `distance`, but what the text holds elsewhere may rule the completion out. It does to order a search."""
        return self.distance(config, tail)

    def count(self, rope: Rope) -> int | None:
        """The fewest tokens of a rope's text; None where no tokens spell it."""
        total = 0
        for item in flatten(rope):
            count = 1 if isinstance(item, int) else self.speller.num_tokens(item)
            if count is None:
                return None
            total += count
        return total

    def is_completion(self, config: int, tail: Tail, token_ids: list[int]) -> bool:
        """True when tokens complete the text at a configuration.

        PERF: guards refuse tokens after which there is no end, so none of those that lead to one.
        """
        running, written = self.running, bytearray()
        tail_so_far = longer(tail, written)
        for token_id in token_ids:
            checkpoint()
            following = running.follow(config, token_id, tail_so_far)
            if following is None:
                return False
            if self.vocabulary_tables.has_text(token_id):
                written += self.vocabulary_tables.token_bytes(token_id)
            config = following
        return running.is_complete_at(config)

    @property
    def highest(self) -> dict[int, int]:
        """For configurations that were looked into: no token of the mask leads to a distance above this."""
        if self.running.has_guards and not self._had_guards:
            self._had_guards = True
            for found in (self._highest, self.exact):
                found.clear()
        return self._highest

    @property
    def knows_all(self) -> bool:
        """True when `is_far` has nothing to look for."""
        return True

    def is_far(self, config: int, budget: int) -> bool:
        """True when it is known at once that no token of a configuration's mask, which was made, leads to a
        configuration where more than `budget` tokens are needed."""
        return False

    @abstractmethod
    def rope(self, config: int, tail: Tail) -> tuple[Rope | None, bool]:
        """A short completion of the text at a configuration, None where none was found; and whether it depends on the
        configuration only."""

    @abstractmethod
    def restrict(self, row: Bitmask, config: int, tail: Tail, budget: int) -> bool:
        """Clear the tokens of a mask after which more than `budget` tokens would be needed; whether any was cleared.

        row: int32 (W,), the mask of the configuration, guards considered; changed in place. End tokens stay.
        """

    def restrict_exactly(self, row: Bitmask, config: int, budget: int) -> bool | None:
        """As `restrict`, for an `exact` configuration; None where no token would be left, or what is needed was not
        kept. The row is then as it was."""
        return None

    def _note(self, config: int, levels: Levels, *, is_exact: bool) -> None:
        """Keep what `highest` and `exact` tell. is_exact: behind no token of the levels does the text before count."""
        if levels.highest is not None:
            self.highest[config] = levels.highest
        if is_exact and not self.running.has_guards:
            self.exact.add(config)

    def try_out(self, row: Bitmask, config: int, tail: Tail, budget: int) -> bool:
        """As `restrict`, token by token."""
        vocabulary, is_restricted = self.vocabulary_tables.vocabulary, False
        with self.running.lock:
            for token_id in allowed_token_ids(row, vocabulary.size).tolist():
                checkpoint()
                following = (
                    None if token_id in vocabulary.eos_token_ids else self.running.follow(config, token_id, tail)
                )
                if following is not None and self.is_far(following, budget):
                    continue
                if token_id not in vocabulary.eos_token_ids and not self.fits(config, token_id, tail, budget):
                    row[token_id >> 5] &= ~bit(token_id)
                    is_restricted = True
        return is_restricted

    def fits(self, config: int, token_id: int, tail: Tail, budget: int) -> bool:
        """True when at most `budget` tokens are surely needed after an allowed token."""
        following = self.running.follow(config, token_id, tail)
        if following is None:
            return False
        return self.is_within(following, self._tail_after(tail, token_id), budget)

    def is_within(self, config: int, tail: Tail, budget: int) -> bool:
        """True when at most `budget` tokens are surely needed at a configuration."""
        with self.running.lock:
            distance = self.distance(config, tail)
            if distance is None or distance > budget:
                return False
            return not self.running.has_guards or self._is_found(config, tail)

    def _is_found(self, config: int, tail: Tail) -> bool:
        """Whether a configuration's distance is that of a completion that nothing in the text before rules out."""
        items = self._items(config, tail)
        token_ids = None if items is None else self.speller.spell(items)
        return token_ids is not None and self.is_completion(config, tail, token_ids)

    def _items(self, config: int, tail: Tail) -> list[Item] | None:
        rope, _ = self.rope(config, tail)
        return None if rope is None else flatten(rope)

    def _guessed_items(self, config: int, tail: Tail) -> list[Item] | None:
        """As `_items`, but perhaps of a completion that something rules out."""
        return self._items(config, tail)

    def _look_around(self, config: int, tail: Tail) -> list[int] | None:
        """Another completion, where what the text holds elsewhere rules out the one that was found.

        Completions are tried out, the shortest first. From each that fails, all other bytes are tried at each place.
        """
        size = self.vocabulary_tables.vocabulary.size
        waiting: list[tuple[int, int, bytes, int]] = [(0, 0, b"", config)]
        seen = {b""}
        for order in range(1, _MANY_DETOURS):
            if not waiting:
                break
            _, _, written, here = heapq.heappop(waiting)
            items = self._guessed_items(here, longer(tail, written))
            if items is None or not all(isinstance(item, bytes) for item in items):
                continue
            whole = written + b"".join([item for item in items if isinstance(item, bytes)])
            token_ids = self.speller.spell([whole])
            if token_ids is not None and self.is_completion(config, tail, token_ids):
                return token_ids
            for length in range(len(written), len(whole)):
                so_far = longer(tail, whole[:length])
                found: dict[int, bytes] = {}
                for byte in range(256):
                    checkpoint()
                    text = whole[:length] + bytes([byte])
                    following = self.running.follow(here, size + byte, so_far)
                    if following is None or not self.running.keeps_guards(following, size + byte, so_far):
                        continue
                    if byte != whole[length] and text not in seen:
                        found.setdefault(following, text)
                for following, text in found.items():
                    seen.add(text)
                    distance = self.guess(following, longer(tail, text))
                    if distance is not None:
                        heapq.heappush(waiting, (len(text) + distance, order, text, following))
                next_config = self.running.follow(here, size + whole[length], so_far)
                if next_config is None:
                    break
                here = next_config
        return None

    def _tail_after(self, tail: Tail, token_id: int) -> Tail:
        return (
            longer(tail, self.vocabulary_tables.token_bytes(token_id))
            if self.vocabulary_tables.has_text(token_id)
            else tail
        )


def clear_all_but(row: Bitmask, kept: Bitmask) -> bool:
    """Clear the bits that another row does not have; whether there were any."""
    if not (row & ~kept).any():
        return False
    np.bitwise_and(row, kept, out=row)
    return True
