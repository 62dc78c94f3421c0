"""Hunyuan A13B, Jamba, Apriel: a list of objects with name and arguments between `<tool_calls>` and `</tool_calls>`.

Apriel's template gives earlier calls an id.
"""

from __future__ import annotations

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
