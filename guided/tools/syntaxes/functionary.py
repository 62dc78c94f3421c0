"""Functionary 3.1: a tag that names the tool, with JSON in it. Llama 3.1 writes the same if prompted for user-defined
tools.
"""

from __future__ import annotations

from ..syntax import ToolSyntax

FUNCTIONARY = ToolSyntax(
    "functionary",
    "<function=NAME>ARGUMENTS</function>",
    trigger="<function=",
    announced=("<function=", "</function>"),
)
