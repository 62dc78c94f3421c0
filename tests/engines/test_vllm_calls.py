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

from guided.tools.families import FAMILIES
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
    Case(FAMILIES["hermes"], "hermes"),
    Case(FAMILIES["hermes"], "granite4"),
    Case(FAMILIES["hermes"], "ernie45"),
    Case(FAMILIES["apertus"], "apertus"),
    Case(FAMILIES["deepseek_v3"], "deepseek_v3"),
    Case(FAMILIES["deepseek_v31"], "deepseek_v31"),
    Case(FAMILIES["gigachat"], "gigachat3"),
    Case(FAMILIES["gigachat_token"], "gigachat3"),
    Case(FAMILIES["granite_3"], "granite"),
    Case(FAMILIES["granite_20b"], "granite-20b-fc"),
    Case(FAMILIES["hunyuan"], "hunyuan_a13b"),
    Case(FAMILIES["hunyuan"], "jamba"),
    Case(FAMILIES["hunyuan_3"], "hy_v3"),
    Case(FAMILIES["internlm"], "internlm", is_single=True),
    Case(FAMILIES["kimi_k2"], "kimi_k2"),
    Case(FAMILIES["longcat"], "longcat"),
    Case(FAMILIES["mistral"], "mistral"),
    Case(FAMILIES["llama3_json"], "llama3_json"),
    Case(FAMILIES["plain_json"], "llama3_json"),
    Case(FAMILIES["xlam"], "xlam"),
    Case(FAMILIES["qwen3_coder"], "qwen3_coder"),
    Case(FAMILIES["qwen3_coder"], "step3p5"),
    Case(FAMILIES["seed_oss"], "seed_oss"),
    Case(FAMILIES["glm"], "glm45"),
    Case(FAMILIES["glm"], "glm47"),
    Case(FAMILIES["glm"], "poolside_v1", strips=True),
    Case(FAMILIES["minimax_m2"], "minimax_m2"),
    Case(FAMILIES["minicpm_5"], "minicpm5", strips=True, stumbles="<&"),
    Case(FAMILIES["deepseek_v32"], "deepseek_v32"),
    Case(FAMILIES["deepseek_v4"], "deepseek_v4"),
    Case(FAMILIES["deepseek_v41"], "deepseek_v41"),
    Case(FAMILIES["minimax_m3"], "minimax_m3"),
    Case(FAMILIES["kimi_k3"], "kimi_k3"),
    Case(FAMILIES["gemma_4"], "gemma4"),
    Case(FAMILIES["pythonic"], "pythonic"),
    Case(FAMILIES["pythonic"], "llama4_pythonic"),
    Case(FAMILIES["olmo_3"], "olmo3"),
    Case(FAMILIES["lfm2"], "lfm2"),
    Case(replace(FAMILIES["lfm2"], arguments=PythonArguments("'")), "lfm2"),
    Case(FAMILIES["muse_glimmer"], "muse_glimmer"),
    Case(FAMILIES["harmony"], "openai"),
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
