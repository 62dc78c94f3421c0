"""Custom tools: their calls fit their grammar in every syntax, and are read back as the text itself."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from guided.compile import compile_grammar
from guided.errors import RequestFieldError
from guided.grammars.errors import GrammarError, UnsupportedSchemaError
from guided.grammars.styles import STYLES
from guided.grammars.vocabulary import Vocabulary
from guided.params.sampling_params import SamplingParams
from guided.tools import Tool, ToolCall, ToolUse
from guided.tools.arguments import JSON_ARGUMENTS
from guided.tools.call_reader import CallReader
from guided.tools.conversation import prepare
from guided.tools.custom import TextGrammar, other_meaning, text_arguments
from guided.tools.families import FAMILIES
from guided.tools.grammar import tool_tag
from guided.tools.plan import plan_tools
from guided.tools.styled_arguments import StyledArguments
from guided.tools.support import ToolSupport
from guided.tools.syntax import ToolSyntax
from guided.tools.text_scanner import TextScanner
from tests.guided.tools.grammars import APPLY_PATCH, PATCH, SQL
from tests.guided.tools.test_grammar_and_reader import SYNTAXES, random_text, read, vocabulary

HERMES = FAMILIES["hermes"]
QWEN3_CODER = FAMILIES["qwen3_coder"]

__all__ = ["vocabulary"]
BYTES = Vocabulary([*[bytes([byte]) for byte in range(256)], None], [256], {"<eos>": 256})
GBNF = {"syntax": "gbnf", "definition": ""}
ALL = [*SYNTAXES, QWEN3_CODER]
BEGUN = ">>>"  # mark before a call of Functionary 3.2, the first of which the prompt has written
by_syntax = pytest.mark.parametrize("syntax", ALL, ids=lambda syntax: syntax.name)


def custom(name: str, syntax: Any = None, definition: str = "") -> Tool:
    return Tool(name, is_custom=True, grammar=None if syntax is None else TextGrammar(syntax, definition))


def spelled(syntax: ToolSyntax, tool: Tool, text: str) -> str:
    """A call as the family's template writes it, with JSON on one line, and line breaks that readers take away."""
    call = syntax.spell([ToolCall(syntax.ids.new(), tool.name, text_arguments(text))]).removeprefix(BEGUN)
    call = call.replace(f">{text}</parameter>\n</function>", f">\n{text}\n</parameter>\n</function>")
    return call.replace(' {\n            "input": ', ' {"input": ').replace('"\n        }\n', '"}\n')


def read_call(syntax: ToolSyntax, tool: Tool, text: str) -> ToolCall | None:
    """What the grammar takes and the reader reads, character by character; None where the grammar refuses it."""
    plan = plan_tools(ToolUse((tool,), only=tool.name), SamplingParams(), syntax, "flexible")
    assert plan is not None
    matcher = compile_grammar(BYTES, structural_tag=plan.params.structural_tag).matcher()
    if not (all(matcher.accept_token(byte) for byte in text.encode()) and matcher.is_accepting()):
        return None
    reader = plan.new_reader()
    for character in text:
        if not reader.is_ended:
            reader.push(character)
    reader.finish()
    (call,) = reader.calls
    return call


TEXTS = (
    (custom("apply_patch", "lark", APPLY_PATCH), PATCH, PATCH.replace("@@", "@")),
    (custom("sql", "lark", SQL), "SELECT name, \"a\\b\" FROM t WHERE x >= 'ü\n' AND (y = 2)", "DELETE FROM t"),
    (custom("date", "regex", r"\d{4}-\d{2}|\"\t\""), '"\t"', "on 2026-11"),
)


IN_PARTS = {"kimi_k3"}  # its calls come behind parts of the answer, of which the prompt has begun the first


@pytest.mark.parametrize(
    "syntax", [one for one in FAMILIES.values() if one.name not in IN_PARTS], ids=lambda syntax: syntax.name
)
def test_the_text_fits_its_grammar_in_every_family(syntax: ToolSyntax) -> None:
    for tool, text, other in TEXTS:
        call = read_call(syntax, tool, spelled(syntax, tool, text))
        assert call is not None
        assert (call.name, call.arguments, call.is_custom) == (tool.name, text, True)
        assert read_call(syntax, tool, spelled(syntax, tool, other)) is None


