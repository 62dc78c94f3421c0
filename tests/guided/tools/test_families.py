"""Each family's calls are what its grammar takes and its reader reads; public templates write what we spell."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest

from guided.compile import compile_grammar
from guided.grammars.vocabulary import Vocabulary
from guided.params.sampling_params import SamplingParams
from guided.tools import Tool, ToolCall, ToolUse
from guided.tools.call_reader import CallReader
from guided.tools.families import FAMILIES
from guided.tools.foreign import foreign_family
from guided.tools.grammar import tool_tag
from guided.tools.plan import plan_tools
from guided.tools.syntax import ToolSyntax
from tests.families import check

GLM = FAMILIES["glm"]
HERMES = FAMILIES["hermes"]
PYTHONIC = FAMILIES["pythonic"]

GUIDE = Path(__file__).parents[3] / "docs" / "tools.md"
TEMPLATES = Path(__file__).parents[4] / "shared" / "data" / "chat-templates"

TOOLS = (
    Tool("f", "", {"properties": {"s": {"type": "string"}, "n": {"type": "integer"}}, "required": ["s", "n"]}),
    Tool("f_2"),
)
CALLS = [ToolCall("id1", "f", '{"s": "a b", "n": -7}'), ToolCall("id2", "f_2", "{}"), ToolCall("id3", "f_2", "{}")]


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary([*(bytes([i]) for i in range(256)), None], [256], {"<eos>": 256})


def whole(syntax: ToolSyntax, before: str, calls: str) -> str:
    """An answer."""
    if syntax.channels is not None and syntax.channels.has_calls_in_text:
        return (
            f"{syntax.channels.answer.begin}{before}{calls}" if before else calls.removeprefix(syntax.channels.between)
        )
    if syntax.channels is None or not syntax.channels.has_both:
        return before + calls
    return f"{before}{syntax.channels.answer.end}{calls}{syntax.channels.end}"


def fits(vocabulary: Vocabulary, syntax: ToolSyntax, use: ToolUse, text: str) -> bool:
    matcher = compile_grammar(vocabulary, structural_tag=tool_tag(syntax, use)).matcher()
    return all(matcher.accept_token(byte) for byte in text.encode()) and matcher.is_accepting()


@pytest.mark.parametrize("syntax", FAMILIES.values(), ids=lambda syntax: syntax.name)
def test_calls_are_taken_and_read(vocabulary: Vocabulary, syntax: ToolSyntax) -> None:
    calls = CALLS if syntax.is_parallel else CALLS[:1]
    before = "Well.\n" if syntax.trigger else ""
    spelled = syntax.spell(calls)
    for text, use in ((before + spelled, "auto"), (spelled, "required")):
        assert fits(vocabulary, syntax, ToolUse(TOOLS, use), whole(syntax, text.removesuffix(spelled), spelled))
        for pieces in [text], list(text):
            reader = CallReader(syntax, TOOLS)
            shown = "".join(reader.push(piece)[0] for piece in pieces) + reader.finish()[0]
            assert shown == ("Well." if use == "auto" and before else "")
            read = [(call.name, json.loads(call.arguments)) for call in reader.calls]
            assert read == [(call.name, json.loads(call.arguments)) for call in calls]


@pytest.mark.parametrize("name", ["command_cofl", "function_gemma", "gemma_4", "minimax_m3"])
def test_arguments_inside_of_arguments_are_held(vocabulary: Vocabulary, name: str) -> None:
    syntax = next(family for family in FAMILIES.values() if family.name == name)
    inner = {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}}
    tool = Tool("f", "", {"properties": {"a": inner}, "required": ["a"]}, is_strict=True)
    plan = plan_tools(ToolUse((tool,), only="f"), SamplingParams(), syntax, "flexible")
    assert plan is not None
    assert not plan.use.free
    for items, is_valid in (([{"n": 1}, {"n": -2}], True), ([{"n": "x"}], False), ([{}], False)):
        text = syntax.spell([ToolCall("", "f", json.dumps({"a": items}))])
        assert fits(vocabulary, syntax, plan.use, text) == is_valid


def test_names_and_triggers_of_families() -> None:
    assert len({syntax.name for syntax in FAMILIES.values()}) == len(FAMILIES)
    for syntax in FAMILIES.values():
        assert (syntax.group_begin or syntax.call).startswith(syntax.trigger)
        assert syntax.is_grouped or not syntax.group_end


def test_the_guide_has_all_families_and_says_which_are_held() -> None:
    lines = [line for line in GUIDE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    rows = [re.split(r"(?<!\\)\|", line) for line in lines]
    told = sorted((name, cells[4].strip()) for cells in rows for name in re.findall(r"`(\w+)`", cells[1]))
    held = {
        syntax.name: "each argument" if syntax.arguments is PYTHONIC.arguments else "yes"
        for syntax in FAMILIES.values()
    }
    assert told == sorted(held.items())


@pytest.mark.skipif(not TEMPLATES.is_dir(), reason="no folder of public chat templates beside the project")
def test_public_templates_write_what_families_spell() -> None:
    verdicts = [check(path) for path in sorted(TEMPLATES.glob("*.jinja"))]
    bad = [verdict.line for verdict in verdicts if verdict.problems]
    assert not bad, "\n".join(bad)


def test_calls_of_other_families_are_told() -> None:
    for syntax in FAMILIES.values():
        own = GLM if syntax is HERMES else HERMES
        text = "Well. " * bool(syntax.trigger) + syntax.spell(CALLS[:1])
        begins_so = [
            one.name for one in FAMILIES.values() if (one.group_begin, one.call) == (syntax.group_begin, syntax.call)
        ]
        assert foreign_family(text, TOOLS, own) == begins_so[0]
        assert foreign_family(text, TOOLS[1:], own) is None
    assert foreign_family("<tool_call> and [TOOL_CALLS]f", TOOLS, GLM) is None
    assert foreign_family(HERMES.spell(CALLS), TOOLS, HERMES) is None


def test_a_text_of_marks_is_read_once_whatever_the_tools() -> None:
    tools = [Tool(f"tool_{number}") for number in range(500)]
    start = time.process_time()
    for text in ("<tool_call> and then " * 2000, "[TOOL_CALLS]<|tool_call>" * 2000, '<tool_call>\n{"name": ' * 2000):
        assert foreign_family(f"{text}{HERMES.spell([ToolCall('', 'tool_499', '{}')])}", tools, GLM) == "hermes"
    assert time.process_time() - start < 1, "under 0.05 s on a quiet machine"
