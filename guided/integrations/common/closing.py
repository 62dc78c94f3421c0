"""`Closing`: asks the matcher of one text whether the text can still be completed within its budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from guided.grammars.bitset import Bitmask
from guided.grammars.errors import LimitExceededError, NoCompletionError, UnsupportedGrammarError
from guided.grammars.protocol import Matcher

Answer = TypeVar("Answer")


class Closing:
    """The questions of one text about its completion. After the first failure the matcher is no longer asked.

    error: attribute; why the matcher can't answer; None: it can. Causes are a backend that can't tell how far a text is
        from its end (llguidance, xgrammar), and a grammar without a completion within its limits.
    The matcher that the methods get is the text's own, at the present place.
    """

    def __init__(self) -> None:
        self.error: Exception | None = None

    def restrict(self, matcher: Matcher, bitmask: Bitmask, row: int, tokens_left: int) -> bool:
        """Clear the tokens in `bitmask[row]` after which the text could not be completed within its budget.

        bitmask: int32 (B, W); the row has the mask of the present state.
        tokens_left: number of tokens that the text may still get, including the next one.
        Returns True if a token was cleared. If the text can't be completed in `tokens_left` tokens at all, or if the
        matcher can't answer, the row stays.
        """
        return self._asked(False, lambda: matcher.restrict_to_budget(bitmask, row, tokens_left))

    def fits(self, matcher: Matcher, token_ids: Sequence[int], tokens_left: int) -> bool:
        """True if the text can be completed in `tokens_left` tokens that begin with `token_ids`, or if the matcher
        can't answer.
        """
        return self._asked(True, lambda: matcher.fits_budget(token_ids, tokens_left))

    def reserve(self, matcher: Matcher) -> int:
        """Minimum number of tokens for the rest of the text; 0 if the matcher can't answer."""
        return self._asked(0, lambda: len(matcher.find_shortest_completion()))

    def _asked(self, unknown: Answer, ask: Callable[[], Answer]) -> Answer:
        if self.error is None:
            try:
                return ask()
            except (LimitExceededError, NoCompletionError, UnsupportedGrammarError) as error:
                self.error = error
        return unknown
