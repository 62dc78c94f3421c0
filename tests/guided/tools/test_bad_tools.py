"""Tools and calls that are made to trip a syntax up: marks in names and in values, calls that are cut anywhere."""

from __future__ import annotations

import json
from typing import Any

import pytest

from guided.errors import RequestFieldError
from guided.grammars.errors import InvalidInputError
from guided.tools import Tool, ToolCall, ToolUse
from guided.tools.syntax import ToolSyntax
from guided.tools.syntaxes import FAMILIES
from tests.guided.tools.test_grammar_and_reader import read

SCHEMA: dict[str, Any] = {"properties": {"text": {"type": "string"}, "more": {"type": "array"}}}
TOOL = Tool("f", None, SCHEMA, is_open=True)
by_family = pytest.mark.parametrize("syntax", FAMILIES, ids=lambda syntax: syntax.name)


def marks_of(syntax: ToolSyntax) -> str:
    """All that begins, divides and ends calls."""
    parts = [syntax.trigger, syntax.group_begin, syntax.opener("f"), syntax.closer, syntax.between, syntax.group_end]
    return "".join(parts)


def spelled(syntax: ToolSyntax, arguments: Any) -> str:
    return syntax.spell([ToolCall("", "f", json.dumps(arguments, ensure_ascii=False))])


@by_family
def test_values_and_names_may_hold_marks_where_arguments_are_json(syntax: ToolSyntax) -> None:
    arguments = {"text": f"x{marks_of(syntax)}y", "more": [{f"k{marks_of(syntax)}": marks_of(syntax)}]}
    if spelled(syntax, {"text": "x"}).count("{") == syntax.opener("f").count("{"):
        pytest.skip("arguments stand one by one, in marks")
    for pieces in ([spelled(syntax, arguments)], list(spelled(syntax, arguments))):
        content, (call,) = read(syntax, pieces, (TOOL,))
        assert (content, json.loads(call.arguments)) == ("", arguments)


@by_family
def test_a_call_that_is_cut_anywhere_loses_nothing(syntax: ToolSyntax) -> None:
    """Before a call has a name it is text; then its arguments are shown as far as they are there."""
    text = spelled(syntax, {"text": "He said </x> twice.", "more": [1, {"a": None}]})
    _, (whole,) = read(syntax, [text], (TOOL,))
    shown = 0
    for cut in range(len(text)):
        content, calls = read(syntax, [text[:cut]], (TOOL,))
        if not calls:
            assert content == text[:cut]
            continue
        assert content == ""
        assert len(calls[0].arguments) >= shown
        shown = len(calls[0].arguments)
    assert shown >= len(whole.arguments) - 1


def test_names_that_no_tool_may_have() -> None:
    for name in ("<tool_call>", "f\n", "", "f g", "</f>", "é"):
        with pytest.raises(InvalidInputError, match="a tool's name has"):
            Tool(name)


def test_two_tools_of_one_name() -> None:
    with pytest.raises(RequestFieldError, match="two tools with the name 'f'"):
        ToolUse((TOOL, Tool("f")))
