"""Apertus: between marks, a list of objects whose one key is the tool's name."""

from __future__ import annotations

from ..syntax import ToolSyntax

APERTUS = ToolSyntax(
    "apertus",
    '{"NAME": ARGUMENTS}',
    group_begin="<|tools_prefix|>[",
    between=", ",
    group_end="]<|tools_suffix|>",
    trigger="<|tools_prefix|>",
    announced=("<|tools_prefix|>",),
)
