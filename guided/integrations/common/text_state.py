"""`TextState`: the state of one text in its grammar, as an engine's scheduler advances it."""

from __future__ import annotations

import logging
from copy import copy

from guided.grammars import Bitmask, CompiledGrammar
from guided.grammars.bitset import bit
from guided.grammars.errors import GuidedError, LimitExceededError

from ...errors import TokenRefusedError
from .closing import Closing
from .ends import Ends
from .forced_text import START, ForcedText, Place
from .speller import TokenSpeller

log = logging.getLogger(__name__)


class TextState:
    """The state of one text, initially at the start of `grammar`.

    speller: spells the bytes that the grammar forces; masks then allow only its tokens there, see `ForcedText`. None:
        the model chooses, for requests that exclude tokens in other ways.
    closes: near the end of the budget, allow only tokens that still let the text be completed.
    may_be_cut: attribute; the budget has excluded tokens, so that without it another token might have been drawn.

    An exception in a mask would end an engine's whole scheduler. After a failure, masks therefore allow every token,
    and `error` has the reason. Later tokens are accepted and rolled back without the grammar.
    """

    def __init__(self, grammar: CompiledGrammar, speller: TokenSpeller | None = None, *, closes: bool = False) -> None:
        self.grammar = grammar
        self.speller = speller
        self.closes = closes
        self.may_be_cut = False
        self.ends = Ends(grammar.vocabulary, ())
        self.error: Exception | None = None
        self.num_taken = 0
        self.matcher = grammar.matcher()
        is_private = grammar.spec.sources is not None
        self._forced = None if speller is None else ForcedText(grammar.vocabulary, speller, is_private=is_private)
        # Keys: numbers of tokens taken, in order; values: the places there. Only places inside of forced bytes.
        self._places: dict[int, Place] = {}
        self._closing = Closing()
        self._reserve: int | None = None  # tokens of the budget that are reserved for the end; None: undecided
        self._num_after_error = 0
        self._stopped_at: int | None = None  # number of tokens when one of the user's stop tokens ended the text

    @property
    def is_ended(self) -> bool:
        """True if an end token came."""
        return self.error is None and (self._stopped_at is not None or self.matcher.is_terminated())

    @property
    def num_to_roll_back(self) -> int:
        """Number of tokens that `roll_back` can take back, those after a failure included."""
        return self.num_taken + self._num_after_error

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
                self._fill(rows, index, position, self._left_for_text(tokens_left))
            except Exception as error:  # noqa: BLE001 - of one grammar: it ends this request only
                self.fail(error)
        if self.error is not None:
            rows[index] = -1

    def forced_token(self, tokens_left: int | None) -> int | None:
        """The token that must come next; None: there is a choice, or only the end may follow.

        tokens_left: as in `fill`.
        """
        return self._forced_token(self._left_for_text(tokens_left))

    def leave_spelling_to_model(self) -> None:
        """From now on, let the model choose the tokens of forced bytes."""
        self.speller = self._forced = None
        self._places.clear()

    def _fill(self, rows: Bitmask, index: int, position: int, tokens_left: int | None) -> None:
        token_id = self._forced_token(tokens_left)
        if token_id is not None:
            rows[index] = 0
            rows[index, token_id >> 5] = bit(token_id)
            return
        self.matcher.fill_bitmask(rows, index)
        if tokens_left is not None:
            self.may_be_cut |= self._closing.restrict(self.matcher, rows, index, tokens_left)
        self.ends.adjust(rows[index], position, is_complete=self.matcher.is_accepting())

    def _forced_token(self, tokens_left: int | None) -> int | None:
        if self._forced is None:
            return None
        try:
            token_id = self._forced.find_token(self.matcher, tokens_left, self._closing)
        except LimitExceededError as error:
            self._pass_spelling_on(error)
            return None
        return None if token_id in self.ends.stop_token_ids else token_id  # a stop token would cut the text

    def _forces(self, token_id: int) -> bool:
        if self._forced is None:
            return False
        try:
            return self._forced.forces(self.matcher, token_id)
        except LimitExceededError as error:
            self._pass_spelling_on(error)
            return False

    def _pass_spelling_on(self, error: LimitExceededError) -> None:
        """Masks without spelling need less, so a limit at forced bytes does not end the request."""
        log.info("the model spells the forced bytes of a text: %s", error)
        self.leave_spelling_to_model()

    def _left_for_text(self, tokens_left: int | None) -> int | None:
        """The tokens that the text may still get before its end; None: nothing limits them.

        A token is reserved for the end token: without it, an engine reports a complete text as cut. No token is
        reserved if the initial budget is too small for that or just large enough, since masks may not know the very
        shortest completion. The decision is made once: a text from restricted masks never needs more.
        """
        if not self.closes or tokens_left is None or tokens_left <= 0:  # at 0, drafts have used up the budget
            return None
        if self._reserve is None:
            self._reserve = int(self._closing.fits(self.matcher, (), tokens_left - 2))
        if self._closing.error is not None:
            self.closes = False
            log.info("a text is not kept completable within its number of tokens: %s", self._closing.error)
            return None
        return tokens_left - self._reserve

    def take(self, token_id: int) -> None:
        """Accept a token; after the end nothing happens. Raises TokenRefusedError."""
        if self.is_ended:
            return
        if self.error is not None:
            self._num_after_error += 1
            return
        try:
            is_forced = self._forces(token_id)
            is_taken = self.matcher.accept_token(token_id)
            is_stop = not is_taken and token_id in self.ends.stop_token_ids and self.matcher.is_accepting()
        except Exception as error:  # noqa: BLE001 - of one grammar
            self.fail(error)
            self._num_after_error += 1
            return
        if not is_taken and not is_stop:
            raise TokenRefusedError(
                f"the grammar refused token {token_id} after {self.num_taken} of its tokens: other rules left none "
                "that it allows, or it is not the engine's sampler that chose it"
            )
        forced = self._forced
        if forced is not None and forced.is_inside:
            self._places[self.num_taken] = forced.place
        self.num_taken += 1
        if is_stop:
            self._stopped_at = self.num_taken
        elif forced is not None:
            forced.accept(token_id, is_forced=is_forced)

    def roll_back(self, num_tokens: int) -> None:
        """Take back the last tokens."""
        uncounted = min(num_tokens, self._num_after_error)
        self._num_after_error -= uncounted
        num_tokens -= uncounted
        if num_tokens <= 0:
            return
        self.num_taken -= num_tokens
        if self._forced is not None:
            place = START
            while self._places and next(reversed(self._places)) >= self.num_taken:
                num_taken, last = self._places.popitem()
                place = last if num_taken == self.num_taken else START
            self._forced.go_back(place)
        if self._stopped_at is not None and self.num_taken < self._stopped_at:
            self._stopped_at = None
            num_tokens -= 1  # the matcher never accepted the stop token
        self.matcher.rollback(num_tokens)

    def copy(self) -> TextState:
        """An independent copy of the state. The request's ends and closing are not copied."""
        # At the start, a new matcher is created, which begins on fresh tables if the old ones are worn out.
        other = TextState(self.grammar, self.speller)
        if self.num_taken:
            other.matcher = self.matcher.fork()
            other.num_taken = self.num_taken
            other._stopped_at = self._stopped_at
            other._forced, other._places = copy(self._forced), self._places.copy()
        other.error = self.error
        other._num_after_error = self._num_after_error
        return other


def reason_of(error: Exception) -> str:
    """The message for a request's user about an error that ends it."""
    if isinstance(error, GuidedError):
        return str(error)
    return f"a fault of guided's plug-in: {type(error).__name__}: {error}"
