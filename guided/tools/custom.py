"""Custom tools: calls whose one argument is a text, which may have to fit a grammar.

The model is shown such a tool as a function with one string parameter, and writes its calls in the syntax of its
family. Callers get the text itself, with no JSON around it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

PARAMETER = "input"
Syntax = Literal["lark", "regex"]
SYNTAXES = ("lark", "regex")
_NAMES = {"lark": "Lark grammar", "regex": "regular expression"}


@dataclass(frozen=True)
class TextGrammar:
    """What the text of a custom tool fits. syntax: of the definition; a regex, as of Python's `re`, matches in full."""

    syntax: Syntax
    definition: str

    @property
    def format(self) -> dict[str, Any]:
        """The format of a structural tag for the text as it stands."""
        if self.syntax == "regex":
            return {"type": "regex", "pattern": self.definition}
        return {"type": "grammar", "grammar": self.definition, "dialect": "lark"}


def text_schema(grammar: TextGrammar | None) -> dict[str, Any]:
    """The JSON Schema of a function whose one argument is the text."""
    text: dict[str, Any] = {"type": "string"}
    if grammar is not None:
        text["description"] = f"A text that fits this {_NAMES[grammar.syntax]}:\n{grammar.definition}"
    return {"type": "object", "properties": {PARAMETER: text}, "required": [PARAMETER], "additionalProperties": False}


def text_arguments(text: str) -> str:
    """The arguments of the call, as the function's."""
    return json.dumps({PARAMETER: text}, ensure_ascii=False)
