"""Harmony, the format of gpt-oss: an answer consists of messages, each in a channel, and a call is one of them.

    <|channel|>analysis<|message|>A thought<|end|><|start|>assistant<|channel|>final<|message|>The answer<|return|>
    <|start|>assistant to=functions.NAME<|channel|>commentary json<|message|>{"city": "Paris"}<|call|>
    <|start|>assistant<|channel|>commentary to=functions.NAME <|constrain|>json<|message|>{"city": "Paris"}<|call|>

The chat template writes earlier calls in the first form; models mostly write the second. The prompt ends with
`<|start|>assistant`. A call ends the answer. `<|return|>` and `<|call|>` end the model's output.
"""

from __future__ import annotations

from ..channels import Channels, Part
from ..syntax import ToolSyntax

CHANNELS = Channels(
    before=(
        Part("<|channel|>analysis<|message|>", "<|end|>", is_thinking=True),
        Part("<|channel|>commentary<|message|>", "<|end|>"),  # a remark before a call
    ),
    answer=Part("<|channel|>final<|message|>", "<|return|>"),
    between="<|start|>assistant",
    thinking_key="thinking",
    end="<|call|>",
)
HARMONY = ToolSyntax(
    "harmony",
    " to=functions.NAME<|channel|>commentary json<|message|>ARGUMENTS",
    is_parallel=False,
    other_openers=(
        " to=functions.NAME<|channel|>commentary <|constrain|>json<|message|>",
        "<|channel|>commentary to=functions.NAME <|constrain|>json<|message|>",
        "<|channel|>commentary to=functions.NAME<|constrain|>json<|message|>",
        "<|channel|>commentary to=functions.NAME json<|message|>",
    ),
    channels=CHANNELS,
)
