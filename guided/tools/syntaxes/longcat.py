"""LongCat: like Hermes, with tags of its own."""

from __future__ import annotations

from ..syntax import ToolSyntax

LONGCAT = ToolSyntax(
    "longcat",
    '<longcat_tool_call>\n{"name": "NAME", "arguments": ARGUMENTS}\n</longcat_tool_call>',
    between="\n",
    trigger="<longcat_tool_call>",
    announced=("<longcat_tool_call>", "</longcat_tool_call>"),
)
