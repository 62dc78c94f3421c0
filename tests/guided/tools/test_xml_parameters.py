"""Calls in the form of Qwen3-Coder: texts of the grammar and back, values that are exact, schemas that are refused."""

from __future__ import annotations

import json
import random
from typing import Any

import jsonschema
import pytest

from guided.compile import compile_grammar
from guided.errors import RequestFieldError
from guided.grammars.bitset import allocate_bitmask, allowed_token_ids
from guided.grammars.errors import UnsatisfiableError
from guided.grammars.vocabulary import Vocabulary
from guided.tools import Tool, ToolCall, ToolUse
from guided.tools.grammar import tool_tag
from guided.tools.syntaxes.qwen3_coder import QWEN3_CODER
from guided.tools.xml_parameters import CLOSER
from tests.guided.tools.test_grammar_and_reader import fits, named, read

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "description": "any"},
        "n": {"type": "integer", "minimum": -3},
        "short": {"type": "string", "minLength": 1, "maxLength": 3},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        "unit": {"$ref": "#/$defs/Unit"},
        "items": {"type": "array", "items": {"$ref": "#/$defs/Item"}, "maxItems": 2},
        "flag": {"type": ["boolean", "null"]},
    },
    "required": ["text", "n"],
    "$defs": {
        "Unit": {"type": "string", "enum": ["c", "f", "a\nb", ""]},
        "Item": {"type": "object", "properties": {"s": {"type": "string", "maxLength": 2}}, "required": ["s"]},
    },
}
TOOLS = (Tool("f", None, SCHEMA), Tool("g"))


@pytest.fixture(scope="module", params=[True, False], ids=["special", "plain"])
def vocabulary(request: pytest.FixtureRequest) -> Vocabulary:
    names = ["<eos>", "<tool_call>", "</tool_call>"] if request.param else ["<eos>"]
    tokens: list[bytes | None] = [bytes([byte]) for byte in range(256)]
    special = {name: 256 + index for index, name in enumerate(names)}
    return Vocabulary([*tokens, *[None] * len(names)], [256], special)


def written(*parameters: tuple[str, str], name: str = "f") -> str:
    values = "".join(f"<parameter={one}>\n{value}\n</parameter>\n" for one, value in parameters)
    return f"<tool_call>\n<function={name}>\n{values}</function>\n</tool_call>"


def tag_of(*tools: Tool, **options: Any) -> dict[str, Any]:
    return tool_tag(QWEN3_CODER, ToolUse(tools or TOOLS, "required"), **options)


def random_call(vocabulary: Vocabulary, tag: dict[str, Any], seed: int) -> str:
    """A text of the grammar; each value soon ends."""
    rng = random.Random(seed)
    matcher = compile_grammar(vocabulary, structural_tag=tag).matcher()
    text = b""
    bitmask = allocate_bitmask(1, vocabulary.size)
    names = {token_id: name.encode() for name, token_id in vocabulary.special_tokens.items()}
    while True:
        matcher.fill_bitmask(bitmask, 0)
        allowed = allowed_token_ids(bitmask[0], vocabulary.size).tolist()
        allowed = [i for i in allowed if i not in vocabulary.eos_token_ids]
        if not allowed or (matcher.is_accepting() and rng.random() < 0.5):
            return text.decode()
        of_closer = CLOSER.encode()[_begun(text)]
        wanted = [i for i in allowed if i >= 256 or chr(i) in '<{}[]"1 an:,\n'] or allowed
        token_id = of_closer if of_closer in allowed and rng.random() < 0.7 else rng.choice(wanted)
        assert matcher.accept_token(token_id)
        text += names.get(token_id, bytes([token_id % 256]))


def _begun(text: bytes) -> int:
    """How many bytes of the mark that ends a parameter stand at the text's end."""
    mark = CLOSER.encode()
    return next((n for n in range(len(mark) - 1, 0, -1) if text.endswith(mark[:n])), 0)


VALUES: list[dict[str, Any]] = [
    {"text": "", "n": 0},
    {"text": "a", "n": -3, "flag": None},
    {"text": '"quoted" \\ and \t é 😀 \n\nlines\n', "n": 12},
    {"text": "null", "n": 1, "note": None},
    {"text": "</parameter> <parameter=n>\n5", "n": 1, "note": "nullable"},
    {"text": "\n</parameter", "n": 1, "note": "null "},
    {"text": "</function>\n</tool_call x", "n": 1, "short": "é\n😀", "note": "", "unit": "a\nb"},
    {"text": "5", "n": 5, "unit": "", "items": [{"s": "\n"}, {"s": '"'}], "flag": True},
]


@pytest.mark.parametrize("values", VALUES)
def test_values_come_back_as_they_are(vocabulary: Vocabulary, values: dict[str, Any]) -> None:
    call = ToolCall("", "f", json.dumps(values))
    text = QWEN3_CODER.spell([call])
    assert text == written(
        *[(name, one if isinstance(one, str) else json.dumps(one, ensure_ascii=False)) for name, one in values.items()]
    )
    assert fits(vocabulary, tag_of(), text)
    for pieces in [text], list(text):
        content, calls = read(QWEN3_CODER, pieces, TOOLS)
        assert content == ""
        assert [json.loads(one.arguments) for one in calls] == [values]


