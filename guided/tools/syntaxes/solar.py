"""Solar Open: id, name and arguments between special tokens."""

from __future__ import annotations

from ..syntax import ToolSyntax

SOLAR = ToolSyntax(
    "solar",
    "<|tool_call:begin|>ID<|tool_call:name|>NAME<|tool_call:args|>ARGUMENTS<|tool_call:end|>",
    group_begin="<|tool_calls|>",
    trigger="<|tool_calls|>",
    announced=("<|tool_call:begin|>",),
)
