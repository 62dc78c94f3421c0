"""`TextSearch`: where texts of a Language stand in a longer text, which comes piece by piece; linear in its length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np

from .errors import InvalidInputError
from .machine.lexemes.positions import Positions
from .machine.lexemes.search_threads import Search, begin, read
from .machine.structs import Dfa
from .regex.algebra import Language

MAX_POSITIONS = 4096  # about 10 ns each for every character, at the most


class Sought:
    """A plain Language without the empty text, shared by any number of searches.

    Raises InvalidInputError for one that takes more than MAX_POSITIONS.
    """

    def __init__(self, language: Language) -> None:
        self.dfa = Dfa()
        positions = Positions(self.dfa, _never, _never)
        first = positions.before_text(language)
        if first is None or self.dfa.positions.used > MAX_POSITIONS:
            raise InvalidInputError(
                f"it is too large to be looked for: more than {MAX_POSITIONS:,} places in the pattern, with all "
                "repetitions written out; give a simpler one"
            )
        self.first = first


class TextSearch:
    """One text. sought: what is looked for in it."""

    def __init__(self, sought: Sought) -> None:
        self._sought = sought  # which the struct knows by its address
        self._search = Search()
        self._search.dfa = sought.dfa
        self._search.first = sought.first
        for table in ("marks", "here", "starts", "following", "following_starts", "pending"):
            getattr(self._search, table).ensure(sought.dfa.positions.used)
        self.forget()

    @property
    def first_open(self) -> int:
        """Where the first match begins that may still go on; the end of what was read, if there is none."""
        return int(self._search.starts.data[0])

    def push(self, text: str) -> Iterator[tuple[int, int]]:
        """Read more text, while one iterates. Each place where a match ends, and where the first one began that does.

        Places are characters of the whole text.
        """
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.int32)
        while len(codes):
            codes = codes[read(self._search.address, codes) :]
            if self._search.match_start >= 0:
                yield self._search.num_read, self._search.match_start

    def forget(self) -> None:
        """No match goes on in what follows."""
        begin(self._search.address)


def _never(_: Any) -> NoReturn:
    raise AssertionError("a plain Language has no products and no quotes")
