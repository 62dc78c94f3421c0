"""One request while it runs: how many tokens it has, where its grammar stands, and when it ends."""

from __future__ import annotations

from functools import lru_cache

from guided.grammars.bitset import Bitmask, pack_token_ids
from guided.grammars.errors import GuidedError

from ..errors import NoAllowedTokenError, TokenRefusedError
from ..processors.thinking import RowThinking
from ..sampler import Exclusion
from ..token_logprobs import TokenLogprobs
from .base import FinishReason, GenerationRequest, TokenEvent


class RunningRow:
    """A request of the batch.

    index: its position in the call to `run`. max_new_tokens: it then ends with "length".
    thinking: where its thinking is told apart from its text; the grammar sleeps while a block of it is open.
    """

    def __init__(
        self,
        index: int,
        request: GenerationRequest,
        *,
        vocab_size: int,
        eos_token_ids: frozenset[int],
        max_new_tokens: int,
        thinking: RowThinking | None = None,
    ) -> None:
        self.index = index
        self.request = request
        self.num_new_tokens = 0
        self.is_finished = False
        self.prompt_logprobs: tuple[TokenLogprobs | None, ...] | None = None  # for the first event, where asked for
        own_stops = frozenset(request.params.stop_token_ids or ())
        self._end_token_ids = own_stops if request.params.ignore_eos else own_stops | eos_token_ids
        self._vocab_size = vocab_size
        self._max_new_tokens = max_new_tokens
        self._thinking = thinking
        self._matcher = None if request.grammar is None else request.grammar.matcher()
        self._forced_bytes = (
            b""  # what the grammar is known to force next; b"" when there is a choice or it isn't known
        )
        self._error: GuidedError | None = None

    def fill_bitmask(self, bitmask: Bitmask, row: int) -> None:
        """Write the allowed tokens into `bitmask[row]`: all without a grammar, none where the grammar fails."""
        if self._matcher is None:
            bitmask[row] = _all_allowed(self._vocab_size)
            return
        if self._thinking is not None and self._thinking.is_open:
            bitmask[row] = _all_but(self._end_token_ids, self._vocab_size)
            return
        try:
            self._matcher.fill_bitmask(bitmask, row)
        except GuidedError as error:
            self._error = error
            bitmask[row] = 0
            return
        begin = None if self._thinking is None else self._thinking.begin_token_id
        if begin is not None:
            bitmask[row] |= pack_token_ids([begin], self._vocab_size)

    def accept(self, token_id: int) -> TokenEvent:
        """Take the token that was drawn for this row; the event to yield for it."""
        is_thinking = self._thinking is not None and self._thinking.accept_token(token_id)
        try:
            is_forced = not is_thinking and self._advance_grammar(token_id)
        except GuidedError as error:
            return self.fail(error)
        self.num_new_tokens += 1
        finish_reason = self._finish_reason(token_id)
        self.is_finished = finish_reason is not None
        return TokenEvent(self.index, token_id, is_forced, finish_reason, is_thinking=is_thinking)

    def _advance_grammar(self, token_id: int) -> bool:
        """Accept the token; True when the grammar had already determined all of its bytes."""
        if self._matcher is None or self.request.grammar is None:
            return False
        if not self._forced_bytes:
            self._forced_bytes = self._matcher.find_jump_forward_bytes()
        token = self.request.grammar.vocabulary.tokens[token_id]
        is_forced = bool(token) and self._forced_bytes.startswith(token or b"")
        self._forced_bytes = self._forced_bytes[len(token or b"") :] if is_forced else b""
        if not self._matcher.accept_token(token_id):
            raise TokenRefusedError(f"the grammar refused token {token_id} ({token!r}) that its bitmask allowed")
        return is_forced

    def _finish_reason(self, token_id: int) -> FinishReason | None:
        has_ended = self._matcher is not None and self._matcher.is_terminated()
        if has_ended or token_id in self._end_token_ids:
            return "stop"
        return "length" if self.num_new_tokens >= self._max_new_tokens else None

    def end_without_token(self, exclusion: Exclusion) -> TokenEvent:
        """End the request because no token was left to draw; the event to yield. exclusion: who excluded what."""
        count = self.num_new_tokens
        message = f"request {self.index}: no token can be drawn after {count} new tokens: {exclusion.reason}"
        return self.fail(self._error or NoAllowedTokenError(message, exclusion.param))

    def fail(self, error: GuidedError) -> TokenEvent:
        """End the request with an error; the event to yield for it."""
        self.is_finished = True
        return TokenEvent(self.index, None, finish_reason="error", error=error)


@lru_cache(maxsize=64)
def _all_but(token_ids: frozenset[int], vocab_size: int) -> Bitmask:
    return pack_token_ids([i for i in range(vocab_size) if i not in token_ids], vocab_size)


@lru_cache(maxsize=8)
def _all_allowed(vocab_size: int) -> Bitmask:
    return pack_token_ids(list(range(vocab_size)), vocab_size)
