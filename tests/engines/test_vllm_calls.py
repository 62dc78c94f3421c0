# ruff: noqa: RUF001 - DeepSeek writes special tokens with a fullwidth bar
"""Our calls of every family, read by vLLM's own parser of that family."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest
from openai_harmony import HarmonyEncodingName, load_harmony_encoding
from transformers import PreTrainedTokenizerFast
from vllm.entrypoints.openai.chat_completion.protocol import ChatCompletionRequest, ChatCompletionToolsParam
from vllm.parser.harmony import HarmonyParser
from vllm.tool_parsers import ToolParserManager
from vllm.tool_parsers.gptoss_tool_parser import GptOssToolParser

from guided.tools import syntaxes
from guided.tools.python_arguments import PythonArguments
from tests.guided.tiny_model import make_tokenizer

from .call_texts import TOOLS, Calls, Case, Read, differences

MESSAGES = [{"role": "user", "content": "Go"}]
MARKS = [  # special tokens that parsers look up in the vocabulary
    "<|python_tag|>",
    "[TOOL_CALLS]",
    "<｜tool▁calls▁begin｜>",
    "<｜tool▁calls▁end｜>",
    "<｜tool▁call▁begin｜>",
    "<｜tool▁call▁end｜>",
    "<|tool_call_start|>",
    "<|tool_call_end|>",
    "<tool_calls>",
    "</tool_calls>",
    "<tool_calls:opensource>",
    "</tool_calls:opensource>",
]
CASES = (
    Case(syntaxes.HERMES, "hermes"),
    Case(syntaxes.HERMES, "granite4"),
    Case(syntaxes.HERMES, "ernie45"),
    Case(syntaxes.APERTUS, "apertus"),
    Case(syntaxes.DEEPSEEK_V3, "deepseek_v3"),
    Case(syntaxes.DEEPSEEK_V31, "deepseek_v31"),
    Case(syntaxes.GIGACHAT, "gigachat3"),
    Case(syntaxes.GIGACHAT_TOKEN, "gigachat3"),
    Case(syntaxes.GRANITE_3, "granite"),
    Case(syntaxes.GRANITE_20B, "granite-20b-fc"),
    Case(syntaxes.HUNYUAN, "hunyuan_a13b"),
    Case(syntaxes.HUNYUAN, "jamba"),
    Case(syntaxes.HUNYUAN_3, "hy_v3"),
    Case(syntaxes.INTERNLM, "internlm", is_single=True),
    Case(syntaxes.KIMI_K2, "kimi_k2"),
    Case(syntaxes.LONGCAT, "longcat"),
    Case(syntaxes.MISTRAL, "mistral"),
    Case(syntaxes.LLAMA3_JSON, "llama3_json"),
    Case(syntaxes.PLAIN_JSON, "llama3_json"),
    Case(syntaxes.XLAM, "xlam"),
    Case(syntaxes.QWEN3_CODER, "qwen3_coder"),
    Case(syntaxes.QWEN3_CODER, "step3p5"),
    Case(syntaxes.SEED_OSS, "seed_oss"),
    Case(syntaxes.GLM, "glm45"),
    Case(syntaxes.GLM, "glm47"),
    Case(syntaxes.GLM, "poolside_v1", strips=True),
    Case(syntaxes.MINIMAX_M2, "minimax_m2"),
    Case(syntaxes.MINICPM_5, "minicpm5", strips=True, stumbles="<&"),
    Case(syntaxes.DEEPSEEK_V32, "deepseek_v32"),
    Case(syntaxes.DEEPSEEK_V4, "deepseek_v4"),
    Case(syntaxes.DEEPSEEK_V41, "deepseek_v41"),
    Case(syntaxes.MINIMAX_M3, "minimax_m3"),
    Case(syntaxes.KIMI_K3, "kimi_k3"),
    Case(syntaxes.GEMMA_4, "gemma4"),
    Case(syntaxes.PYTHONIC, "pythonic"),
    Case(syntaxes.PYTHONIC, "llama4_pythonic"),
    Case(syntaxes.OLMO_3, "olmo3"),
    Case(syntaxes.LFM2, "lfm2"),
    Case(replace(syntaxes.LFM2, arguments=PythonArguments("'")), "lfm2"),
    Case(syntaxes.MUSE_GLIMMER, "muse_glimmer"),
    Case(syntaxes.HARMONY, "openai"),
)


@lru_cache
def tokenizer() -> PreTrainedTokenizerFast:
    made = PreTrainedTokenizerFast(tokenizer_object=make_tokenizer(), eos_token="<|im_end|>")
    made.add_special_tokens({"additional_special_tokens": MARKS})
    made.init_kwargs["token_suffix"] = ":opensource"
    return made


class _GptOss(HarmonyParser):
    """vLLM reads gpt-oss token by token, without a tool parser of its own."""

    tool_parser_cls = GptOssToolParser


def reader_of(case: Case) -> Read:
    """vLLM's parser, new for each text."""
    tools = [ChatCompletionToolsParam(**tool.definition) for tool in TOOLS]
    request = ChatCompletionRequest(model="tiny", messages=MESSAGES, tools=tools)

    def read(text: str) -> Calls:
        make: Any = ToolParserManager.get_tool_parser(case.parser)
        found = make(tokenizer(), tools).extract_tool_calls(text, request)
        return [(call.function.name, json.loads(call.function.arguments)) for call in found.tool_calls]

    def read_messages(text: str) -> Calls:
        encoding = load_harmony_encoding(HarmonyEncodingName.HARMONY_GPT_OSS)
        token_ids = encoding.encode(f"{text}<|call|>", allowed_special="all")
        calls = _GptOss(tokenizer(), tools).parse("", request, model_output_token_ids=token_ids)[2]
        return [(call.name, json.loads(call.arguments)) for call in calls or ()]

    return read_messages if case.parser == "openai" else read


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_calls_are_read_back(case: Case) -> None:
    assert list(differences(case, reader_of(case), 20)) == []
