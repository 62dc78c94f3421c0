"""What another server can't be asked for is refused by its name before anything is sent."""

from __future__ import annotations

from typing import Any

import pytest

from guided.errors import RequestFieldError
from guided.grammars.errors import InvalidInputError
from guided.grammars.limits import Limits
from guided.llm import LLM
from guided.params.sampling_params import SamplingParams
from guided.requests.prompting import Conversation
from tests.guided.engines.openai.fake_endpoint import FakeEndpoint

HI: Any = [{"role": "user", "content": "Hi"}]
NOT_IN_THE_PROTOCOL: dict[str, Any] = {
    "top_k": 5,
    "min_p": 0.1,
    "filter_order": "joint",
    "repetition_penalty": 1.1,
    "min_new_tokens": 2,
    "ignore_eos": True,
    "logit_bias": {3: 1.0},
    "bad_words": ["no"],
    "allowed_token_ids": [1, 2],
    "stop_token_ids": [1],
    "logit_processors": ["top_n_sigma"],
    "thinking": False,
    "thinking_budget": 4,
    "skip_special_tokens": False,
    "spaces_between_special_tokens": False,
    "regex": "a+",
    "choice": ["yes", "no"],
    "ebnf": 'root ::= "a"',
}


@pytest.mark.parametrize("field", NOT_IN_THE_PROTOCOL)
def test_fields_that_the_protocol_has_not_are_refused(endpoint: FakeEndpoint, llm: LLM, field: str) -> None:
    params = SamplingParams(max_new_tokens=5, **{field: NOT_IN_THE_PROTOCOL[field]})
    with pytest.raises(RequestFieldError, match="is not in OpenAI's protocol") as caught:
        llm.chat(HI, params)
    assert caught.value.param == field
    assert not endpoint.bodies


@pytest.mark.parametrize(
    ("prompt", "params", "message"),
    [
        ("Once", {"json_schema": {"type": "object"}}, "json_schema can't go with a text"),
        ("Once", {"max_new_tokens": None}, "max_new_tokens must be given"),
        ("Once", {"logprobs": 0, "logprobs_mode": "processed"}, "logprobs_mode is not in"),
        ("Once", {"prompt_logprobs": 1}, "prompt_logprobs can't be had"),
        ("Once", {"return_enforcement": True, "json_schema": {"type": "object"}}, "return_enforcement can't be had"),
        ("Once", {"limits": Limits(), "regex": "a"}, "limits can't be given"),
        ([1, 2], {}, "token ids are known to a guided server alone"),
        ("", {}, "the prompt is empty"),
    ],
)
def test_texts_are_refused_what_they_can_not_have(
    endpoint: FakeEndpoint, llm: LLM, prompt: Any, params: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidInputError, match=message):
        llm.start(prompt, SamplingParams(**({"max_new_tokens": 5} | params)))
    assert not endpoint.bodies


def test_penalties_under_a_grammar_count_every_token(endpoint: FakeEndpoint, llm: LLM) -> None:
    with pytest.raises(RequestFieldError, match="penalize_forced"):
        llm.chat(HI, SamplingParams(max_new_tokens=5, json_schema={"type": "object"}, presence_penalty=1.0))
    assert not endpoint.bodies


def test_variables_of_the_chat_template_are_refused(endpoint: FakeEndpoint, llm: LLM) -> None:
    with pytest.raises(RequestFieldError, match="chat_template_kwargs"):
        llm.start(Conversation(HI, template_variables={"mood": "good"}), SamplingParams(max_new_tokens=5))
    assert not endpoint.bodies


def test_tokens_can_not_be_counted(llm: LLM) -> None:
    with pytest.raises(InvalidInputError, match="needs the model's tokenizer"):
        llm.count_tokens("Hi")
