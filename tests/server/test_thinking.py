"""Thinking in every wire format: a tiny random model whose chat template opens a block, as reasoning models' do.

What it thinks is noise, ended by the budget; the answer after it follows its grammar.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from anthropic import Anthropic
from openai import OpenAI

from guided.grammars.vocabulary import Vocabulary
from guided.params.sampling_params import SamplingParams
from guided.server import create_app
from guided.server.limits import without_vain_wishes
from guided.server.protocol.base import Call
from guided.tools.families import FAMILIES
from guided.tools.support import ToolSupport
from guided.tools.syntax import ToolSyntax
from tests.guided.tiny_model import CHAT_TEMPLATE, make_tiny_model
from tests.server.live_server import serving
from tests.server.wire import CHAT_URL, chat_body, sse_events

FUNCTIONARY_32 = FAMILIES["functionary_32"]
HARMONY = FAMILIES["harmony"]

TEMPLATE = CHAT_TEMPLATE.replace(
    "{{ '<|im_start|>assistant\n' }}",
    "{{ '<|im_start|>assistant\n' }}{% if enable_thinking is defined and enable_thinking is false %}"
    "{{ '<think></think>' }}{% else %}{{ '<think>' }}{% endif %}",
)
TALK: Any = [{"role": "user", "content": "Hi"}]
BODY: dict[str, Any] = {"regex": "(yes|no)!", "seed": 1}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Base URL of a server whose model thinks."""
    from transformers import AutoTokenizer

    from guided.llm import LLM

    folder: Path = make_tiny_model(tmp_path_factory.mktemp("thinking_model"))
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.add_special_tokens({"additional_special_tokens": ["<think>", "</think>"]})
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(folder)
    with serving(create_app(LLM(str(folder)), served_model_name="tiny")) as base:
        yield base


@pytest.fixture(scope="module")
def http(url: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=url, timeout=60) as client:
        yield client


def chat(http: httpx.Client, **fields: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The message and the usage."""
    response = http.post(CHAT_URL, json=chat_body(model="tiny", **fields))
    assert response.status_code == 200, response.text
    body = response.json()
    return body["choices"][0]["message"], body["usage"]


def test_structure_comes_after_thinking(http: httpx.Client) -> None:
    message, usage = chat(http, **BODY, thinking_budget=6)
    assert message["content"] in ("yes!", "no!")
    assert message["reasoning_content"]
    assert usage["completion_tokens_details"]["reasoning_tokens"] >= 7, "six, and the end of the block"
    payloads = sse_events(
        http.post(CHAT_URL, json=chat_body(model="tiny", **BODY, thinking_budget=6, stream=True)).text
    )
    deltas = [json.loads(payload)["choices"][0]["delta"] for payload in payloads[:-1]]
    assert "".join(delta.get("reasoning_content", "") for delta in deltas) == message["reasoning_content"]
    assert "".join(delta.get("content", "") for delta in deltas) == message["content"]
    kinds = ["reasoning" if "reasoning_content" in delta else "content" for delta in deltas[1:-1]]
    assert kinds == sorted(kinds, reverse=True), "all thinking first"


def test_it_can_be_turned_off(http: httpx.Client) -> None:
    for fields in (
        {"thinking": False},
        {"chat_template_kwargs": {"enable_thinking": False}},
        {"reasoning_effort": "none"},
    ):
        message, usage = chat(http, **BODY, **fields)
        assert message["content"] in ("yes!", "no!")
        assert "reasoning_content" not in message
        assert usage["completion_tokens_details"]["reasoning_tokens"] == 0


def test_free_text_is_separated_too_unless_it_is_not_wanted(http: httpx.Client) -> None:
    message, usage = chat(http, max_tokens=12, seed=3, ignore_eos=True)
    assert (message["content"], usage["completion_tokens_details"]["reasoning_tokens"]) == ("", 12)
    mixed, usage = chat(http, max_tokens=12, seed=3, ignore_eos=True, separate_reasoning=False)
    assert mixed["content"] == message["reasoning_content"]
    assert "reasoning_content" not in mixed
    assert usage["completion_tokens_details"]["reasoning_tokens"] == 0


def test_tools_after_thinking(http: httpx.Client) -> None:
    tool = {"type": "function", "function": {"name": "f"}}
    message, _ = chat(http, tools=[tool], tool_choice="required", thinking_budget=4, seed=1, parallel_tool_calls=False)
    assert message["reasoning_content"]
    assert message["tool_calls"][0]["function"]["name"] == "f"


def test_responses(url: str) -> None:
    with OpenAI(base_url=f"{url}/v1", api_key="x", max_retries=0) as client:
        extra: Any = {**BODY, "thinking_budget": 6}
        response = client.responses.create(model="tiny", input="Hi", store=False, extra_body=extra)
        reasoning, message = response.output
        assert (reasoning.type, message.type) == ("reasoning", "message")
        assert reasoning.content[0].text  # type: ignore[union-attr,index]
        assert response.output_text in ("yes!", "no!")
        assert response.usage.output_tokens_details.reasoning_tokens >= 7  # type: ignore[union-attr]
        with client.responses.stream(model="tiny", input="Hi", store=False, extra_body=extra) as stream:
            thought = "".join(event.delta for event in stream if event.type == "response.reasoning_text.delta")
            assert thought == reasoning.content[0].text  # type: ignore[union-attr,index]
            assert stream.get_final_response().output_text == response.output_text


def test_messages(url: str) -> None:
    with Anthropic(base_url=url, api_key="x", max_retries=0) as client:
        options: Any = {
            "model": "tiny",
            "max_tokens": 60,
            "messages": TALK,
            "thinking": {"type": "enabled", "budget_tokens": 6},
            "extra_body": BODY,
        }
        message = client.messages.create(**options)
        thinking, text = message.content
        assert thinking.type == "thinking"
        assert thinking.thinking
        assert text.type == "text"
        assert text.text in ("yes!", "no!")
        with client.messages.stream(**options) as stream:
            kinds = {event.type for event in stream}
            final = stream.get_final_message().content
        assert [block.to_dict() | {"parsed_output": None} for block in final] == [
            block.to_dict() | {"parsed_output": None} for block in message.content
        ]
        assert {"thinking", "text"} <= kinds
        off = client.messages.create(**options | {"thinking": {"type": "disabled"}})
        assert [block.type for block in off.content] == ["text"]


def test_completions_of_an_open_block(http: httpx.Client) -> None:
    body = {"model": "tiny", "prompt": "a<think>", **BODY, "thinking_budget": 4}
    (choice,) = http.post("/v1/completions", json=body).json()["choices"]
    assert re.fullmatch("(yes|no)!", choice["text"])
    assert choice["reasoning_content"]


@pytest.mark.parametrize(("syntax", "is_kept"), [(HARMONY, True), (FUNCTIONARY_32, False)])
def test_thinking_is_no_vain_wish_where_channels_have_it(syntax: ToolSyntax, is_kept: bool) -> None:
    llm: Any = SimpleNamespace(
        reads_effort=True,
        has_tokenizer=True,
        vocabulary=Vocabulary([b"a"], []),
        tool_support=ToolSupport(syntax, shows_tools=True, writes_calls=True),
    )
    call = Call(None, (), SamplingParams(thinking=True, thinking_budget=3), wishes_thinking=True)
    kept = without_vain_wishes(llm, call)
    assert (kept.params.thinking_budget, kept.ignored) == ((3, ()) if is_kept else (None, ("thinking",)))
