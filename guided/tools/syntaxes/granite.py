"""IBM's Granite 3: `<|tool_call|>` and a list of objects. Granite 20B: `<function_call>` and an object for each call.

Granite 4 writes the same syntax as Hermes.
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
