"""Kimi K2: a group of special tokens; each call is `functions.`, the name, the call's number, and the arguments."""

from __future__ import annotations

import dataclasses

from ..ids import NUMBERS
from ..syntax import ToolSyntax


def _numbered(call_id: str, name: str, place: int) -> str:
    return f"functions.{name}:{place}"


KIMI_K2 = ToolSyntax(
    "kimi_k2",
    "<|tool_call_begin|>functions.NAME:ID<|tool_call_argument_begin|>ARGUMENTS<|tool_call_end|>",
    group_begin="<|tool_calls_section_begin|>",
    group_end="<|tool_calls_section_end|>",
    trigger="<|tool_calls_section_begin|>",
    ids=dataclasses.replace(NUMBERS, for_template=_numbered),
    announced=("<|tool_calls_section_begin|>",),
)