@pytest.mark.parametrize("seed", range(30))
def test_all_texts_of_the_grammar_are_calls_that_fit(vocabulary: Vocabulary, seed: int) -> None:
    text = random_call(vocabulary, tag_of(), seed)
    content, calls = read(QWEN3_CODER, [text], TOOLS)
    assert calls
    assert content in text, "text may follow a call; it ends an answer"
    assert CLOSER not in content
    for call in calls:
        jsonschema.validate(json.loads(call.arguments), {tool.name: tool.schema for tool in TOOLS}[call.name])
    assert named(read(QWEN3_CODER, list(text), TOOLS)[1]) == named(calls)
    cut = random.Random(seed).randrange(len(text))
    assert named(read(QWEN3_CODER, [text[:cut], text[cut:]], TOOLS)[1]) == named(calls)


@pytest.mark.parametrize(
    "text",
    [
        written(("text", "a")),
        written(("n", "1"), ("text", "a")),
        written(("text", "a"), ("n", "1.5")),
        written(("text", "a"), ("n", "-4")),
        written(("text", "a"), ("n", '"1"')),
        written(("text", "a"), ("n", "1"), ("short", "")),
        written(("text", "a"), ("n", "1"), ("short", "abcd")),
        written(("text", "a"), ("n", "1"), ("unit", "k")),
        written(("text", "a"), ("n", "1"), ("flag", "True")),
        written(("text", "a"), ("n", "1"), ("other", "x")),
        written(("text", "a"), ("text", "b"), ("n", "1")),
        written(("text", "a\n</parameter>\nb"), ("n", "1")),
        written(("text", "a"), ("n", "1"))[:-1],
        written(("a", "b"), name="g"),
        '<tool_call>\n{"name": "g", "arguments": {}}\n</tool_call>',
    ],
)
def test_texts_that_are_no_calls(vocabulary: Vocabulary, text: str) -> None:
    assert not fits(vocabulary, tag_of(), text)


def test_calls_in_text(vocabulary: Vocabulary) -> None:
    tag = tool_tag(QWEN3_CODER, ToolUse(TOOLS))
    call = written(name="g")
    text = f"I ask.\n{call}\n{call}"
    assert fits(vocabulary, tag, text)
    content, calls = read(QWEN3_CODER, list(text), TOOLS)
    assert (content, named(calls)) == ("I ask.", [("g", "{}")] * 2)
    assert fits(vocabulary, tag, "1 < 2, <function=g> and <parameter=x>")
    assert not fits(vocabulary, tool_tag(QWEN3_CODER, ToolUse(TOOLS, "required", None, False)), f"{call}\n{call}")


def test_arguments_come_while_they_are_written() -> None:
    text = written(("text", 'He said "hi".\n' * 3), ("n", "12"), ("note", "null"))
    whole = read(QWEN3_CODER, [text], TOOLS)[1][0].arguments
    for end in range(len(text)):
        content, calls = read(QWEN3_CODER, [text[:end]], TOOLS)
        assert whole.startswith(calls[0].arguments) if calls else content == text[:end]
    _, (call,) = read(QWEN3_CODER, [text[: text.index("hi")]], TOOLS)
    assert call.arguments == '{"text": "He said \\"'


def test_whitespace_in_json(vocabulary: Vocabulary) -> None:
    text = written(("text", "a"), ("n", "1"), ("items", '[{"s": "x"}]'))
    assert fits(vocabulary, tag_of(), text)
    assert not fits(vocabulary, tag_of(is_compact=True), text)
    assert fits(vocabulary, tag_of(is_compact=True), text.replace(": ", ":"))


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string"},
        {"type": ["null", "string"], "maxLength": 2.0},
        {"const": "x"},
        {"enum": ["x", None]},
        {"enum": ["x", "long"], "maxLength": 2},
        {"type": "string", "minimum": 3, "title": "t"},
        {"oneOf": [{"const": "x"}, {"type": "null"}]},
        {"allOf": [{"$ref": "#/definitions/U"}]},
        {"anyOf": [{"type": "string", "minLength": 1}, {"const": ""}, {"$ref": "#/definitions/U"}]},
        {"enum": ["long", None], "maxLength": 2},
        {"oneOf": [{"type": ["string", "null"]}, {"type": "null"}]},
        {"oneOf": [{"type": "string"}, {"type": "null"}, {"const": None}]},
        {"anyOf": [{"type": "string", "maxLength": 1}, {"allOf": [{"type": "null"}, {"const": None}]}]},
    ],
)
def test_strings_are_written_bare(vocabulary: Vocabulary, schema: Any) -> None:
    """What the grammar takes is what the schema allows, tried on texts; null is null wherever it may be."""
    tool = Tool("f", None, {"properties": {"p": schema}, "required": ["p"], "definitions": {"U": {"enum": ["u"]}}})
    validator = jsonschema.Draft7Validator(tool.schema)
    for value in ("x", "u", "", "long", "lo", "null", None, 5, True):
        text = written(("p", value if isinstance(value, str) else json.dumps(value)))
        is_valid = validator.is_valid({"p": value})
        if value in ("null", None):
            assert fits(vocabulary, tag_of(tool), text) == any(validator.is_valid({"p": one}) for one in (None, "null"))
        elif isinstance(value, str):
            assert fits(vocabulary, tag_of(tool), text) == is_valid
        if fits(vocabulary, tag_of(tool), text):
            jsonschema.validate(json.loads(read(QWEN3_CODER, [text], (tool,))[1][0].arguments), tool.schema)


