"""Our calls of every family, read by SGLang's own detector of that family."""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest
from sglang.srt.entrypoints.openai.protocol import Function, Tool
from sglang.srt.function_call.function_call_parser import FunctionCallParser

from guided.tools.syntax import ToolSyntax
from guided.tools.syntaxes import deepseek, deepseek_dsml, glm, hermes, minimax, mistral, plain_json, qwen3_coder

from .call_texts import TOOLS, Calls, Read, differences


class Case(NamedTuple):
    """is_hard: the detector reads quotes and brackets right."""

    syntax: ToolSyntax
    parser: str
    is_hard: bool = True


PARSERS = (
    Case(hermes.HERMES, "hermes"),
    Case(hermes.HERMES, "qwen25"),
    Case(qwen3_coder.QWEN3_CODER, "qwen3_coder"),
    Case(glm.GLM, "glm45"),
    Case(glm.GLM, "glm47"),
    Case(minimax.MINIMAX_M2, "minimax-m2"),
    Case(plain_json.LLAMA3_JSON, "llama3"),
    Case(mistral.MISTRAL, "mistral"),
    Case(mistral.MISTRAL_ARGS, "mistral"),
    Case(deepseek.DEEPSEEK_V3, "deepseekv3"),
    Case(deepseek.DEEPSEEK_V31, "deepseekv31"),
    Case(deepseek_dsml.DEEPSEEK_V32, "deepseekv32"),
    Case(deepseek_dsml.DEEPSEEK_V4, "deepseekv4"),
    Case(deepseek_dsml.DEEPSEEK_V41, "deepseekv41"),
)


def reader_of(case: Case) -> Read:
    """SGLang's detector, new for each text."""
    functions = [tool.definition["function"] for tool in TOOLS]
    tools = [Tool(type="function", function=Function(**function)) for function in functions]

    def read(text: str) -> Calls:
        _, found = FunctionCallParser(tools, case.parser).parse_non_stream(text)
        return [(call.name or "", json.loads(call.parameters)) for call in found]

    return read


@pytest.mark.parametrize("case", PARSERS, ids=lambda case: f"{case.syntax.name}-{case.parser}")
def test_calls_are_read_back(case: Case) -> None:
    assert list(differences(case.syntax, reader_of(case), 20, is_hard=case.is_hard)) == []
