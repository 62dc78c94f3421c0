"""Calls as in Python. Llama 4 and 3.2 write a list of them, LFM2 a list between marks, OLMo 3 one call a line."""

from __future__ import annotations

from ..python_arguments import PythonArguments
from ..syntax import ToolSyntax

_CALL = "NAME(ARGUMENTS)"
_ARGUMENTS = PythonArguments()

PYTHONIC = ToolSyntax(
    "pythonic",
    _CALL,
    group_begin="[",
    between=", ",
    group_end="]",
    arguments=_ARGUMENTS,
    announced=("[func_name1(params_name1=params_value1",),
)
LFM2 = ToolSyntax(
    "lfm2",
    _CALL,
    group_begin="<|tool_call_start|>[",
    between=", ",
    group_end="]<|tool_call_end|>",
    trigger="<|tool_call_start|>",
    arguments=_ARGUMENTS,
    announced=("List of tools: ",),
)
OLMO_3 = ToolSyntax(
    "olmo_3",
    _CALL,
    group_begin="<function_calls>\n",
    between="\n",
    group_end="\n</function_calls>",
    trigger="<function_calls>",
    arguments=_ARGUMENTS,
    announced=("<functions>", "</functions>"),
)
