"""FireFunction and Phi-4-mini: `functools` and a list of objects with name and arguments."""

from __future__ import annotations

from ..syntax import ToolSyntax

FUNCTOOLS = ToolSyntax(
    "functools",
    '{"name": "NAME", "arguments": ARGUMENTS}',
    group_begin="functools[",
    between=", ",
    group_end="]",
    trigger="functools[",
    announced=("functools[",),
)
