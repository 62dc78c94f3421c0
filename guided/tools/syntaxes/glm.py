"""GLM 4.5 to 5: the tool's name, then each argument's name and value between tags. 4.5 and 4.6 write line breaks
between them. Laguna does so after names of arguments.
"""

from __future__ import annotations

from ..styled_arguments import StyledArguments
from ..syntax import ToolSyntax

GLM = ToolSyntax(
    "glm",
    "<tool_call>NAMEARGUMENTS</tool_call>",
    trigger="<tool_call>",
    arguments=StyledArguments("glm_xml"),
    announced=("<tool_call>", "<arg_key>", "<arg_value>"),
)
