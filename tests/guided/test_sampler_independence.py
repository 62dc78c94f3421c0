"""A request's tokens are its own: whatever shares its batch, whenever rows join and leave, on every backend."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from guided.grammars.bitset import pack_token_ids
from guided.params.sampling_params import SamplingParams
from guided.sampler import Sampler, SamplingBatch
from tests.examples import examples

from .sampler_backends import BACKENDS, device_of

VOCAB_SIZE = 70
MAX_TOKENS = 6


@dataclass
class Request:
    """A request with a model of its own: logits and mask are functions of its number and of its tokens so far."""

    number: int
    params: SamplingParams
    prompt: list[int]
    token_ids: list[int] = field(default_factory=list)

    def logits(self) -> torch.Tensor:
        generator = torch.Generator().manual_seed(hash((self.number, *self.token_ids)) % 2**31)
        return torch.randn(VOCAB_SIZE, generator=generator) * 2

    def mask(self) -> np.ndarray:
        if self.number % 2:
            return pack_token_ids(list(range(VOCAB_SIZE)), VOCAB_SIZE)
        rng = np.random.default_rng([self.number, *self.token_ids])
        return pack_token_ids(rng.choice(VOCAB_SIZE, 25, replace=False), VOCAB_SIZE)


class Rows:
    """Requests that run in one batch."""

    def __init__(self, requests: list[Request], backend: str) -> None:
        self.requests = list(requests)
        self.sampler = Sampler(backend)
        self.device = device_of(backend)
        prompts = [request.prompt for request in requests]
        params = [request.params for request in requests]
        self.batch = SamplingBatch.from_params(params, VOCAB_SIZE, self.device, prompts, eos_token_ids=[5])

    def step(self) -> None:
        if not self.requests:
            return
        logits = torch.stack([request.logits() for request in self.requests]).to(self.device)
        bitmask = np.stack([request.mask() for request in self.requests])
        output = self.sampler.sample(logits, self.batch, bitmask)
        is_forced = torch.tensor([len(request.token_ids) % 3 == 2 for request in self.requests], device=self.device)
        self.batch.accept_tokens(output.token_ids, is_forced)
        for request, token_id in zip(self.requests, output.token_ids.tolist(), strict=True):
            request.token_ids.append(token_id)

    def keep(self, rows: list[int]) -> list[Request]:
        """Only these rows stay; the others."""
        dropped = [request for i, request in enumerate(self.requests) if i not in rows]
        self.batch.keep(rows)
        self.requests = [self.requests[i] for i in rows]
        return dropped

    def add(self, request: Request) -> None:
        self.append(Rows([request], self.sampler.backend))

    def append(self, other: Rows) -> None:
        self.batch.append(other.batch)
        self.requests += other.requests


TOKEN_IDS = st.lists(st.integers(0, VOCAB_SIZE - 1), min_size=1, max_size=5)
PARAMS = st.builds(
    SamplingParams,
    temperature=st.sampled_from([0.0, 0.5, 1.0, 1.5]),
    top_k=st.sampled_from([None, 1, 5, 40]),
    top_p=st.sampled_from([1.0, 0.95, 0.5]),
    min_p=st.sampled_from([0.0, 0.0, 0.1]),
    filter_order=st.sampled_from(["top_k_first", "joint"]),
    seed=st.integers(0, 2**63 - 1),
    frequency_penalty=st.sampled_from([0.0, 0.0, 1.5]),
    presence_penalty=st.sampled_from([0.0, 0.0, -1.0]),
    repetition_penalty=st.sampled_from([1.0, 1.0, 1.5]),
    penalize_forced=st.booleans(),
    min_new_tokens=st.sampled_from([0, 0, 3]),
    logit_bias=st.none() | st.dictionaries(st.integers(0, VOCAB_SIZE - 1), st.sampled_from([-5.0, 3.0]), max_size=4),
    bad_words=st.none() | st.lists(TOKEN_IDS, max_size=3),
    logprobs=st.sampled_from([None, None, 3]),
)


def alone(request: Request, backend: str) -> list[int]:
    """The tokens of a request that shares its batch with nothing."""
    rows = Rows([replace(request, token_ids=[])], backend)
    for _ in range(MAX_TOKENS):
        rows.step()
    return rows.requests[0].token_ids


@pytest.mark.parametrize("backend", BACKENDS)
@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_tokens_do_not_depend_on_what_shares_the_batch(backend: str, data: st.DataObject) -> None:  # A5.6, A1.3
    every: list[Request] = []

    def new_request() -> Request:
        every.append(Request(len(every), data.draw(PARAMS), data.draw(TOKEN_IDS)))
        return every[-1]

    rows = Rows([new_request() for _ in range(data.draw(st.integers(0, 3)))], backend)
    for _ in range(data.draw(st.integers(1, 12))):
        action = data.draw(st.sampled_from(["step", "step", "add", "append", "keep"]))
        if action == "add":
            rows.add(new_request())
        elif action == "append":
            other = Rows([new_request() for _ in range(2)], backend)
            for _ in range(data.draw(st.integers(0, 2))):
                other.step()
            rows.append(other)
        elif action == "keep":
            order = data.draw(st.permutations(range(len(rows.requests))))
            rows.keep(order[: data.draw(st.integers(0, len(order)))])
        elif all(len(request.token_ids) < MAX_TOKENS for request in rows.requests):
            rows.step()
    for request in every:
        assert request.token_ids == alone(request, backend)[: len(request.token_ids)]


@pytest.mark.parametrize("backend", BACKENDS)
@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(params=st.lists(PARAMS, min_size=1, max_size=5))
def test_all_backends_draw_the_tokens_of_the_reference(backend: str, params: list[SamplingParams]) -> None:  # A5.6
    requests = [Request(number, one, [number]) for number, one in enumerate(params)]
    for request in requests:
        assert alone(request, backend) == alone(request, "reference")


@pytest.mark.parametrize("backend", BACKENDS)
def test_one_seed_gives_one_text_and_no_seed_another(backend: str) -> None:  # A1.3
    seeded, unseeded = (Request(1, SamplingParams(temperature=1.5, seed=seed), [1]) for seed in (4, None))
    assert alone(seeded, backend) == alone(seeded, backend)
    assert len({tuple(alone(unseeded, backend)) for _ in range(5)}) > 1
