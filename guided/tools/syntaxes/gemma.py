"""Gemma 4 and FunctionGemma: the arguments are an object whose names are bare, with marks of their own for quotes."""

from __future__ import annotations

from ..styled_arguments import StyledArguments
from ..syntax import ToolSyntax

GEMMA_4 = ToolSyntax(
    "gemma_4",
    "<|tool_call>call:NAMEARGUMENTS<tool_call|>",
    trigger="<|tool_call>",
    arguments=StyledArguments("gemma"),
    announced=("<|tool>",),
)
FUNCTION_GEMMA = ToolSyntax(
    "function_gemma",
    "<start_function_call>call:NAMEARGUMENTS<end_function_call>",
    trigger="<start_function_call>",
    arguments=StyledArguments("function_gemma"),
    announced=("<start_function_declaration>",),
)
