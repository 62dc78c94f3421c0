"""MiniMax M2: calls in a group, each with its arguments as tags."""

from __future__ import annotations

from guided.grammars.styles import Layout

from ..styled_arguments import StyledArguments
from ..syntax import ToolSyntax

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
