"""The server with SmolLM2, by the clients of OpenAI and Anthropic."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from anthropic import Anthropic
from openai import OpenAI
from pydantic import BaseModel, ConfigDict

from guided.server import create_app
from tests.server.live_server import serving

from .conftest import RealModel
from .schemas import CITY

FRANCE: Any = [{"role": "user", "content": "What is the capital of France?"}]
PARIS = "The capital of France is Paris."
WEATHER = {"name": "weather", "description": "Weather of a city"}


class Person(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str
    age: int


@pytest.fixture(scope="module")
def url(smollm2: RealModel) -> Iterator[str]:
    with serving(create_app(smollm2.llm)) as found:
        yield found


@pytest.fixture(scope="module")
def gpt(url: str) -> Iterator[OpenAI]:
    with OpenAI(base_url=f"{url}/v1", api_key="unused", max_retries=0) as client:
        yield client


@pytest.fixture(scope="module")
def claude(url: str) -> Iterator[Anthropic]:
    with Anthropic(base_url=url, api_key="unused", max_retries=0) as client:
        yield client


def test_chats(gpt: OpenAI, claude: Anthropic) -> None:
    fields: Any = {"model": "smollm2", "max_tokens": 16, "temperature": 0, "messages": FRANCE}
    whole = gpt.chat.completions.create(**fields, logprobs=True, top_logprobs=2)
    assert whole.choices[0].message.content == PARIS
    assert whole.choices[0].logprobs is not None
    assert whole.choices[0].logprobs.content is not None
    assert whole.choices[0].logprobs.content[0].token == "The"
    chunks = list(gpt.chat.completions.create(**fields, stream=True))
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == PARIS
    fields["extra_body"] = {"temperature": fields.pop("temperature")}  # the client has no such argument
    message = claude.messages.create(**fields)
    assert [getattr(block, "text", None) for block in message.content] == [PARIS]
    with claude.messages.stream(**fields) as stream:
        assert "".join(stream.text_stream) == PARIS


def test_json(gpt: OpenAI) -> None:
    messages: Any = [{"role": "user", "content": "Ada is 36 years old."}]
    answer = gpt.chat.completions.parse(
        model="smollm2", messages=messages, response_format=Person, temperature=0, max_tokens=40
    )
    assert answer.choices[0].message.parsed == Person(name="Ada", age=36)


def test_tools(gpt: OpenAI, claude: Anthropic) -> None:
    messages: Any = [{"role": "user", "content": "What is the weather in Oslo?"}]
    fields: Any = {"model": "smollm2", "max_tokens": 80, "temperature": 0, "messages": messages}
    tool: Any = {"type": "function", "function": {**WEATHER, "parameters": CITY}}
    answer = gpt.chat.completions.create(**fields, tools=[tool], tool_choice="required")
    assert answer.choices[0].finish_reason == "tool_calls"
    calls: Any = answer.choices[0].message.tool_calls
    jsonschema.validate(json.loads(calls[0].function.arguments), CITY)
    fields["extra_body"] = {"temperature": fields.pop("temperature")}
    message = claude.messages.create(**fields, tools=[{**WEATHER, "input_schema": CITY}], tool_choice={"type": "any"})
    assert message.stop_reason == "tool_use"
    uses = [block for block in message.content if block.type == "tool_use"]
    jsonschema.validate(uses[0].input, CITY)
