"""`/v1/completions` on a tiny random model: prompts of four kinds, echo, log-probabilities in their older shape."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx
import openai
import pytest
from openai import OpenAI

from guided.server.protocol.openai_completions import read_call
from guided.server.protocol.unsupported import COMPLETION_FIELDS, TOLD
from tests.server.wire import sse_events

URL = "/v1/completions"


def body(**fields: Any) -> dict[str, Any]:
    return {"model": "tiny", "prompt": "ab the", "max_tokens": 6, "seed": 3, "ignore_eos": True} | fields


def post(http: httpx.Client, **fields: Any) -> dict[str, Any]:
    response = http.post(URL, json=body(**fields))
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


def refused(http: httpx.Client, **fields: Any) -> tuple[str, str]:
    response = http.post(URL, json=body(**fields))
    assert response.status_code == 400, response.text
    error = response.json()["error"]
    assert error["type"] == "invalid_request_error"
    return error["param"], error["message"]


def test_whole_and_stream_with_the_client(openai_client: OpenAI) -> None:
    options: Any = {"model": "tiny", "prompt": "ab the", "max_tokens": 9, "seed": 1}
    whole = openai_client.completions.create(**options)
    assert re.fullmatch("cmpl-[0-9a-f]{32}", whole.id)
    assert (whole.object, whole.choices[0].finish_reason in ("stop", "length")) == ("text_completion", True)
    chunks = list(openai_client.completions.create(**options, stream=True, stream_options={"include_usage": True}))
    assert "".join(chunk.choices[0].text for chunk in chunks if chunk.choices) == whole.choices[0].text
    assert {chunk.id for chunk in chunks} == {chunks[0].id}
    assert chunks[-2].choices[0].finish_reason == whole.choices[0].finish_reason
    assert (chunks[-1].choices, chunks[-1].usage.completion_tokens) == ([], whole.usage.completion_tokens)  # type: ignore[union-attr]


def test_stream_is_text_finish_done(tiny_http: httpx.Client) -> None:
    response = tiny_http.post(URL, json=body(stream=True))
    *payloads, end = sse_events(response.text)
    assert end == "[DONE]"
    chunks = [json.loads(payload) for payload in payloads]
    assert all(set(chunk) == {"id", "object", "created", "model", "choices"} for chunk in chunks)
    assert [chunk["choices"][0]["finish_reason"] for chunk in chunks] == [None] * (len(chunks) - 1) + ["length"]


def test_prompts_of_four_kinds(tiny_http: httpx.Client) -> None:
    ids = tiny_http.post("/v1/tokenize", json={"prompt": "ab the"}).json()["tokens"]
    one = post(tiny_http)["choices"]
    assert post(tiny_http, prompt=ids)["choices"] == one
    several = post(tiny_http, prompt=["ab the", "c"])
    assert [choice["index"] for choice in several["choices"]] == [0, 1]
    assert several["choices"][0] == one[0]
    assert post(tiny_http, prompt=[ids, [99]])["choices"][0] == one[0]
    assert several["usage"]["prompt_tokens"] == len(ids) + 1
    assert several["usage"]["completion_tokens"] == 12


def test_n_of_several_prompts(tiny_http: httpx.Client) -> None:
    """B16: one id, different streams from one seed, usage is counted."""
    answer = post(tiny_http, prompt=["ab", "cd"], n=2)
    assert [choice["index"] for choice in answer["choices"]] == [0, 1, 2, 3]
    assert len({choice["text"] for choice in answer["choices"]}) == 4
    assert answer["usage"]["completion_tokens"] == 24
    chunks = [
        json.loads(one)
        for one in sse_events(tiny_http.post(URL, json=body(prompt=["ab", "cd"], n=2, stream=True)).text)[:-1]
    ]
    texts = ["", "", "", ""]
    for chunk in chunks:
        texts[chunk["choices"][0]["index"]] += chunk["choices"][0]["text"]
    assert texts == [choice["text"] for choice in answer["choices"]]


def test_echo(tiny_http: httpx.Client) -> None:
    plain = post(tiny_http)["choices"][0]["text"]
    assert post(tiny_http, echo=True)["choices"][0]["text"] == "ab the" + plain
    ids = tiny_http.post("/v1/tokenize", json={"prompt": "ab<|im_end|> the"}).json()["tokens"]
    assert post(tiny_http, prompt=ids, echo=True)["choices"][0]["text"].startswith("ab<|im_end|> the")
    payloads = sse_events(tiny_http.post(URL, json=body(echo=True, stream=True)).text)[:-1]
    texts = [json.loads(payload)["choices"][0]["text"] for payload in payloads]
    assert (texts[0], "".join(texts[1:])) == ("ab the", plain)


def test_logprobs_in_the_older_shape(tiny_http: httpx.Client) -> None:
    """B13, B14: parallel lists; the alternatives hold the chosen token too."""
    choice = post(tiny_http, logprobs=2, top_k=3)["choices"][0]
    logprobs = choice["logprobs"]
    assert set(logprobs) == {"tokens", "token_logprobs", "top_logprobs", "text_offset"}
    assert {len(column) for column in logprobs.values()} == {6}
    for token, value, top in zip(
        *[logprobs[name] for name in ("tokens", "token_logprobs", "top_logprobs")], strict=True
    ):
        assert top[token] == value <= 0
        assert 2 <= len(top) <= 3
    chunks = sse_events(tiny_http.post(URL, json=body(logprobs=2, top_k=3, stream=True)).text)[:-1]
    streamed = [json.loads(chunk)["choices"][0]["logprobs"] for chunk in chunks]
    for name in logprobs:
        assert [value for one in streamed if one for value in one[name]] == logprobs[name]
    assert post(tiny_http, logprobs=0)["choices"][0]["logprobs"]["top_logprobs"] is None
    assert post(tiny_http)["choices"][0]["logprobs"] is None


def test_offsets_are_places_in_the_text(tiny_http: httpx.Client) -> None:
    choice = post(tiny_http, prompt="né<|im_end|> the", echo=True, logprobs=1, regex="[a-c]{5}", ignore_eos=False)[
        "choices"
    ][0]
    logprobs = choice["logprobs"]
    assert choice["text"].startswith("né<|im_end|> the")
    for token, offset in zip(logprobs["tokens"], logprobs["text_offset"], strict=True):
        if not token.startswith("bytes:"):
            assert choice["text"][offset : offset + len(token)] == token
    assert (logprobs["token_logprobs"][0], logprobs["top_logprobs"][0]) == (None, None)


def test_scoring_a_prompt(tiny_http: httpx.Client) -> None:
    """max_tokens 0 with echo: the log-probabilities of the prompt's tokens, and nothing else."""
    answer = post(tiny_http, max_tokens=0, echo=True, logprobs=1)
    (choice,) = answer["choices"]
    assert (choice["text"], choice["finish_reason"]) == ("ab the", "length")
    assert choice["logprobs"]["tokens"] == ["a", "b", " the"]
    assert choice["logprobs"]["text_offset"] == [0, 1, 2]
    assert (answer["usage"]["completion_tokens"], answer["usage"]["total_tokens"]) == (0, 3)
    assert all(value <= 0 for value in choice["logprobs"]["token_logprobs"][1:])
    longer = post(tiny_http, echo=True, logprobs=1)["choices"][0]["logprobs"]
    assert longer["tokens"][:3] == choice["logprobs"]["tokens"]
    assert longer["token_logprobs"][1:3] == pytest.approx(choice["logprobs"]["token_logprobs"][1:], abs=1e-4)


