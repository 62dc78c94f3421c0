"""Arguments of calls in the styles of XML: what is written is read back as arguments that fit; what fits is written.

The reader here is as those of engines are: it looks for marks with regular expressions. What a text between marks is
says the rule of `style_texts`.
"""

from __future__ import annotations

import itertools
import json
import random
import re
from typing import Any

import jsonschema
import pytest

from guided.grammars.bitset import allocate_bitmask, allowed_token_ids
from guided.grammars.compile import compile_grammar
from guided.grammars.errors import GrammarError, UnsatisfiableError, UnsupportedSchemaError
from guided.grammars.json_schema.translate import compile_schema
from guided.grammars.json_schema.value_types import types_at
from guided.grammars.limits import Limits
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.style_texts import any_type, is_string_text, write_object
from guided.grammars.styles import STYLES as STYLES_BY_NAME
from guided.grammars.vocabulary import Vocabulary
from guided.tools.styled_scanner import StyledScanner

BAR = "\uff5c"
STYLES = ("qwen_xml", "minimax_xml", "deepseek_xml", "deepseek_v4_1_xml", "glm_xml")
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
        "Unit": {"type": "string", "enum": ["c", "f", "a\nb", "\n", ""]},
        "Item": {"type": "object", "properties": {"s": {"type": "string"}}, "required": ["s"]},
    },
}
READERS = {
    "qwen_xml": r"<parameter=(?P<name>[^>]*)>(?P<value>.*?)</parameter>",
    "minimax_xml": r'<parameter name="(?P<name>[^"]*)">(?P<value>.*?)</parameter>',
    "deepseek_xml": rf'<{BAR}DSML{BAR}parameter name="(?P<name>[^"]*)" string="(?P<kind>\w+)">(?P<value>.*?)'
    rf"</{BAR}DSML{BAR}parameter>",
    "deepseek_v4_1_xml": rf'<{BAR}DSML{BAR} parameter name="(?P<name>[^"]*)" string="(?P<kind>\w+)">(?P<value>.*?)'
    rf"</{BAR}DSML{BAR} parameter>",
    "glm_xml": r"<arg_key>(?P<name>.*?)</arg_key>\s*<arg_value>(?P<value>.*?)</arg_value>",
}
WORDS = (
    "</parameter>",
    "<parameter=",
    "parameter",
    "</arg_value>",
    "<arg_key>",
    "DSML",
    "null",
    "NULL",
    "</",
    ' name="',
)


def vocabulary(*, has_special_marks: bool) -> Vocabulary:
    """Bytes and parts of marks; `<arg_value>` and the like are tokens without text where they are special."""
    special = [f"{BAR}DSML{BAR}", "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>"] if has_special_marks else []
    tokens: list[bytes | None] = [*(bytes([byte]) for byte in range(256)), *(word.encode() for word in WORDS)]
    first = len(tokens)
    ids = {name: first + index for index, name in enumerate([*special, "<end>"])}
    return Vocabulary([*tokens, *[None] * len(ids)], [ids["<end>"]], ids)


@pytest.fixture(scope="module", params=[False, True], ids=["text", "special"])
def tokens(request: pytest.FixtureRequest) -> Vocabulary:
    return vocabulary(has_special_marks=request.param)


def compiled(tokens: Vocabulary, style: str, schema: Any = SCHEMA, **fields: Any) -> CompiledGrammar:
    content = {"type": "json_schema", "json_schema": schema, "style": style, **fields}
    return compile_grammar(tokens, structural_tag={"type": "structural_tag", "format": content})


def read(style: str, text: str, schema: Any = SCHEMA) -> dict[str, Any]:
    """The arguments in a text. Raises ValueError for something else between them."""
    pattern = re.compile(READERS[style], re.S)
    if pattern.sub("", text).strip(" \n\r\t"):
        raise ValueError(text)
    formula = compile_schema(schema, resources=None, limits=Limits()).formula
    found: dict[str, Any] = {}
    for match in pattern.finditer(text):
        name, value = match["name"].strip(), match["value"]
        if style == "qwen_xml":
            value = value.removeprefix("\n").removesuffix("\n")
        is_text = is_string_text(value, types_at(formula, (None, name)), is_deep=False)
        if "kind" in match.groupdict():
            is_text = match["kind"] == "true"
        if name in found:
            raise ValueError(text)
        found[name] = value if is_text else json.loads(value)
    return found


