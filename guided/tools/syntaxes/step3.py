# ruff: noqa: RUF001 - the special tokens are written with a fullwidth bar
"""Step 3: calls in a group of special tokens, each an element with its arguments as tags."""

from __future__ import annotations

from guided.grammars.styles import Layout

from ..styled_arguments import StyledArguments
from ..syntax import ToolSyntax

_INVOKE = '<steptml:invoke name="NAME">\nARGUMENTS</steptml:invoke>'
STEP_3 = ToolSyntax(
    "step_3",
    f"<｜tool_call_begin｜>function<｜tool_sep｜>{_INVOKE}<｜tool_call_end｜>",
    group_begin="<｜tool_calls_begin｜>\n",
    between="\n",
    group_end="\n<｜tool_calls_end｜>",
    trigger="<｜tool_calls_begin｜>",
    arguments=StyledArguments("step3_xml", Layout(behind="\n")),
    announced=("<｜tool_calls_begin｜>", "<steptml:invoke name="),
)
