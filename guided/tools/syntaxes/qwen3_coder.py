"""Qwen3-Coder and models with its format: the function is a tag, its parameters are tags inside it, and strings are
bare.

Qwen 3.5, Step 3.5 and Nemotron 3 write the same; Seed-OSS writes other tags around it.
"""

from __future__ import annotations

from guided.grammars.styles import Layout

from ..styled_arguments import StyledArguments
from ..syntax import ToolSyntax

QWEN3_CODER = ToolSyntax(
    "qwen3_coder",
    "<tool_call>\n<function=NAME>\nARGUMENTS</function>\n</tool_call>",
    between="\n",
    trigger="<tool_call>",
    arguments=StyledArguments("qwen_xml", Layout(around="\n", behind="\n")),
    announced=("<tool_call>", "<function=", "<parameter="),
)
SEED_OSS = ToolSyntax(
    "seed_oss",
    "<seed:tool_call>\n<function=NAME>\nARGUMENTS</function>\n</seed:tool_call>",
    between="\n",
    trigger="<seed:tool_call>",
    arguments=StyledArguments("qwen_xml", Layout(behind="\n")),
    announced=("<seed:tool_call>", "<function=", "<parameter="),
)
