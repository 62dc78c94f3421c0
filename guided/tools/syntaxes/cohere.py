"""Cohere's models. Command R+, R7B and A write a list of objects with name and parameters, which R7B and A count.
Later models write calls as elements, which they count, too.
"""

from __future__ import annotations

from ..arguments import IndentedJson
from ..ids import NUMBERS
from ..styled_arguments import StyledArguments
from ..syntax import ToolSyntax

COMMAND_R7B = ToolSyntax(
    "command_r7b",
    '{"tool_call_id": "ID", "tool_name": "NAME", "parameters": ARGUMENTS}',
    group_begin="<|START_ACTION|>[\n    ",
    between=",\n    ",
    group_end="\n]<|END_ACTION|>",
    trigger="<|START_ACTION|>",
    ids=NUMBERS,
    announced=("<|START_ACTION|>", "<|END_ACTION|>"),
)
COMMAND_R_PLUS = ToolSyntax(
    "command_r_plus",
    '{\n        "tool_name": "NAME",\n        "parameters": ARGUMENTS\n    }',
    group_begin="Action:\n```json\n[\n    ",
    between=",\n    ",
    group_end="\n]```",
    trigger="Action:",
    arguments=IndentedJson(width=4, before=8),
    announced=("Action:", '"tool_name"'),
)
COMMAND_COFL = ToolSyntax(
    "command_cofl",
    '<cofl:tool_call id="ID" name="NAME">ARGUMENTS</cofl:tool_call>',
    group_begin="<cofl:tool_calls>",
    group_end="</cofl:tool_calls>",
    trigger="<cofl:tool_calls>",
    arguments=StyledArguments("cohere_xml"),
    ids=NUMBERS,
    announced=("<cofl:tool_calls>",),
)
