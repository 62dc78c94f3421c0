"""Llama 3.1 to 3.3: the whole answer is an object with name and parameters. One call in an answer."""

from __future__ import annotations

from ..syntax import ToolSyntax

LLAMA3_JSON = ToolSyntax(
    "llama3_json", name_prefix='{"name": "', name_suffix='", "parameters": ', closer="}", is_parallel=False
)


def find(template: str) -> ToolSyntax | None:
    """The syntax, where a chat template writes it."""
    return LLAMA3_JSON if '"parameters": ' in template and "<|python_tag|>" in template else None