def test_a_free_text() -> None:
    call = read_call(HERMES, custom("free"), spelled(HERMES, custom("free"), "any\ntext \\ at all"))
    assert call is not None
    assert call.arguments == "any\ntext \\ at all"


@by_syntax
def test_calls_are_read_back_as_texts(vocabulary: Any, syntax: ToolSyntax) -> None:
    tools = (custom("q", "lark", 'start: "a" B~1..4 | "\\"" /[^x]/ "\\\\"\nB: "b" | "\\n"'), Tool("g"))
    tag, kinds = tool_tag(syntax, ToolUse(tools, "required")), set()
    for seed in range(6):
        text = random_text(vocabulary, tag, seed)
        _, calls = read(syntax, [text], tools, only_calls=True)
        assert [call.arguments for call in read(syntax, list(text), tools, only_calls=True)[1]] == [
            call.arguments for call in calls
        ]
        for call in calls:
            kinds.add(call.name)
            if call.name == "q":
                assert compile_grammar(vocabulary, ebnf=tools[0].grammar.definition, dialect="lark")  # type: ignore[union-attr]
                assert call.arguments[0] in 'a"'
                assert set(call.arguments[1:]) <= set("b\n") or call.arguments[-1] == "\\"
    assert "q" in kinds


@pytest.mark.parametrize("text", ['a\n"\\é', "\U0001f600 \x01", "", "\\u0041"])
def test_a_text_is_read_from_any_json(text: str) -> None:
    for arguments in (text_arguments(text), json.dumps({"input": text}), '{\n"input":\t' + json.dumps(text) + " }"):
        for size in (1, 2, 5, 99):
            scanner, rest, found, is_done = TextScanner(JSON_ARGUMENTS.scanner(custom("q"))), "", "", False
            for start in range(0, len(arguments), size):
                rest += arguments[start : start + size]
                piece, num_read, is_done = scanner.push(rest)
                found, rest = found + piece, rest[num_read:]
            assert (found, is_done) == (text, True)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ('{"input": 5}', ""),
        ('{"input": true, "input": "a"}', ""),
        ('{"input": ["a"]}', ""),
        ('{"input": "a", "input": "b"}', "a"),
        ('{"other": "\\ud83d", "input": "\\n"}', "\n"),
    ],
)
def test_only_the_first_value_is_the_text_and_only_a_string(arguments: str, text: str) -> None:
    for size in (1, 3, 99):
        scanner, rest, found = TextScanner(JSON_ARGUMENTS.scanner(custom("q"))), "", ""
        for start in range(0, len(arguments), size):
            rest += arguments[start : start + size]
            piece, num_read, _ = scanner.push(rest)
            found, rest = found + piece, rest[num_read:]
        assert found == text


def test_half_a_surrogate_pair_is_no_text() -> None:
    scanner = TextScanner(JSON_ARGUMENTS.scanner(custom("q")))
    assert scanner.push('{"input": "\\ud800\\ud83d\\ude00\\udc00a"}').arguments == "\ufffd\U0001f600\ufffda"


def test_a_random_text_is_never_cut_at_an_escape() -> None:
    rng = random.Random(1)
    for _ in range(200):
        text = "".join(rng.choice('ab"\\\n\té\U0001f600') for _ in range(rng.randrange(8)))
        spelled, scanner, rest, found = (
            json.dumps({"input": text}),
            TextScanner(JSON_ARGUMENTS.scanner(Tool("q"))),
            "",
            "",
        )
        for char in spelled:
            piece, num_read, _ = scanner.push(rest + char)
            rest, found = (rest + char)[num_read:], found + piece
            assert text.startswith(found)
        assert found == text


def test_a_reader_says_which_calls_are_custom() -> None:
    text = spelled(HERMES, custom("q"), "a\nb") + "\n" + HERMES.spell([ToolCall("", "g", "{}")])
    reader = CallReader(HERMES, (custom("q"), Tool("g")))
    _, deltas = reader.push(text)
    assert [(call.arguments, call.is_custom) for call in reader.calls] == [("a\nb", True), ("{}", False)]
    assert {(delta.index, delta.is_custom) for delta in deltas} == {(0, True), (1, False)}
    assert reader.calls[0].message_part["custom"] == {"name": "q", "input": "a\nb"}


