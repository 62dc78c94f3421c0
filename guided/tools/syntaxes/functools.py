"""FireFunction, and Phi-4-mini as vLLM prompts it: `functools` and a list of objects with name and arguments.

Phi-4-mini's own template shows tools between `<|tool|>` and `<|/tool|>`; the model answers between similar marks.
"""

from __future__ import annotations

from ..syntax import ToolSyntax

FUNCTOOLS = ToolSyntax(
    "functools",
    '{"name": "NAME", "arguments": ARGUMENTS}',
    group_begin="functools[",
    between=", ",
    group_end="]",
    trigger="functools[",
    announced=("functools[",),
)
PHI4_MINI = ToolSyntax(
    "phi4_mini",
    '{"name": "NAME", "arguments": ARGUMENTS}',
    group_begin="<|tool_call|>[",
    between=", ",
    group_end="]<|/tool_call|>",
    trigger="<|tool_call|>",
    announced=("<|tool|>", "<|/tool|>"),
)
