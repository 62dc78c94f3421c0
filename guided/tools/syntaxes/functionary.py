"""Functionary 3.1: a tag that names the tool, with JSON in it. Llama 3.1 writes the same if prompted for user-defined
tools.

Functionary 3.2 names the reader of each part of an answer, `all` or a tool. The prompt ends with the first mark:

    >>>all
    A text.>>>NAME
    {"city": "Paris"}
"""

from __future__ import annotations

from ..channels import Channels, Part
from ..syntax import ToolSyntax

FUNCTIONARY = ToolSyntax(
    "functionary",
    "<function=NAME>ARGUMENTS</function>",
    trigger="<function=",
    announced=("<function=", "</function>"),
)
FUNCTIONARY_32 = ToolSyntax(
    "functionary_32",
    ">>>NAME\nARGUMENTS",
    trigger=">>>",
    channels=Channels(before=(), answer=Part("all\n", ""), between=">>>", has_calls_in_text=True),
)
