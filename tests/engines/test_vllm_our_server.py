"""Our server on vLLM: the same tests that it passes on our own engine, with a tiny random model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest
from anthropic import Anthropic
from openai import OpenAI

from guided.llm import LLM
from guided.server import create_app
from tests.server.live_server import serving, wait_until
from tests.server.test_chat_completions import (  # noqa: F401
    test_curl_examples,
    test_special_tokens_in_a_message_are_plain_text,
    test_whole_and_stream_agree,
)
from tests.server.test_chat_tools import TestClient  # noqa: F401
from tests.server.test_completions import (  # noqa: F401
    test_echo,
    test_n_of_several_prompts,
    test_offsets_are_places_in_the_text,
    test_prompts_of_four_kinds,
    test_scoring_a_prompt,
    test_stream_is_text_finish_done,
    test_whole_and_stream_with_the_client,
    test_without_max_tokens_there_are_16_as_at_openai,
)
from tests.server.test_completions import (  # noqa: F401
    test_logprobs_in_the_older_shape as test_logprobs_of_completions,
)
from tests.server.test_sampling_fields import (  # noqa: F401
    refused,
    test_bias_decides,
    test_logprobs_have_openais_shape,
    test_logprobs_travel_with_their_chunk,
    test_max_tokens_unset_is_the_rest_of_the_context,
    test_prompt_logprobs,
    test_several_choices,
    test_several_choices_in_a_stream,
    test_stop_strings,
    test_the_end_of_the_text_has_no_entry,
    test_the_official_client_reads_logprobs,
    test_whitespace_of_a_schema,
    test_without_logprobs_the_plain_shape,
)
from tests.server.wire import CHAT_URL, chat_body, schema_format

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"a": {"type": "array", "items": {"type": "integer"}, "maxItems": 3}, "b": {"type": "string"}},
    "required": ["a", "b"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def llm(model_folder: Path) -> Iterator[LLM]:
    arguments = {"enforce_eager": True, "max_num_seqs": 8, "seed": 0}
    with LLM(str(model_folder), engine="vllm", engine_args=arguments) as llm:
        yield llm


@pytest.fixture(scope="module")
def tiny_server(llm: LLM) -> Iterator[str]:
    with serving(create_app(llm, served_model_name="tiny")) as url:
        yield url


@pytest.fixture(scope="module")
def tiny_http(tiny_server: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=tiny_server, timeout=120) as client:
        yield client


@pytest.fixture(scope="module")
def openai_client(tiny_server: str) -> Iterator[OpenAI]:
    with OpenAI(base_url=f"{tiny_server}/v1", api_key="unused", max_retries=0) as client:
        yield client


def ask(http: httpx.Client, **fields: Any) -> Any:
    response = http.post(CHAT_URL, json=chat_body(**{"model": "tiny", "max_tokens": 60, "seed": 1, **fields}))
    assert response.status_code == 200, response.text
    (choice,) = response.json()["choices"]
    return choice


@pytest.mark.parametrize("seed", range(4))
def test_schemas(tiny_http: httpx.Client, seed: int) -> None:
    """A random model writes until its budget closes the document, which is whole and said to be cut."""
    choice = ask(tiny_http, seed=seed, response_format=schema_format(SCHEMA))
    assert choice["finish_reason"] == "length"
    jsonschema.validate(json.loads(choice["message"]["content"]), SCHEMA)


@pytest.mark.parametrize(
    ("fields", "texts"),
    [
        ({"regex": "[ab]{3}c"}, {a + b + c + "c" for a in "ab" for b in "ab" for c in "ab"}),
        ({"choice": ["red", "green"]}, {"red", "green"}),
        ({"ebnf": 'root ::= ("x" | "yy") "!"'}, {"x!", "yy!"}),
        ({"all_of": [{"regex": "a{1,5}"}, {"banned_substrings": ["aaa"]}]}, {"a", "aa"}),
        (
            {
                "structural_tag": {
                    "type": "structural_tag",
                    "format": {"type": "const_string", "value": "tag"},
                }
            },
            {"tag"},
        ),
    ],
)
def test_every_kind_of_grammar(tiny_http: httpx.Client, fields: Any, texts: set[str]) -> None:
    for seed in range(3):
        choice = ask(tiny_http, seed=seed, **fields)
        assert (choice["finish_reason"], choice["message"]["content"] in texts) == ("stop", True)


def test_a_grammar_that_is_wrong_is_a_400(tiny_http: httpx.Client) -> None:
    fields = {"response_format": schema_format({"type": "object", "properties": {"a": {"type": "nothing"}}})}
    response = tiny_http.post(CHAT_URL, json=chat_body(model="tiny", **fields))
    error = response.json()["error"]
    assert (response.status_code, error["code"], error["param"]) == (400, "invalid_schema", "response_format")
    assert "/properties/a/type" in error["message"]


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"filter_order": "joint", "top_k": 3, "top_p": 0.5}, "filter_order"),
        ({"regex": "a+", "ignore_eos": False, "frequency_penalty": 1}, "penalize_forced"),
        ({"logprobs": True, "logprobs_mode": "processed"}, "logprobs_mode"),
        ({"logprobs": True, "logprob_token_ids": [3]}, "logprob_token_ids"),
    ],
)
def test_what_vllm_can_not_do_is_refused_by_name(tiny_http: httpx.Client, fields: Any, param: str) -> None:
    found, message = refused(tiny_http, **fields)
    assert (found, "vLLM" in message) == (param, True)


def test_messages(tiny_server: str) -> None:
    with Anthropic(base_url=tiny_server, api_key="unused", max_retries=0) as client:
        options: Any = {"model": "tiny", "max_tokens": 12, "messages": [{"role": "user", "content": "Hi"}]}
        assert client.messages.create(**options, extra_body={"regex": "[ab]{3}"}).stop_reason == "end_turn"


def test_responses(openai_client: OpenAI) -> None:
    answer = openai_client.responses.create(model="tiny", input="Hi", extra_body={"choice": ["left", "right"]})
    assert answer.output_text in ("left", "right")


def test_many_at_once_and_figures(tiny_http: httpx.Client, llm: LLM) -> None:
    before = llm.get_stats()
    with ThreadPoolExecutor(12) as pool:
        answers = [pool.submit(ask, tiny_http, seed=seed, response_format=schema_format(SCHEMA)) for seed in range(24)]
        for answer in answers:
            jsonschema.validate(json.loads(answer.result()["message"]["content"]), SCHEMA)
    after = llm.get_stats()
    assert after.total_requests - before.total_requests == 24
    assert after.tokens_generated > before.tokens_generated
    assert (after.active_requests, after.waiting_requests) == (0, 0)
    metrics = tiny_http.get("/metrics").text
    assert 'guided_finished_outputs_total{finish_reason="stop"}' in metrics
    assert "guided_step_seconds_count 0.0" in metrics, "vLLM does not tell it"


def test_a_client_that_leaves_is_given_up(tiny_http: httpx.Client, llm: LLM) -> None:
    before = llm.get_stats().tokens_generated
    body = chat_body(model="tiny", stream=True, ignore_eos=True, max_tokens=900, n=32)  # 8 of them run together
    with tiny_http.stream("POST", CHAT_URL, json=body) as response:
        next(response.iter_lines())
    wait_until(lambda: llm.get_stats().active_requests + llm.get_stats().waiting_requests == 0)
    assert 0 < llm.get_stats().tokens_generated - before < 32 * 900
    assert llm.engine._client.get_num_unfinished_requests() == 0  # type: ignore[attr-defined]
    assert ask(tiny_http, regex="a")["message"]["content"] == "a"


def test_a_deadline(tiny_http: httpx.Client) -> None:
    body = chat_body(model="tiny", ignore_eos=True, max_tokens=900)
    response = tiny_http.post(CHAT_URL, json=body, headers={"x-request-timeout": "0.2"})
    assert (response.status_code, response.json()["error"]["code"]) == (504, "deadline_exceeded")
