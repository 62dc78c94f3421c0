"""`EngineRequest`: one request while it waits and runs, with its tokens, its grammar's state and its end."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from enum import Enum
from typing import Any

import torch

from guided.grammars.bitset import Bitmask
from guided.grammars.errors import GuidedError
from guided.grammars.watch import TrialOverError

from ...errors import EngineFailureError, NoAllowedTokenError, TokenRefusedError
from ...grammar_state.state import GrammarState
from ...processors.thinking import ThinkingState
from ...requests.finish_reason import FinishReason
from ...requests.request import PromptRequest
from ...sampler import ExcludedTokens, SamplingBatch
from ..base import Sink, TokenEvent, TokenRun, cancelled, give_sink_error
from ..token_logprobs import TokenLogprobs
from .drafts import RowDrafts
from .paged import PagedSequence
from .repetition import LOOK_EVERY, TAIL_TOKENS, repeats_itself

NOTHING: Mapping[str, Any] = {}  # an event without further fields
MAX_RUN_TOKENS = 64  # maximum number of tokens in an event's run: to read many at once would hold up other requests


class RowState(Enum):
    """The state of a request. Only `EngineRequest.move` changes it."""

    WAITING = "waiting"  # the request waits for pages and a place in the batch
    READING = "reading"  # the model reads its tokens
    DRAWING = "drawing"  # the request gets a token in every step
    RESTING = "resting"  # out of the batch for a while, with its pages; also a particle that waits for the others
    BUILDING = "building"  # the grammar's work takes longer than a step may wait (`slow_rows.py`); no pages are kept
    DONE = "done"  # the request has ended


_MOVES = {
    RowState.WAITING: {RowState.READING, RowState.BUILDING, RowState.DONE},
    RowState.READING: {RowState.WAITING, RowState.DRAWING, RowState.DONE},
    RowState.DRAWING: {RowState.WAITING, RowState.RESTING, RowState.BUILDING, RowState.DONE},
    RowState.RESTING: {RowState.WAITING, RowState.READING, RowState.DONE},
    RowState.BUILDING: {RowState.WAITING, RowState.DONE},
    RowState.DONE: {RowState.WAITING, RowState.RESTING},  # an ended particle continues as a copy of another one
}


class EngineRequest:
    """A request in the engine, also called a row.

    request: the request as it was submitted.
    sink: function that gets the events.
    index: index of the request's events.
    grammar: the state of its grammar; None: no grammar. While the row thinks, the grammar is dormant.
    thinking: its thinking and the budget for it; None: all tokens are text.
    end_token_ids: tokens that end its text.
    max_new_tokens: number of new tokens at which it ends with "length".
    scores_prompt: True: the first event has results about the prompt's tokens. False from then on.
    may_jump: True: the request takes forced tokens before the model has read them.
    is_particle: True: its events stay in its `outbox`.

    Attributes:
    prompt_scores, prompt_returned: these results so far, see `prompt_scoring.py`.
    group: the same object for rows that were submitted together, see `PromptRequest`.
    is_ended: function that returns True if the reader wants no more events.
    token_ids: tokens of prompt and output.
    sequence: the pages of the tokens that the model has read; None while the request waits.
    parked, parked_at: the sampling state while the row is out of the batch, and the row's index in it.
    order: number of the submission; older rows keep their pages.
    post: function that takes each event; None: the events stay in `outbox`, as a particle's do.
    outbox: the events of a particle, with their rows.
    block_end: number of output tokens at which a particle rests until all particles of the run are there; None: none.
    pending: the event of a drawn token that a background thread still checks against the grammar; None: none. If
        `token_ids` has the token, the grammar has accepted it, and the thread finds out whether the text ends.
    had_one_choice: True: the mask allowed no other token than the pending one.
    ready_mask: the next mask, int32 (1, W), if a background build made it; else None.
    unbounded_mask: the next mask before the budget excluded tokens, int32 (1, W); None: it excluded none.
    drafts: what its drafts are guessed from.
    is_looping: True: the text repeats itself and is to end.
    has_closed: True: the budget has been cut to the shortest end of the text.
    unscored: events of jumped tokens that wait for the requested log-probabilities. The pass that reads the tokens
        before them computes these. Until then the events are not sent.
    """

    def __init__(
        self,
        request: PromptRequest,
        sink: Sink,
        index: int,
        *,
        grammar: GrammarState | None,
        thinking: ThinkingState | None = None,
        end_token_ids: frozenset[int],
        max_new_tokens: int,
        scores_prompt: bool = False,
        may_jump: bool = False,
        is_particle: bool = False,
    ) -> None:
        self.request = request
        self.group: object = request.ended if request.group is None else request.group
        self.grammar = grammar
        self.thinking = thinking
        self.scores_prompt = scores_prompt
        self.prompt_scores: list[TokenLogprobs | None] = []
        self.prompt_returned: list[torch.Tensor] = []
        self.may_jump = may_jump and grammar is not None
        self.end_token_ids = end_token_ids
        self.max_new_tokens = max_new_tokens
        self.is_ended = request.ended.is_set
        self.is_particle = is_particle
        self.token_ids = [*request.prompt_token_ids, *request.written]
        self.num_prompt_tokens = len(request.prompt_token_ids)
        self.num_cached_tokens = 0
        self.sequence: PagedSequence | None = None
        self.parked: SamplingBatch | None = None
        self.state = RowState.WAITING
        self.parked_at = 0
        self.is_bounded = False
        self.is_looping = self.has_closed = False
        self.pending: TokenEvent | None = None
        self.had_one_choice = False
        self.ready_mask: Bitmask | None = None
        self.unbounded_mask: Bitmask | None = None
        self.drafts = RowDrafts()
        self.unscored: deque[TokenEvent] = deque()
        self.order = 0
        self.block_end: int | None = None
        self.post: Callable[[EngineRequest, TokenEvent], None] | None = None
        self.outbox: list[tuple[EngineRequest, TokenEvent]] = []
        self.error: GuidedError | None = None  # the reason if its mask allows nothing
        self.finish_reason: FinishReason | None = None
        self.submitted_s = time.perf_counter()
        self.started_s: float | None = None
        self.first_token_s: float | None = None
        self.last_token_s = 0.0
        self.sink = sink
        self._index = index
        self._num_taken = self._num_told = len(self.token_ids)  # tokens accepted; tokens whose events were sent
        self._num_forced = 0  # number of forced tokens in the present run
        self._makes_runs = request.is_read_at_end and not self.is_scored and not (thinking and thinking.tells_apart)
        new_tokens = max_new_tokens if request.pauses_at is None else min(max_new_tokens, request.pauses_at)
        self._sure_tokens = self.num_prompt_tokens + new_tokens  # below this number no budget ends the text

    def move(self, state: RowState) -> None:
        """Change the state. state: the new state; it must be allowed after the present one."""
        assert state in _MOVES[self.state], f"a request can't go from {self.state} to {state}"
        self.state = state

    def must_end(self, now: float) -> bool:
        """True if the reader has left or the deadline has passed. now: `time.monotonic()`."""
        deadline = self.request.deadline
        return self.is_ended() or (deadline is not None and now >= deadline)

    @property
    def wants_hidden(self) -> bool:
        """True if the model returns hidden states with the logits."""
        return self.request.params.return_hidden_states

    @property
    def num_new_tokens(self) -> int:
        """Number of output tokens so far."""
        return len(self.token_ids) - self.num_prompt_tokens

    @property
    def num_tokens_left(self) -> int:
        """Number of tokens that the output may still get."""
        return self.max_new_tokens - self.num_new_tokens

    @property
    def num_unread(self) -> int:
        """Number of tokens that the model has not read."""
        return len(self.token_ids) - (0 if self.sequence is None else self.sequence.num_tokens)

    @property
    def num_scored(self) -> int:
        """Number of tokens without the unscored ones. The model's logits after the last of these tokens belong to the
        first unscored token, or, if there is none, to the next token.
        """
        return len(self.token_ids) - len(self.unscored)

    @property
    def is_finished(self) -> bool:
        """True if the request has made its last event."""
        return self.finish_reason is not None

    @property
    def was_cut(self) -> bool:
        """True if the budget has cut the text, see `GrammarState.was_cut`."""
        return self.grammar is not None and self.grammar.was_cut

    @property
    def is_scored(self) -> bool:
        """True if the request asks for log-probabilities."""
        return self.request.params.logprobs is not None

    @property
    def is_asleep(self) -> bool:
        """True while the grammar is dormant: a block of thinking is open, or the next token may open one."""
        return self.grammar is not None and self.thinking is not None and self.thinking.tells_apart

    @property
    def is_paused(self) -> bool:
        """True if the request has ended only because of `PromptRequest.pauses_at`."""
        return self.finish_reason == "length" and self.num_new_tokens == self.request.pauses_at

    @property
    def is_at_block_end(self) -> bool:
        """True for a particle that has finished its block and waits for the others."""
        return self.block_end is not None and self.num_new_tokens >= self.block_end and self.finish_reason is None

    def _repeats_itself(self) -> bool:
        """True if the newest text repeats itself. The test runs only every LOOK_EVERY tokens, and only with a
        grammar.
        """
        num_new = self.num_new_tokens
        if self.grammar is None or num_new % LOOK_EVERY:
            return False
        return repeats_itself(self.grammar.vocabulary.join(self.token_ids[-min(num_new, TAIL_TOKENS) :]))

    def close(self, grammar: GrammarState) -> None:
        """Cut the budget to the shortest end of the text, if the grammar can tell it. May be slow."""
        needed = max(1, grammar.distance())
        self.has_closed = True
        if grammar.budget_error is None:
            self.max_new_tokens = min(self.max_new_tokens, self.num_new_tokens + needed)
            self._sure_tokens = min(self._sure_tokens, self.num_prompt_tokens + self.max_new_tokens)

    def resume(self) -> None:
        """Make grammar and thinking follow the tokens of `PromptRequest.written`. Raises TokenRefusedError."""
        for token_id in self.request.written:
            is_thought = self.thinking is not None and self.thinking.accept_token(token_id)
            if self.grammar is not None and not is_thought and not self.grammar.matcher.accept_token(token_id):
                raise TokenRefusedError(
                    f"the grammar refuses token {token_id} of the prefix that this request continues"
                )

    def go_on_as(self, other: EngineRequest) -> None:
        """Become a copy of another particle's output and state. The caller copies the pages and the sampling state.

        Both particles must have finished their block or ended. The requests differ only in the seed.
        """
        self.token_ids, self.drafts.lookup = other.token_ids.copy(), None
        self._num_taken = self._num_told = len(self.token_ids)
        self.outbox = other.outbox.copy()
        self.grammar = None if other.grammar is None else other.grammar.fork()
        self.thinking = copy(other.thinking)
        self.finish_reason = other.finish_reason
        self.started_s, self.first_token_s, self.last_token_s = other.started_s, other.first_token_s, other.last_token_s

    def forced_token(self) -> int | None:
        """The token that the grammar forces; None: the model chooses."""
        if self.grammar is None or self.is_asleep or self.is_finished:
            return None
        token_id = self.grammar.forced_token(self.num_tokens_left)
        if token_id is None and self.num_new_tokens >= self.request.params.min_new_tokens:
            return self.grammar.forced_end
        return token_id

    def accept(
        self, token_id: int, time_s: float, details: Mapping[str, Any] = NOTHING, wanted_id: int | None = None
    ) -> bool:
        """Take a token, make its event, and end the request if the token ends it. If the grammar needs too long, the
        token is `pending` instead.

        time_s: time of the event.
        details: further fields of the event.
        wanted_id: token that would have been drawn without the budget; None: the budget excluded nothing.
        Returns True if the grammar had forced the token.
        """
        is_thought = self.thinking is not None and self.thinking.is_thought(token_id)
        if is_thought and self.grammar is not None and wanted_id not in (None, token_id):
            self.grammar.was_cut = True
        return self._accept(
            token_id,
            time_s,
            {**details, "is_thought": True} if is_thought else details,
            is_forced=False if is_thought else None,
            wanted_id=wanted_id,
        )

    @property
    def has_taken_pending(self) -> bool:
        """True if the grammar has accepted the pending token, and only the search for the end of the text is left."""
        return self._num_taken < len(self.token_ids)

    def accept_pending(self, time_s: float, result: bool) -> bool:
        """Finish `accept` for the pending token. result: result of the grammar's work in the background."""
        pending, self.pending = self.pending, None
        assert pending is not None
        assert pending.token_id is not None
        pending.time_s = time_s
        if not self.has_taken_pending:
            return self._accept(pending.token_id, time_s, NOTHING, is_forced=result, pending=pending)
        self._num_taken = len(self.token_ids)
        self._give(pending, "stop" if result else "length")
        return pending.is_forced

    def _accept(
        self,
        token_id: int,
        time_s: float,
        details: Mapping[str, Any],
        *,
        is_forced: bool | None,
        wanted_id: int | None = None,
        pending: TokenEvent | None = None,
    ) -> bool:
        """The second part of `accept`, after the check for thinking.

        is_forced: the grammar's answer if it has already accepted the token; None: it has not, or there is no grammar.
        pending: the token's event if the token was pending already.
        """
        try:
            if is_forced is None:
                is_forced = self.grammar is not None and self.grammar.accept(token_id, wanted_id)
            token_ids = self.token_ids
            token_ids.append(token_id)
            if self.thinking is not None:
                self.thinking.accept_token(token_id)
            self.last_token_s = time_s
            finish_reason = self._finish_reason(token_id)
        except TrialOverError:
            self.move(RowState.BUILDING)
            self.pending = pending or TokenEvent(self._index, token_id, time_s=time_s, **details)
            self.pending.is_forced = bool(is_forced)
            return False
        except Exception as error:  # noqa: BLE001 - a fault of the grammar ends this row only
            self.fail(error if isinstance(error, GuidedError) else EngineFailureError("the grammar", error), time_s)
            return False
        self._num_taken = num_taken = len(token_ids)
        if self.request.ends_repetition and not self.is_asleep and not self.is_looping:
            self.is_looping = self._repeats_itself()
        if (
            finish_reason is None
            and self._makes_runs
            and not details
            and pending is None
            and num_taken - self._num_told <= MAX_RUN_TOKENS
            and self.first_token_s is not None
        ):
            self._num_forced += is_forced
        else:
            event = pending or TokenEvent(self._index, token_id, time_s=time_s, **details)
            event.is_forced = is_forced
            why = self._end_error(finish_reason)
            self._give(event, None if why else finish_reason)
            if why is not None:
                self.fail(why, time_s)
        return is_forced

    def _end_error(self, finish_reason: FinishReason | None) -> GuidedError | None:
        """The error if the budget ended the text and the grammar could not tell how far its end was; else None."""
        is_over = finish_reason == "length" and self.num_new_tokens != self.request.pauses_at
        return self.grammar.end_error if is_over and self.grammar is not None and not self.is_asleep else None

    def jump(self, time_s: float, max_tokens: int) -> list[int]:
        """Take at most `max_tokens` tokens that the grammar forces, and return them.

        Two tokens are left to be drawn: the budget's last token, and a token that takes the grammar too long. With
        log-probabilities the text's last token is drawn too: the model reads nothing for a row that is over.
        """
        taken: list[int] = []
        while self.may_jump and len(taken) < max_tokens:
            try:
                token_id = self.forced_token()
            except GuidedError:
                break  # the filling of its mask will meet the same error and record it, or will take long
            except Exception as error:  # noqa: BLE001 - a fault of the grammar or the speller ends this row only
                self.fail(EngineFailureError("the grammar", error), time_s)
                break
            if token_id is None or self.num_tokens_left <= 1 or (self.is_scored and self._ends_with(token_id)):
                break
            self.accept(token_id, time_s)
            assert self.pending is None or not self.has_taken_pending, (
                "no end is looked for before the budget's last token"
            )
            self.pending = None
            if self.finish_reason == "error" or self.state is RowState.BUILDING:
                break
            taken.append(token_id)
        return taken

    def end_without_token(self, exclusion: ExcludedTokens, time_s: float) -> None:
        """End because no token was left to draw. exclusion: the parameter that excluded tokens, and the reason."""
        count = self.num_new_tokens
        message = f"request {self._index}: no token can be drawn after {count} new tokens: {exclusion.reason}"
        self.fail(self.error or NoAllowedTokenError(message, exclusion.param), time_s)

    def fail(self, error: GuidedError, time_s: float) -> None:
        """End with an error. Unscored tokens are removed, because their events were not sent."""
        del self.token_ids[self.num_scored :]
        self.unscored.clear()
        self._give(TokenEvent(self._index, None, time_s=time_s, error=error), "error")

    def leave(self) -> None:
        """Send the last event of a row whose reader has ended it. `finish_reason` stays None."""
        self._post(cancelled(self._index))

    def fail_sink(self, event: TokenEvent, error: Exception) -> None:
        """End the row, because its sink raised an error for this event. The sink is called once more."""
        sink, self.sink = self.sink, _ignore
        give_sink_error(sink, self.request, event, error)

    def _give(self, event: TokenEvent, finish_reason: FinishReason | None) -> None:
        """Send the next event, or let it wait for its log-probabilities. finish_reason: not None for the last event."""
        self.finish_reason = event.finish_reason = finish_reason
        if finish_reason is not None:
            self.move(RowState.DONE)
        grammar = self.grammar
        if grammar is not None and event.token_id is not None:
            event.closed_in_budget = self.was_cut
            event.ended_repetition = self.was_cut and self.has_closed
            event.fits_grammar = finish_reason is not None and not self.is_asleep and grammar.is_complete
        event.is_pause = finish_reason is not None and self.is_paused
        if self.is_scored and event.token_id is not None and event.logprobs is None:
            assert finish_reason is None, "a jump ends before the token that ends the text"
            self.unscored.append(event)
        else:
            self._send(event)

    def give_scored(self, details: Sequence[Mapping[str, Any]], time_s: float) -> None:
        """Send the first events of `unscored`. details: fields of each event, with log-probabilities."""
        for one in details:
            event = self.unscored.popleft()
            event.logprobs, event.times, event.time_s = one["logprobs"], one.get("times"), time_s
            self._send(event)

    def _send(self, event: TokenEvent) -> None:
        if self._makes_runs:
            untold = self.token_ids[self._num_told : self._num_taken - (event.token_id is not None)]
            if untold:
                event.run = TokenRun(untold, self._num_forced)
            self._num_told, self._num_forced = self._num_taken, 0
        if self.first_token_s is None:
            event.num_cached_tokens = self.num_cached_tokens
            self.first_token_s = None if event.token_id is None else event.time_s
        self._post(event)

    def _post(self, event: TokenEvent) -> None:
        if self.post is None:
            self.outbox.append((self, event))
        else:
            self.post(self, event)

    def _ends_with(self, token_id: int) -> bool:
        """True if the request would end with this forced token."""
        num_new, grammar = self.num_new_tokens + 1, self.grammar
        if num_new >= self.max_new_tokens or num_new == self.request.pauses_at or token_id in self.end_token_ids:
            return True
        return grammar is not None and token_id in grammar.vocabulary.eos_token_ids

    def _finish_reason(self, token_id: int) -> FinishReason | None:
        grammar = self.grammar
        if token_id in self.end_token_ids or (grammar is not None and grammar.matcher.is_terminated()):
            return "stop"
        num_tokens = len(self.token_ids)
        if num_tokens < self._sure_tokens:
            return None
        num_new = num_tokens - self.num_prompt_tokens
        if num_new < self.max_new_tokens:
            return "length" if num_new == self.request.pauses_at else None
        is_whole = grammar is not None and not self.is_asleep and grammar.is_at_end()
        return "stop" if is_whole else "length"


def _ignore(_: TokenEvent) -> None:
    """The sink of a row whose own sink has failed."""
