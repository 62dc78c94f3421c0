"""The fields of sampling over HTTP, on a tiny random model: logprobs in OpenAI's shape, choices, stops, biases."""

from __future__ import annotations

import codecs
import json
import math
from typing import Any

import httpx
import pytest
from openai import OpenAI

from guided.engines.token_logprobs import TokenLogprob, TokenLogprobs
from guided.server.protocol.openai_logprobs import logprobs_object, prompt_logprobs_list
from tests.server.wire import CHAT_URL, chat_body, sse_events

FREE: dict[str, Any] = {"model": "tiny", "max_tokens": 24, "seed": 11, "ignore_eos": True}


def whole(http: httpx.Client, **fields: Any) -> dict[str, Any]:
    response = http.post(CHAT_URL, json=chat_body(**(FREE | fields)))
    assert response.status_code == 200, response.text
    body: dict[str, Any] = response.json()
    return body


def stream(http: httpx.Client, **fields: Any) -> list[dict[str, Any]]:
    response = http.post(CHAT_URL, json=chat_body(**(FREE | {"stream": True} | fields)))
    *payloads, end = sse_events(response.text)
    assert end == "[DONE]"
    return [json.loads(payload) for payload in payloads]


def refused(http: httpx.Client, **fields: Any) -> tuple[Any, str]:
    response = http.post(CHAT_URL, json=chat_body(**(FREE | fields)))
    assert response.status_code == 400, response.text
    error = response.json()["error"]
    return error["param"], error["message"]


def content(body: dict[str, Any], index: int = 0) -> str:
    return str(body["choices"][index]["message"]["content"])


def streamed_text(chunks: list[dict[str, Any]], index: int = 0) -> str:
    choices = [choice for chunk in chunks for choice in chunk["choices"] if choice["index"] == index]
    return "".join(choice["delta"].get("content", "") for choice in choices)


def decode(raw: bytes) -> str:
    """As texts are made: what is not valid becomes U+FFFD, an unfinished character at the end is left out."""
    return codecs.getincrementaldecoder("utf-8")("replace").decode(raw)


def joined_bytes(entries: list[dict[str, Any]]) -> bytes:
    return b"".join(bytes(entry["bytes"] or []) for entry in entries)


@pytest.mark.parametrize("num_top", [0, 1, 5, 20])
def test_logprobs_have_openais_shape(tiny_http: httpx.Client, num_top: int) -> None:  # A1.4, B1, B13, B14
    body = whole(tiny_http, logprobs=True, top_logprobs=num_top)
    (choice,) = body["choices"]
    assert set(choice) == {"index", "message", "logprobs", "finish_reason"}
    assert set(choice["logprobs"]) == {"content", "refusal"}
    entries = choice["logprobs"]["content"]
    assert len(entries) == body["usage"]["completion_tokens"] == 24
    for entry in entries:
        assert set(entry) == {"token", "bytes", "logprob", "top_logprobs"}
        assert entry["logprob"] <= 0
        assert len(entry["top_logprobs"]) == num_top
        tops = [alternative["logprob"] for alternative in entry["top_logprobs"]]
        assert tops == sorted(tops, reverse=True)
        assert all(set(alternative) == {"token", "bytes", "logprob"} for alternative in entry["top_logprobs"])
    assert content(body) == decode(joined_bytes(entries))


def test_without_logprobs_the_plain_shape(tiny_http: httpx.Client) -> None:  # A1.4
    assert whole(tiny_http)["choices"][0]["logprobs"] is None
    assert whole(tiny_http, logprobs=False, top_logprobs=0)["choices"][0]["logprobs"] is None
    assert all(choice["logprobs"] is None for chunk in stream(tiny_http) for choice in chunk["choices"])


