"""Docstrings as Markdown, and fields with their plain defaults.

Lines such as `limit: number of spellings` become a list, and named pages become links. A field that is declared by a
call (`Field(default=64, description="...")`, `_checked(1.0, ...)`) has the call's default and description.
"""

from __future__ import annotations

import ast
import re
from typing import Any

import griffe

ITEM = re.compile(r"^(\w+(?:, \w+)*): (?=\S)", re.M)
SECTION = re.compile(r"^(?=(?:Args|Attributes|Options|Raises|Returns|Yields):$)", re.M)
TOGETHER = re.compile(r"^( +)(\w+)((?:, \w+)+): (.*(?:\n\1 +\S.*)*)", re.M)
"""Several names with one text, in a section."""
PAGE = re.compile(r"(?<![`/])\bdocs/(\w+)\.md")


class Docstrings(griffe.Extension):
    """Changes each docstring before its sections are read."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """An object that griffe has found."""
        if obj.docstring is not None:
            obj.docstring.value = markdown(obj.docstring.value)

    def on_attribute_instance(self, *, attr: griffe.Attribute, **_: Any) -> None:
        """A field, before the signature of its class is made."""
        call = attr.value
        if not isinstance(call, griffe.ExprCall) or str(call.function) not in ("Field", "_checked", "_optional"):
            return
        named = {one.name: one.value for one in call.arguments if isinstance(one, griffe.ExprKeyword)}
        plain = [one for one in call.arguments if not isinstance(one, griffe.ExprKeyword)]
        attr.value = named.get("default", named.get("default_factory", plain[0] if plain else None))
        text = named.get("description")
        if isinstance(text, str) and attr.docstring is None:  # not where it is an expression, as of another field's
            attr.docstring = griffe.Docstring(ast.literal_eval(text), parent=attr)


def markdown(text: str) -> str:
    """The docstring with its first paragraph on one line, since lists of members show that line."""
    text = PAGE.sub(r"[\1](../\1.md)", text)
    first, gap, rest = text.partition("\n\n")
    if not SECTION.search(first) and not ITEM.search(first):
        first = re.sub(r"\s*\n\s*", " ", first)
    head, *sections = SECTION.split(first + gap + rest)
    return "".join([_listed(head), *(TOGETHER.sub(_apart, section) for section in sections)])


def _apart(match: re.Match[str]) -> str:
    """An item for each name; those after the first lead to it."""
    indent, first, others, text = match.groups()
    leads = (f"{indent}{name}: see `{first}`." for name in others.removeprefix(", ").split(", "))
    return "\n".join([f"{indent}{first}: {text}", *leads])


def _listed(text: str) -> str:
    """The text with its named lines as items, and an empty line before the first one."""
    lines: list[str] = []
    for line in text.split("\n"):
        named = ITEM.match(line)
        if named:
            if lines and lines[-1] and not lines[-1].startswith(("- `", "    ")):
                lines.append("")
            names = ", ".join(f"`{name}`" for name in named[1].split(", "))
            line = f"- {names}: {line[named.end() :]}"
        lines.append(line)
    return "\n".join(lines)
