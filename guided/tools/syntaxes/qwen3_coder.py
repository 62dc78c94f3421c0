"""Qwen3-Coder, and others with its form: the function is a tag, its parameters are tags in it, strings are bare."""

from __future__ import annotations

from ..syntax import ToolSyntax
from ..xml_parameters import END_OF_CALL, XmlParameters

QWEN3_CODER = ToolSyntax(
    "qwen3_coder",
    name_prefix="<tool_call>\n<function=",
    name_suffix=">\n",
    closer=f"{END_OF_CALL}\n</tool_call>",
    between="\n",
    trigger="<tool_call>",
    arguments=XmlParameters(),
)


def find(template: str) -> ToolSyntax | None:
    """The syntax, where a chat template writes it."""
    is_there = all(mark in template for mark in ("<tool_call>", "<function=", "<parameter="))
    return QWEN3_CODER if is_there else None
