"""`ParticleRun`: a prompt's outputs as a sequential Monte Carlo, so that answers follow the model's own distribution.

Drawing under a mask token by token is not drawing from the model's texts that fit the grammar: a beginning that the
grammar can hardly end from is as probable as the model finds it (Park et al. 2024, grammar-aligned decoding). What a
mask takes away is known, so it can be made good (Doucet, de Freitas, Gordon 2001; Lew et al. 2023): each output, a
particle, has a weight, the product of p(token) / q(token) over its tokens, with p the model's own probability and q the
one it was drawn with. Every `BLOCK_TOKENS` tokens, where the weights differ much (the effective sample size is below
half of the particles), particles are drawn anew by weight (systematic resampling) and go on with equal ones. Then the
weighted outputs are a sample of the model's distribution given the grammar, and the product of the mean weights is an
unbiased estimate of the probability that the model writes a text of the grammar.

Particles that were not drawn go on as forks of others, in the running batch: on the same pages, with a copy of their
grammar's state and of their sampling state, and each with its own random stream.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ..params.sampling_params import SamplingParams
from ..requests.request import Request
from .base import Sink, TokenEvent
from .engine_request import EngineRequest

BLOCK_TOKENS = 8  # between two looks at the weights
ENOUGH = 0.5  # of the particles, as effective sample size


class ParticleRun:
    """The outputs of one request with `SamplingParams.particles`; the engine's thread runs it.

    rows: the particles, which rest after each block until all of them have come there. They keep their events.
    first_index: of the events that it gives in the end. The first output is one that is drawn by weight.
    """

    def __init__(self, rows: Sequence[EngineRequest], first_index: int) -> None:
        self.rows = rows
        self._first_index = first_index
        self._random = random.Random(rows[0].request.params.seed)
        self._num_weighed = [0] * len(rows)  # events of each particle before they were last drawn anew
        self._grammar_logprob = 0.0
        self.go_on()

    @property
    def is_left(self) -> bool:
        """Nobody reads it any more."""
        return any(row.request.ended.is_set() for row in self.rows)

    @property
    def is_done(self) -> bool:
        """All particles have ended."""
        return all(row.is_finished for row in self.rows)

    @property
    def is_at_end_of_block(self) -> bool:
        """No particle goes on by itself."""
        return all(row.is_at_block_end or row.is_finished for row in self.rows)

    @property
    def failure(self) -> Exception | None:
        """Why one of them has ended early. It ends all: without that one the weights would say something else."""
        return next((row.outbox[-1][1].error for row in self.rows if row.finish_reason == "error"), None)

    def go_on(self) -> None:
        """For another block, or as far as a particle's budget goes."""
        for row in self.rows:
            end = row.num_new_tokens + BLOCK_TOKENS
            row.block_end = end if end < row.max_new_tokens else None

    def draw_anew(self) -> list[EngineRequest] | None:
        """Whom each particle goes on as, itself where it can; None where the weights differ little."""
        log_weights = self._log_weights()
        weights = _normalised(log_weights)
        if 1.0 / sum(weight * weight for weight in weights) >= ENOUGH * len(weights):
            return None
        self._grammar_logprob += _log_mean(log_weights)
        left = Counter(_systematic(weights, self._random.random()))
        stay = set(left)
        left.subtract(stay)
        others = left.elements()
        sources = [place if place in stay else next(others) for place in range(len(self.rows))]
        self._num_weighed = [len(self.rows[source].outbox) for source in sources]
        return [self.rows[source] for source in sources]

    def results(self) -> list[tuple[Sink, TokenEvent]]:
        """All events once all have ended, those of an output one after the other; its last one has its weight."""
        log_weights = self._log_weights()
        weights = _normalised(log_weights)
        grammar_logprob = self._grammar_logprob + _log_mean(log_weights)
        order = list(range(len(weights)))
        drawn = self._random.choices(order, weights)[0]
        order.insert(0, order.pop(drawn))
        given: list[tuple[Sink, TokenEvent]] = []
        for index, place in enumerate(order, self._first_index):
            given += [(sink, replace(event, index=index)) for sink, event in self.rows[place].outbox]
            sink, last = given[-1]
            given[-1] = (sink, replace(last, weight=weights[place], grammar_logprob=grammar_logprob))
        return given

    def failed(self, error: Exception) -> list[tuple[Sink, TokenEvent]]:
        """The events that say so, one for each output."""
        return [
            (row.sink, TokenEvent(index, None, finish_reason="error", error=error))
            for index, row in enumerate(self.rows, self._first_index)
        ]

    def leave(self) -> None:
        """What still runs of it ends before the next step."""
        for row in self.rows:
            if not row.is_finished:
                row.request.ended.set()

    def _log_weights(self) -> list[float]:
        return [
            sum(_log_weight(event) for _, event in row.outbox[start:])
            for row, start in zip(self.rows, self._num_weighed, strict=True)
        ]


def weighing(request: Request) -> Request:
    """A particle's request: with the log-probabilities that weights are made of."""
    params: SamplingParams = request.params
    params = replace(params, logprobs=params.logprobs or 0, logprobs_mode="both")
    return replace(request, params=params, is_read_at_end=False)


def _log_weight(event: TokenEvent) -> float:
    if event.logprobs is None:
        return 0.0
    assert event.logprobs.processed_logprob is not None
    return event.logprobs.logprob - event.logprobs.processed_logprob


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
