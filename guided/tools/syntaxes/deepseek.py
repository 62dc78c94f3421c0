# ruff: noqa: RUF001 - the special tokens are written with a fullwidth bar
"""DeepSeek: calls in a group of their own special tokens.

V3 and R1 write the arguments in a block of code, from V3.1 on without. Their chat templates join arguments as text.
"""

from __future__ import annotations

from ..syntax import ToolSyntax

DEEPSEEK_V3 = ToolSyntax(
    "deepseek_v3",
    name_prefix="<｜tool▁call▁begin｜>function<｜tool▁sep｜>",
    name_suffix="\n```json\n",
    closer="\n```<｜tool▁call▁end｜>",
    group_begin="<｜tool▁calls▁begin｜>",
    between="\n",
    group_end="<｜tool▁calls▁end｜>",
    trigger="<｜tool▁calls▁begin｜>",
    arguments_as_text=True,
)
DEEPSEEK_V31 = ToolSyntax(
    "deepseek_v31",
    name_prefix="<｜tool▁call▁begin｜>",
    name_suffix="<｜tool▁sep｜>",
    closer="<｜tool▁call▁end｜>",
    group_begin="<｜tool▁calls▁begin｜>",
    group_end="<｜tool▁calls▁end｜>",
    trigger="<｜tool▁calls▁begin｜>",
    arguments_as_text=True,
)


def find(template: str) -> ToolSyntax | None:
    """The syntax, where a chat template writes it."""
    if "<｜tool▁calls▁begin｜>" not in template:
        return None
    return DEEPSEEK_V3 if "```json" in template else DEEPSEEK_V31
