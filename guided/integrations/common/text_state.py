"""`TextState`: the state of one text in its grammar, as an engine's scheduler advances it."""

from __future__ import annotations

import logging

from guided.grammars import Bitmask, CompiledGrammar
from guided.grammars.errors import GuidedError, LimitExceededError, NoCompletionError, UnsupportedGrammarError

from .ends import Ends

log = logging.getLogger(__name__)
_CANT_CLOSE = (LimitExceededError, NoCompletionError, UnsupportedGrammarError)


class RefusedTokenError(GuidedError, ValueError):
    """The grammar does not allow a token. Since it is a ValueError, SGLang ends this request and continues others."""


class TextState:
    """The state of one text, initially at the start of `grammar`.

    closes: near the end of the budget, allow only tokens that still let the text be completed.
    may_be_cut: attribute; the budget has excluded tokens, so that without it another token might have been drawn.

    An exception in a mask would end an engine's whole scheduler. After a failure, masks therefore allow every token,
    and `error` has the reason. Later tokens are accepted and rolled back without the grammar.
    """

    def __init__(self, grammar: CompiledGrammar, *, closes: bool = False) -> None:
        self.grammar = grammar
        self.closes = closes
        self.may_be_cut = False
        self.ends = Ends(grammar.vocabulary, ())
        self.error: Exception | None = None
        self.num_taken = 0
        self.matcher = grammar.matcher()
        self._reserve: int | None = None  # tokens of the budget that are reserved for the end; None: undecided
        self._num_after_error = 0
        self._stopped_at: int | None = None  # number of tokens when one of the user's stop tokens ended the text

    @property
    def is_ended(self) -> bool:
        """True if an end token came."""
        return self.error is None and (self._stopped_at is not None or self.matcher.is_terminated())

    def fill(self, rows: Bitmask, index: int, position: int, tokens_left: int | None) -> None:
        """Write the mask of the next token; if that fails, allow everything.

        rows, index: the bitmask and the row to write.
        position: number of output tokens before the next one.
        tokens_left: output tokens still allowed, the next one included; None: unknown.
        """
        if self.error is None:
            try:
                self.matcher.fill_bitmask(rows, index)
                if self.closes and tokens_left is not None and tokens_left > 0:  # at 0, drafts have used up the budget
                    self._restrict(rows, index, tokens_left)
                self.ends.adjust(rows[index], position, is_complete=self.matcher.is_accepting())
            except Exception as error:  # noqa: BLE001 - of one grammar: it ends this request only
                self.error = error
        if self.error is not None:
            rows[index] = -1

    def _restrict(self, rows: Bitmask, index: int, tokens_left: int) -> None:
        """Clear tokens in a filled row that would prevent completion within the budget.

        A token is reserved for the end token: without it, an engine reports a complete text as cut. No token is
        reserved if the initial budget is too small for that or just large enough, since masks may not know the very
        shortest completion. The decision is made once: a text from restricted masks never needs more.
        """
        try:
            if self._reserve is None:
                self._reserve = int(self.matcher.fits_budget((), tokens_left - 2))
            self.may_be_cut |= self.matcher.restrict_to_budget(rows, index, tokens_left - self._reserve)
        except _CANT_CLOSE as error:
            self.closes = False
            log.info("a text is not kept completable within its number of tokens: %s", error)

    def take(self, token_id: int) -> None:
        """Accept a token; after the end nothing happens. Raises RefusedTokenError."""
        if self.is_ended:
            return
        if self.error is not None:
            self._num_after_error += 1
            return
        try:
            is_taken = self.matcher.accept_token(token_id)
            is_stop = not is_taken and token_id in self.ends.stop_token_ids and self.matcher.is_accepting()
        except Exception as error:  # noqa: BLE001 - of one grammar
            self.error = error
            self._num_after_error += 1
            return
        if not is_taken and not is_stop:
            raise RefusedTokenError(
                f"the grammar refused token {token_id} after {self.num_taken} of its tokens: other rules left none "
                "that it allows, or it is not the engine's sampler that chose it"
            )
        self.num_taken += 1
        if is_stop:
            self._stopped_at = self.num_taken

    def roll_back(self, num_tokens: int) -> None:
        """Take back the last tokens."""
        uncounted = min(num_tokens, self._num_after_error)
        self._num_after_error -= uncounted
        num_tokens -= uncounted
        if num_tokens <= 0:
            return
        self.num_taken -= num_tokens
        if self._stopped_at is not None and self.num_taken < self._stopped_at:
            self._stopped_at = None
            num_tokens -= 1  # the matcher never accepted the stop token
        self.matcher.rollback(num_tokens)

    def forced_text(self) -> str:
        """The text that must follow, up to the last whole character."""
        if self.error is not None or self.is_ended:
            return ""
        return self.matcher.find_jump_forward_bytes().decode("utf-8", "ignore")

    def copy(self) -> TextState:
        """An independent copy of the state. The request's ends and closing are not copied."""
        # At the start, a new matcher is created, which begins on fresh tables if the old ones are worn out.
        other = TextState(self.grammar)
        if self.num_taken:
            other.matcher = self.matcher.fork()
            other.num_taken = self.num_taken
            other._stopped_at = self._stopped_at
        other.error = self.error
        other._num_after_error = self._num_after_error
        return other


def reason_of(error: Exception) -> str:
    """The message for a request's user about an error that ends it."""
    if isinstance(error, GuidedError):
        return str(error)
    return f"a fault of guided's plug-in: {type(error).__name__}: {error}"
