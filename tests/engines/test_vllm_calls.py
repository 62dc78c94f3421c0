# ruff: noqa: RUF001 - DeepSeek writes special tokens with a fullwidth bar
"""Our calls of every family, read by vLLM's own parser of that family."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, NamedTuple

import pytest
from transformers import PreTrainedTokenizerFast
from vllm.entrypoints.openai.chat_completion.protocol import ChatCompletionRequest, ChatCompletionToolsParam
from vllm.tool_parsers import ToolParserManager

from guided.tools.syntax import ToolSyntax
from guided.tools.syntaxes import deepseek, deepseek_dsml, glm, hermes, minimax, mistral, plain_json, qwen3_coder
from tests.guided.tiny_model import make_tokenizer

from .call_texts import TOOLS, Calls, Read, differences

MESSAGES = [{"role": "user", "content": "Go"}]
MARKS = [  # special tokens that parsers look up in the vocabulary
    "<|python_tag|>",
    "[TOOL_CALLS]",
    "<｜tool▁calls▁begin｜>",
    "<｜tool▁calls▁end｜>",
    "<｜tool▁call▁begin｜>",
    "<｜tool▁call▁end｜>",
]


class Case(NamedTuple):
    """is_hard: the parser reads quotes and brackets right."""

    syntax: ToolSyntax
    parser: str
    is_hard: bool = True


PARSERS = (
    Case(hermes.HERMES, "hermes"),
    Case(qwen3_coder.QWEN3_CODER, "qwen3_coder"),
    Case(qwen3_coder.QWEN3_CODER, "step3p5"),
    Case(qwen3_coder.SEED_OSS, "seed_oss"),
    Case(glm.GLM, "glm45"),
    Case(glm.GLM, "glm47"),
    Case(minimax.MINIMAX_M2, "minimax_m2"),
    Case(plain_json.LLAMA3_JSON, "llama3_json"),
    Case(mistral.MISTRAL, "mistral"),
    Case(deepseek.DEEPSEEK_V3, "deepseek_v3"),
    Case(deepseek.DEEPSEEK_V31, "deepseek_v31"),
    Case(deepseek_dsml.DEEPSEEK_V32, "deepseek_v32"),
    Case(deepseek_dsml.DEEPSEEK_V4, "deepseek_v4"),
    Case(deepseek_dsml.DEEPSEEK_V41, "deepseek_v41"),
)


@lru_cache
def tokenizer() -> PreTrainedTokenizerFast:
    made = PreTrainedTokenizerFast(tokenizer_object=make_tokenizer(), eos_token="<|im_end|>")
    made.add_special_tokens({"additional_special_tokens": MARKS})
    return made


def reader_of(case: Case) -> Read:
    """vLLM's parser, new for each text."""
    make: Any = ToolParserManager.get_tool_parser(case.parser)
    tools = [ChatCompletionToolsParam(**tool.definition) for tool in TOOLS]
    request = ChatCompletionRequest(model="tiny", messages=MESSAGES, tools=tools)

    def read(text: str) -> Calls:
        found = make(tokenizer(), tools).extract_tool_calls(text, request)
        return [(call.function.name, json.loads(call.function.arguments)) for call in found.tool_calls]

    return read


@pytest.mark.parametrize("case", PARSERS, ids=lambda case: case.syntax.name)
def test_calls_are_read_back(case: Case) -> None:
    assert list(differences(case.syntax, reader_of(case), 20, is_hard=case.is_hard)) == []
