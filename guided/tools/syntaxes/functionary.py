"""Functionary 3.1, and Llama 3.1 where tools of users are asked for so: a tag that names the tool, JSON in it."""

from __future__ import annotations

from ..syntax import ToolSyntax

FUNCTIONARY = ToolSyntax(
    "functionary",
    "<function=NAME>ARGUMENTS</function>",
    trigger="<function=",
    announced=("<function=", "</function>"),
)
