"""Hermes, Qwen 2.5 and Qwen 3: `<tool_call>`, an object with name and arguments, `</tool_call>`; each call alone.

Also the syntax that models without one are told to use.
"""

from __future__ import annotations

from ..syntax import ToolSyntax

HERMES = ToolSyntax(
    "hermes",
    '<tool_call>\n{"name": "NAME", "arguments": ARGUMENTS}\n</tool_call>',
    between="\n",
    trigger="<tool_call>",
    announced=("<tool_call>", '"arguments"', "</tool_call>"),
)
