"""Families without marks: the whole answer is an object, or a list of objects, with name and arguments.

Llama 3.1 to 3.3 call the arguments "parameters"; xLAM writes a list.
"""

from __future__ import annotations

from ..syntax import ToolSyntax

_CALL = '{"name": "NAME", "arguments": ARGUMENTS}'

LLAMA3_JSON = ToolSyntax("llama3_json", '{"name": "NAME", "parameters": ARGUMENTS}', is_parallel=False)
PLAIN_JSON = ToolSyntax("plain_json", _CALL, is_parallel=False)
XLAM = ToolSyntax("xlam", _CALL, group_begin="[", between=", ", group_end="]")
