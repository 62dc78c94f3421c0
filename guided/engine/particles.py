"""`ParticleRun`: a prompt's outputs as a sequential Monte Carlo, so that answers follow the model's own distribution.

Drawing under a mask token by token is not drawing from the model's texts that fit the grammar: a beginning that the
grammar can hardly end from is as probable as the model finds it (Park et al. 2024, grammar-aligned decoding). What a
mask takes away is known, so it can be made good (Doucet, de Freitas, Gordon 2001; Lew et al. 2023): each output, a
particle, has a weight, the product of p(token) / q(token) over its tokens, with p the model's own probability and q the
one it was drawn with. Every `BLOCK_TOKENS` tokens, where the weights differ much (the effective sample size is below
half of the particles), particles are drawn anew by weight (systematic resampling) and go on with equal ones. Then the
weighted outputs are a sample of the model's distribution given the grammar, and the product of the mean weights is an
unbiased estimate of the probability that the model writes a text of the grammar.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ..params.sampling_params import SamplingParams
from ..requests.request import Request
from .base import Engine, Sink, TokenEvent

BLOCK_TOKENS = 8  # between two looks at the weights
ENOUGH = 0.5  # of the particles, as effective sample size


@dataclass
class _Particle:
    """One output so far. log_weight: since the particles were last drawn anew."""

    events: list[TokenEvent] = field(default_factory=list)
    log_weight: float = 0.0
    is_done: bool = False

    @property
    def token_ids(self) -> tuple[int, ...]:
        return tuple(event.token_id for event in self.events if event.token_id is not None)

    @property
    def are_forced(self) -> tuple[bool, ...]:
        return tuple(event.is_forced for event in self.events if event.token_id is not None)

    def copy(self) -> _Particle:
        return _Particle(list(self.events), 0.0, self.is_done)


class ParticleRun:
    """The outputs of one request with `SamplingParams.particles`.

    outputs: a request for each. first_index: of its events; the others follow. sink: gets all events once the last
    output is done, those of an output one after the other; the last one has its weight. The first output is one that
    is drawn by weight. Everything but `start` happens in the engine's thread.
    """

    def __init__(self, engine: Engine, outputs: Sequence[Request], first_index: int, sink: Sink) -> None:
        self._engine = engine
        self._outputs = outputs
        self._first_index = first_index
        self._sink = sink
        params = outputs[0].params
        room = engine.max_context_tokens - len(outputs[0].prompt_token_ids)
        self._budget = room if params.max_new_tokens is None else min(room, params.max_new_tokens)
        self._random = random.Random(params.seed)
        self._particles = [_Particle() for _ in outputs]
        self._num_running = 0
        self._grammar_logprob = 0.0
        self._is_over = False

    def start(self, *, is_bounded: bool) -> None:
        """Hand all outputs in, or none. Raises what `Engine.submit` raises."""
        try:
            self._run_block(is_bounded=is_bounded)
        except BaseException:
            self._leave()
            raise

    def _run_block(self, *, is_bounded: bool) -> None:
        """Those that are not done go on for a block."""
        waiting = [place for place, particle in enumerate(self._particles) if not particle.is_done]
        self._num_running = len(waiting)
        for place in waiting:
            written = self._particles[place].token_ids
            end = len(written) + BLOCK_TOKENS
            request = replace(
                self._outputs[place],
                params=_weighing(self._outputs[place].params),
                written=written,
                written_forced=self._particles[place].are_forced,
                pauses_at=end if end < self._budget else None,
                is_read_at_end=False,
            )
            self._engine.submit(request, self._take, place, is_bounded=is_bounded)

    def _take(self, event: TokenEvent) -> None:
        particle = self._particles[event.index]
        if self._is_over:
            return
        if event.finish_reason == "error":
            self._fail(event)
            return
        if particle.events:
            event = replace(event, num_cached_tokens=0)  # of the prompt, which the first one has told
        if event.logprobs is not None:
            assert event.logprobs.processed_logprob is not None
            particle.log_weight += event.logprobs.logprob - event.logprobs.processed_logprob
        particle.events.append(event)
        if event.finish_reason is None:
            return
        particle.is_done = not event.is_pause
        self._num_running -= 1
        if self._num_running == 0:
            self._end_block()

    def _end_block(self) -> None:
        if not self._is_done():
            self._draw_anew()
        if self._is_done():
            self._finish()
            return
        try:
            self._run_block(is_bounded=False)
        except Exception as error:  # noqa: BLE001 - the engine stops: whoever reads is told
            self._fail(TokenEvent(0, None, finish_reason="error", error=error))

    def _is_done(self) -> bool:
        return all(particle.is_done for particle in self._particles)

    def _draw_anew(self) -> None:
        """By weight, where the weights differ much."""
        log_weights = [particle.log_weight for particle in self._particles]
        weights = _normalised(log_weights)
        if 1.0 / sum(weight * weight for weight in weights) >= ENOUGH * len(weights):
            return
        self._grammar_logprob += _log_mean(log_weights)
        self._particles = [self._particles[place].copy() for place in _systematic(weights, self._random.random())]

    def _finish(self) -> None:
        log_weights = [particle.log_weight for particle in self._particles]
        weights = _normalised(log_weights)
        grammar_logprob = self._grammar_logprob + _log_mean(log_weights)
        order = list(range(len(weights)))
        drawn = self._random.choices(order, weights)[0]
        order.insert(0, order.pop(drawn))
        for index, place in enumerate(order, self._first_index):
            *events, last = self._particles[place].events
            for event in events:
                self._sink(replace(event, index=index, finish_reason=None, is_pause=False))
            self._sink(replace(last, index=index, weight=weights[place], grammar_logprob=grammar_logprob))

    def _fail(self, event: TokenEvent) -> None:
        """What fails one of them fails all: without it the weights would say something else."""
        self._leave()
        for index in range(len(self._outputs)):
            self._sink(replace(event, index=self._first_index + index))

    def _leave(self) -> None:
        self._is_over = True
        for request in self._outputs:
            request.ended.set()


def _weighing(params: SamplingParams) -> SamplingParams:
    """The same, with the log-probabilities that weights are made of."""
    return replace(params, logprobs=params.logprobs or 0, logprobs_mode="both")


def _normalised(log_weights: Sequence[float]) -> list[float]:
    most = max(log_weights)
    weights = [math.exp(one - most) for one in log_weights]
    total = sum(weights)
    return [one / total for one in weights]


def _log_mean(log_weights: Sequence[float]) -> float:
    most = max(log_weights)
    return most + math.log(sum(math.exp(one - most) for one in log_weights) / len(log_weights))


def _systematic(weights: Sequence[float], uniform: float) -> list[int]:
    """So many places, each about as often as its weight says. uniform: in [0, 1)."""
    count, places, total, place = len(weights), [], weights[0], 0
    for i in range(count):
        while total < (i + uniform) / count and place < count - 1:
            place += 1
            total += weights[place]
        places.append(place)
    return places
