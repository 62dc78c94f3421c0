"""MiniCPM 5: each call alone, an element whose children are the arguments."""

from __future__ import annotations

from ..styled_arguments import StyledArguments
from ..syntax import ToolSyntax

MINICPM_5 = ToolSyntax(
    "minicpm_5",
    '<function name="NAME">ARGUMENTS</function>',
    between="\n",
    trigger="<function name=",
    arguments=StyledArguments("minicpm5_xml"),
    announced=("<function name=", "<param name="),
)
