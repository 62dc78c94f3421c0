"""`RowGrammar`: the state of one request's grammar, the tokens that it forces, and the tokens that its budget excludes.

The engine fills a row's mask, lets `restrict` exclude tokens, samples, and accepts the token. `restrict` only compares
two numbers while the end of the budget is far. Near the end, it excludes tokens that would leave too little budget to
complete the text. If the budget is at least the grammar's `min_tokens`, the text is therefore complete and valid when
the budget is used up, whatever is sampled.
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

from ...errors import TokenRefusedError
from ...integrations.common.speller import SpelledBytes, TokenSpeller
from ...processors.thinking import thinking_of
from ...requests.request import PromptRequest

Answer = TypeVar("Answer")

GUESSED_BYTES = 4  # bytes of a quote to request for each token to guess
_FORCED_BYTES = 12  # bytes to request for each token to guess behind a quote; forced keys and marks are long tokens
_PHRASE_END = re.compile(rb"[.,;:!?)]+ | [(-]")  # places in a source where many quotes end
MAX_SPELLED_BYTES = 2048
"""Maximum number of forced bytes that are spelled in one step. The tokenizer reads them several times: 200 KB at once
held up all requests for seconds.
"""


class RowGrammar:
    """The matcher of one request, with the forced text that must follow.

    Forced bytes are spelled in the tokenizer's own tokens. Tokens that depend on the bytes after them are left to the
    model, unless the document ends with them. Then the end is forced, too, if the vocabulary has only one token for it.
    Therefore jump-forward never changes the tokens of a request.

    Near the end of its budget, a text takes only tokens that leave enough budget to complete the text. Forced bytes may
    then get other tokens than the tokenizer's.

    If the request thinks first, the grammar is dormant until the block of thinking is closed. The prompt opens the
    block, or, if the request allows thinking, its first token.

    grammar: the compiled grammar.
    speller: spells forced bytes; None: every token is left to the model, for requests that exclude tokens in other
        ways.
    request: the request; None: it does not think.
    matcher: attribute; the state of the grammar.
    thinking: attribute; the block of thinking that is open or may begin, during which the grammar is dormant; None:
        the grammar decides.
    budget_error: attribute; the reason why the budget excludes nothing from now on; None: the budget works. Causes are
        a backend that can't tell how far a text is from its end (llguidance, xgrammar), and a grammar without a
        completion within its limits.
    was_cut: attribute; True: at some step the budget excluded the token that would have been taken without it, from the
        same noise. Another spelling of forced bytes counts, too, because it changes later draws.
    """

    def __init__(
        self, grammar: CompiledGrammar, speller: TokenSpeller | None = None, request: PromptRequest | None = None
    ) -> None:
        self.matcher = grammar.matcher()
        self.thinking = (
            None
            if request is None
            else thinking_of(request.params, request.prompt_token_ids, grammar.vocabulary, has_grammar=True)
        )
        self.budget_error: Exception | None = None
        self.was_cut = False
        self._vocabulary = grammar.vocabulary
        self._speller = speller
        has_texts = grammar.spec.sources is not None or (request is not None and request.params.sources is not None)
        self._spellings: dict[bytes, SpelledBytes] | None = {} if has_texts else None  # None: the speller's own cache.
        # With sources, a cache for this row: forced bytes may be text of a source, and must not outlive the request
        self._forced_bytes: bytes | None = None  # bytes that must follow; None: not computed yet
        self._is_spelled = False  # the forced bytes were spelled; the model chooses the tokens that are not in `_run`
        self._has_more = False  # there are more forced bytes, which were not spelled
        self._run: deque[int] = deque()  # the next tokens of a spelling
        self._rest: tuple[int, ...] | None = None  # unsure tokens of the spelling, until `_decide_rest` decides on them
        self._ends = False  # only the end may follow
        self._is_in_time = False  # the budget has room for the whole spelling
        self._reserve: int | None = None  # result of `reserve` for the text so far; None: not computed yet
        self._one_token: Bitmask | None = None  # (1, W), all 0 between uses

    def take_thought(self, token_id: int) -> bool:
        """Take a token if it belongs to a block of thinking and so is no part of the text. Returns True if it does."""
        if self.thinking is None:
            return False
        is_thought = self.thinking.accept_token(token_id)
        if self.thinking.is_over:
            self.thinking = None
        return is_thought

    def forced_token(self, tokens_left: int, *, may_end: bool = True) -> int | None:
        """The token that must come next; None: the model chooses.

        tokens_left: number of tokens that the text may still get, including this one.
        may_end: True: the result may be an end-of-sequence token.
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
        return self.matcher.is_terminated() or (self.matcher.is_accepting() and self._allows_only_end())

    def is_end(self, token_id: int) -> bool:
        """True for an end-of-sequence token."""
        return token_id in self._vocabulary.eos_token_ids

    def text_of(self, token_ids: Sequence[int]) -> bytes:
        """The bytes of tokens."""
        return self._vocabulary.join(token_ids)

    def restrict(self, bitmask: Bitmask, row: int, tokens_left: int) -> bool:
        """Clear the tokens in `bitmask[row]` that would leave too little budget to complete the text.

        bitmask: int32 (B, W); the row has the mask of the present state.
        tokens_left: number of tokens that the text may still get, including the next one; >= 1.
        Returns True if a token was cleared. If the text can't be completed in `tokens_left` tokens at all, its mask
        stays.
        """
        return self._asked(False, lambda: self.matcher.restrict_to_budget(bitmask, row, tokens_left))

    def reserve(self) -> int:
        """Minimum number of tokens for the rest of the text; 0 if it is not known.

        The engine uses it during thinking: the block must be closed, with its end token, while at least this number of
        tokens is left.
        """
        if self._reserve is None:
            self._reserve = self._asked(0, lambda: len(self.matcher.find_shortest_completion()))
        return self._reserve

    def _asked(self, unknown: Answer, ask: Callable[[], Answer]) -> Answer:
        """Ask the matcher about completions. If it fails, return `unknown` now and at all later calls."""
        if self.budget_error is None:
            try:
                return ask()
            except (LimitExceededError, NoCompletionError, UnsupportedGrammarError) as error:
                self.budget_error = error
        return unknown

    def resume(self, token_id: int) -> None:
        """Take a token of a prefix that the request continues. Raises TokenRefusedError."""
        if not self.matcher.accept_token(token_id):
            raise TokenRefusedError(f"the grammar refuses token {token_id} of the prefix that this request continues")

    def fork(self) -> RowGrammar:
        """An independent copy in the same state."""
        fork = copy(self)
        fork.matcher, fork.thinking = self.matcher.fork(), copy(self.thinking)
        fork._run, fork._one_token = self._run.copy(), None
        return fork

    def accept(self, token_id: int, wanted_id: int | None = None) -> bool:
        """Take a token. Returns True if the grammar had already determined all its bytes.

        wanted_id: token that would have been drawn without the budget; None: the budget excluded nothing.
        Raises TokenRefusedError. If the matcher raises another error, the state stays as before, except `was_cut`.
        """
        if wanted_id is not None:
            self.was_cut |= token_id != (self._run[0] if self._run else wanted_id)
        token = self._vocabulary.tokens[token_id] or b""
        forced = self._find_forced_bytes()
        is_forced = bool(token) and forced.startswith(token)
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
        """The longest beginning of a list of tokens that the grammar accepts. The state does not change."""
        num_taken = 0
        try:
            while num_taken < len(token_ids) and self.matcher.accept_token(token_ids[num_taken]):
                num_taken += 1
        finally:
            self.matcher.rollback(num_taken)
        return token_ids[:num_taken]

    def unspelled(self) -> tuple[bytes, tuple[int, ...]]:
        """(forced bytes whose tokens the model chooses, since a longer token may come; the tokenizer's spelling of
        them).

        (b"", ()) if the next token is already decided.
        """
        if self._speller is None or self._run:
            return b"", ()
        forced = self._find_forced_bytes()[:MAX_SPELLED_BYTES]
        return forced, self._spelling_of(self._speller, forced).token_ids if forced else ()

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

    def _find_forced_bytes(self) -> bytes:
        if self._forced_bytes is None:
            self._forced_bytes = self.matcher.find_jump_forward_bytes()
        return self._forced_bytes

    def _spell(self, speller: TokenSpeller, tokens_left: int) -> None:
        forced = self._find_forced_bytes()
        self._has_more = len(forced) > MAX_SPELLED_BYTES
        spelling = self._spelling_of(speller, forced[:MAX_SPELLED_BYTES]) if forced else None
        if spelling is not None and spelling.token_ids:
            token_ids = spelling.token_ids
            self._is_in_time = self._asked(True, lambda: self.matcher.fits_budget(token_ids, tokens_left))
            self._run.extend(token_ids[: spelling.num_sure])
            self._rest = token_ids[spelling.num_sure :]
        self._is_spelled = True  # set last, so that an interrupted call is repeated

    def _spelling_of(self, speller: TokenSpeller, forced: bytes) -> SpelledBytes:
        if self._spellings is None:
            return speller.spell(forced)
        found = self._spellings.get(forced)
        if found is None:
            found = self._spellings[forced] = speller.spell_anew(forced)
        return found

    def _decide_rest(self) -> None:
        """Decide about the unsure tokens of a spelling, after the sure ones: they are forced if the document ends
        there.
        """
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
        """True if `restrict` would not exclude the token."""
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