def test_best_of(tiny_http: httpx.Client) -> None:
    """The best are those whose tokens have the highest log-probability on average."""
    everything = post(tiny_http, n=4, logprobs=0)
    means = {
        choice["text"]: sum(choice["logprobs"]["token_logprobs"]) / len(choice["logprobs"]["token_logprobs"])
        for choice in everything["choices"]
    }
    best = post(tiny_http, n=2, best_of=4)
    assert [choice["text"] for choice in best["choices"]] == sorted(means, key=lambda text: -means[text])[:2]
    assert all(choice["logprobs"] is None for choice in best["choices"])
    assert best["usage"]["completion_tokens"] == 24


def test_stop_constraints_and_token_ids(tiny_http: httpx.Client) -> None:
    text = post(tiny_http)["choices"][0]["text"]
    assert post(tiny_http, stop=text[2:4])["choices"][0]["text"] == text[:2]
    choice = post(tiny_http, regex="[ab]{3}", ignore_eos=False, return_token_ids=True)["choices"][0]
    assert re.fullmatch("[ab]{3}", choice["text"])
    assert (len(choice["prompt_token_ids"]), choice["finish_reason"]) == (3, "stop")
    assert len(choice["token_ids"]) >= 3
    payloads = sse_events(tiny_http.post(URL, json=body(stream=True, return_token_ids=True)).text)[:-1]
    chunks = [json.loads(payload)["choices"][0] for payload in payloads]
    assert len(chunks[0]["prompt_token_ids"]) == 3
    assert len([token_id for chunk in chunks for token_id in chunk["token_ids"]]) == 6


