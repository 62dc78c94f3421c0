"""MiniMax M1: objects with name and arguments, one a line, between `<tool_calls>` and `</tool_calls>`."""

from __future__ import annotations

from ..syntax import ToolSyntax

MINIMAX_M1 = ToolSyntax(
    "minimax_m1",
    '{"name": "NAME", "arguments": ARGUMENTS}',
    group_begin="<tool_calls>\n",
    between="\n",
    group_end="\n</tool_calls>",
    trigger="<tool_calls>",
    announced=("<tool_calls>\n{", "</tool_calls>"),
)
