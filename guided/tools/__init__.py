"""Tools: what a model may call, how its calls look in its text, and how they are read back.

The modules:

    definitions.py   the tools of a conversation             calls.py     a model's calls
    syntax.py        how one family of models writes calls   families.toml  all families; families.py reads it
    ids.py           the form of calls' ids                  marks.py     marks around names and arguments
    support.py       finds the syntax that a chat template writes (probe.py, fitting.py, learning.py)
    channels.py      answers of several parts, such as thoughts and calls; channel_reader.py separates them
    arguments.py     how arguments are written: JSON
    styled_arguments.py, styled_scanner.py: one by one, in the styles of `guided.grammars.styles`
    python_arguments.py: as the arguments of a call in Python
    custom.py        tools whose calls are texts             text_scanner.py: reads these texts from a call's arguments
    stop_reader.py   text up to a stop                       json_marks.py: strings and the end of a JSON text
    grammar.py       tools and a choice -> a structural tag  call_reader.py: text -> calls, piece by piece
    conversation.py  messages with calls, converted for a chat template; completed.py: definitions that say more
    plan.py          all of it for one request
"""

from .calls import ToolCall, ToolCallDelta
from .definitions import Tool, ToolOptions, ToolUse

__all__ = ["Tool", "ToolCall", "ToolCallDelta", "ToolOptions", "ToolUse"]
