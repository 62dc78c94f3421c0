"""Custom tools: calls whose one argument is a text, which may have to fit a grammar.

The model sees such a tool as a function with one string parameter, and writes its calls in its family's syntax. Callers
get the text itself, without JSON around it.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Literal

PARAMETER = "input"
Syntax = Literal["lark", "regex"]
SYNTAXES = ("lark", "regex")
_PARTS = re.compile(r"(?P<escape>\\[bB]\{|\\.)|(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])|(?P<count>[*+?}]\+)", re.DOTALL)
_NESTED = re.compile(r"\\.|(\[|&&|--|~~)", re.DOTALL)
_NAMES = {"lark": "Lark grammar", "regex": "regular expression"}


@dataclass(frozen=True)
class TextGrammar:
    """The grammar of a custom tool's text. syntax: of the definition; a regex has the syntax of Python's `re` and must
    match the whole text.
    """

    syntax: Syntax
    definition: str

    @property
    def format(self) -> dict[str, Any]:
        """The format of a structural tag for the text itself."""
        if self.syntax == "regex":
            return {"type": "regex", "pattern": self.definition}
        return {"type": "grammar", "grammar": self.definition, "dialect": "lark"}


def other_meaning(regex: str) -> str | None:
    """A part of a regex that Python's `re` and Rust's crate `regex` read differently; None if there is none."""
    for part in _PARTS.finditer(regex):
        is_nested = part["set"] and any(found[1] for found in _NESTED.finditer(part["set"], 1))
        if is_nested or part["count"] or part["escape"] in ("\\<", "\\>", "\\b{", "\\B{"):
            return part[0]
    return None


def text_schema(grammar: TextGrammar | None) -> dict[str, Any]:
    """The JSON Schema of a function whose one argument is the text."""
    text: dict[str, Any] = {"type": "string"}
    if grammar is not None:
        text["description"] = f"A text that fits this {_NAMES[grammar.syntax]}:\n{grammar.definition}"
    return {"type": "object", "properties": {PARAMETER: text}, "required": [PARAMETER], "additionalProperties": False}


def text_arguments(text: str) -> str:
    """The arguments of the function call with this text, as JSON text."""
    return json.dumps({PARAMETER: text}, ensure_ascii=False)
