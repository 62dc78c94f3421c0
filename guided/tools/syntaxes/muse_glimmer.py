"""Muse Glimmer: an answer consists of messages, each to a recipient: the model itself, a tool or the user.

    <|start|>assistant to=self<|message|>A thought<|eom|><|start|>assistant to=user<|message|>The answer<|eot|>
    <|start|>assistant to=NAME<|message|><atem:function_calls>
    <atem:invoke name="NAME">
    <atem:parameter name="city">Paris</atem:parameter>
    </atem:invoke>
    </atem:function_calls><|eot|>

The prompt ends with `<|start|>assistant`. `<|eom|>` ends a message that another one follows. Here a
call ends the answer.
"""

from __future__ import annotations

from guided.grammars.styles import Layout

from ..channels import Channels, Part
from ..styled_arguments import StyledArguments
from ..syntax import ToolSyntax

_CALLS = '<atem:function_calls>\n<atem:invoke name="NAME">\nARGUMENTS</atem:invoke>\n</atem:function_calls>'

MUSE_GLIMMER = ToolSyntax(
    "muse_glimmer",
    f" to=NAME<|message|>{_CALLS}",
    between="<|eom|><|start|>assistant",
    is_parallel=False,
    arguments=StyledArguments("atem_xml", Layout(behind="\n")),
    announced=("<atem:function_calls>", "<atem:parameter name="),
    channels=Channels(
        before=(Part(" to=self<|message|>", "<|eom|>", is_thinking=True),),
        answer=Part(" to=user<|message|>", "<|eot|>"),
        between="<|start|>assistant",
        end="<|eot|>",
    ),
)
