"""`Closing`: near the end of a token budget, allows only tokens that still let the text be completed."""

from __future__ import annotations

import logging

from guided.grammars import Bitmask, Matcher
from guided.grammars.errors import LimitExceededError, NoCompletionError, UnsupportedGrammarError

log = logging.getLogger(__name__)

_CANT_CLOSE = (LimitExceededError, NoCompletionError, UnsupportedGrammarError)


class Closing:
    """Closes one text in time. has_begun: attribute; tokens have been excluded for the budget."""

    __slots__ = ("_is_on", "_reserve", "has_begun")

    def __init__(self) -> None:
        self.has_begun = False
        self._is_on = True
        self._reserve: int | None = None  # tokens reserved for the end; None: undecided

    def restrict(self, matcher: Matcher, rows: Bitmask, index: int, tokens_left: int) -> None:
        """Clear tokens in a filled row that would prevent completion within the budget.

        One token is reserved for the end token, without which an engine reports a complete text as cut. No token is
        reserved if the initial budget is too small for that or just large enough, since masks may not know the very
        shortest completion. The decision is made once: a text from restricted masks never needs more.
        """
        if tokens_left < 1 or not self._is_on:
            return  # drafts have used up the budget, so tokens after them are discarded
        try:
            if self._reserve is None:
                self._reserve = int(matcher.fits_budget((), tokens_left - 2))
            self.has_begun |= matcher.restrict_to_budget(rows, index, tokens_left - self._reserve)
        except _CANT_CLOSE as error:
            self._is_on = False
            log.info("a text is not kept completable within its number of tokens: %s", error)
