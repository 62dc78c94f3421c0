"""`Goal`: decides for a pair (code, stack, q) if the document can end in a state q that lets the later text go on.

A goal is the set of states q at which the document may end. Answers are kept for all pairs that a search passed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np

from ...watch import checkpoint
from .. import asking
from . import layout as ix
from .machines import Workspace, undecided
from .searches import begin_search, known_at, note_known, recall, run_search
from .structs import ProductSearch
from .summaries import Summaries

_DEEP_BUDGET = 2000
"""Maximum number of pairs that a search for one text visits before all texts are searched. PERF: a guess."""
_BROAD_BUDGET = 5000
"""Maximum number of pairs that a search of all texts visits before containers are summarized, which is slower. PERF: a
guess.
"""
_ENTRIES_AT_ONCE = 500
"""Entries of a search between two looks at the time limit: up to 128,000 steps of the machine, about 10 ms."""
_MAX_KEPT_BYTES = 1_000_000
"""Maximum memory of the texts that one goal keeps."""
_BYTES_OF_OBJECT = 64
"""Bytes of a text's object in a list, about."""


class Goal:
    """The answers for the pairs of one document.

    answer: function; answer(q) is True if the text after the document can go on from q.
    """

    def __init__(
        self, workspace: Workspace, summaries: Summaries, answer: Callable[[int], bool], max_pairs: int
    ) -> None:
        self._summaries = summaries
        self._workspace = workspace
        self._answer = answer
        self._max_pairs = max_pairs
        self._search = ProductSearch()
        self._address = self._search.address
        self._texts: dict[tuple[int, int, int], tuple[int, list[bytes]]] = {}  # pair -> (number asked for, texts)
        self._bytes_of_texts = 0
        self._requests = workspace.requests_with(
            {asking.ANSWER: lambda asked: self._note_answer(asked.state), asking.PAUSE: lambda _: self._pause()}
        )

    @property
    def num_bytes(self) -> int:
        """Memory of its tables and texts, in bytes."""
        return self._search.num_bytes + self._bytes_of_texts

    def known(self, code: int, stack: int, q: int) -> int:
        """Return the answer for a pair (CLEAN, CAPTURING, DOUBTFUL or LOST), searched on first use.

        Raises LimitExceededError.
        """
        found: int = known_at(self._address, code, stack, q)
        if not found:
            self._begin(code, stack, q, _DEEP_BUDGET, is_deep=True)
            if self._run() == ix.OVER_BUDGET:
                found = self._look_at_all(code, stack, q)
                note_known(self._address, code, stack, q, found)
            else:
                found = known_at(self._address, code, stack, q)
        return found

    def _look_at_all(self, code: int, stack: int, q: int) -> int:
        """Return the answer for a pair after searching all texts."""
        self._begin(code, stack, q, _BROAD_BUDGET, is_deep=False)
        status = self._run()
        if status == ix.OVER_BUDGET:
            if not any(map(self._answer, self._summaries.exits(code, stack, q))):
                return ix.LOST
            if not self._summaries.has_captures:
                return ix.CLEAN
            self._begin(code, stack, q, self._max_pairs, is_deep=False)
            status = self._run()
        if status == ix.OVER_BUDGET:
            raise undecided(self._max_pairs)
        return int(known_at(self._address, code, stack, q))

    def of_walk(self) -> list[int]:
        """Return the known answers for the pairs of the last walk; 0 for pairs that are not searched yet."""
        known = np.empty(self._workspace.product.pairs.used, dtype=np.int32)
        recall(self._workspace.product.address, self._address, known)
        found: list[int] = known.tolist()
        return found

    def texts(self, code: int, stack: int, q: int, most: int) -> list[bytes]:
        """Return up to `most` texts that lead from a pair to the goal, shortest first.

        Captures are passed without their texts. If several texts pass the same pair and then go on alike, only one of
        them is given. PERF: the texts are kept, as many tokens lead to the same pair.
        """
        asked, found = self._texts.get((code, stack, q), (0, []))
        if asked < most:
            self._bytes_of_texts -= _memory(found)
            found = list(islice(self._search_texts(code, stack, q), most))
            self._keep((code, stack, q), most, found)
        return found[:most]

    def _keep(self, pair: tuple[int, int, int], most: int, texts: list[bytes]) -> None:
        self._bytes_of_texts += _memory(texts)
        if self._bytes_of_texts > _MAX_KEPT_BYTES:
            self._texts.clear()
            self._bytes_of_texts = _memory(texts)
        self._texts[pair] = (most, texts)

    def _search_texts(self, code: int, stack: int, q: int) -> Iterator[bytes]:
        """Yield the texts of a new search. No other search may run meanwhile."""
        self._begin(code, stack, q, self._max_pairs, is_deep=False)
        while self._run() == ix.FOUND:
            entry = self._search.entries[self._search.here]
            yield self._text_to_here() + self._workspace.preference[entry.cursor].tobytes()
            entry.cursor += 1  # the same search goes on after that byte

    def _begin(self, code: int, stack: int, q: int, budget: int, is_deep: bool) -> None:
        checkpoint()
        self._search.work_left = _ENTRIES_AT_ONCE
        begin_search(self._address, code, stack, q, min(budget, self._max_pairs), int(is_deep))

    def _run(self) -> int:
        """Go on with a search until it finds something, or to its end."""
        workspace = self._workspace
        status: int = self._requests.run(
            lambda: run_search(workspace.address, workspace.product.address, self._address)
        )
        return status

    def _pause(self) -> None:
        """Look at the time limit for a search that works long."""
        checkpoint()
        self._search.work_left = _ENTRIES_AT_ONCE

    def _note_answer(self, q: int) -> None:
        """Compute whether a document may leave a q behind."""
        self._search.answers.insert(q, 1, int(self._answer(q)))

    def _text_to_here(self) -> bytes:
        """Return the bytes that led to the search's current entry."""
        text, entry = bytearray(), self._search.entries[self._search.here]
        while entry.parent >= 0:
            text.append(entry.byte)
            entry = self._search.entries[entry.parent]
        return bytes(text[::-1])


def _memory(texts: list[bytes]) -> int:
    return sum([len(text) + _BYTES_OF_OBJECT for text in texts])
