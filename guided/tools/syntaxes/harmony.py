"""Harmony, which gpt-oss writes: an answer is messages, each in a channel, and a call is one of them.

    <|channel|>analysis<|message|>A thought<|end|><|start|>assistant<|channel|>final<|message|>The answer<|return|>
    <|start|>assistant to=functions.NAME<|channel|>commentary json<|message|>{"city": "Paris"}<|call|>
    <|start|>assistant<|channel|>commentary to=functions.NAME <|constrain|>json<|message|>{"city": "Paris"}<|call|>

The chat template writes former calls in the first form, the models mostly the second.

The prompt ends with `<|start|>assistant`. One call ends an answer. `<|return|>` and `<|call|>` end the model's texts.
"""

from __future__ import annotations

from ..channels import Channels, Part
from ..syntax import ToolSyntax

CHANNELS = Channels(
    before=(
        Part("<|channel|>analysis<|message|>", "<|end|>", is_thinking=True),
        Part("<|channel|>commentary<|message|>", "<|end|>"),  # what is told before a call
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
