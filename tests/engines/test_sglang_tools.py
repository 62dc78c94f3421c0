"""The grammars that SGLang's parsers of tool calls ask for: each is enforced."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from sglang.srt.entrypoints.openai.protocol import Function, Tool, ToolChoice, ToolChoiceFuncName
from sglang.srt.function_call.function_call_parser import FunctionCallParser
from transformers import PreTrainedTokenizerFast

from guided.grammars import compile_grammar
from guided.grammars.vocabulary import Vocabulary
from guided.integrations.common.vocabularies import find_vocabularies
from guided.integrations.sglang.sources import grammar_arguments
from tests.guided.tiny_model import MODEL_WIDTH, make_tokenizer

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city"],
    "additionalProperties": False,
}
NAMED = ToolChoice(type="function", function=ToolChoiceFuncName(name="weather"))
NEEDS_A_TEMPLATE = {"response_template"}


def grammar_of(parser: str, choice: Any) -> tuple[str, str] | None:
    """SGLang's kind of grammar and its text; None where it asks for none."""
    weather = Function(name="weather", description="", parameters=SCHEMA, strict=True)
    time = Function(name="time", description="", parameters=None, strict=True)
    tools = [Tool(type="function", function=one) for one in (weather, time)]
    constraint = FunctionCallParser(tools, parser).get_structure_constraint(choice)
    if constraint is None:
        return None
    kind, value = constraint[:2]
    if hasattr(value, "model_dump"):
        value = value.model_dump(by_alias=True)
    text = value if isinstance(value, str) else json.dumps(value)
    return {"json_schema": "json", "full_assistant_ebnf": "ebnf"}.get(kind, kind), text


@pytest.mark.parametrize("choice", ["auto", "required", NAMED], ids=["auto", "required", "named"])
def test_each_parsers_grammar_compiles(choice: Any) -> None:
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=make_tokenizer(), eos_token="<|im_end|>")
    vocabulary = find_vocabularies(tokenizer, MODEL_WIDTH, frozenset()).model
    num_enforced = 0
    for parser in set(FunctionCallParser.ToolCallParserEnum) - NEEDS_A_TEMPLATE:
        found = grammar_of(parser, choice)
        if found is None:
            continue
        arguments = grammar_arguments(*found)
        compile_grammar(vocabulary, **arguments, cache=None)
        num_enforced += 1
    assert num_enforced >= 10


@pytest.mark.parametrize("choice", ["auto", "required", NAMED], ids=["auto", "required", "named"])
def test_gpt_oss_ends_calls_with_a_token_that_ends_the_text(choice: Any) -> None:
    names = ("<|start|>", "<|end|>", "<|message|>", "<|channel|>", "<|constrain|>", "<|call|>", "<|return|>")
    special = {name: 256 + place for place, name in enumerate(names)}
    tokens: list[bytes | None] = [bytes([byte]) for byte in range(256)]
    ends = [special["<|call|>"], special["<|return|>"]]
    found = grammar_of("gpt-oss", choice)
    assert found is not None
    vocabulary = Vocabulary([*tokens, *[None] * len(names)], ends, special)
    matcher = compile_grammar(vocabulary, **grammar_arguments(*found), cache=None).matcher()
    call = '<|channel|>commentary to=functions.weather<|constrain|>json<|message|>{"city": "Oslo"}<|call|>'
    for part in re.split(r"(<\|[a-z]+\|>)", call):
        for token_id in [special[part]] if part in special else list(part.encode()):
            assert matcher.accept_token(token_id)
    assert matcher.is_terminated()
