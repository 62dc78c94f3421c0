"""Llama 3.1 to 3.3: the whole answer is an object with name and parameters. One call in an answer."""

from __future__ import annotations

from ..syntax import ToolSyntax

LLAMA3_JSON = ToolSyntax("llama3_json", '{"name": "NAME", "parameters": ARGUMENTS}', is_parallel=False)
