"""`GrammarState`: the state of one text in its grammar, with forced tokens and tokens that the budget excludes.

An engine fills a row's mask, lets `restrict` exclude tokens, samples, and accepts the token. `restrict` only compares
two numbers while the end of the budget is far. Near the end, it excludes tokens that would leave too little budget to
complete the text. If the budget is at least the grammar's `min_tokens`, the text is therefore complete and valid when
the budget is used up, whatever is sampled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from typing import Self, TypeVar

import numpy as np

from guided.grammars.bitset import Bitmask, allocate_bitmask, allow_only
from guided.grammars.errors import GuidedError, LimitExceededError, NoCompletionError, UnsupportedGrammarError
from guided.grammars.protocol import CompiledGrammar

from ..errors import TokenRefusedError
from .forced_bytes import FREE, LEFT_TO_MODEL, MAX_SPELLED_BYTES, UNKNOWN, ForcedBytes, ForcedTokens
from .speller import TokenSpeller

Answer = TypeVar("Answer")


class GrammarState:
    """The matcher of one text, with the forced bytes that must follow and the budget to complete the text in.

    Forced bytes are spelled in the tokenizer's own tokens, with jump-forward and without. Tokens that depend on the
    bytes after them are left to the model, unless the document ends with them. Therefore jump-forward never changes the
    tokens of a request. Near the end of the budget, forced bytes may get other tokens than the tokenizer's.

    grammar: the compiled grammar.
    speller: spells forced bytes; None: every token is left to the model, for requests that exclude tokens in other
        ways.
    is_private: True: texts of the request must not stay in caches. Grammars with sources are always private.

    Attributes:
    given_speller: the speller for states of other texts. Of a private text, `speller` has a cache of its own.
    matcher: the state of the grammar.
    is_restricted: True: at some step the budget has excluded tokens. If the draws are not seen, this counts as cut.
    was_cut: True: at some step the budget excluded the token that would have been taken without it, from the same
        noise. Another spelling of forced bytes counts, too, because it changes later draws.
    budget_error: why the matcher can't tell how far the text is from its end, and is not asked again; None: it can. A
        backend may have no completion (llguidance, xgrammar), or a grammar has none within its limits.
    """

    def __init__(
        self, grammar: CompiledGrammar, speller: TokenSpeller | None = None, *, is_private: bool = False
    ) -> None:
        is_private = is_private or grammar.spec.sources is not None
        self.grammar = grammar
        self.vocabulary = grammar.vocabulary
        self.given_speller = speller
        self.speller = speller.for_one_text() if speller is not None and is_private else speller
        self.matcher = grammar.matcher()
        self.is_restricted = self.was_cut = False
        self.budget_error: Exception | None = None
        self._forced: ForcedBytes = UNKNOWN
        self._distance: int | None = None  # result of `distance` for the text so far; None: not computed yet

    def fork(self) -> Self:
        """An independent copy in the same state."""
        fork = copy(self)
        fork.matcher = self.matcher.fork()
        return fork

    # The end of the text

    @property
    def is_complete(self) -> bool:
        """True if the text up to here fits the grammar."""
        return self.matcher.is_terminated() or self.matcher.is_accepting()

    def is_at_end(self) -> bool:
        """True if only the end of the text can follow."""
        return self.matcher.is_terminated() or self._allows_only_end()

    @property
    def end_error(self) -> GuidedError | None:
        """The error of a text that ended without a valid end because the grammar's limits allowed no search for one.

        None if the text fits, or if there was no such limit.
        """
        error = self.budget_error
        if self.is_complete or not isinstance(error, LimitExceededError | NoCompletionError):
            return None
        return NoCompletionError(
            f"the token budget ended before the text, and the grammar found no completion: {error}"
        )

    def restrict(self, bitmask: Bitmask, row: int, tokens_left: int) -> bool:
        """Clear the tokens in `bitmask[row]` after which the text could not be completed within its budget.

        bitmask: int32 (B, W); the row has the mask of the present state.
        tokens_left: number of tokens that the text may still get, including the next one.
        Returns True if a token was cleared. If the text can't be completed in `tokens_left` tokens at all, or if the
        matcher can't answer, the row stays.
        """
        is_restricted = self._asked(False, lambda: self.matcher.restrict_to_budget(bitmask, row, tokens_left))
        self.is_restricted |= is_restricted
        return is_restricted

    def fits_budget(self, token_ids: Sequence[int], tokens_left: int) -> bool:
        """True if the text can be completed in `tokens_left` tokens that begin with `token_ids`, or if the matcher
        can't answer.
        """
        return self._asked(True, lambda: self.matcher.fits_budget(token_ids, tokens_left))

    def distance(self) -> int:
        """Minimum number of tokens for the rest of the text; 0 if the matcher can't answer."""
        if self._distance is None:
            self._distance = self._asked(0, lambda: len(self.matcher.find_shortest_completion()))
        return self._distance

    def _asked(self, unknown: Answer, ask: Callable[[], Answer]) -> Answer:
        if self.budget_error is None:
            try:
                return ask()
            except (LimitExceededError, NoCompletionError, UnsupportedGrammarError) as error:
                self.budget_error = error
        return unknown

    def _allows_only_end(self) -> bool:
        if not self.matcher.is_accepting():
            return False
        bitmask = allocate_bitmask(1, self.vocabulary.size)
        self.matcher.fill_bitmask(bitmask)
        return not np.any(bitmask[0] & ~self.vocabulary.end_row)

    # Tokens

    def accept(self, token_id: int, wanted_id: int | None = None) -> bool:
        """Take a token. Returns True if the grammar had already determined all its bytes.

        wanted_id: token that would have been drawn without the budget; None: the budget excluded nothing.
        Raises TokenRefusedError. If the matcher raises another error, the state stays as before, except `was_cut`.
        """
        if wanted_id is not None:
            spelled = self._forced.token_id
            self.was_cut |= token_id != (wanted_id if spelled is None else spelled)
        is_forced = self._forces(token_id)
        if not self.matcher.accept_token(token_id):
            token = self._token(token_id)
            raise TokenRefusedError(f"the grammar refused token {token_id}{'' if token is None else f' ({token!r})'}")
        self._distance, forced = None, self._forced
        is_inside = is_forced or forced.spelling is not None
        self._forced = forced.after(token_id, self.vocabulary.tokens[token_id], is_forced) if is_inside else UNKNOWN
        return is_forced

    def _token(self, token_id: int) -> bytes | None:
        """The bytes of a token; None if it has none or is outside of the vocabulary."""
        tokens = self.vocabulary.tokens
        return tokens[token_id] if 0 <= token_id < len(tokens) else None

    def allowed_start(self, token_ids: Sequence[int]) -> list[int]:
        """The longest beginning of some tokens that the grammar accepts. The state does not change."""
        with self._tried(token_ids) as num_accepted:
            return list(token_ids[:num_accepted])

    @contextmanager
    def _tried(self, token_ids: Sequence[int]) -> Iterator[int]:
        """Let the matcher accept tokens, up to the first that is refused. Yields their number; then takes them back."""
        num_accepted = 0
        try:
            while num_accepted < len(token_ids) and self.matcher.accept_token(token_ids[num_accepted]):
                num_accepted += 1
            yield num_accepted
        finally:
            self.matcher.rollback(num_accepted)

    # Forced bytes

    def forced_token(self, tokens_left: int | None) -> int | None:
        """The token that must come next; None: the model chooses, or only the end may follow.

        tokens_left: number of tokens that the text may still get, including this one; None: no limit.
        """
        if self.speller is None or (self._forced.spelling is None and not self._find_bytes()):
            return None
        spelling = self._forced.spelling
        if spelling is None:
            spelling = self._spell(self.speller, tokens_left)
            self._forced = self._forced._replace(spelling=spelling)
        if spelling.rest is not None and self._forced.num_spelled == len(spelling.token_ids):
            spelling = self._with_rest(spelling, spelling.rest)
            self._forced = self._forced._replace(spelling=spelling)
        token_id = self._forced.token_id
        if token_id is None or tokens_left is None or spelling.is_in_time:
            return token_id
        return token_id if self._has_time_for(token_id, tokens_left) else None

    @property
    def forced_end(self) -> int | None:
        """The end token that must come next, as far as `forced_token` has looked; None: there is a choice."""
        ends = self.vocabulary.eos_token_ids
        return next(iter(ends)) if self._forced.ends and len(ends) == 1 else None

    def unspelled(self) -> tuple[bytes, tuple[int, ...]]:
        """Forced bytes whose tokens the model chooses, since a longer token may come, and their spelling.

        (b"", ()) if the next token is already decided.
        """
        if self.speller is None or self._forced.token_id is not None or not self._find_bytes():
            return b"", ()
        forced = self._next_bytes()
        return forced, self.speller.spell(forced).token_ids

    def _forces(self, token_id: int) -> bool:
        """True if all bytes of a token must come next. Tokens without bytes are never forced."""
        data = self._find_bytes()
        if not data:
            return False
        token = self._token(token_id)
        return bool(token) and data.startswith(token or b"", self._forced.start)

    def _find_bytes(self) -> bytes:
        data = self._forced.data
        if data is None:
            data = self._jump_forward_bytes()
            is_free = not data and self._forced.spelling is None
            self._forced = FREE if is_free else self._forced._replace(data=data)
        return data

    def _jump_forward_bytes(self) -> bytes:
        return self.matcher.find_jump_forward_bytes(MAX_SPELLED_BYTES + self.vocabulary.longest_token)

    def _next_bytes(self) -> bytes:
        """The forced bytes that are spelled together, from here on."""
        return self._find_bytes()[self._forced.start : MAX_SPELLED_BYTES]

    def _spell(self, speller: TokenSpeller, tokens_left: int | None) -> ForcedTokens:
        spelled = speller.spell(self._next_bytes())
        if not spelled.token_ids:
            return LEFT_TO_MODEL
        has_more = len(self._find_bytes()) > MAX_SPELLED_BYTES
        sure, rest = spelled.token_ids[: spelled.num_sure], spelled.token_ids[spelled.num_sure :]
        is_in_time = tokens_left is None or (bool(sure) and self.fits_budget(spelled.token_ids, tokens_left))
        return ForcedTokens(sure, None if has_more else rest, has_more, is_in_time)

    def _with_rest(self, spelling: ForcedTokens, rest: tuple[int, ...]) -> ForcedTokens:
        """Decide about the unsure tokens of a spelling, after the sure ones: they are forced if the document ends
        there.
        """
        with self._tried(rest) as num_accepted:
            ends = num_accepted == len(rest) and self._allows_only_end()
        return replace(spelling, token_ids=spelling.token_ids + (rest if ends else ()), rest=None, ends=ends)

    def _has_time_for(self, token_id: int, tokens_left: int) -> bool:
        """True if the budget would not exclude the token."""
        if tokens_left < 1:
            return False
        one_token = allocate_bitmask(1, self.vocabulary.size)
        allow_only(one_token, 0, token_id)
        return not self._asked(False, lambda: self.matcher.restrict_to_budget(one_token, 0, tokens_left))
