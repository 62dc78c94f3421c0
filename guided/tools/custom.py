"""Custom tools: calls whose one argument is a text, which may have to fit a grammar.

The model is shown such a tool as a function with one string parameter, and writes its calls in the syntax of its
family. Callers get the text itself, with no JSON around it.
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
    """What the text of a custom tool fits. syntax: of the definition; a regex, as of Python's `re`, matches in full."""

    syntax: Syntax
    definition: str

    @property
    def format(self) -> dict[str, Any]:
        """The format of a structural tag for the text as it stands."""
        if self.syntax == "regex":
            return {"type": "regex", "pattern": self.definition}
        return {"type": "grammar", "grammar": self.definition, "dialect": "lark"}


def other_meaning(regex: str) -> str | None:
    """A part of a regex that Python's `re` reads as something else than the `regex` crate of Rust; None without one."""
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
    """The arguments of the call, as the function's."""
    return json.dumps({PARAMETER: text}, ensure_ascii=False)
