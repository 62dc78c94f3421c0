"""The official `openai` client against a server with a tiny random model: what it writes is noise, but valid noise."""

from __future__ import annotations

import json
import re
from enum import Enum
from typing import Annotated, Any, Literal

import jsonschema
import openai
import pytest
from openai import OpenAI
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from tests.server.wire import schema_format

USER: Any = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Who wrote it?"}]


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Line(BaseModel):
    model_config = ConfigDict(extra="forbid")
    item: Literal["apple", "pear"]
    color: Color


class Order(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: Annotated[str, StringConstraints(max_length=6)]
    note: Annotated[str, StringConstraints(max_length=4)] | None
    paid: bool
    lines: Annotated[list[Line], Field(min_length=1, max_length=2)]


def test_create(openai_client: OpenAI) -> None:
    completion = openai_client.chat.completions.create(model="tiny", messages=USER, max_tokens=12, seed=1)
    assert completion.object == "chat.completion"
    assert completion.choices[0].message.role == "assistant"
    assert completion.choices[0].finish_reason in ("stop", "length")
    assert completion.usage is not None
    assert 1 <= completion.usage.completion_tokens <= 12
    assert completion.usage.total_tokens == completion.usage.prompt_tokens + completion.usage.completion_tokens


def test_create_stream(openai_client: OpenAI) -> None:
    options: Any = {"model": "tiny", "messages": USER, "max_tokens": 12, "seed": 1}
    whole = openai_client.chat.completions.create(**options)
    chunks = list(openai_client.chat.completions.create(**options, stream=True, stream_options={"include_usage": True}))
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text == whole.choices[0].message.content
    assert chunks[0].choices[0].delta.role == "assistant"
    assert chunks[-2].choices[0].finish_reason == whole.choices[0].finish_reason
    assert chunks[-1].usage == whole.usage


@pytest.mark.parametrize("seed", range(3))
def test_parse_gives_an_instance(openai_client: OpenAI, seed: int) -> None:
    completion = openai_client.chat.completions.parse(
        model="tiny", messages=USER, response_format=Order, seed=seed, temperature=1.3
    )
    order = completion.choices[0].message.parsed
    assert isinstance(order, Order)
    assert completion.choices[0].finish_reason == "stop"


def test_parse_raises_when_the_document_is_cut_off(openai_client: OpenAI) -> None:
    with pytest.raises(openai.LengthFinishReasonError):
        openai_client.chat.completions.parse(model="tiny", messages=USER, response_format=Order, max_tokens=5)


def test_stream_helper_parses(openai_client: OpenAI) -> None:
    with openai_client.chat.completions.stream(
        model="tiny", messages=USER, response_format=Order, seed=4, stream_options={"include_usage": True}
    ) as stream:
        kinds = {event.type for event in stream}
        completion = stream.get_final_completion()
    assert {"chunk", "content.delta", "content.done"} <= kinds
    assert isinstance(completion.choices[0].message.parsed, Order)
    assert completion.usage is not None


@pytest.mark.parametrize("strict", [True, False, None])
def test_every_schema_constrains(openai_client: OpenAI, strict: bool | None) -> None:
    schema = {
        "type": "object",
        "properties": {"kind": {"enum": ["a", "b", 3, None]}, "flags": {"type": "array", "items": {"type": "boolean"}}},
        "required": ["kind", "flags"],
        "additionalProperties": False,
    }
    schema["properties"]["flags"]["maxItems"] = 3  # type: ignore[index]
    response_format: Any = schema_format(schema, strict=strict)
    completion = openai_client.chat.completions.create(
        model="tiny", messages=USER, response_format=response_format, temperature=1.5, seed=7
    )
    assert completion.choices[0].finish_reason == "stop"
    jsonschema.validate(json.loads(completion.choices[0].message.content or ""), schema)


def test_regex(openai_client: OpenAI) -> None:
    pattern = "(yes|no), [a-c]{2,4}!"
    completion = openai_client.chat.completions.create(
        model="tiny", messages=USER, extra_body={"regex": pattern, "top_k": 20, "min_p": 0.0}, seed=3
    )
    assert re.fullmatch(pattern, completion.choices[0].message.content or "")
    assert completion.choices[0].finish_reason == "stop"


CALL: dict[str, Any] = {
    "begin": "<call>",
    "schema": {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}
    | {"additionalProperties": False},
    "end": "</call>",
}
TAG: dict[str, Any] = {
    "type": "structural_tag",
    "format": {
        "type": "triggered_tags",
        "triggers": ["<call>"],
        "at_least_one": True,
        "stop_after_first": True,
        "tags": [
            {
                "type": "tag",
                "begin": CALL["begin"],
                "content": {"type": "json_schema", "json_schema": CALL["schema"]},
                "end": CALL["end"],
            }
        ],
    },
}
SPECIAL: dict[str, Any] = {
    "format": {
        "type": "tag",
        "begin": {"type": "token", "token": "<|im_start|>"},
        "content": {"type": "regex", "pattern": "[a-c]{2}"},
        "end": "!",
    }
}
CALLED = r"<call>\s*\{\s*\"ok\"\s*:\s*(true|false)\s*\}\s*</call>"

EXTRA_BODIES: list[tuple[dict[str, Any], str]] = [
    ({"regex": "(yes|no), [a-c]{2,4}!"}, "(yes|no), [a-c]{2,4}!"),
    ({"guided_regex": r"\d{3}"}, r"\d{3}"),
    ({"choice": ["red", "green", "redder"]}, "red|green|redder"),
    ({"guided_choice": ["red", "green"]}, "red|green"),
    ({"ebnf": 'root ::= "(" root ")" | [0-9]', "dialect": "gbnf"}, r"\(*[0-9]\)*"),
    ({"guided_grammar": 'start: "a" B\nB: /[bc]{2}/'}, "a[bc]{2}"),
    ({"guided_json": {"enum": ["a", 1]}}, '"a"|1'),
    ({"structured_outputs": {"choice": ["red", "green"]}}, "red|green"),
    ({"structured_outputs": {"json": {"const": ["a", True]}, "disable_any_whitespace": True}}, r'\["a",true\]'),
    ({"structural_tag": TAG}, CALLED),
    ({"structural_tag": json.dumps(TAG)}, CALLED),
    ({"structural_tag": SPECIAL}, r"<\|im_start\|>[a-c]{2}!"),
    ({"structural_tag": SPECIAL, "skip_special_tokens": True}, "[a-c]{2}!"),
]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(("extra_body", "pattern"), EXTRA_BODIES, ids=lambda value: str(value)[:40])
def test_extra_body(openai_client: OpenAI, extra_body: dict[str, Any], pattern: str, stream: bool) -> None:
    text, finish_reason = answer_of(openai_client, stream, extra_body=extra_body)
    assert re.fullmatch(pattern, text), text
    assert finish_reason == "stop"


@pytest.mark.parametrize("stream", [False, True])
def test_structural_tags_as_response_format(openai_client: OpenAI, stream: bool) -> None:
    text, _ = answer_of(openai_client, stream, response_format=TAG)
    assert re.fullmatch(CALLED, text), text
    older = {"type": "structural_tag", "structures": [CALL], "triggers": ["<call>"]}
    text, finish_reason = answer_of(openai_client, stream, response_format=older, max_tokens=60)
    assert finish_reason in ("stop", "length")
    calls = text.split("<call>")[1:] or [""]
    assert all(re.match(CALLED.removeprefix("<call>"), call) for call in calls[:-1])


def test_json_object(openai_client: OpenAI) -> None:
    text, finish_reason = answer_of(openai_client, False, response_format={"type": "json_object"}, max_tokens=900)
    if finish_reason == "stop":
        assert isinstance(json.loads(text), dict)
    assert text.startswith("{")


def answer_of(client: OpenAI, stream: bool, **fields: Any) -> tuple[str, str | None]:
    """The text of an answer and why it ended."""
    create: Any = client.chat.completions.create
    answer = create(model="tiny", messages=USER, seed=3, stream=stream, **fields)
    if not stream:
        return answer.choices[0].message.content or "", answer.choices[0].finish_reason
    chunks = list(answer)
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks), chunks[-1].choices[0].finish_reason


