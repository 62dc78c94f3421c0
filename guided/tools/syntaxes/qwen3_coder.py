"""Qwen3-Coder, and others with its form: the function is a tag, its parameters are tags in it, strings are bare."""

from __future__ import annotations

from ..syntax import ToolSyntax
from ..xml_parameters import END_OF_CALL, XmlParameters

QWEN3_CODER = ToolSyntax(
    "qwen3_coder",
    f"<tool_call>\n<function=NAME>\nARGUMENTS{END_OF_CALL}\n</tool_call>",
    between="\n",
    trigger="<tool_call>",
    arguments=XmlParameters(),
    announced=("<tool_call>", "<function=", "<parameter="),
)
