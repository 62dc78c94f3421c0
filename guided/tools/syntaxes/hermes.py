"""Hermes, Qwen 2.5 and Qwen 3: `<tool_call>`, an object with name and arguments, `</tool_call>`; each call alone.

Also the syntax that models without one are told to use.
"""

from __future__ import annotations

from ..syntax import ToolSyntax

HERMES = ToolSyntax(
    "hermes",
    name_prefix='<tool_call>\n{"name": "',
    name_suffix='", "arguments": ',
    closer="}\n</tool_call>",
    between="\n",
    trigger="<tool_call>",
)


def find(template: str) -> ToolSyntax | None:
    """The syntax, where a chat template writes it. Other syntaxes between the same tags are none of this."""
    is_other = any(mark in template for mark in ("<function=", "<arg_key>", "<parameter="))
    return HERMES if "<tool_call>" in template and not is_other else None
