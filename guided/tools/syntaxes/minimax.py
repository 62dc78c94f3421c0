"""MiniMax M2 and M3: calls in a group, each with its arguments as tags; M3 puts a mark of its own before every tag."""

from __future__ import annotations

from guided.grammars.styles import Layout

from ..styled_arguments import StyledArguments
from ..syntax import ToolSyntax

_MARK = "]<]minimax[>["

MINIMAX_M2 = ToolSyntax(
    "minimax_m2",
    '<invoke name="NAME">\nARGUMENTS</invoke>',
    group_begin="<minimax:tool_call>\n",
    between="\n",
    group_end="\n</minimax:tool_call>",
    trigger="<minimax:tool_call>",
    arguments=StyledArguments("minimax_xml", Layout(behind="\n")),
    announced=("<minimax:tool_call>", "<invoke name=", "<parameter name="),
)
MINIMAX_M3 = ToolSyntax(
    "minimax_m3",
    f'{_MARK}<invoke name="NAME">ARGUMENTS{_MARK}</invoke>',
    group_begin=f"{_MARK}<tool_call>\n",
    between="\n",
    group_end=f"\n{_MARK}</tool_call>",
    trigger=f"{_MARK}<tool_call>",
    arguments=StyledArguments("minimax_m3_xml"),
    announced=(f"{_MARK}<tool_call>",),
)