def test_logprobs_travel_with_their_chunk(tiny_http: httpx.Client) -> None:  # A1.4
    expected = whole(tiny_http, logprobs=True, top_logprobs=2)
    chunks = stream(tiny_http, logprobs=True, top_logprobs=2)
    entries = []
    for chunk in chunks:
        (choice,) = chunk["choices"]
        if choice["logprobs"] is not None:
            entries += choice["logprobs"]["content"]
            text = choice["delta"]["content"]
            assert joined_bytes(choice["logprobs"]["content"]) or not text
        else:
            assert not choice["delta"].get("content")
    assert entries == expected["choices"][0]["logprobs"]["content"]
    assert streamed_text(chunks) == content(expected)


def test_the_end_of_the_text_has_no_entry(tiny_http: httpx.Client) -> None:  # A1.4
    body = whole(tiny_http, logprobs=True, ignore_eos=False, max_tokens=500, regex="[ab]{3}")
    assert joined_bytes(body["choices"][0]["logprobs"]["content"]).decode() == content(body)
    free = content(whole(tiny_http))
    body = whole(tiny_http, logprobs=True, stop=free[5:7])
    assert content(body) == free.partition(free[5:7])[0]
    assert decode(joined_bytes(body["choices"][0]["logprobs"]["content"])).startswith(content(body))
    chunks = stream(tiny_http, logprobs=True, stop=free[5:7])
    entries = [
        entry
        for chunk in chunks
        for choice in chunk["choices"]
        for entry in (choice["logprobs"] or {}).get("content", [])
    ]
    assert entries == body["choices"][0]["logprobs"]["content"]


