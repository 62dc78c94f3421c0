"""Hunyuan A13B, Jamba, Apriel: a list of objects with name and arguments between `<tool_calls>` and `</tool_calls>`.

Apriel's template gives earlier calls an id. Hunyuan 3 (Hy3) writes each argument between tags, whose names end with the
edition of the model.
"""

from __future__ import annotations

from guided.grammars.styles import Layout

from ..styled_arguments import StyledArguments
from ..syntax import ToolSyntax

HUNYUAN = ToolSyntax(
    "hunyuan",
    '{"name": "NAME", "arguments": ARGUMENTS}',
    id_part=', "id": "ID"',
    group_begin="<tool_calls>[",
    between=", ",
    group_end="]</tool_calls>",
    trigger="<tool_calls>",
    announced=("<tool_calls>[", "</tool_calls>"),
)
HUNYUAN_3 = ToolSyntax(
    "hunyuan_3",
    "<tool_call:opensource>NAME<tool_sep:opensource>\nARGUMENTS</tool_call:opensource>",
    group_begin="<tool_calls:opensource>\n",
    between="\n",
    group_end="\n</tool_calls:opensource>",
    trigger="<tool_calls:opensource>",
    arguments=StyledArguments("hy3_xml", Layout(between="\n", behind="\n")),
    announced=("<tool_calls:opensource>", "<arg_key:opensource>"),
)
