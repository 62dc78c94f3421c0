"""IBM's Granite 3, `<|tool_call|>` and a list of objects, and Granite 20B: `<function_call>` and an object, each alone.

Granite 4 writes as Hermes does.
"""

from __future__ import annotations

from ..syntax import ToolSyntax

_CALL = '{"name": "NAME", "arguments": ARGUMENTS}'

GRANITE_3 = ToolSyntax(
    "granite_3",
    _CALL,
    group_begin="<|tool_call|>[",
    between=", ",
    group_end="]",
    trigger="<|tool_call|>",
    announced=("<|tool_call|>",),
)
GRANITE_20B = ToolSyntax(
    "granite_20b", f"<function_call> {_CALL}", trigger="<function_call>", announced=("<function_call>",)
)
