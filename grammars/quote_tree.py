"""The quotes of a source text as a Language: a lazy suffix tree of the places where quotes may begin.

R. Giegerich, S. Kurtz, J. Stoye, Efficient implementation of lazy suffix trees (Software: Practice and Experience,
2003). All suffixes are in one array. A state is an interval of the array, with the number of characters that its
suffixes share. The next characters are found when first asked for, by sorting the interval by one more character. The
text is cut after the last place where a quote may end, so every state leads to a quote.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .cached import cached_property
from .forks import anew_after_fork
from .quotes import SourceText
from .regex import algebra as lang
from .regex.algebra import Language
from .regex.charset import CharSet

_CUT = -1  # stands for the character after the last place where a quote may end


def quotes_of(tree: QuoteTree) -> Language:
    """The quotes of a source text; NOTHING if there are none. The Language keeps the text; no cache keeps either."""
    return lang.machine(tree.root) if tree.root.count else lang.NOTHING


class QuoteSearch(Protocol):
    """See `QuoteTree.search`."""

    def has_text(self, language: Language) -> bool | None:
        """True if a language has a text; None: not known."""

    def has_many(self, language: Language, many: int) -> bool:
        """True if a language surely has at least `many` texts; False: it may have fewer."""


def _nobody() -> None:
    return None


class QuoteTree:
    """The tree of one text. Any number of threads may use it.

    source: the text.
    search: attribute; function that returns a `QuoteSearch`, which decides without visiting states if a language that
        contains quotes has a text. It returns None if there is no `QuoteSearch`, or no more.
    """

    def __init__(self, text: SourceText) -> None:
        self.source = text
        self.search: Callable[[], QuoteSearch | None] = _nobody
        self._lock = anew_after_fork(threading.Lock())
        self._last = text.last_end  # index where the text is cut
        self._sorted: NDArray[np.int32] | None = None  # the starts, sorted as far as needed so far

    @property
    def root(self) -> QuoteState:
        """The state before the first character. The state refers to the tree, so the tree must not keep it."""
        return QuoteState(self, 0, self.source.num_starts, 0)

    @cached_property
    def most_left(self) -> int:
        return int(np.diff(np.flatnonzero(self.source.ends), prepend=0).max(initial=1))

    @cached_property
    def alphabet(self) -> NDArray[np.uint32]:
        """uint32 (k,), the different characters of the text, ascending."""
        found = np.unique(self.source.points[: self._last])
        self.source.forget_points()
        return found

    @cached_property
    def _points(self) -> NDArray[np.int32]:
        return np.append(self.source.points[: self._last].astype(np.int32), np.int32(_CUT))

    @property
    def _order(self) -> NDArray[np.int32]:
        """The starts, sorted as far as needed so far. Called under the lock. Machines don't need them."""
        if self._sorted is None:
            self._sorted = np.flatnonzero(self.source.starts[: self._last]).astype(np.int32)
        return self._sorted

    def may_end(self, state: QuoteState) -> bool:
        """True if the text so far is a quote."""
        if not state.depth:
            return False
        with self._lock:
            places = self._order[state.first : state.first + state.count] + np.int32(state.depth)
        return bool(self.source.ends[places].any())

    def transitions(self, state: QuoteState) -> tuple[tuple[CharSet, QuoteState], ...]:
        """See `TextAutomaton`. Sorts the interval of the state."""
        with self._lock:
            own = self._order[state.first : state.first + state.count]
            own[:] = own[np.argsort(self._points[own + np.int32(state.depth)], kind="stable")]
            following = self._points[own + np.int32(state.depth)]
        starts = np.flatnonzero(np.diff(following, prepend=following[0] - 1)).tolist()
        ends = [*starts[1:], len(own)]
        return tuple(
            [
                (((point, point),), QuoteState(self, state.first + start, end - start, state.depth + 1))
                for start, end, point in zip(starts, ends, following[starts].tolist(), strict=True)
                if point != _CUT
            ]
        )


class QuoteState:
    """A `TextAutomaton`. A state is an interval of the sorted suffixes, which share their first `depth` characters."""

    __slots__ = ("count", "depth", "first", "tree")
    surely_nonempty = True
    is_transient = True

    def __init__(self, tree: QuoteTree, first: int, count: int, depth: int) -> None:
        self.tree, self.first, self.count, self.depth = tree, first, count, depth

    def __hash__(self) -> int:
        return hash((id(self.tree), self.first, self.count, self.depth))

    def __eq__(self, other: Any) -> bool:
        return (
            isinstance(other, QuoteState)
            and self.tree is other.tree
            and (self.first, self.count, self.depth) == (other.first, other.count, other.depth)
        )

    @property
    def nullable(self) -> bool:
        """True if the text so far is a quote."""
        return self.tree.may_end(self)

    @property
    def most_left(self) -> int:
        return self.tree.most_left

    def has_text(self, language: Language) -> bool | None:
        search = self.tree.search()
        return None if search is None else search.has_text(language)

    def has_many(self, language: Language, many: int) -> bool:
        search = self.tree.search()
        return search is not None and search.has_many(language, many)

    def transitions(self) -> tuple[tuple[CharSet, QuoteState], ...]:
        return self.tree.transitions(self)
