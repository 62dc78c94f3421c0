"""`RowGrammar`: where one request's grammar stands, the tokens that it forces, and those that its budget rules out.

The engine fills a row's mask, lets `restrict` rule out tokens, samples, and accepts the token. As long as the end of
the budget is far, `restrict` compares two numbers. Near it, `restrict` rules out tokens after which the text could no
longer be completed in time. So with a budget of at least `min_tokens` of the grammar, the text is complete and valid
when the budget is used up, whatever is sampled.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence
from copy import copy
from functools import lru_cache
from typing import TypeVar

import numpy as np

from guided.grammars.bitset import BITS_PER_WORD, Bitmask, allocate_bitmask, pack_token_ids
from guided.grammars.errors import GuidedError, LimitExceededError, NoCompletionError, UnsupportedGrammarError
from guided.grammars.protocol import CompiledGrammar

from ..errors import TokenRefusedError
from .speller import Speller, Spelling

Answer = TypeVar("Answer")

GUESSED_BYTES = 4  # for each token of a guess
_FORCED_BYTES = 12  # for each token of a guess of what a grammar forces: keys and marks are long tokens
_PHRASE_END = re.compile(rb"[.,;:!?)]+ | [(-]")  # of a source: many a quote of it ends there
MAX_SPELLED_BYTES = 2048
"""At once, in a step. The tokenizer reads them several times; with 200 KB that held up everybody for seconds."""


class RowGrammar:
    """The matcher of one request, and what is known of the text that must follow.

    Bytes that the grammar forces are spelled in the tokenizer's own tokens. Those of them that depend on what follows
    are left to the model, unless the document ends with them; then its end is forced too, where the vocabulary has one
    token for it. So the tokens of a request don't depend on how many of them are read in one pass.

    Near the end of its budget of tokens a text takes only what can still be completed, the tokenizer's own or not.

    speller: None leaves every token to the model, for requests that rule out tokens in other ways.

    budget_error: why the budget rules out nothing (any more); None while it does. A backend that can't tell how far a
    text is from its end (llguidance, xgrammar), or a grammar for which no completion is found within its limits.

    was_cut: at some step the budget ruled out the token that would have been taken without it, from the same noise. One
        that only spells forced bytes in another way counts, too: what is drawn after it is drawn in another place.
    """

    def __init__(self, grammar: CompiledGrammar, speller: Speller | None = None) -> None:
        self.matcher = grammar.matcher()
        self.budget_error: Exception | None = None
        self.was_cut = False
        self._vocabulary = grammar.vocabulary
        self._speller = speller
        self._spellings: dict[bytes, Spelling] | None = None if grammar.spec.sources is None else {}  # of its own: what
        # is forced may stand in a source, of which nothing is kept once the request has ended
        self._forced_bytes: bytes | None = None  # what must follow; None: not looked up yet
        self._is_spelled = False  # those bytes are the rest of a spelling: they are the model's choice
        self._has_more = False  # and more follow that were not spelled
        self._run: deque[int] = deque()  # the next tokens of a spelling
        self._rest: tuple[int, ...] | None = None  # its other ones, until it is known whether the document ends there
        self._ends = False  # only the end may follow
        self._is_in_time = False  # there is time for all of the spelling
        self._reserve: int | None = None  # of this place; None: not looked up
        self._one_token: Bitmask | None = None  # (1, W), all 0 between uses

    def forced_token(self, tokens_left: int, *, may_end: bool = True) -> int | None:
        """The token that must come next, None where the model chooses.

        tokens_left: that the text may still get, this one included. may_end: an end-of-sequence token may be it.
        """
        if self._speller is None:
            return None
        if not self._run and self._rest is None and not self._is_spelled and not self._ends:
            self._spell(self._speller, tokens_left)
        if not self._run and self._rest is not None:
            self._decide_rest()
        if self._run:
            is_in_time = self._is_in_time or self._fits(self._run[0], tokens_left)
            return self._run[0] if is_in_time else None
        return self._only_end() if self._ends and may_end else None

    @property
    def fits(self) -> bool:
        """The text up to here is one of the grammar's."""
        return self.matcher.is_terminated() or self.matcher.is_accepting()

    @property
    def end_error(self) -> GuidedError | None:
        """Why no end was looked for in time, where the text up to here has none: no way to one could be found."""
        error = self.budget_error
        if self.fits or not isinstance(error, LimitExceededError | NoCompletionError):
            return None
        return NoCompletionError(f"the budget of tokens ended before the text, as no way to its end was found: {error}")

    def is_at_end(self) -> bool:
        """Nothing but the end of the text can follow."""
        return self.matcher.is_terminated() or (self.matcher.is_accepting() and self._allows_only_end())

    def is_end(self, token_id: int) -> bool:
        """It is a token that ends texts."""
        return token_id in self._vocabulary.eos_token_ids

    def text_of(self, token_ids: Sequence[int]) -> bytes:
        """The bytes of tokens."""
        return self._vocabulary.join(token_ids)

    def restrict(self, bitmask: Bitmask, row: int, tokens_left: int) -> bool:
        """Clear what could not be completed in time from `bitmask[row]`, the mask of this place; True if there was any.

        bitmask: int32 (B, W). tokens_left: tokens that the text may still get, the one to be drawn now included, >= 1.
        A text that can't be completed in `tokens_left` tokens at all keeps its mask.
        """
        return self._asked(False, lambda: self.matcher.restrict_to_budget(bitmask, row, tokens_left))

    def reserve(self) -> int:
        """The tokens that the rest of the text needs at least; 0 where that is not known.

        For blocks of thinking, during which the grammar sleeps: a block must be closed, its end token included, while
        at least so many tokens are left.
        """
        if self._reserve is None:
            self._reserve = self._asked(0, lambda: len(self.matcher.find_shortest_completion()))
        return self._reserve

    def _asked(self, unknown: Answer, ask: Callable[[], Answer]) -> Answer:
        """What the matcher says of completions; `unknown` where it can't tell, and from then on."""
        if self.budget_error is None:
            try:
                return ask()
            except (LimitExceededError, NoCompletionError, UnsupportedGrammarError) as error:
                self.budget_error = error
        return unknown

    def resume(self, token_id: int) -> None:
        """Take a token that was written before. Raises TokenRefusedError."""
        if not self.matcher.accept_token(token_id):
            raise TokenRefusedError(f"the grammar refuses token {token_id}, which a request goes on behind")

    def fork(self) -> RowGrammar:
        """An independent one at the same place."""
        fork = copy(self)
        fork.matcher = self.matcher.fork()
        fork._run, fork._one_token = self._run.copy(), None
        return fork

    def accept(self, token_id: int, wanted_id: int | None = None) -> bool:
        """Take a token; True when the grammar had already determined all of its bytes. Raises TokenRefusedError.

        wanted_id: what would have been drawn without the budget, unless the tokenizer's spelling of forced bytes would
            have been taken; None where the budget ruled out nothing.
        Whatever is raised while something is built, all is as before.
        """
        token = self._vocabulary.tokens[token_id] or b""
        forced = self._find_forced_bytes()
        is_forced = bool(token) and forced.startswith(token)
        if wanted_id is not None:
            self.was_cut |= token_id != (self._run[0] if self._run else wanted_id)
        if not self.matcher.accept_token(token_id):
            raise TokenRefusedError(f"the grammar refused token {token_id} ({token!r}) that its bitmask allowed")
        self._reserve = None
        self._forced_bytes = (forced[len(token) :] or None) if is_forced else None
        if self._run and self._run[0] == token_id:
            self._run.popleft()
        else:
            self._run.clear()
            self._rest = None
            self._ends = False
            self._is_spelled = self._is_spelled and not self._has_more
        if self._forced_bytes is None:
            self._is_spelled = False
        return is_forced

    def allowed_start(self, token_ids: list[int]) -> list[int]:
        """As many of these tokens as could follow one after the other."""
        num_taken = 0
        try:
            while num_taken < len(token_ids) and self.matcher.accept_token(token_ids[num_taken]):
                num_taken += 1
        finally:
            self.matcher.rollback(num_taken)
        return token_ids[:num_taken]

    def unspelled(self) -> tuple[bytes, tuple[int, ...]]:
        """Bytes that must follow, where the model chooses as a longer token may come; the tokenizer's own of them."""
        if self._speller is None or self._run:
            return b"", ()
        forced = self._find_forced_bytes()[:MAX_SPELLED_BYTES]
        return forced, self._spelling_of(self._speller, forced).token_ids if forced else ()

    def quote_guess(self, most: int, behind: Sequence[int] = ()) -> list[int]:
        """Inside of a string that is a quote, how its source goes on, in at most so many tokens of the tokenizer.

        Where a phrase of the source ends so does the guess, with what the grammar forces behind the string.
        behind: tokens with which it does, and that come before these.
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

    def _end_of_quote(self, speller: Speller, before: bytes, most: int) -> tuple[int, ...]:
        """A string's end and what is forced there, in the tokenizer's own tokens, once these bytes are written."""
        try:
            return speller.spell_once(self.matcher.find_quote_end(before, most * _FORCED_BYTES))
        except GuidedError:  # a limit, or the step's time; where the row draws it meets it again
            return ()

    def _find_forced_bytes(self) -> bytes:
        if self._forced_bytes is None:
            self._forced_bytes = self.matcher.find_jump_forward_bytes()
        return self._forced_bytes

    def _spell(self, speller: Speller, tokens_left: int) -> None:
        forced = self._find_forced_bytes()
        self._has_more = len(forced) > MAX_SPELLED_BYTES
        spelling = self._spelling_of(speller, forced[:MAX_SPELLED_BYTES]) if forced else None
        if spelling is not None and spelling.token_ids:
            token_ids = spelling.token_ids
            self._is_in_time = self._asked(True, lambda: self.matcher.fits_budget(token_ids, tokens_left))
            self._run.extend(token_ids[: spelling.num_sure])
            self._rest = token_ids[spelling.num_sure :]
        self._is_spelled = True  # last: whoever is interrupted before comes here again

    def _spelling_of(self, speller: Speller, forced: bytes) -> Spelling:
        if self._spellings is None:
            return speller.spell(forced)
        found = self._spellings.get(forced)
        if found is None:
            found = self._spellings[forced] = speller.spell_anew(forced)
        return found

    def _decide_rest(self) -> None:
        """The sure tokens of a spelling were taken: the others are forced if the document ends with them."""
        rest = self._rest
        assert rest is not None
        num_taken = 0
        try:
            while num_taken < len(rest) and self.matcher.accept_token(rest[num_taken]):
                num_taken += 1
            ends = num_taken == len(rest) and self.matcher.is_accepting() and self._allows_only_end()
        finally:
            self.matcher.rollback(num_taken)
        self._rest = None
        if ends:
            self._run.extend(rest)
            self._ends = True

    def _fits(self, token_id: int, tokens_left: int) -> bool:
        """The restricted mask allows this token: after it the text can still be completed in time, or never could."""
        if tokens_left < 1:
            return False
        if self._one_token is None:
            self._one_token = allocate_bitmask(1, self._vocabulary.size)
        word, bit = divmod(token_id, BITS_PER_WORD)
        self._one_token[0, word] = np.uint32(1 << bit).view(np.int32)
        try:
            return not self.restrict(self._one_token, 0, tokens_left)
        finally:
            self._one_token[0, word] = 0

    def _allows_only_end(self) -> bool:
        bitmask = allocate_bitmask(1, self._vocabulary.size)
        self.matcher.fill_bitmask(bitmask)
        return not np.any(bitmask[0] & ~_row_of(self._vocabulary.eos_token_ids, self._vocabulary.size))

    def _only_end(self) -> int | None:
        ends = self._vocabulary.eos_token_ids
        return next(iter(ends)) if len(ends) == 1 else None


@lru_cache(maxsize=8)
def _row_of(token_ids: frozenset[int], vocab_size: int) -> Bitmask:
    return pack_token_ids(sorted(token_ids), vocab_size)
