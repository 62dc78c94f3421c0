"""Our calls of every family, read by SGLang's own detector of that family."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from sglang.srt.entrypoints.openai.protocol import Function, Tool
from sglang.srt.function_call.function_call_parser import FunctionCallParser

from guided.tools import syntaxes

from .call_texts import TOOLS, Calls, Case, Read, differences

# These it reads in one form of several only.
MISTRAL_SPACED = replace(syntaxes.MISTRAL, group_begin="[TOOL_CALLS] [")
GLM_45 = replace(syntaxes.GLM, call="<tool_call>NAME\nARGUMENTS</tool_call>")
HARMONY = replace(
    syntaxes.HARMONY,
    call="<|start|>assistant<|channel|>commentary to=functions.NAME <|constrain|>json<|message|>ARGUMENTS<|call|>",
)
CASES = (
    Case(syntaxes.HERMES, "hermes"),
    Case(syntaxes.HERMES, "qwen25"),
    Case(syntaxes.APERTUS, "apertus2509"),
    Case(syntaxes.COMMAND_R7B, "cohere_command4"),
    Case(syntaxes.DEEPSEEK_V3, "deepseekv3"),
    Case(syntaxes.DEEPSEEK_V31, "deepseekv31"),
    Case(syntaxes.GIGACHAT, "gigachat3"),
    Case(syntaxes.KIMI_K2, "kimi_k2"),
    Case(MISTRAL_SPACED, "mistral"),
    Case(syntaxes.MISTRAL_ARGS, "mistral"),
    Case(syntaxes.LLAMA3_JSON, "llama3"),
    Case(syntaxes.QWEN3_CODER, "qwen3_coder"),
    Case(syntaxes.QWEN3_CODER, "step3p5"),
    Case(GLM_45, "glm45"),
    Case(syntaxes.GLM, "glm47"),
    Case(syntaxes.GLM, "poolside_v1", strips=True),
    Case(syntaxes.MINIMAX_M2, "minimax-m2", strips=True),
    Case(syntaxes.STEP_3, "step3", strips=True, stumbles="<"),
    Case(syntaxes.MINICPM_5, "minicpm5", strips=True, stumbles="<&"),
    Case(syntaxes.DEEPSEEK_V32, "deepseekv32", strips=True),
    Case(syntaxes.DEEPSEEK_V4, "deepseekv4", strips=True),
    Case(syntaxes.DEEPSEEK_V41, "deepseekv41", strips=True),
    Case(syntaxes.MINIMAX_M3, "minimax-m3", strips=True),
    Case(syntaxes.KIMI_K3, "kimi_k3"),
    Case(syntaxes.GEMMA_4, "gemma4"),
    Case(syntaxes.LFM2, "lfm2"),
    Case(syntaxes.MUSE_GLIMMER, "muse"),
    Case(HARMONY, "gpt-oss", stumbles="|"),
)


def reader_of(case: Case) -> Read:
    """SGLang's detector, new for each text."""
    functions = [tool.definition["function"] for tool in TOOLS]
    tools = [Tool(type="function", function=Function(**function)) for function in functions]

    def read(text: str) -> Calls:
        _, found = FunctionCallParser(tools, case.parser).parse_non_stream(text)
        return [(call.name or "", json.loads(call.parameters)) for call in found]

    return read


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_calls_are_read_back(case: Case) -> None:
    assert list(differences(case, reader_of(case), 20)) == []
