# ruff: noqa: RUF001 - the special tokens are written with a fullwidth bar
"""DeepSeek: calls in a group, marked by special tokens.

V3 and R1 write the arguments in a code block; V3.1 and later write them without one.
"""

from __future__ import annotations

from ..syntax import ToolSyntax

_BEGIN, _END = "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"

DEEPSEEK_V3 = ToolSyntax(
    "deepseek_v3",
    "<｜tool▁call▁begin｜>function<｜tool▁sep｜>NAME\n```json\nARGUMENTS\n```<｜tool▁call▁end｜>",
    group_begin=_BEGIN,
    between="\n",
    group_end=_END,
    trigger=_BEGIN,
    announced=(_BEGIN, "```json"),
)
DEEPSEEK_V31 = ToolSyntax(
    "deepseek_v31",
    "<｜tool▁call▁begin｜>NAME<｜tool▁sep｜>ARGUMENTS<｜tool▁call▁end｜>",
    group_begin=_BEGIN,
    group_end=_END,
    trigger=_BEGIN,
    announced=(_BEGIN,),
)
