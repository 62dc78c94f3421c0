"""A few seconds of the fuzzer of requests; `python -m tests.fuzz.requests --seconds 3600 --seed 1` goes on."""

from __future__ import annotations

import random

import httpx

from tests.fuzz.requests import fuzz, make, text_of


def test_no_request_is_too_much(tiny_http: httpx.Client) -> None:
    faults, statuses = fuzz(tiny_http, seconds=10, seed=1)
    assert faults == []
    assert statuses[200] + statuses[400] > 3


def test_requests_depend_on_the_seed_alone() -> None:
    texts = [text_of(make(random.Random(f"7 {number}"))) for number in range(40)]
    assert texts == [text_of(make(random.Random(f"7 {number}"))) for number in range(40)]
    assert len(set(texts)) > 30
