"""`CompletionGuard`: keeps a constrained answer such that it can be completed within its budget of tokens.

The engine fills a row's mask, lets the guard restrict it, samples, and accepts the token. As long as the budget is far,
the guard does nothing but compare two numbers. Near it, tokens are cleared after which the text could no longer be
completed in time. So with a budget of at least `min_tokens` of the grammar the text is complete and valid when
the budget is used up, whatever is sampled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from guided.grammars.errors import LimitExceededError, NoCompletionError, UnsupportedGrammarError

if TYPE_CHECKING:
    from guided.grammars.bitset import Bitmask
    from guided.grammars.protocol import Matcher


class CompletionGuard:
    """Of one row with a grammar.

    matcher: the row's, which the engine advances. num_end_tokens: tokens that the row must keep for what comes after
        the grammar's text, normally 0: no end-of-sequence token is needed where the budget ends the row.

    error: why the guard does nothing (any more); None while it works. A backend that can't tell how far a text is from
        its end (llguidance, xgrammar), or a grammar for which no completion is found within its limits. The row then
        ends as without a guard.
    """

    __slots__ = ("_matcher", "_num_end_tokens", "error")

    def __init__(self, matcher: Matcher, *, num_end_tokens: int = 0) -> None:
        self._matcher = matcher
        self._num_end_tokens = num_end_tokens
        self.error: Exception | None = None

    def fork(self, matcher: Matcher) -> CompletionGuard:
        """One for a fork of the matcher."""
        fork = CompletionGuard(matcher, num_end_tokens=self._num_end_tokens)
        fork.error = self.error
        return fork

    def restrict(self, bitmask: Bitmask, row: int, tokens_left: int) -> bool:
        """Clear what could not be completed in time from `bitmask[row]`, the mask of the matcher's place; True if there
        was anything.

        bitmask: int32 (B, W). tokens_left: tokens that the row may still get, the one to be drawn now included, >= 1.
        A row whose text can't be completed in `tokens_left` tokens at all stays as it is.
        """
        if self.error is not None:
            return False
        try:
            return self._matcher.restrict_to_budget(bitmask, row, tokens_left - self._num_end_tokens)
        except (LimitExceededError, NoCompletionError, UnsupportedGrammarError) as error:
            self.error = error
            return False

    def fits(self, token_ids: Sequence[int], tokens_left: int) -> bool:
        """True when the text can still be completed in time after these tokens, as far as that is known; see `error`.

        tokens_left: that the row may still get, these included.
        """
        if self.error is not None:
            return True
        try:
            return self._matcher.fits_budget(token_ids, tokens_left - self._num_end_tokens)
        except (LimitExceededError, NoCompletionError, UnsupportedGrammarError) as error:
            self.error = error
            return True

    def reserve(self) -> int | None:
        """The tokens that the text needs from where the matcher is now; None where that is not known (see `error`).

        For blocks of thinking, during which the grammar sleeps: a block must be closed, its end token included, while
        at least so many tokens are left.
        """
        if self.error is not None:
            return None
        try:
            return len(self._matcher.find_shortest_completion()) + self._num_end_tokens
        except (LimitExceededError, NoCompletionError, UnsupportedGrammarError) as error:
            self.error = error
            return None
