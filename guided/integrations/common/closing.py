"""`Closing`: near the end of a budget, allow only what can still be completed."""

from __future__ import annotations

import logging

from guided.grammars import Bitmask, Matcher
from guided.grammars.errors import LimitExceededError, NoCompletionError, UnsupportedGrammarError

log = logging.getLogger(__name__)

_CANT_CLOSE = (LimitExceededError, NoCompletionError, UnsupportedGrammarError)


class Closing:
    """Of one text. has_begun: it has ruled out tokens."""

    __slots__ = ("_is_on", "_reserve", "has_begun")

    def __init__(self) -> None:
        self.has_begun = False
        self._is_on = True
        self._reserve: int | None = None  # tokens kept back for the end; None: not decided

    def restrict(self, matcher: Matcher, rows: Bitmask, index: int, tokens_left: int) -> None:
        """Clear, in a row that the matcher filled, what can't be completed in time.

        A token is kept back for the end, without which an engine calls a complete text cut; none where the budget is
        too small for that from the start, or just large enough, as masks may know of no completion that is quite as
        short as the shortest. It suffices to look once: a text from restricted masks never needs more.
        """
        if tokens_left < 1 or not self._is_on:
            return  # behind drafts that use the budget up: what comes here is thrown away
        try:
            if self._reserve is None:
                self._reserve = int(matcher.fits_budget((), tokens_left - 2))
            self.has_begun |= matcher.restrict_to_budget(rows, index, tokens_left - self._reserve)
        except _CANT_CLOSE as error:
            self._is_on = False
            log.info("a text is not kept completable within its number of tokens: %s", error)