def write(style: str, arguments: dict[str, Any], between: str = "\n") -> str:
    """The arguments as a chat template writes them."""
    parts = []
    for name, value in arguments.items():
        text, is_text = (value, "true") if isinstance(value, str) else (json.dumps(value, ensure_ascii=False), "false")
        parts.append(
            {
                "qwen_xml": f"<parameter={name}>\n{text}\n</parameter>",
                "minimax_xml": f'<parameter name="{name}">{text}</parameter>',
                "deepseek_xml": f'<{BAR}DSML{BAR}parameter name="{name}" string="{is_text}">{text}'
                f"</{BAR}DSML{BAR}parameter>",
                "deepseek_v4_1_xml": f'<{BAR}DSML{BAR} parameter name="{name}" string="{is_text}">{text}'
                f"</{BAR}DSML{BAR} parameter>",
                "glm_xml": f"<arg_key>{name}</arg_key>{between}<arg_value>{text}</arg_value>",
            }[style]
        )
    return between.join(parts)


def fits(grammar: CompiledGrammar, text: str) -> bool:
    """Whether it is a text of the grammar, special tokens by their names."""
    special = {name: one for name, one in grammar.vocabulary.special_tokens.items() if name != "<end>"}
    parts = re.split(f"({'|'.join(map(re.escape, special))})", text) if special else [text]
    ids = [one for part in parts for one in ([special[part]] if part in special else part.encode())]
    matcher = grammar.matcher()
    return all(matcher.accept_token(one) for one in ids) and matcher.is_accepting()


def random_text(grammar: CompiledGrammar, rng: random.Random) -> str:
    """A text of the grammar, led by what is near marks. Now and then a value is ended in the shortest way."""
    size, matcher, written = grammar.vocabulary.size, grammar.matcher(), b""
    names = {token_id: name.encode() for name, token_id in grammar.vocabulary.special_tokens.items()}
    bitmask, ending = allocate_bitmask(1, size), list[int]()
    while not (matcher.is_accepting() and (len(written) > 300 or rng.random() < 0.15)):
        matcher.fill_bitmask(bitmask, 0)
        allowed = [one for one in allowed_token_ids(bitmask[0], size).tolist() if names.get(one) != b"<end>"]
        if not allowed:
            break
        if not ending and rng.random() < (1 if len(written) > 300 else 0.07):
            ending = matcher.find_shortest_completion()
        liked = [one for one in allowed if one >= 256 or chr(one) in '<>/"{}[]: \n1ab,n-']
        token_id = ending.pop(0) if ending else rng.choice(liked if liked and rng.random() < 0.9 else allowed)
        assert matcher.accept_token(token_id)
        piece = names.get(token_id) or grammar.vocabulary.tokens[token_id] or b""
        written, ending = written + piece, [] if piece.endswith(b">") else ending
    assert matcher.is_accepting()
    return written.decode()


@pytest.mark.parametrize("style", STYLES)
def test_what_is_written_is_read_back_and_fits(tokens: Vocabulary, style: str) -> None:
    grammar, rng, names = compiled(tokens, style), random.Random(style), set()
    for _ in range(12):
        arguments = read(style, random_text(grammar, rng))
        jsonschema.validate(arguments, SCHEMA)
        names |= arguments.keys()
    assert len(names) > 2


@pytest.mark.parametrize("style", STYLES)
def test_masks_with_special_tokens_in_marks_and_behind_them(style: str) -> None:
    tokens, rng = vocabulary(has_special_marks=True), random.Random(style)
    content = {"type": "json_schema", "json_schema": {"required": ["a"], "maxProperties": 2}, "style": style}
    tag = {"type": "tag", "begin": "<f>", "content": content, "end": ["<arg_key>x", "</f>"]}
    grammar = compile_grammar(tokens, structural_tag={"type": "structural_tag", "format": tag}, cache=None)
    matcher, bitmask, end = grammar.matcher(), allocate_bitmask(1, tokens.size), tokens.special_tokens["<end>"]
    for _ in range(25):
        matcher.fill_bitmask(bitmask, 0)
        mask = allowed_token_ids(bitmask[0], tokens.size).tolist()
        assert mask == [one for one in range(tokens.size) if matcher.fork().accept_token(one)]
        liked = [one for one in mask if one >= 256 and one != end] or [one for one in mask if one != end]
        if not liked:
            break
        assert matcher.accept_token(rng.choice(liked))
    assert all(map(matcher.accept_token, matcher.find_shortest_completion()))
    assert matcher.is_accepting()


