"""The request's own fields as attacks: what one may hold is bounded, and what is within the bounds costs little."""

from __future__ import annotations

import time
from typing import Any

import httpx
import pytest

from guided.grammars.errors import InvalidInputError
from guided.params.limits import RequestLimitExceededError, RequestLimits
from guided.params.sampling_params import SamplingParams
from tests.server.wire import CHAT_URL

MAX_S = 3.0  # of processor time, on a busy machine; each of these took 14 to 120 s
MANY_WORDS = [[word] * 80 for word in range(2_000)]
OVER: list[tuple[str, Any, str]] = [
    ("bad_words", MANY_WORDS, "max_bad_word_tokens"),
    ("bad_words", [[1]] * 60_000, "max_bad_words"),
    ("bad_words", ["word"] * 60_000, "max_bad_words"),
    ("logprob_token_ids", [1] * 100_000, "max_logprob_token_ids"),
    ("logprob_token_ids", list(range(257)), "max_logprob_token_ids"),
    ("stop", [f"stop {number}" for number in range(100_000)], "max_stops"),
    ("stop", ["a" * 100_000], "max_stop_chars"),
    ("stop", "a" * 100_000, "max_stop_chars"),
    ("stop_regex", ["a"] * 129, "max_stops"),
    ("stop_regex", "a" * 100_000, "max_stop_chars"),
    ("allowed_token_ids", [1] * 20_000, "max_token_ids"),
    ("stop_token_ids", [1] * 20_000, "max_token_ids"),
    ("logit_bias", {str(token_id): 1 for token_id in range(20_000)}, "max_token_ids"),
]


def body(**fields: Any) -> dict[str, Any]:
    return {"model": "tiny", "messages": [{"role": "user", "content": "the"}], "max_tokens": 4, **fields}


@pytest.mark.parametrize(("field", "value", "limit"), OVER, ids=[f"{field} {limit}" for field, _, limit in OVER])
def test_what_is_over_a_limit_is_refused_at_once(tiny_http: httpx.Client, field: str, value: Any, limit: str) -> None:
    fields = {field: value} | ({"logprobs": True} if field == "logprob_token_ids" else {})
    start_s = time.process_time()
    response = tiny_http.post(CHAT_URL, json=body(**fields))
    assert time.process_time() - start_s < MAX_S
    error = response.json()["error"]
    assert (response.status_code, error["param"], error["code"]) == (400, field, "limit_exceeded")
    assert limit in error["message"]


def test_anthropics_name_of_the_field(tiny_http: httpx.Client) -> None:
    response = tiny_http.post("/v1/messages", json=body(stop_sequences=["a"] * 129))
    assert "stop_sequences" in response.json()["error"]["message"]


def test_limits_hold_in_python_too() -> None:
    limits = RequestLimits(max_stops=2)
    limits.check(vars(SamplingParams(stop=["a", "b"])))
    with pytest.raises(RequestLimitExceededError, match=r"stop has 3 entries, .* 2 stops \(max_stops\)"):
        limits.check(vars(SamplingParams(stop=["a", "b", "c"])))


@pytest.mark.parametrize(("name", "value"), [("max_stops", 0), ("max_stop_chars", 0), ("max_bad_words", 1.5)])
def test_bad_limits(name: str, value: Any) -> None:
    with pytest.raises(InvalidInputError, match=f"{name} must be"):
        RequestLimits(**{name: value})


@pytest.mark.parametrize(
    "fields",
    [
        {"bad_words": [[1] * 8_000, [2] * 8_000]},
        {"bad_words": [[word % 50, 3, 4] for word in range(2_000)]},
        {"stop": [f"stop {number}" for number in range(128)]},
        {"stop": "a" * 16_000},
        {"logprobs": True, "logprob_token_ids": [1] * 256},
        {"n": 64, "stop_regex": "(x|y)*x(x|y){9}z"},
        {"n": 8, "max_tokens": 50, "ignore_eos": True, "stop_regex": r"(.{1,60}q){1,30}#"},
    ],
    ids=["long words", "many words", "stops", "long stop", "logprobs", "n", "slow regex"],
)
def test_what_is_within_the_limits_costs_little(tiny_http: httpx.Client, fields: dict[str, Any]) -> None:
    start_s = time.process_time()
    tiny_http.post(CHAT_URL, json=body(**fields)).raise_for_status()
    assert time.process_time() - start_s < MAX_S


def test_a_stop_regex_that_is_too_large_is_refused(tiny_http: httpx.Client) -> None:
    error = tiny_http.post(CHAT_URL, json=body(stop_regex="a.{9000}b")).json()["error"]
    assert (error["type"], error["param"]) == ("invalid_request_error", "stop_regex")
    assert "more than 4,096 places" in error["message"]


def test_many_special_tokens_in_a_message(tiny_http: httpx.Client) -> None:
    names = "<|im_end|><|im_start|>" * 100_000
    start_s = time.process_time()
    response = tiny_http.post(CHAT_URL, json=body(messages=[{"role": "user", "content": names}]))
    assert time.process_time() - start_s < MAX_S
    assert (response.status_code, response.json()["error"]["code"]) == (400, "context_length_exceeded")
