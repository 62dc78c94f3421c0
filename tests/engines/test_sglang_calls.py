"""Our calls of every family, read by SGLang's own detector of that family."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from sglang.srt.entrypoints.openai.protocol import Function, Tool
from sglang.srt.function_call.function_call_parser import FunctionCallParser

from guided.tools.families import FAMILIES

from .call_texts import TOOLS, Calls, Case, Read, differences

# These it reads in one form of several only.
MISTRAL_SPACED = replace(FAMILIES["mistral"], group_begin="[TOOL_CALLS] [")
GLM_45 = replace(FAMILIES["glm"], call="<tool_call>NAME\nARGUMENTS</tool_call>")
HARMONY = replace(
    FAMILIES["harmony"],
    call="<|start|>assistant<|channel|>commentary to=functions.NAME <|constrain|>json<|message|>ARGUMENTS<|call|>",
)
CASES = (
    Case(FAMILIES["hermes"], "hermes"),
    Case(FAMILIES["hermes"], "qwen25"),
    Case(FAMILIES["apertus"], "apertus2509"),
    Case(FAMILIES["command_r7b"], "cohere_command4"),
    Case(FAMILIES["deepseek_v3"], "deepseekv3"),
    Case(FAMILIES["deepseek_v31"], "deepseekv31"),
    Case(FAMILIES["gigachat"], "gigachat3"),
    Case(FAMILIES["kimi_k2"], "kimi_k2"),
    Case(MISTRAL_SPACED, "mistral"),
    Case(FAMILIES["mistral_args"], "mistral"),
    Case(FAMILIES["llama3_json"], "llama3"),
    Case(FAMILIES["qwen3_coder"], "qwen3_coder"),
    Case(FAMILIES["qwen3_coder"], "step3p5"),
    Case(GLM_45, "glm45"),
    Case(FAMILIES["glm"], "glm47"),
    Case(FAMILIES["glm"], "poolside_v1", strips=True),
    Case(FAMILIES["minimax_m2"], "minimax-m2", strips=True),
    Case(FAMILIES["step_3"], "step3", strips=True, stumbles="<"),
    Case(FAMILIES["minicpm_5"], "minicpm5", strips=True, stumbles="<&"),
    Case(FAMILIES["deepseek_v32"], "deepseekv32", strips=True),
    Case(FAMILIES["deepseek_v4"], "deepseekv4", strips=True),
    Case(FAMILIES["deepseek_v41"], "deepseekv41", strips=True),
    Case(FAMILIES["minimax_m3"], "minimax-m3", strips=True),
    Case(FAMILIES["kimi_k3"], "kimi_k3"),
    Case(FAMILIES["gemma_4"], "gemma4"),
    Case(FAMILIES["lfm2"], "lfm2"),
    Case(FAMILIES["muse_glimmer"], "muse"),
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