def test_raw_logprobs_are_the_models_own(tiny_http: httpx.Client) -> None:  # B13
    plain = whole(tiny_http, logprobs=True, top_logprobs=3, max_tokens=1)["choices"][0]["logprobs"]["content"][0]
    shaped_fields = {"temperature": 0.1, "top_k": 1, "logit_bias": {"5": 20}, "presence_penalty": 2}
    shaped = whole(tiny_http, logprobs=True, top_logprobs=3, max_tokens=1, **shaped_fields)
    raw = shaped["choices"][0]["logprobs"]["content"][0]
    assert [one["token"] for one in raw["top_logprobs"]] == [one["token"] for one in plain["top_logprobs"]]
    for one, other in zip(raw["top_logprobs"], plain["top_logprobs"], strict=True):
        assert one["logprob"] == pytest.approx(other["logprob"], abs=1e-5)
    processed = whole(
        tiny_http, logprobs=True, top_logprobs=3, max_tokens=1, logprobs_mode="processed", **shaped_fields
    )
    tops = processed["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
    assert tops[0]["logprob"] == 0.0
    assert [one["logprob"] for one in tops[1:]] == [-9999.0, -9999.0]


def test_given_token_ids_and_masked_mass(tiny_http: httpx.Client) -> None:  # A5.9
    fields: dict[str, Any] = {"regex": "[ab]{3}", "return_masked_mass": True, "ignore_eos": None}
    body = whole(tiny_http, logprobs=True, logprob_token_ids=[3, 4], **fields)
    for entry in body["choices"][0]["logprobs"]["content"]:
        assert [one["token_id"] for one in entry["given_logprobs"]] == [3, 4]
        assert 0 < entry["masked_mass"] <= 1
        assert entry["masked_mass"] + math.exp(entry["logprob"]) <= 1 + 1e-5


def test_prompt_logprobs(tiny_http: httpx.Client) -> None:  # A5.9
    body = whole(tiny_http, prompt_logprobs=2, max_tokens=1)
    entries = body["prompt_logprobs"]
    assert len(entries) == body["usage"]["prompt_tokens"]
    assert entries[0] is None
    for entry in entries[1:]:
        assert 2 <= len(entry) <= 3
        assert all(set(one) == {"logprob", "rank", "decoded_token"} for one in entry.values())
    assert "prompt_logprobs" not in whole(tiny_http, max_tokens=1)


def test_several_choices(tiny_http: httpx.Client) -> None:  # B16
    single = whole(tiny_http)
    body = whole(tiny_http, n=3)
    assert [choice["index"] for choice in body["choices"]] == [0, 1, 2]
    assert len({content(body, i) for i in range(3)}) == 3
    assert content(body) == content(single)
    assert whole(tiny_http, n=3)["choices"] == body["choices"]
    assert body["usage"]["prompt_tokens"] == single["usage"]["prompt_tokens"]
    assert body["usage"]["completion_tokens"] == 72
    assert body["usage"]["total_tokens"] == body["usage"]["prompt_tokens"] + 72


def test_several_choices_in_a_stream(tiny_http: httpx.Client) -> None:  # B16, B20
    expected = whole(tiny_http, n=2)
    chunks = stream(tiny_http, n=2, stream_options={"include_usage": True})
    assert len({(chunk["id"], chunk["created"]) for chunk in chunks}) == 1
    assert [streamed_text(chunks, i) for i in range(2)] == [content(expected, i) for i in range(2)]
    finishes = [choice["index"] for chunk in chunks for choice in chunk["choices"] if choice["finish_reason"]]
    assert sorted(finishes) == [0, 1]
    assert chunks[-1]["choices"] == []
    assert chunks[-1]["usage"] == expected["usage"]


@pytest.mark.parametrize("place", [2, 9])
def test_stop_strings(tiny_http: httpx.Client, place: int) -> None:  # B15, B19
    free = content(whole(tiny_http))
    stop = free[place : place + 2]
    body = whole(tiny_http, stop=[stop, "never there"])
    assert content(body) == free.partition(stop)[0]
    assert body["choices"][0]["finish_reason"] == "stop"
    chunks = stream(tiny_http, stop=stop)
    assert streamed_text(chunks) == content(body)
    assert chunks[-1]["choices"][0]["finish_reason"] == "stop"
    assert content(whole(tiny_http, stop=stop, include_stop_str_in_output=True)) == content(body) + stop


def test_bias_decides(tiny_http: httpx.Client, tiny_server: str) -> None:  # A1.2, B10
    body = whole(tiny_http, logprobs=True, logit_bias={"64": 100}, temperature=0)
    tokens = {entry["token"] for entry in body["choices"][0]["logprobs"]["content"]}
    assert len(tokens) == 1
    assert content(whole(tiny_http, regex="[xyz]{4}", logit_bias={"64": 100}, ignore_eos=None)).strip("xyz") == ""


def test_frequency_penalty_varies_the_text(tiny_http: httpx.Client) -> None:  # A1.2
    fields: dict[str, Any] = {"logit_bias": {"64": 100, "65": 92}, "temperature": 0, "max_tokens": 12}
    assert len(set(content(whole(tiny_http, **fields)))) == 1
    assert len(set(content(whole(tiny_http, frequency_penalty=2, **fields)))) > 1


def test_max_tokens_unset_is_the_rest_of_the_context(tiny_http: httpx.Client) -> None:  # B22
    body = whole(tiny_http, max_tokens=None)
    assert body["usage"]["total_tokens"] == 1024
    assert body["choices"][0]["finish_reason"] == "length"


@pytest.mark.parametrize("is_stream", [False, True])
@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"logit_bias": {"280": 1}}, "logit_bias"),
        ({"allowed_token_ids": [9999]}, "allowed_token_ids"),
        ({"stop_token_ids": [280]}, "stop_token_ids"),
        ({"logit_processors": ["no_such"]}, "logit_processors"),
        ({"logit_processors": [["top_n_sigma", {"n": "x"}]]}, "logit_processors"),
        ({"custom_logit_processor": '{"callable": "80"}'}, "logit_processors"),
    ],
)
def test_what_only_the_model_can_refuse(
    tiny_http: httpx.Client, fields: dict[str, Any], param: str, is_stream: bool
) -> None:  # B12, B21
    found, message = refused(tiny_http, stream=is_stream, **fields)
    assert found == param
    assert "\n" not in message


def test_the_official_client_reads_logprobs(openai_client: OpenAI) -> None:  # A1.4
    options: Any = {"model": "tiny", "messages": [{"role": "user", "content": "Hi"}], "max_tokens": 5, "seed": 1}
    completion = openai_client.chat.completions.create(**options, logprobs=True, top_logprobs=2, n=2)
    assert len(completion.choices) == 2
    for choice in completion.choices:
        assert choice.logprobs is not None
        assert choice.logprobs.content is not None
        assert all(len(entry.top_logprobs) == 2 for entry in choice.logprobs.content)


