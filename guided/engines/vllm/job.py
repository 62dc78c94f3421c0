"""`VllmJob`: one request while vLLM's engine works on it. Converts vLLM's output to the events of our engines."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from guided.grammars.errors import GuidedError

from ...errors import EngineStoppedError, RequestFailedError
from ...grammar_state.state import GrammarState
from ...integrations.vllm.cut_answers import CUT
from ...integrations.vllm.masked_logprobs import REPORT_ID
from ...requests.request import PromptRequest
from ..base import Sink, TokenEvent, ToldUsage
from ..jobs import EngineJob
from ..logprobs import LogprobReader
from ..thinking import thinking_of
from ..token_logprobs import TokenLogprobs


class VllmJob(EngineJob):
    """A request. Every token is checked against the grammar once more: vLLM's output fits it, or the request fails.

    names: names of tokens, for log-probabilities.
    params: vLLM's parameters.
    """

    def __init__(
        self,
        request: PromptRequest,
        sink: Sink,
        index: int,
        names: LogprobReader,
        params: Any = None,
        *,
        is_bounded: bool = True,
    ) -> None:
        super().__init__(request, sink, index, is_bounded=is_bounded)
        self.params = params
        self.num_forced_tokens = 0
        self._num_new_tokens = 0
        self._num_cached_tokens = 0
        self._names = names
        self._vocabulary = names.vocabulary
        # no speller, since vLLM itself spells what the grammar forces
        self._grammar = None if request.grammar is None else GrammarState(request.grammar)
        self._thinking = thinking_of(request, self._vocabulary)

    @property
    def usage(self) -> ToldUsage:
        """See `EngineJob.usage`."""
        return ToldUsage(len(self.request.prompt_token_ids), self._num_new_tokens, self._num_cached_tokens, 0)

    def take(self, output: Any) -> None:
        """Pass new output on. output: a `RequestOutput`. Raises what `read` raises."""
        metrics = output.metrics
        if self.begun_s is None and metrics is not None and metrics.scheduled_ts:
            self.begun_s = self.submitted_s + max(0.0, metrics.scheduled_ts - metrics.queued_ts)
        for event in self.read(output):
            self.give(event)

    def read(self, output: Any) -> list[TokenEvent]:
        """The events of a `RequestOutput` with new content. Raises TokenRefusedError and errors of the grammar."""
        first = self._of_prompt(output) if not self._num_new_tokens else {}
        (new,) = output.outputs
        token_ids, logprobs = new.token_ids, new.logprobs
        reason = new.finish_reason
        events = []
        for place, token_id in enumerate(token_ids):
            is_last = place == len(token_ids) - 1 and reason in ("stop", "length")
            positions = None if logprobs is None else logprobs[place]
            if is_last and new.stop_reason == CUT:
                first = {**first, "closed_in_budget": True}
            events.append(self._take(token_id, positions, reason if is_last else None, first))
            first = {}
        if reason is not None and self.finish_reason is None:
            events.append(self.failed(_failure(reason, new.stop_reason)))
        return events

    def _take(
        self, token_id: int, positions: Mapping[int, Any] | None, reason: str | None, details: dict[str, Any]
    ) -> TokenEvent:
        is_forced = self._grammar is not None and self._grammar.accept(token_id)
        self._num_new_tokens += 1
        self.num_forced_tokens += is_forced
        fits = False
        if reason is not None:
            fits = self._grammar is not None and self._grammar.is_complete
            ends = frozenset[int]() if self.request.params.ignore_eos else self._vocabulary.eos_token_ids
            is_end = reason == "stop" or token_id in ends
            is_whole = is_end or (self._grammar is not None and self._grammar.is_at_end())
            self.finish_reason = "stop" if is_whole else "length"
        return TokenEvent(
            self.index,
            token_id,
            is_forced,
            self.finish_reason,
            logprobs=None if positions is None else self._drawn(token_id, positions),
            min_new_tokens_overruled=self._is_overruled(token_id),
            fits_grammar=fits,
            is_thought=self._thinking is not None and self._thinking.accept_token(token_id),
            **details,
        )

    def _drawn(self, token_id: int, position: Mapping[int, Any]) -> TokenLogprobs:
        """The log-probabilities of an output token."""
        return self._with_mask(self._logprobs(token_id, position, self.request.params.logprobs), position)

    def _is_overruled(self, token_id: int) -> bool:
        """True if the grammar left only the end, although min_new_tokens forbade it."""
        is_early = self._num_new_tokens <= self.request.params.min_new_tokens
        return is_early and self._grammar is not None and token_id in self._vocabulary.eos_token_ids

    def _of_prompt(self, output: Any) -> dict[str, Any]:
        """The first event's facts about the prompt."""
        self._num_cached_tokens = output.num_cached_tokens or 0
        details: dict[str, Any] = {"num_cached_tokens": self._num_cached_tokens}
        count = self.request.params.prompt_logprobs
        if count is not None and output.prompt_logprobs is not None:
            details["prompt_logprobs"] = self._prompt_logprobs(output.prompt_logprobs, count)
        return details

    def _prompt_logprobs(self, positions: Sequence[Any], count: int) -> tuple[TokenLogprobs | None, ...]:
        token_ids = self.request.prompt_token_ids
        pairs = zip(token_ids, positions, strict=True)
        return tuple(None if one is None else self._logprobs(token_id, one, count) for token_id, one in pairs)

    def _logprobs(self, token_id: int, position: Mapping[int, Any], count: int | None) -> TokenLogprobs:
        """Convert vLLM's dict of one position, which contains the token itself and the most probable ones, each with
        its rank.
        """
        own = position[token_id]
        ranked = sorted((item for item in position.items() if item[0] != REPORT_ID), key=lambda item: item[1].rank)
        top = tuple([self._names.one(other, one.logprob) for other, one in ranked[: count or 0]])
        alone = self._names.one(token_id, own.logprob)
        return TokenLogprobs(token_id, alone.token, alone.is_special, own.logprob, rank=own.rank, top=top)

    def _with_mask(self, logprobs: TokenLogprobs, position: Mapping[int, Any]) -> TokenLogprobs:
        """Add the effect of the mask. Without a mask, the token is drawn from the model's own probabilities.

        `check_params` admits processed log-probabilities only for requests that change nothing else about the
        probabilities.
        """
        after = position[REPORT_ID].logprob if REPORT_ID in position else logprobs.logprob
        mass = None if self._grammar is None else min(1.0, max(0.0, -math.expm1(logprobs.logprob - after)))
        processed = after if self.request.params.logprobs_mode == "both" else None
        return replace(logprobs, masked_mass=mass, processed_logprob=processed)


def _failure(reason: str, stop_reason: Any) -> GuidedError:
    """Why vLLM ended a request before it was done."""
    if reason == "abort":
        return EngineStoppedError("vLLM's engine gave the request up")
    return RequestFailedError(str(stop_reason) if stop_reason else f"vLLM's engine ended it with {reason!r}")
