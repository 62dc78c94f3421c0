"""Kimi K3: thoughts, the answer and calls are consecutive elements. Calls are numbered from 1."""

from __future__ import annotations

from ..channels import Channels, Part
from ..ids import CallIds
from ..styled_arguments import StyledArguments
from ..syntax import ToolSyntax

_TOOLS = "<|open|>tools<|sep|>"


def _index(call_id: str, name: str, place: int) -> str:
    return str(place + 1)


KIMI_K3 = ToolSyntax(
    "kimi_k3",
    '<|open|>call tool="NAME" index="ID"<|sep|>ARGUMENTS<|close|>call<|sep|>',
    group_begin=_TOOLS,
    group_end="<|close|>tools<|sep|>",
    trigger=_TOOLS,
    arguments=StyledArguments("kimi_k3_xml"),
    ids=CallIds(in_text=_index, characters="[0-9]", most=4),
    announced=(_TOOLS,),
    channels=Channels(
        before=(Part("<|open|>think<|sep|>", "<|close|>think<|sep|>", is_thinking=True),),
        answer=Part("<|open|>response<|sep|>", "<|close|>response<|sep|>"),
        has_both=True,
        is_opened=True,
        end="<|close|>message<|sep|>",
    ),
)