def test_entries_byte_by_byte() -> None:  # B13, B14
    split = TokenLogprobs(1, "é".encode()[:1], False, -math.inf, 7, (TokenLogprob(2, b"<|x|>", True, -0.5),))
    (entry,) = logprobs_object([split])["content"]
    assert entry == {
        "token": "bytes:\\xc3",
        "bytes": [0xC3],
        "logprob": -9999.0,
        "top_logprobs": [{"token": "<|x|>", "bytes": None, "logprob": -0.5}],
    }
    assert prompt_logprobs_list([None, split]) == [
        None,
        {
            "1": {"logprob": -9999.0, "rank": 7, "decoded_token": "bytes:\\xc3"},
            "2": {"logprob": -0.5, "rank": 1, "decoded_token": "<|x|>"},
        },
    ]


@pytest.mark.parametrize("fields", [{}, {"n": 2}, {"stream": True}])
def test_who_excludes_all_that_the_grammar_allows_is_told_the_field(
    tiny_http: httpx.Client, fields: dict[str, Any]
) -> None:
    body = {"regex": "[a-z]{3}", "allowed_token_ids": [0], "ignore_eos": False}
    response = tiny_http.post(CHAT_URL, json=chat_body(**(FREE | body | fields)))
    error = response.json()["error"]
    assert (response.status_code, error["param"], error["code"]) == (400, "allowed_token_ids", "no_allowed_token")


@pytest.mark.parametrize(
    ("fields", "param", "message"),
    [
        ({"repeat_penalty": 1.9}, "repeat_penalty", "use repetition_penalty"),
        ({"dry_multiplier": 0.8}, "dry_multiplier", "'no_repeat_ngram'"),
        ({"xtc_probability": 1.0}, "xtc_probability", "'top_n_sigma'"),
        ({"num_beams": 4}, "num_beams", "not supported"),
        ({"preset": "chat"}, "preset", "temperature"),
        ({"presence_penalty": -(10**400)}, "presence_penalty", "finite"),
        ({"logit_bias": {"5": 10**400}}, "logit_bias", "finite"),
        ({"logprob_token_ids": [5]}, "logprob_token_ids", "logprobs=true"),
        ({"logprobs_mode": "processed"}, "logprobs_mode", "logprobs=true"),
        ({"max_tokens": 8, "min_tokens": 50}, "min_tokens", "at most max_tokens"),
        ({"custom_logit_processor": "top_n_sigma"}, "custom_logit_processor", "use logit_processors"),
        ({"custom_params": {"a": 1}}, "custom_params", "logit_processors"),
        ({"whitespace": "compact"}, "whitespace", "JSON schema"),
        ({"whitespace_pattern": " "}, "whitespace_pattern", "use whitespace"),
        (
            {"logit_processors": [{"name": "no_repeat_ngram", "params": {"ngram_size": 0}}]},
            "logit_processors",
            "ngram_size",
        ),
    ],
)
def test_what_is_not_acted_on_or_out_of_range_is_named(
    tiny_http: httpx.Client, fields: dict[str, Any], param: str, message: str
) -> None:
    named, text = refused(tiny_http, **fields)
    assert named == param
    assert message in text


@pytest.mark.parametrize(
    ("whitespace", "text"),
    [("compact", '{"a":"x"}'), ("spaced", '{"a": "x"}'), (" {3}", '{   "a"   :   "x"   }')],
)
def test_whitespace_of_a_schema(tiny_http: httpx.Client, whitespace: str, text: str) -> None:
    schema = {"type": "object", "properties": {"a": {"const": "x"}}, "required": ["a"], "additionalProperties": False}
    named = {"type": "json_schema", "json_schema": {"name": "n", "schema": schema}}
    body = whole(tiny_http, response_format=named, whitespace=whitespace, ignore_eos=False, max_tokens=60)
    assert content(body) == text