STRING = {"type": "string"}


@pytest.mark.parametrize(
    ("schema", "keyword", "pointer"),
    [
        ({"properties": {"p": {}}}, "type", "/properties/p"),
        ({"properties": {"p": True}}, "type", "/properties/p"),
        ({"properties": {"p": {"type": ["string", "integer"]}}}, "type", "/properties/p"),
        ({"properties": {"p": {"anyOf": [STRING, {"type": "array"}]}}}, "type", "/properties/p"),
        ({"properties": {"p": {"enum": ["a", 1]}}}, "type", "/properties/p"),
        ({"properties": {"p": {**STRING, "pattern": "^a"}}}, "pattern", "/properties/p"),
        ({"properties": {"p": {**STRING, "format": "date"}}}, "format", "/properties/p"),
        ({"properties": {"p": {**STRING, "not": {"const": "a"}}}}, "not", "/properties/p"),
        ({"properties": {"p": {"allOf": [STRING, {"maxLength": 2}]}}}, "allOf", "/properties/p"),
        ({"properties": {"p": {"oneOf": [STRING, {"const": "a"}]}}}, "oneOf", "/properties/p"),
        ({"properties": {"p": {"anyOf": [STRING], "maxLength": 2}}}, "maxLength", "/properties/p"),
        ({"properties": {"p": {**STRING, "maxLength": "2"}}}, "maxLength", "/properties/p"),
        ({"properties": {"p": {"enum": ["a\n</parameter>"]}}}, "enum", "/properties/p"),
        ({"properties": {"p": {"$ref": "#/properties/q"}, "q": {"type": "null"}}}, "$ref", "/properties/p"),
        ({"properties": {"p": {"items": {"$id": "x"}, "type": "array"}}}, "$id", "/properties/p"),
        ({"properties": {"a>b": STRING}}, "properties", ""),
        ({"properties": {"": STRING}}, "properties", ""),
        ({"properties": {"p": {"type": ["string", "text"]}}}, "type", "/properties/p"),
        ({"properties": {"p": {"anyOf": [{"type": None, "const": "a"}]}}}, "type", "/properties/p"),
        ({"properties": {"p": {"anyOf": [STRING, {"type": "null", "not": {}}]}}}, "not", "/properties/p"),
        ({"required": ["p"]}, "required", ""),
        ({"required": [["p"]]}, "required", ""),
        ({"additionalProperties": STRING}, "additionalProperties", ""),
        ({"properties": {"p": STRING}, "minProperties": 1}, "minProperties", ""),
        ({"patternProperties": {"a": STRING}}, "patternProperties", ""),
        ({"anyOf": [{"required": ["p"]}]}, "anyOf", ""),
        ({"$ref": "#/$defs/A", "$defs": {"A": {}}}, "$ref", ""),
    ],
)
def test_refused_by_name(schema: dict[str, Any], keyword: str, pointer: str) -> None:
    use = ToolUse((Tool("g"), Tool("f", None, schema)))
    with pytest.raises(RequestFieldError) as caught:
        tool_tag(QWEN3_CODER, use)
    assert caught.value.param == "tools[1]"
    place = f"at '{pointer}'" if pointer else "at the root"
    assert str(caught.value).startswith(f"tools[1] (f): can't enforce '{keyword}' {place}"), caught.value


def test_a_parameter_without_texts(vocabulary: Vocabulary) -> None:
    tool = Tool("f", None, {"properties": {"p": {"enum": ["long"], "maxLength": 2}}, "required": ["p"]})
    with pytest.raises(UnsatisfiableError):
        compile_grammar(vocabulary, structural_tag=tag_of(tool))


def test_data_is_no_reference(vocabulary: Vocabulary) -> None:
    data = {"default": {"$ref": "x"}, "examples": [{"$id": "y"}], "enum": [{"$ref": "z"}]}
    tool = Tool("f", None, {"properties": {"p": data, "id": {"type": "string"}}})
    assert fits(vocabulary, tag_of(tool), written(("p", '{"$ref":"z"}'), ("id", "1")))


def test_a_parameter_without_values_is_left_out(vocabulary: Vocabulary) -> None:
    tool = Tool("f", None, {"properties": {"p": False, "q": {"type": "null"}}})
    assert fits(vocabulary, tag_of(tool), written(("q", "null")))
    assert not fits(vocabulary, tag_of(tool), written(("p", "null")))


def test_an_explanation_without_a_template() -> None:
    text = QWEN3_CODER.explain([TOOLS[1].definition])
    assert "<function=NAME>\n<parameter=PARAMETER>\nVALUE\n</parameter>\n</function>" in text