VALUES: list[dict[str, Any]] = [
    {"text": "", "n": 0},
    {"text": "a", "n": -3, "flag": None},
    {"text": '"quoted" \\ and \t é 😀 \n\nlines\n', "n": 12},
    {"text": "\nnull", "n": 1, "note": None},
    {"text": "null", "n": 1, "note": "nullable"},
    {"text": "<param", "n": 1, "note": "null x"},
    {"text": "a < b </p>", "n": 1, "short": "é\n😀", "note": "", "unit": "a\nb"},
    {"text": "5", "n": 5, "unit": "\n", "items": [{"s": "\n"}, {"s": '"<'}], "flag": True},
]
WITH_MARKS = {
    "qwen_xml": "</parameter>",
    "minimax_xml": "</invoke>",
    "deepseek_xml": f"<{BAR}DSML{BAR}",
    "deepseek_v4_1_xml": f"</{BAR}DSML{BAR} p",
    "glm_xml": "</arg_value>",
}


@pytest.mark.parametrize("style", STYLES)
def test_what_fits_is_written_but_for_marks(style: str) -> None:
    grammar = compiled(vocabulary(has_special_marks=False), style)
    for values in VALUES:
        for between in ("", "\n"):
            text = write(style, values, between)
            assert read(style, text) == values
            assert fits(grammar, text), text
    assert fits(grammar, write(style, {"text": "a", "n": 1, "other": 1}))
    for values in (
        {"text": "a", "n": -4},
        {"text": "a"},
        {"n": 1, "text": "a"},
        {"text": "a", "n": 1, "short": "abcd"},
    ):
        assert not fits(grammar, write(style, values))
    mark = WITH_MARKS[style]
    item = {"s": f"a{mark}b"}
    for values in ({"text": mark, "n": 1}, {"text": "", "n": 1, "items": [item]}):
        assert not fits(grammar, write(style, values)), values
    named = {"text": "", "n": 1, "items": [{"s": "", mark: 1}]}
    assert not fits(grammar, write(style, named))
    named["items"] = [{"s": "", "<b": 1}]
    assert fits(grammar, write(style, named))


def test_all_short_texts() -> None:
    """Of all texts of a few pieces exactly those are taken that are read back as arguments that fit."""
    schema = {
        "type": "object",
        "properties": {"any": {"type": "string"}, "note": {"enum": ["1", "null", None]}, "x": {"type": "integer"}},
    }
    grammar = compiled(vocabulary(has_special_marks=False), "qwen_xml", schema)
    pieces = ["<parameter=any>", "<parameter=note>", "<parameter=x>", "</parameter>", "\n", "1", "null", "<"]
    num_taken = 0
    sequences = itertools.chain(
        *[itertools.product(pieces, repeat=count) for count in range(5)], itertools.product(pieces[1:6], repeat=5)
    )
    for text in map("".join, sequences):
        try:
            arguments = read("qwen_xml", text, schema)
            jsonschema.validate(arguments, schema)
            in_order = list(arguments) == [name for name in schema["properties"] if name in arguments]
            # the other way to write a value leaves no line break to be taken away, and numbers have none around them
            values = [match["value"] for match in re.finditer(READERS["qwen_xml"], text, re.S)]
            is_wrapped = all((value[:1] == "\n") == (value[-1:] == "\n") and value != "\n" for value in values)
            has_space = re.search(r"<parameter=x>(\n\n|\n1\n\n)|<\s*<?parameter=x>\n\n", text) is not None
            has_mark = any("<parameter=" in value for value in values)
            is_right = in_order and is_wrapped and not has_space and not has_mark
        except (ValueError, jsonschema.ValidationError):
            is_right = False
        assert fits(grammar, text) == is_right, text
        num_taken += is_right
    assert num_taken > 40


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("schema", [True, {}, {"type": "object"}, {"type": "object", "additionalProperties": True}])
def test_any_arguments(style: str, schema: Any) -> None:
    grammar = compiled(vocabulary(has_special_marks=False), style, schema)
    assert fits(grammar, "")
    assert fits(grammar, write(style, {"any": "a\nb", "_other1": "5"}))
    assert not fits(grammar, write(style, {"any": WITH_MARKS[style]}))
    assert not fits(grammar, write(style, {f"a{WITH_MARKS[style]}": "a"}))
    assert not fits(grammar, write(style, {"any": "a"}, "\n") * 2)


