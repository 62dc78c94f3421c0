"""`RowGrammar`: the state of one request's grammar, the tokens that it forces, and the tokens that its budget excludes.

The engine fills a row's mask, lets `restrict` exclude tokens, samples, and accepts the token. `restrict` only compares
two numbers while the end of the budget is far. Near the end, it excludes tokens that would leave too little budget to
complete the text. If the budget is at least the grammar's `min_tokens`, the text is therefore complete and valid when
the budget is used up, whatever is sampled.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import copy

from guided.grammars.bitset import Bitmask
from guided.grammars.errors import GuidedError, LimitExceededError, NoCompletionError
from guided.grammars.protocol import CompiledGrammar

from ...errors import TokenRefusedError
from ...integrations.common.closing import Closing
from ...integrations.common.forced_text import ForcedText, allows_only_end
from ...integrations.common.speller import TokenSpeller

GUESSED_BYTES = 4  # bytes of a quote to request for each token to guess
_FORCED_BYTES = 12  # bytes to request for each token to guess behind a quote; forced keys and marks are long tokens
_PHRASE_END = re.compile(rb"[.,;:!?)]+ | [(-]")  # places in a source where many quotes end


class RowGrammar:
    """The matcher of one request, with the forced text that must follow.

    Forced bytes are spelled as `ForcedText` says, with jump-forward and without. If the document ends with them, the
    end is forced, too, if the vocabulary has only one token for it. Therefore jump-forward never changes the tokens of
    a request.

    grammar: the compiled grammar.
    speller: spells forced bytes; None: every token is left to the model, for requests that exclude tokens in other
        ways.
    is_private: True: texts of the request must not stay in caches.
    matcher: attribute; the state of the grammar.
    was_cut: attribute; True: at some step the budget excluded the token that would have been taken without it, from the
        same noise. Another spelling of forced bytes counts, too, because it changes later draws.
    """

    def __init__(
        self, grammar: CompiledGrammar, speller: TokenSpeller | None = None, *, is_private: bool = False
    ) -> None:
        self.matcher = grammar.matcher()
        self.was_cut = False
        self._vocabulary = grammar.vocabulary
        self._speller = speller
        is_private = is_private or grammar.spec.sources is not None
        self._forced = ForcedText(grammar.vocabulary, speller, is_private=is_private)
        self._closing = Closing()
        self._reserve: int | None = None  # result of `reserve` for the text so far; None: not computed yet

    def forced_token(self, tokens_left: int, *, may_end: bool = True) -> int | None:
        """The token that must come next; None: the model chooses.

        tokens_left: number of tokens that the text may still get, including this one.
        may_end: True: the result may be an end-of-sequence token.
        """
        token_id = self._forced.find_token(self.matcher, tokens_left, self._closing)
        if token_id is None and may_end and self._forced.ends:
            return self._only_end()
        return token_id

    @property
    def budget_error(self) -> Exception | None:
        """See `Closing.error`: why the budget excludes nothing from now on."""
        return self._closing.error

    @property
    def fits(self) -> bool:
        """True if the text up to here fits the grammar."""
        return self.matcher.is_terminated() or self.matcher.is_accepting()

    @property
    def end_error(self) -> GuidedError | None:
        """The error of a text that ended without a valid end because the grammar's limits allowed no search for one.

        None if the text fits, or if there was no such limit.
        """
        error = self.budget_error
        if self.fits or not isinstance(error, LimitExceededError | NoCompletionError):
            return None
        return NoCompletionError(
            f"the token budget ended before the text, and the grammar found no completion: {error}"
        )

    def is_at_end(self) -> bool:
        """True if only the end of the text can follow."""
        return self.matcher.is_terminated() or (
            self.matcher.is_accepting() and allows_only_end(self.matcher, self._vocabulary)
        )

    def is_end(self, token_id: int) -> bool:
        """True for an end-of-sequence token."""
        return token_id in self._vocabulary.eos_token_ids

    def text_of(self, token_ids: Sequence[int]) -> bytes:
        """The bytes of tokens."""
        return self._vocabulary.join(token_ids)

    def restrict(self, bitmask: Bitmask, row: int, tokens_left: int) -> bool:
        """See `Closing.restrict`."""
        return self._closing.restrict(self.matcher, bitmask, row, tokens_left)

    def reserve(self) -> int:
        """Minimum number of tokens for the rest of the text; 0 if it is not known.

        The engine uses it during thinking: the block must be closed, with its end token, while at least this number of
        tokens is left.
        """
        if self._reserve is None:
            self._reserve = self._closing.reserve(self.matcher)
        return self._reserve

    def resume(self, token_id: int) -> None:
        """Take a token of a prefix that the request continues. Raises TokenRefusedError."""
        if not self.matcher.accept_token(token_id):
            raise TokenRefusedError(f"the grammar refuses token {token_id} of the prefix that this request continues")

    def fork(self) -> RowGrammar:
        """An independent copy in the same state."""
        fork = copy(self)
        fork.matcher = self.matcher.fork()
        fork._forced, fork._closing = copy(self._forced), copy(self._closing)
        return fork

    def accept(self, token_id: int, wanted_id: int | None = None) -> bool:
        """Take a token. Returns True if the grammar had already determined all its bytes.

        wanted_id: token that would have been drawn without the budget; None: the budget excluded nothing.
        Raises TokenRefusedError. If the matcher raises another error, the state stays as before, except `was_cut`.
        """
        if wanted_id is not None:
            spelled = self._forced.spelled_token
            self.was_cut |= token_id != (wanted_id if spelled is None else spelled)
        is_forced = self._forced.forces(self.matcher, token_id)
        if not self.matcher.accept_token(token_id):
            token = self._vocabulary.tokens[token_id]
            raise TokenRefusedError(f"the grammar refused token {token_id} ({token!r}) that its bitmask allowed")
        self._reserve = None
        self._forced.accept(token_id, is_forced=is_forced)
        return is_forced

    def allowed_start(self, token_ids: list[int]) -> list[int]:
        """The longest beginning of a list of tokens that the grammar accepts. The state does not change."""
        num_taken = 0
        try:
            while num_taken < len(token_ids) and self.matcher.accept_token(token_ids[num_taken]):
                num_taken += 1
        finally:
            self.matcher.rollback(num_taken)
        return token_ids[:num_taken]

    def unspelled(self) -> tuple[bytes, tuple[int, ...]]:
        """See `ForcedText.find_unspelled`."""
        return self._forced.find_unspelled(self.matcher)

    def quote_guess(self, most: int, behind: Sequence[int] = ()) -> list[int]:
        """Guess how a quote continues: the next tokens of its source, up to the end of a phrase. [] outside of quotes.

        At the end of the phrase, the guess ends the string and adds the bytes that the grammar forces after it.
        most: maximum number of tokens.
        behind: tokens that the quote must continue with; the guess follows them.
        """
        if self._speller is None or most < 1:
            return []
        head = self._vocabulary.join(behind)
        asked = len(head) + most * GUESSED_BYTES
        bytes_ = self.matcher.find_quote_continuation(asked + 1)
        rest = bytes_[len(head) : asked] if bytes_.startswith(head) else b""
        if not rest:
            return []
        is_all = len(bytes_) <= asked
        end = _PHRASE_END.search(rest + b" " if is_all else rest)
        phrase = rest[: end.start()] if end else rest
        guess = list(self._speller.spell_once(phrase))
        if (end or is_all) and len(guess) < most:
            guess += self._end_of_quote(self._speller, head + phrase, most - len(guess))
        return guess[:most]

    def _end_of_quote(self, speller: TokenSpeller, before: bytes, most: int) -> tuple[int, ...]:
        """Tokens of the end of a quote, and of the bytes that are forced after it.

        before: bytes of the quote that come first.
        most: number of tokens to aim at.
        """
        try:
            return speller.spell_once(self.matcher.find_quote_end(before, most * _FORCED_BYTES))
        except GuidedError:  # a limit, or the step's time is up; the row's own draw will meet it again
            return ()

    def _only_end(self) -> int | None:
        ends = self._vocabulary.eos_token_ids
        return next(iter(ends)) if len(ends) == 1 else None
