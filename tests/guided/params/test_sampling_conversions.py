"""Request fields in OpenAI's form, a GenerationConfig and presets become params, or an error that says why."""

from __future__ import annotations

from typing import Any

import pytest

from guided.errors import RequestFieldError
from guided.grammars.errors import InvalidInputError
from guided.params.conversions import PRESETS, from_openai, from_preset
from guided.params.sampling_params import SamplingParams


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, {}),  # A1.1, B22
        ({"temperature": 0, "top_p": 0}, {"temperature": 0, "top_p": 0}),  # B2, B4
        ({"temperature": None, "seed": None, "stop": None, "logprobs": None}, {}),  # B2
        ({"presence_penalty": -2, "frequency_penalty": 2.0}, {"presence_penalty": -2, "frequency_penalty": 2.0}),
        ({"n": 3, "seed": 5}, {"n": 3, "seed": 5}),
        ({"max_tokens": 4}, {"max_new_tokens": 4}),
        ({"max_completion_tokens": 4}, {"max_new_tokens": 4}),  # B22
        ({"logprobs": True}, {"logprobs": 0}),  # A1.4
        ({"logprobs": True, "top_logprobs": 20}, {"logprobs": 20}),  # B13
        ({"logprobs": False, "top_logprobs": 0}, {}),
        ({"logit_bias": {"7": -100, "09": 1.5}}, {"logit_bias": {7: -100, 9: 1.5}}),
        ({"stop": "x"}, {"stop": "x"}),
        ({"stop": ["x", "y"], "no_stop_trim": True}, {"stop": ["x", "y"], "include_stop_str_in_output": True}),
        ({"sampling_seed": 3, "min_tokens": 2}, {"seed": 3, "min_new_tokens": 2}),
        ({"top_k": 0, "min_p": 0.5, "repetition_penalty": 1.1}, {"top_k": 0, "min_p": 0.5, "repetition_penalty": 1.1}),
        ({"custom_logit_processor": "{}"}, {"logit_processors": ["{}"]}),
        ({"thinking_budget": 0, "allowed_token_ids": [1]}, {"thinking_budget": 0, "allowed_token_ids": [1]}),
        ({"model": "m", "messages": 5, "user": "me", "what": "ever", "stream": True}, {}),  # A1.1
    ],
)
def test_request_fields(fields: dict[str, Any], expected: dict[str, Any]) -> None:
    assert from_openai(fields) == SamplingParams(**({"max_new_tokens": None} | expected))


def test_a_constraint_goes_with_them() -> None:
    params = from_openai({"temperature": 0.5}, {"regex": "a"})
    assert params == SamplingParams(temperature=0.5, regex="a", max_new_tokens=None)


@pytest.mark.parametrize(
    ("fields", "param", "message"),
    [
        ({"temperature": 2.01}, "temperature", "temperature must be a finite number in [0, 2], not 2.01"),  # B3
        ({"temperature": -1}, "temperature", "in [0, 2], not -1"),  # B3
        ({"temperature": float("nan")}, "temperature", "not nan"),  # B3
        ({"n": 0}, "n", "n must be an integer in [1, 128], not 0"),
        ({"top_logprobs": 21, "logprobs": True}, "top_logprobs", "in [0, 20], not 21"),  # B13
        ({"top_logprobs": 2}, "top_logprobs", "top_logprobs needs logprobs=true"),  # B13
        ({"logprobs": 1}, "logprobs", "logprobs must be a bool, not 1"),
        ({"max_tokens": 1, "max_completion_tokens": 2}, "max_tokens", "exclude each other"),
        ({"max_tokens": 2, "min_tokens": 3}, "min_tokens", "min_tokens must be at most"),
        ({"logit_bias": {"x": 1}}, "logit_bias", "'x' is no token id"),
        ({"logit_bias": {"1": 101}}, "logit_bias", "logit_bias[1] must be a finite number in [-100, 100]"),  # B10
        ({"logit_bias": [1]}, "logit_bias", "logit_bias must be a dict"),
        ({"logit_bias": {"-1": 1}}, "logit_bias", "'-1' is no token id"),
        ({"stop": [""]}, "stop", "stop[0] is empty"),
        ({"stop": [1]}, "stop", "stop[0] must be a string"),
        ({"repetition_penalty": 0}, "repetition_penalty", "in [1e-06, 2], not 0"),
        ({"frequency_penalty": 2.1}, "frequency_penalty", "in [-2, 2]"),
        ({"allowed_token_ids": []}, "allowed_token_ids", "allow nothing"),
        ({"logprob_token_ids": [1]}, "logprob_token_ids", "needs logprobs"),
        ({"logprobs_mode": "raw logits"}, "logprobs_mode", "raw or processed or both"),
        ({"no_stop_trim": True, "include_stop_str_in_output": False}, "include_stop_str_in_output", "exclude"),
    ],
)
def test_request_fields_that_are_refused(fields: dict[str, Any], param: str, message: str) -> None:  # B21
    with pytest.raises(RequestFieldError) as refusal:
        from_openai(fields)
    assert refusal.value.param == param
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_an_ending_and_a_grammar() -> None:
    params = from_openai({"stop": "x"}, {"regex": "a"})
    assert (params.stop, params.regex) == ("x", "a")


def test_presets() -> None:  # A3.3
    assert from_preset("factual").is_greedy
    assert from_preset("code").is_greedy
    assert from_preset("chat") == SamplingParams(temperature=0.7, top_p=0.9)
    assert from_preset("creative", max_new_tokens=5, temperature=1.2) == SamplingParams(
        temperature=1.2, top_p=0.95, max_new_tokens=5
    )
    with pytest.raises(InvalidInputError, match="factual or code or chat or creative, not 'poetic'"):
        from_preset("poetic")
    assert set(PRESETS) == {"factual", "code", "chat", "creative"}


@pytest.mark.parametrize(
    ("fields", "constraint", "param", "message"),
    [
        ({"max_tokens": 5}, {"sources": {"max_new_tokens": 3}}, "sources", "sources['max_new_tokens'] must be"),
        ({"max_tokens": 5}, {"limits": {"max_new_tokens": 3}}, None, "max_new_tokens"),
        ({"max_tokens": 2, "min_tokens": 5}, {}, "min_tokens", "max_tokens"),
    ],
)
def test_texts_of_the_request_stay_in_messages(
    fields: dict[str, Any], constraint: dict[str, Any], param: str | None, message: str
) -> None:
    """A key of the caller's was renamed like a field."""
    with pytest.raises(RequestFieldError) as refused:
        from_openai(fields, constraint)
    assert message in str(refused.value)
    assert param is None or refused.value.param == param
