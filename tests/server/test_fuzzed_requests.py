"""A few seconds of the fuzzer of requests; `python -m tests.fuzz.requests --seconds 3600 --seed 1` goes on."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import httpx

from tests.fuzz.command import fuzz
from tests.fuzz.requests import Requests, make, small_app, text_of
from tests.server.live_server import serving


def test_no_request_is_too_much(tiny_model_folder: Path) -> None:
    with serving(small_app(tiny_model_folder)) as url, httpx.Client(base_url=url, timeout=60) as http:
        counts: Counter[str] = Counter()
        assert fuzz(Requests(http).look, seconds=2.5, seed=1, counts=counts) == []
    assert counts["answers of 200"] + counts["answers of 400"] > 3


def test_requests_depend_on_the_seed_alone() -> None:
    texts = [text_of(make(random.Random(f"7 {number}"))) for number in range(40)]
    assert texts == [text_of(make(random.Random(f"7 {number}"))) for number in range(40)]
    assert len(set(texts)) > 30
