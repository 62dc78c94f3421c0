"""Hermes, Qwen 2.5 and Qwen 3: each call is an object with name and arguments between `<tool_call>` and `</tool_call>`.

Models without a known syntax are told to use this one.
"""

from __future__ import annotations

from ..syntax import ToolSyntax

HERMES = ToolSyntax(
    "hermes",
    '<tool_call>\n{"name": "NAME", "arguments": ARGUMENTS}\n</tool_call>',
    between="\n",
    trigger="<tool_call>",
    announced=("<tool_call>", "arguments", "</tool_call>"),
)
