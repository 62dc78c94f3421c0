"""NVIDIA's Nemotron Nano 2 and Llama Nemotron: a list of objects between `<TOOLCALL>` and `</TOOLCALL>`."""

from __future__ import annotations

from ..syntax import ToolSyntax

NEMOTRON = ToolSyntax(
    "nemotron",
    '{"name": "NAME", "arguments": ARGUMENTS}',
    group_begin="<TOOLCALL>[",
    between=", ",
    group_end="]</TOOLCALL>",
    trigger="<TOOLCALL>",
    announced=("<TOOLCALL>", "</TOOLCALL>"),
)
