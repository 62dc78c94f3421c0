# ruff: noqa: RUF001 - the marks are written with fullwidth bars
"""DeepSeek V3.2, V4 and V4.1: calls in a group, arguments as tags that say which values are strings."""

from __future__ import annotations

from guided.grammars.styles import Layout

from ..styled_arguments import StyledArguments
from ..syntax import ToolSyntax


def _family(name: str, calls: str, style: str, space: str = "") -> ToolSyntax:
    """Make the syntax. calls: word in the mark around all calls. space: whitespace after the bars of each mark."""
    announced = (f"<｜DSML｜{space}{calls}>", *([] if space else ["<｜DSML｜parameter name="]))
    return ToolSyntax(
        name,
        f'<｜DSML｜{space}invoke name="NAME">\nARGUMENTS</｜DSML｜{space}invoke>',
        group_begin=f"<｜DSML｜{space}{calls}>\n",
        between="\n",
        group_end=f"\n</｜DSML｜{space}{calls}>",
        trigger=f"<｜DSML｜{space}{calls}>",
        arguments=StyledArguments(style, Layout(behind="\n")),
        announced=announced,
    )


DEEPSEEK_V32 = _family("deepseek_v32", "function_calls", "deepseek_xml")
DEEPSEEK_V4 = _family("deepseek_v4", "tool_calls", "deepseek_xml")
DEEPSEEK_V41 = _family("deepseek_v41", "calls", "deepseek_v4_1_xml", space=" ")
