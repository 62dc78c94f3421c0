"""`ContainerSearch`: finds the rest of a container with open alternatives, cheapest ways first (A*).

A configuration is skipped if an earlier one has the same conditions and allows each continuation that this one allows.
After many ways without an end, the search goes on greedily, with the configuration that seems nearest first. The
result need not be the shortest. Every configuration on the way keeps its part of the result, so that the way does not
get longer while it is written.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Generator
from typing import NamedTuple, TypeAlias

from ..errors import LimitExceededError
from ..machine.frames import Choices, Frame
from ..watch import checkpoint
from .least import Leasts
from .ropes import EMPTY, Rope, join
from .spelling import Speller
from .unknowns import MUST, REST, Outcomes, Step, Steps, Unknown, as_json, closing

_MAX_FRAMES = 4000
_MANY_STEPS = 400  # number of ways tried before the search becomes greedy
_MORE_FRAMES = 64  # frames visited after the first way to close, for other classes


class Found(NamedTuple):
    """The shortest ways to close a container, by class, and the open keys that an object has after them."""

    ends: Outcomes
    keys: frozenset[str] = frozenset()


Ways: TypeAlias = dict[tuple[Frame, int], Found]
"""Results of greedy searches for configurations; a configuration is a frame with FIRST, REST or MUST."""


class _Entry(NamedTuple):
    """A configuration that was reached.

    written: text so far.
    before: number of the entry before; -1 for none.
    last: piece written since that entry.
    """

    written: Rope
    frame: Frame
    mode: int
    before: int
    last: Rope


class ContainerSearch:
    """A search for the rest of one container.

    steps: function that returns the ways to write one more member or item.
    ways: results of other searches, extended by this one.
    """

    def __init__(self, speller: Speller, leasts: Leasts, steps: Callable[[Frame, int], Steps], ways: Ways) -> None:
        self._speller = speller
        self._leasts = leasts
        self._steps = steps
        self._ways = ways
        self._entries: list[_Entry] = []
        self._waiting: list[tuple[int, int, int]] = []
        self._visited: dict[object, list[Choices]] = {}
        self._is_greedy = False

    def run(self, frame: Frame, mode: int) -> Generator[Unknown, Outcomes, Found]:
        """Return the ways to close a container from a configuration.

        Raises LimitExceededError after too many configurations.
        """
        found = self._ways.get((frame, mode), Found({}))
        is_enough = as_json(frame).num_outcomes
        limit = _MAX_FRAMES if not found.ends else _MORE_FRAMES
        num_frames = 0
        yield from self._add(_Entry(EMPTY, frame, mode, -1, EMPTY))
        while self._waiting and num_frames < limit and len(found.ends) < is_enough:
            number = -heapq.heappop(self._waiting)[-1]
            checkpoint()
            here = self._entries[number]
            if not self._visit(here.frame, here.mode):
                continue
            num_frames += 1
            if not found.ends:
                self._be_greedy_after_many()
            before, found = found, self._closed(number, found)
            if found is not before and not before.ends:
                limit = min(limit, num_frames + _MORE_FRAMES)
            if len(found.ends) < is_enough:
                yield from self._go_on(number)
        if self._waiting and not found.ends:
            raise LimitExceededError("max_completion_frames", _MAX_FRAMES, "places", "of one object or array")
        return found

    def _go_on(self, number: int) -> Generator[Unknown, Outcomes, None]:
        """Add the configurations after one more member or item."""
        written, here, mode, *_ = self._entries[number]
        steps: list[Step] = yield from self._steps(here, mode)
        for piece, following in reversed(steps):
            if not self._is_visited(following, REST):
                yield from self._add(_Entry(join(written, piece), following, REST, number, piece))

    def _add(self, entry: _Entry) -> Generator[Unknown, Outcomes, None]:
        tokens, num_bytes = yield from self._leasts.of(entry.frame)
        tokens, num_bytes = entry.written.num_tokens + tokens, entry.written.num_bytes + num_bytes
        first = (as_json(entry.frame).distance(), tokens) if self._is_greedy else (tokens, num_bytes)
        heapq.heappush(self._waiting, (*first, -len(self._entries)))  # the latest of equally good entries comes first
        self._entries.append(entry)

    def _be_greedy_after_many(self) -> None:
        if self._is_greedy or len(self._entries) < _MANY_STEPS:
            return
        self._is_greedy = True
        self._waiting = [
            (as_json(self._entries[-one].frame).distance(), tokens, one) for tokens, _, one in self._waiting
        ]
        heapq.heapify(self._waiting)

    def _closed(self, number: int, found: Found) -> Found:
        """Return the results, with the way that ends at an entry added if it is new."""
        written, here, mode, *_ = self._entries[number]
        completion = here.close_class if mode != MUST else None
        end = self._speller.rope(closing(here))
        if completion is None or completion in found.ends or end is None:
            return found
        container = as_json(here)
        keys = frozenset(container.used) if container.kind == "object" else frozenset()
        if self._is_greedy:
            self._keep(number, completion, end, keys)
        return Found({**found.ends, completion: join(written, end)}, found.keys | keys)

    def _keep(self, number: int, completion: int, end: Rope, keys: frozenset[str]) -> None:
        """Keep a way in `ways`, with its rest for each configuration on the way."""
        rest = end
        while number >= 0:
            entry = self._entries[number]
            known = self._ways.get((entry.frame, entry.mode), Found({}))
            if rest.is_better_than(known.ends.get(completion)):
                self._ways[entry.frame, entry.mode] = Found({**known.ends, completion: rest}, known.keys | keys)
            rest, number = join(entry.last, rest), entry.before

    def _visit(self, frame: Frame, mode: int) -> bool:
        """Note a configuration as visited. Return False if a visited one allows each continuation that it allows."""
        if self._is_visited(frame, mode):
            return False
        alike, left = _left_to_choose(frame, mode)
        self._visited.setdefault(alike, []).append(left)
        return True

    def _is_visited(self, frame: Frame, mode: int) -> bool:
        """Return True if a visited configuration permitted everything that this one permits."""
        alike, left = _left_to_choose(frame, mode)
        return any(one.has_all_of(left) for one in self._visited.get(alike, ()))


def _left_to_choose(frame: Frame, mode: int) -> tuple[object, Choices]:
    """Return the conditions on the rest, and the choices that are left. The two determine the possible texts."""
    alike, left = as_json(frame).left_to_choose()
    return (alike, mode == MUST), left
