# ruff: noqa: RUF001 - the marks are written with fullwidth bars
"""DeepSeek V3.2, V4 and V4.1: calls in a group, arguments as tags that say which values are strings."""

from __future__ import annotations

from guided.grammars.styles import Layout

from ..styled_arguments import StyledArguments
from ..syntax import ToolSyntax

_LINES = Layout(behind="\n")

DEEPSEEK_V32 = ToolSyntax(
    "deepseek_v32",
    '<｜DSML｜invoke name="NAME">\nARGUMENTS</｜DSML｜invoke>',
    group_begin="<｜DSML｜function_calls>\n",
    between="\n",
    group_end="\n</｜DSML｜function_calls>",
    trigger="<｜DSML｜function_calls>",
    arguments=StyledArguments("deepseek_xml", _LINES),
    announced=("<｜DSML｜function_calls>", "<｜DSML｜parameter name="),
)
DEEPSEEK_V4 = ToolSyntax(
    "deepseek_v4",
    '<｜DSML｜invoke name="NAME">\nARGUMENTS</｜DSML｜invoke>',
    group_begin="<｜DSML｜tool_calls>\n",
    between="\n",
    group_end="\n</｜DSML｜tool_calls>",
    trigger="<｜DSML｜tool_calls>",
    arguments=StyledArguments("deepseek_xml", _LINES),
    announced=("<｜DSML｜tool_calls>", "<｜DSML｜parameter name="),
)
DEEPSEEK_V41 = ToolSyntax(
    "deepseek_v41",
    '<｜DSML｜ invoke name="NAME">\nARGUMENTS</｜DSML｜ invoke>',
    group_begin="<｜DSML｜ calls>\n",
    between="\n",
    group_end="\n</｜DSML｜ calls>",
    trigger="<｜DSML｜ calls>",
    arguments=StyledArguments("deepseek_v4_1_xml", _LINES),
    announced=("<｜DSML｜ calls>",),
)
