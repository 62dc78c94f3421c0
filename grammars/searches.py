"""`TextSearch`: find matches of a Language in a text that arrives in pieces, in time linear in the text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np

from .errors import InvalidInputError
from .machine.lexemes.positions import Positions
from .machine.lexemes.search_threads import Search, begin, read
from .machine.structs import Dfa
from .regex.algebra import Language

MAX_POSITIONS = 4096  # each takes at most about 10 ns a character


class Sought:
    """A plain Language without the empty text, ready to be searched for. Any number of searches may share it.

    Raises InvalidInputError if the Language has complements or intersections, or needs more than `max_positions`
    positions.
    """

    def __init__(self, language: Language, max_positions: int = MAX_POSITIONS) -> None:
        if not language.is_plain:
            raise InvalidInputError("only plain expressions are looked for, without lookarounds and word boundaries")
        self.dfa = Dfa()
        positions = Positions(self.dfa, _never, _never, max_positions)
        first = positions.before_text(language)
        if first is None or self.dfa.positions.used > max_positions:
            raise InvalidInputError(
                f"it is too large to be looked for: more than {max_positions:,} places in the pattern, with all "
                "repetitions written out; give a simpler one"
            )
        self.first = first


class TextSearch:
    """The search in one text.

    sought: the Language to search for.
    """

    def __init__(self, sought: Sought) -> None:
        self._sought = sought  # keeps alive what the struct knows only by address
        self._search = Search()
        self._search.dfa = sought.dfa
        self._search.first = sought.first
        for table in ("marks", "here", "starts", "following", "following_starts", "pending"):
            getattr(self._search, table).ensure(sought.dfa.positions.used)
        self.forget()

    @property
    def first_open(self) -> int:
        """The place of the first match that has begun and may still end; the end of the read text when there is
        none.
        """
        return int(self._search.starts.data[0])

    def push(self, text: str) -> Iterator[tuple[int, int]]:
        """Read more text, while the caller iterates.

        Yields (end, start) for each place where a match ends; start is the first one of the matches that end there.
        Places count characters of the whole text.
        """
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.int32)
        while len(codes):
            codes = codes[read(self._search.address, codes) :]
            if self._search.match_start >= 0:
                yield self._search.num_read, self._search.match_start

    def forget(self) -> None:
        """Drop all begun matches: later matches begin at the end of the read text or behind it."""
        begin(self._search.address)


def _never(_: Any) -> NoReturn:
    raise AssertionError("a plain Language has no products and no quotes")
