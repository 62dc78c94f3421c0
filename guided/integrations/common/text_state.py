"""`TextState`: the state of one text in its grammar, as another engine's scheduler advances it."""

from __future__ import annotations

import logging
from typing import Self

from guided.grammars import Bitmask, CompiledGrammar
from guided.grammars.bitset import allow_only
from guided.grammars.errors import GuidedError, LimitExceededError

from ...errors import TokenRefusedError
from ...grammar_state.forced_bytes import UNKNOWN, ForcedBytes
from ...grammar_state.speller import TokenSpeller
from ...grammar_state.state import GrammarState
from .ends import Ends

log = logging.getLogger(__name__)


class TextState(GrammarState):
    """A `GrammarState` that fills whole masks, takes tokens back, and knows the request's ends.

    speller: as for `GrammarState`. Where it spells forced bytes, masks allow only its tokens.
    closes: near the end of the budget, allow only tokens that still let the text be completed.

    Attributes:
    ends: the tokens that may end the text.
    error: why the grammar has failed; None: it has not.

    Methods of the base are called without `super()`, which would add 0.1 us to each of several calls a token.

    An exception in a mask would end an engine's whole scheduler. After a failure, masks therefore allow every token,
    and `error` has the reason. Later tokens are accepted and rolled back without the grammar.
    """

    def __init__(self, grammar: CompiledGrammar, speller: TokenSpeller | None = None, *, closes: bool = False) -> None:
        super().__init__(grammar, speller)
        self.closes = closes
        self.ends = Ends(grammar.vocabulary, ())
        self.error: Exception | None = None
        self._places: list[ForcedBytes] = []  # the place before each token that the matcher has accepted
        self._num_unseen = 0  # number of last tokens without the matcher: a stop token, tokens after a failure
        self._end_tokens: int | None = None  # number of the budget's tokens kept for the end, 0 or 1; None: undecided

    @property
    def num_taken(self) -> int:
        """Number of tokens that the text has taken."""
        return len(self._places) + self._num_unseen

    @property
    def is_ended(self) -> bool:
        """True if an end token came."""
        return self.error is None and (self._num_unseen > 0 or self.matcher.is_terminated())

    def fail(self, error: Exception) -> None:
        """Go on without the grammar. An error that is a fault of ours is logged."""
        self.error = error
        if not isinstance(error, GuidedError):
            log.error("a fault of guided's plug-in", exc_info=error)

    def fill(self, rows: Bitmask, index: int, position: int, tokens_left: int | None) -> None:
        """Write the mask of the next token; if that fails, allow everything.

        rows, index: the bitmask and the row to write.
        position: number of output tokens before the next one.
        tokens_left: output tokens still allowed, the next one included; None: unknown.
        """
        if self.error is None:
            try:
                self._fill(rows, index, position, tokens_left)
            except Exception as error:  # noqa: BLE001 - of one grammar: it ends this request only
                self.fail(error)
        if self.error is not None:
            rows[index] = -1

    def forced_token(self, tokens_left: int | None) -> int | None:
        """The token that must come next; None: there is a choice, or only the end may follow.

        tokens_left: as in `fill`.
        """
        return self._forced_token(self._left_for_text(tokens_left))

    def _forced_token(self, left_for_text: int | None) -> int | None:
        if self.speller is None:
            return None
        try:
            token_id = GrammarState.forced_token(self, left_for_text)
        except LimitExceededError as error:
            self._pass_spelling_on(error)
            return None
        return None if token_id in self.ends.stop_token_ids else token_id  # a stop token would cut the text

    def leave_spelling_to_model(self) -> None:
        """From now on, let the model choose the tokens of forced bytes."""
        self.speller = None
        self._forced, self._places = UNKNOWN, [UNKNOWN] * len(self._places)

    def _fill(self, rows: Bitmask, index: int, position: int, tokens_left: int | None) -> None:
        left_for_text = self._left_for_text(tokens_left)
        token_id = self._forced_token(left_for_text)
        if token_id is not None:
            allow_only(rows, index, token_id)
            return
        self.matcher.fill_bitmask(rows, index)
        if left_for_text is not None:
            self.restrict(rows, index, left_for_text)
        self.ends.adjust(rows[index], position, is_complete=self.matcher.is_accepting())

    def _forces(self, token_id: int) -> bool:
        # Without a speller, nothing uses the bytes.
        return self.speller is not None and GrammarState._forces(self, token_id)

    def _jump_forward_bytes(self) -> bytes:
        try:
            return GrammarState._jump_forward_bytes(self)
        except LimitExceededError as error:
            self._pass_spelling_on(error)
            return b""

    def _pass_spelling_on(self, error: LimitExceededError) -> None:
        """Masks without spelling need less, so a limit at forced bytes does not end the request."""
        log.info("the model spells the forced bytes of a text: %s", error)
        self.leave_spelling_to_model()

    def _left_for_text(self, tokens_left: int | None) -> int | None:
        """The tokens that the text may still get before its end; None: nothing limits them.

        A token is kept for the end token: without it, an engine reports a complete text as cut. No token is kept if the
        initial budget is too small for that or just large enough, since masks may not know the very shortest
        completion. The decision is made once: a text from restricted masks never needs more.
        """
        if not self.closes or tokens_left is None or tokens_left <= 0:  # at 0, drafts have used up the budget
            return None
        if self._end_tokens is None:
            self._end_tokens = int(self.fits_budget((), tokens_left - 2))
        if self.budget_error is not None:
            self.closes = False
            log.info("a text is not kept completable within its number of tokens: %s", self.budget_error)
            return None
        return tokens_left - self._end_tokens

    def take(self, token_id: int) -> None:
        """Accept a token; after the end nothing happens. Raises TokenRefusedError."""
        if self.is_ended:
            return
        place, is_taken, is_stop = self._forced, False, False
        if self.error is None:
            try:
                is_stop = token_id in self.ends.stop_token_ids and self.matcher.is_accepting()
                self.accept(token_id)
                is_taken = True
            except TokenRefusedError as error:
                if not is_stop:
                    raise TokenRefusedError(
                        f"{error} after {self.num_taken} of its tokens: other rules left none that it allows, or it is "
                        "not the engine's sampler that chose it"
                    ) from None
            except Exception as error:  # noqa: BLE001 - of one grammar
                self.fail(error)
        if is_taken:
            is_kept = self.speller is not None and place.is_inside
            self._places.append(place if is_kept else UNKNOWN)
        else:
            self._num_unseen += 1

    def rollback(self, num_tokens: int) -> None:
        """Take back the last tokens."""
        num_unseen = min(num_tokens, self._num_unseen)
        self._num_unseen -= num_unseen
        num_tokens -= num_unseen
        if num_tokens > 0:
            self.matcher.rollback(num_tokens)
            self._forced, self._distance = self._places[-num_tokens], None
            del self._places[-num_tokens:]

    def fork(self) -> Self:
        """An independent copy of the state. The request's ends and closing are not copied."""
        # At the start, a new matcher is created, which begins on fresh tables if the old ones are worn out.
        other = type(self)(self.grammar, self.given_speller)
        other.speller = self.speller
        if self._places:
            other.matcher, other._forced, other._places = self.matcher.fork(), self._forced, self._places.copy()
        other.error, other._num_unseen = self.error, self._num_unseen
        return other


def reason_of(error: Exception) -> str:
    """The message for a request's user about an error that ends it."""
    if isinstance(error, GuidedError):
        return str(error)
    return f"a fault of guided's plug-in: {type(error).__name__}: {error}"