def test_without_max_tokens_there_are_16_as_at_openai(tiny_http: httpx.Client) -> None:
    answer = post(tiny_http, max_tokens=None, ignore_eos=True)
    assert (answer["usage"]["completion_tokens"], answer["choices"][0]["finish_reason"]) == (16, "length")
    answer = post(tiny_http, max_tokens=None, max_completion_tokens=20, ignore_eos=True)
    assert answer["usage"]["completion_tokens"] == 20
    answer = post(tiny_http, max_tokens=None, prompt=[1] * 1015, ignore_eos=True)
    assert answer["usage"]["completion_tokens"] == 9, "the context is a limit too"


@pytest.mark.parametrize(
    ("fields", "param", "message"),
    [
        ({"prompt": None}, "prompt", "must be"),
        ({"prompt": []}, "prompt", "at least 1"),
        ({"prompt": [[]]}, "prompt[0]", "at least 1"),
        ({"prompt": {"a": 1}}, "prompt", "must be"),
        ({"prompt": ""}, "prompt", "the prompt is empty"),
        ({"prompt": [10**6]}, "prompt", "outside the vocabulary"),
        ({"prompt": "x " * 2000}, "prompt", "context is 1024"),  # B21
        ({"max_tokens": 0}, "max_tokens", "at least 1, or 0 with echo"),  # A4.8
        ({"max_tokens": 0, "echo": True, "stream": True}, "max_tokens", "nothing to stream"),
        ({"prompt": []}, "prompt", "prompt must be a valid string or must have at least 1 item, not 0"),
        ({"logprobs": 21}, "logprobs", "less than or equal to 20"),
        ({"logprobs": True}, "logprobs", "valid integer"),
        ({"echo": True, "logprobs": 1, "stream": True}, "logprobs", "can't be streamed"),
        ({"echo": True, "logprobs": 1, "prompt_logprobs": 1}, "prompt_logprobs", "say the same"),
        ({"n": 3, "best_of": 2}, "best_of", "at least n"),
        ({"best_of": 2, "stream": True}, "best_of", "decided at the end"),
        ({"suffix": "x"}, "suffix", "not supported yet"),
        ({"temperature": -1}, "temperature", "in [0, 2]"),
        ({"stream_options": {"include_usage": True}}, "stream_options", "stream=true"),
        ({"regex": "(", "ignore_eos": False}, "regex", "invalid regex"),
    ],
)
def test_wrong_fields(tiny_http: httpx.Client, fields: dict[str, Any], param: str, message: str) -> None:
    found = refused(tiny_http, **fields)
    assert found[0] == param
    assert message in found[1]


@pytest.mark.parametrize("field", sorted(name for name, (_, instead) in COMPLETION_FIELDS.items() if instead != TOLD))
def test_unsupported_fields_are_never_ignored(field: str) -> None:
    with pytest.raises(Exception, match="is not supported yet") as caught:
        read_call(body(**{field: 2}))
    assert caught.value.param == field  # type: ignore[attr-defined]


def test_errors_become_the_clients_exceptions(openai_client: OpenAI) -> None:
    with pytest.raises(openai.BadRequestError):
        openai_client.completions.create(model="tiny", prompt="a", suffix="b")
    with pytest.raises(openai.NotFoundError):
        openai_client.completions.create(model="other", prompt="a")