def test_former_calls_are_shown_as_the_function() -> None:
    part = ToolCall("x", "q", 'a"', is_custom=True).message_part
    support = ToolSupport(HERMES, shows_tools=True, writes_calls=True)
    (message,) = prepare([{"role": "assistant", "content": "", "tool_calls": [part]}], None, support)
    assert message["tool_calls"][0]["function"] == {"name": "q", "arguments": {"input": 'a"'}}
    definition = custom("q", "lark", 'start: "a"').definition["function"]
    assert 'start: "a"' in definition["parameters"]["properties"]["input"]["description"]


def test_a_mark_that_the_terminals_may_spell_is_refused() -> None:
    loose = custom("q", "lark", 'start: line+\nline: /.*/ "</" /.*/')
    with pytest.raises(UnsupportedSchemaError, match="may spell"):
        compile_grammar(BYTES, structural_tag=tool_tag(QWEN3_CODER, ToolUse((loose,), only="q")))


@pytest.mark.parametrize(
    ("tool", "message"),
    [
        ({"type": "custom", "custom": {"name": "a", "parameters": {}}}, "a custom tool has name, description, format"),
        ({"type": "custom", "custom": {"name": "a", "format": {"type": "json"}}}, "format must be"),
        (
            {"type": "custom", "custom": {"name": "a", "format": {"type": "grammar", "grammar": GBNF}}},
            "one of lark, regex",
        ),
        ({"type": "custom", "function": {"name": "a"}}, 'or the same of "custom"'),
    ],
)
def test_wrong_custom_tools(tool: dict[str, Any], message: str) -> None:
    with pytest.raises(RequestFieldError, match=message) as raised:
        ToolUse.of([tool])
    assert raised.value.param == "tools[0]"


def test_a_wrong_grammar_names_its_tool() -> None:
    use = ToolUse((Tool("f"), custom("q", "lark", "start: nothing")), "required")
    plan = plan_tools(use, SamplingParams(), HERMES, "compact")
    assert plan is not None

    def compiled(params: SamplingParams) -> None:
        compile_grammar(BYTES, structural_tag=params.structural_tag)

    with pytest.raises(RequestFieldError, match=r"tools\[1\] \(q\): invalid grammar: the rule nothing is not defined"):
        plan.with_free_tools(GrammarError("?"), compiled)


@pytest.mark.parametrize("style", sorted(STYLES))
def test_a_text_in_every_style(style: str) -> None:
    arguments, tool = StyledArguments(style), custom("sql", "lark", SQL)
    text = "SELECT name FROM t WHERE x >= 'ü\n'"
    content = {"type": "structural_tag", "format": arguments.of_call(tool, is_compact=True)}
    matcher = compile_grammar(BYTES, structural_tag=content).matcher()
    spelled = arguments.spell(text_arguments(text))
    if STYLES[style].is_wrapped:
        spelled = spelled.replace(text, f"\n{text}\n")
    assert all(matcher.accept_token(byte) for byte in spelled.encode())
    assert matcher.is_accepting()
    scanner = TextScanner(arguments.scanner(tool))
    assert scanner.push(f"{spelled}</end>").arguments == text


@pytest.mark.parametrize(
    ("regex", "part"),
    [
        (r"a[[:alpha:]]", "[[:alpha:]"),
        ("[a-z&&x]", "[a-z&&x]"),
        ("[a--b]", "[a--b]"),
        (r"\<a", r"\<"),
        (r"\b{start}", r"\b{"),
        ("a*+", "*+"),
        ("a{2}+", "}+"),
        (r"[\[&-]\[\++\b(?:a-)+[]a]", None),
    ],
)
def test_regexes_that_mean_something_else_in_rust(regex: str, part: str | None) -> None:
    assert other_meaning(regex) == part
    grammar = {"type": "grammar", "grammar": {"syntax": "regex", "definition": regex}}
    tool = {"type": "custom", "custom": {"name": "a", "format": grammar}}
    if part is not None:
        with pytest.raises(RequestFieldError, match="means something else in Python"):
            ToolUse.of([tool])
    else:
        assert ToolUse.of([tool]).tools[0].grammar == TextGrammar("regex", regex)