def test_greedy_repeats_and_seeds_differ(openai_client: OpenAI) -> None:
    def texts(**options: Any) -> list[str | None]:
        answers = [
            openai_client.chat.completions.create(model="tiny", messages=USER, max_tokens=16, **options)
            for _ in range(2)
        ]
        return [answer.choices[0].message.content for answer in answers]

    greedy = texts(temperature=0)
    assert greedy[0] == greedy[1]
    assert texts(temperature=1.5, seed=1) != texts(temperature=1.5, seed=2)


def test_models(openai_client: OpenAI) -> None:
    assert [model.id for model in openai_client.models.list()] == ["tiny"]
    assert openai_client.models.retrieve("tiny").owned_by == "guided"
    with pytest.raises(openai.NotFoundError):
        openai_client.models.retrieve("other")


def test_errors_become_the_clients_exceptions(openai_client: OpenAI) -> None:
    create: Any = openai_client.chat.completions.create
    with pytest.raises(openai.BadRequestError) as caught:
        create(model="tiny", messages=USER, extra_body={"truncate_prompt_tokens": 3})
    assert caught.value.param == "truncate_prompt_tokens"
    with pytest.raises(openai.NotFoundError, match="the model 'huge' does not exist"):
        create(model="huge", messages=USER)
    with pytest.raises(openai.BadRequestError, match="unknown format 'nothing'") as caught:
        create(model="tiny", messages=USER, extra_body={"structural_tag": {"format": {"type": "nothing"}}})
    assert (caught.value.param, caught.value.code) == ("structural_tag", "invalid_structural_tag")
    with pytest.raises(openai.BadRequestError, match="line 1, column 14") as caught:
        create(model="tiny", messages=USER, extra_body={"ebnf": 'root ::= "a" b'}, stream=True)
    assert (caught.value.param, caught.value.code) == ("ebnf", "invalid_ebnf")
    with pytest.raises(openai.BadRequestError, match="invalid JSON Schema"):
        create(model="tiny", messages=USER, response_format=schema_format({"type": "strin"}), stream=True)