def test_no_arguments() -> None:
    schema = {"type": "object", "properties": {}, "additionalProperties": False}
    grammar = compiled(vocabulary(has_special_marks=False), "qwen_xml", schema)
    assert fits(grammar, "")
    assert not fits(grammar, write("qwen_xml", {"any": "a"}))


def test_a_text_alone() -> None:
    """As SGLang asks for an argument of Kimi K3, whose marks it writes itself."""
    content = {"type": "json_schema", "json_schema": {"type": "string", "maxLength": 9}, "style": "qwen_xml"}
    tag = {"type": "tag", "begin": "<a>", "content": content, "end": "(end)"}
    source = {"type": "structural_tag", "format": tag}
    grammar = compile_grammar(vocabulary(has_special_marks=False), structural_tag=source)
    assert fits(grammar, "<a>\nnull (en(end)")
    for text in ("0123456789", "a(end)b", "</parameter>"):
        assert not fits(grammar, f"<a>{text}(end)")
    with pytest.raises(UnsupportedSchemaError, match="of a value alone a string"):
        compiled(vocabulary(has_special_marks=False), "qwen_xml", {"type": ["integer", "null"]})
    grammar = compiled(vocabulary(has_special_marks=False), "qwen_xml", {"type": ["string", "integer"], "minimum": 5})
    assert fits(grammar, "5 ")
    assert fits(grammar, "6")
    assert not fits(grammar, "4")


def test_excluded_texts_and_white_space() -> None:
    tokens = vocabulary(has_special_marks=False)
    grammar = compiled(tokens, "glm_xml", excludes=["(a"], max_whitespace_cnt=0)
    assert fits(grammar, write("glm_xml", {"text": "(b", "n": 1, "items": [{"s": "("}]}, "").replace(": ", ":"))
    assert not fits(grammar, write("glm_xml", {"text": "(ab", "n": 1}, ""))
    assert not fits(grammar, write("glm_xml", {"text": "", "n": 1, "items": [{"s": "(ab"}]}, "").replace(": ", ":"))
    assert not fits(grammar, write("glm_xml", {"text": "", "n": 1}, "\n"))


def test_inside_of_a_call() -> None:
    """As engines have it: marks of the call around, one call after the other; and the older name of the style."""
    content = {"type": "qwen_xml_parameter", "json_schema": SCHEMA}
    begin, end = "<tool_call>\n<function=f>\n", "\n</function>\n</tool_call>"
    tag = {"type": "tag", "begin": begin, "content": content, "end": end}
    text = {"type": "triggered_tags", "triggers": ["<tool_call>"], "tags": [tag]}
    source = {"type": "structural_tag", "format": text}
    grammar = compile_grammar(vocabulary(has_special_marks=False), structural_tag=source)
    call = begin + write("qwen_xml", VALUES[1]) + end
    assert fits(grammar, f"Well. {call} and {call}")
    assert not fits(grammar, f"Well. {begin}{end}")


@pytest.mark.parametrize(
    ("schema", "keyword"),
    [
        ({"properties": {"</arg_value>": {"type": "string"}}, "required": ["</arg_value>"]}, "required"),
        ({"required": [" a"]}, "required"),
        ({"properties": {"a": {"const": "a</arg_value>"}}, "required": ["a"]}, "style"),
        ({"properties": {"a": {"enum": ["1", 2], "not": {"const": 2}}, "b": False}, "required": ["a", "b"]}, ""),
        ({"type": "integer"}, "type"),
        (False, ""),
    ],
)
def test_what_can_not_be_written_is_refused(schema: Any, keyword: str) -> None:
    with pytest.raises(UnsupportedSchemaError if keyword else UnsatisfiableError) as caught:
        compiled(vocabulary(has_special_marks=False), "glm_xml", schema)
    if isinstance(caught.value, UnsupportedSchemaError):
        assert (caught.value.pointer, caught.value.keyword) == ("/format/json_schema", keyword)


