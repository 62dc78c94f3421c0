"""`ParticleRun`: draws a prompt's outputs by sequential Monte Carlo, so that they follow the model's own distribution.

A mask changes the distribution: a beginning keeps the model's probability even if few texts of the grammar continue it
(Park et al. 2024, grammar-aligned decoding). The effect of a mask is known, so weights can correct it (Doucet, de
Freitas, Gordon 2001; Lew et al. 2023). Each output is a particle. The weight of a particle is the product of p(token) /
q(token) over its tokens. p is the model's own probability, and q the probability under the mask. Every `BLOCK_TOKENS`
tokens, the run computes the effective sample size. If it is below half of the particles, they are drawn again by weight
(systematic resampling) and continue with equal weights. The weighted outputs are then a sample of the model's
distribution given the grammar. The product of the mean weights is an unbiased estimate of the probability that the
model writes a text of the grammar.

Particles that were not drawn continue as forks of others, in the running batch. A fork shares the pages, has copies of
the grammar's state and of the sampling state, and has its own random stream.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ...params.sampling_params import SamplingParams
from ...requests.request import PromptRequest
from ..base import TokenEvent
from .engine_request import EngineRequest

BLOCK_TOKENS = 8  # number of tokens between two checks of the weights
ENOUGH = 0.5  # least effective sample size, as a share of the particles, that needs no new draw of particles


class ParticleRun:
    """The outputs of one request with `SamplingParams.particles`. The engine's thread runs it.

    rows: the particles. After each block, a particle waits until all have finished it. Particles keep their events.
    first_index: index of the first output's events in `results`. The first output is drawn by weight.
    """

    def __init__(self, rows: Sequence[EngineRequest], first_index: int) -> None:
        self.rows = rows
        self._first_index = first_index
        self._random = random.Random(rows[0].request.params.seed)
        self._num_weighed = [0] * len(rows)  # number of events of each particle when particles were last drawn
        self._grammar_logprob = 0.0
        self.go_on()

    @property
    def is_left(self) -> bool:
        """True if the reader has ended the request."""
        return any(row.request.ended.is_set() for row in self.rows)

    @property
    def is_done(self) -> bool:
        """True if all particles have ended."""
        return all(row.is_finished for row in self.rows)

    @property
    def is_at_end_of_block(self) -> bool:
        """True if every particle has finished its block or ended."""
        return all(row.is_at_block_end or row.is_finished for row in self.rows)

    @property
    def failure(self) -> Exception | None:
        """The error that ended a particle; None: no particle failed. All must end then: weights need every particle."""
        return next((row.outbox[-1][1].error for row in self.rows if row.finish_reason == "error"), None)

    def go_on(self) -> None:
        """Let all particles make another block, or as many tokens as their budget allows."""
        for row in self.rows:
            end = row.num_new_tokens + BLOCK_TOKENS
            row.block_end = end if end < row.max_new_tokens else None

    def draw_anew(self) -> list[EngineRequest] | None:
        """Draw particles by weight. Returns the particle that each one continues from, itself if possible.

        Returns None if the weights differ too little for a draw.
        """
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

    def results(self) -> list[tuple[EngineRequest, TokenEvent]]:
        """All events, output by output, each with its row. Call this after all particles have ended.

        The last event of each output has its weight and the estimate `grammar_logprob`.
        """
        log_weights = self._log_weights()
        weights = _normalised(log_weights)
        grammar_logprob = self._grammar_logprob + _log_mean(log_weights)
        order = list(range(len(weights)))
        drawn = self._random.choices(order, weights)[0]
        order.insert(0, order.pop(drawn))
        given: list[tuple[EngineRequest, TokenEvent]] = []
        for index, place in enumerate(order, self._first_index):
            row = self.rows[place]
            given += [(row, replace(event, index=index)) for _, event in row.outbox]
            last = replace(given[-1][1], weight=weights[place], grammar_logprob=grammar_logprob)
            given[-1] = (row, last)
        return given

    def failed(self, error: Exception) -> list[tuple[EngineRequest, TokenEvent]]:
        """An event with an error for each output, with its row."""
        return [
            (row, TokenEvent(index, None, finish_reason="error", error=error))
            for index, row in enumerate(self.rows, self._first_index)
        ]

    def leave(self) -> None:
        """Mark the requests of unfinished particles as ended. The engine drops them before its next step."""
        for row in self.rows:
            if not row.is_finished:
                row.request.ended.set()

    def _log_weights(self) -> list[float]:
        return [
            sum(_log_weight(event) for _, event in row.outbox[start:])
            for row, start in zip(self.rows, self._num_weighed, strict=True)
        ]


def weighing(request: PromptRequest) -> PromptRequest:
    """A particle's request, with the log-probabilities that its weight needs."""
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
    """Systematic resampling: as many indices as weights, each about as often as its weight says.

    uniform: random number in [0, 1).
    """
    count, places, total, place = len(weights), [], weights[0], 0
    for i in range(count):
        while total < (i + uniform) / count and place < count - 1:
            place += 1
            total += weights[place]
        places.append(place)
    return places
