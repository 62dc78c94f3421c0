"""Tool calls: the structural tags that vLLM makes of them, held to by our grammars, read back by vLLM's own parser."""

from __future__ import annotations

import json
import random
from typing import Any

import jsonschema
import numpy as np
import pytest
from numpy.typing import NDArray
from vllm.entrypoints.openai.chat_completion.protocol import (
    ChatCompletionNamedToolChoiceParam,
    ChatCompletionRequest,
    ChatCompletionToolsParam,
)
from vllm.parser.deepseek_v4 import _dsml_arg_converter
from vllm.parser.deepseek_v41 import deepseek_v41_config
from vllm.parser.engine.parser_engine import ParserEngine
from vllm.parser.glm47_moe import _glm47_arg_converter
from vllm.parser.minimax_m2 import _minimax_m2_arg_converter
from vllm.parser.qwen3 import _qwen3_arg_converter
from vllm.tool_parsers.hermes_tool_parser import Hermes2ProToolParser
from vllm.tool_parsers.structural_tag_registry import SUPPORTED_STRUCTURAL_TAG_MODELS, get_model_structural_tag
from vllm.tool_parsers.tool_strict_level import ToolStrictLevel

from tests.grammars.structural_tags.test_argument_styles import SCHEMA, compiled, random_text, vocabulary

from .driver import Driver, Pick, greedy, sampling
from .test_vllm_manager import PERSON

ID = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"], "additionalProperties": False}
SCHEMAS = {"save": PERSON, "load": ID}
NAMED = ChatCompletionNamedToolChoiceParam(type="function", function={"name": "save"})
CHOICES = {"auto": "auto", "required": "required", "named": NAMED}
CONVERTERS = {  # vLLM's readers of arguments that are written one by one
    "qwen_xml": _qwen3_arg_converter,
    "minimax_xml": _minimax_m2_arg_converter,
    "deepseek_xml": _dsml_arg_converter,
    "deepseek_v4_1_xml": deepseek_v41_config().arg_converter,
    "glm_xml": _glm47_arg_converter,
}


@pytest.fixture(scope="module")
def plain(plain_config: Any) -> Driver:
    return Driver(plain_config)


def tag(model: str, choice: Any, *, is_strict: bool | None = None, level: str = "auto") -> str | None:
    """vLLM's structural tag. is_strict: as the request's tools say; level: `--tool-strict-level`."""
    tools = []
    for name, schema in SCHEMAS.items():
        function = {"name": name, "parameters": schema, "strict": is_strict}
        tools.append(ChatCompletionToolsParam(type="function", function=function))
    found = get_model_structural_tag(model, tools, choice, False, strict_level=ToolStrictLevel.from_name(level))
    return None if found is None else json.dumps(found.model_dump())


def after(text: str, driver: Driver, pick: Pick) -> Pick:
    """A model that writes this first."""
    token_ids = driver.tokenizer.encode(text, add_special_tokens=False)

    def write(tokens: list[int], allowed: NDArray[np.bool_]) -> int:
        if len(tokens) < len(token_ids):
            assert allowed[token_ids[len(tokens)]]
            return int(token_ids[len(tokens)])
        return pick(tokens, allowed)

    return write


def calls(driver: Driver, text: str) -> list[Any]:
    """The calls in a text, as vLLM's own parser reads them."""
    request = ChatCompletionRequest(model="tiny", messages=[{"role": "user", "content": "Who?"}])
    found = Hermes2ProToolParser(driver.tokenizer).extract_tool_calls(text, request)
    return [call.function for call in found.tool_calls]


@pytest.mark.parametrize("strictness", [{"is_strict": True}, {"level": "parameter"}], ids=["tool", "server"])
@pytest.mark.parametrize("choice", CHOICES)
def test_arguments_fit_their_tool(plain: Driver, choice: str, strictness: dict[str, Any]) -> None:
    source = tag("hermes", CHOICES[choice], **strictness)
    for salt in "abcdef":
        pick = after("Well. <tool_call>", plain, greedy(salt)) if choice == "auto" else greedy(salt)
        run = plain.run(plain.start(sampling({"structural_tag": source}, max_tokens=200)), pick)
        assert not run.is_error
        found = calls(plain, plain.text(run))
        assert found
        for call in found:
            assert choice != "named" or call.name == "save"
            jsonschema.validate(json.loads(call.arguments), SCHEMAS[call.name])


def test_arguments_are_free_where_neither_tool_nor_server_is_strict(plain: Driver) -> None:
    """That is vLLM's own rule since 0.32; docs/engines.md says how to change it."""
    assert tag("hermes", "auto") is None
    source = tag("hermes", NAMED)
    run = plain.run(plain.start(sampling({"structural_tag": source}, max_tokens=200)), greedy("a"))
    (call,) = calls(plain, plain.text(run))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(json.loads(call.arguments), PERSON)


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("model", sorted(SUPPORTED_STRUCTURAL_TAG_MODELS))
def test_tags_of_every_model_are_taken(plain: Driver, model: str, choice: str) -> None:
    plain.start(sampling({"structural_tag": tag(model, CHOICES[choice], level="parameter")}))


@pytest.mark.parametrize("style", CONVERTERS)
def test_arguments_between_marks_are_read_as_what_fits(style: str) -> None:
    """vLLM's readers follow no references, so the schema has none."""
    schema = json.loads(json.dumps(SCHEMA))
    definitions = schema.pop("$defs")
    schema["properties"]["unit"], schema["properties"]["items"]["items"] = definitions["Unit"], definitions["Item"]
    grammar, rng = compiled(vocabulary(has_special_marks=False), style, schema), random.Random(style)
    for _ in range(20):
        arguments = json.loads(CONVERTERS[style](random_text(grammar, rng), False))
        ParserEngine._coerce_dict(arguments, schema["properties"])
        jsonschema.validate(arguments, schema)