@pytest.mark.parametrize("name", ["list", "a/b"])
def test_errors_say_where(name: str) -> None:
    tokens = vocabulary(has_special_marks=False)
    schema = {"$defs": {"d": {"type": "integer"}}, "properties": {name: {"type": "array", "items": {"minimum": "a"}}}}
    pointer = name.replace("/", "~1")
    with pytest.raises(GrammarError, match=f"/format/json_schema/properties/{pointer}/items"):
        compiled(tokens, "qwen_xml", schema)
    marked = {"properties": {name: {"type": "array", "items": {"const": "</parameter>"}, "minItems": 1}}}
    with pytest.raises(UnsupportedSchemaError, match="would hold a mark"):
        compiled(tokens, "qwen_xml", {**marked, "required": [name]})


def test_any_order() -> None:
    grammar = compiled(vocabulary(has_special_marks=False), "qwen_xml", any_order=True)
    for values in itertools.permutations({"n": 1, "text": "a", "flag": None}.items()):
        assert fits(grammar, write("qwen_xml", dict(values)))
    assert not fits(grammar, write("qwen_xml", {"n": 1, "flag": None}))


UNWRITABLE = {  # a name, and the beginning of it that other names are
    "qwen_xml": ("amount>=", "amount"),
    "minimax_xml": ('x">y', "x"),
    "minicpm5_xml": ('x">y', "x"),
    "step3_xml": ('x">y', "x"),
    "deepseek_xml": ('x" string="true">y', "x"),
    "deepseek_v4_1_xml": ('x" string="true">y', "x"),
    "glm_xml": ("x</arg_key><arg_value>y", "x"),
}


@pytest.mark.parametrize("style", UNWRITABLE)
def test_names_that_can_not_be_written(style: str) -> None:
    """An open object goes without them, also where other names begin like them; one that needs them is refused."""
    name, begun = UNWRITABLE[style]
    tokens, schema = vocabulary(has_special_marks=False), {"properties": {name: {"type": "integer"}, "b": {}}}
    grammar, bitmask = compiled(tokens, style, schema), allocate_bitmask(1, tokens.size)
    matcher = grammar.matcher()
    for byte in "".join(STYLES_BY_NAME[style].begin_of(begun, "string")).encode() + b"b":
        matcher.fill_bitmask(bitmask, 0)
        mask = allowed_token_ids(bitmask[0], tokens.size).tolist()
        assert mask == [one for one in range(tokens.size) if matcher.fork().accept_token(one)]
        assert matcher.accept_token(byte)
    assert all(map(matcher.accept_token, matcher.find_shortest_completion()))
    with pytest.raises(UnsupportedSchemaError, match="whose name can't stand between the marks"):
        compiled(tokens, style, {**schema, "required": [name]})


CODE = "#include <functional>\nfor (i = 0; i < parameters.length; i++) Map<function, i <tool_calls>"


@pytest.mark.parametrize("style", STYLES)
def test_code_is_written_though_it_holds_words_of_marks(style: str) -> None:
    grammar = compiled(vocabulary(has_special_marks=False), style)
    values = {"text": CODE, "n": 1, "items": [{"s": CODE}]}
    text = write(style, values)
    assert read(style, text) == values
    assert fits(grammar, text)
    assert json.loads(StyledScanner(STYLES_BY_NAME[style], any_type).push(f"{text}</").arguments) == values


@pytest.mark.parametrize("style", ["kimi_k3_xml", "cohere_xml"])
@pytest.mark.parametrize("name", ["\n", " a "])
def test_names_in_quotation_marks_keep_their_whitespace(style: str, name: str) -> None:
    """Their readers take any name, and the grammar writes it: stripped, it would be another member."""
    text = write_object(STYLES_BY_NAME[style], {name: True, "b": False})
    read_text = StyledScanner(STYLES_BY_NAME[style], any_type).push(f"{text}</").arguments
    assert json.loads(read_text) == {name: True, "b": False}
