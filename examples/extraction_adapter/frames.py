"""Texts written by hand, with slots for their values: frames.txt.

A frame begins with `=== language kind`. Then there is a line for each field, `slot: kind of value -> names in schemas`,
and after `---` the text. Kinds of values are those of values.py, and

- `bool:true`, `const:0`, `pick:a/b/c:a`: what the text always says in its own words;
- `pick:a/b`, and `bool`: one at random, which the text says as `{slot?words for the first|words for the second}`;
- `lacks:KIND`: what it does not say;
- `rows: names * least-most`: a list, with its columns in the lines after it. `{rows:TEMPLATE}` is a line for each item,
  `{rows:slot;slot|;}` a table with a separator, `{rows:table:Head=slot:...}` one in Markdown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from .layouts import Row
from .values import Value

_CHOICE = re.compile(r"\{(\w+)\?([^{}]*)\}")
_ROWS = re.compile(r"\{rows:((?:[^{}]|\{\w+\})*)\}")


@cache
def frames() -> list[dict[str, Any]]:
    """All frames, each like a kind of kinds.toml, with its language, name and text."""
    source = Path(__file__).with_name("frames.txt").read_text(encoding="utf-8")
    return [_frame(part) for part in source.split("=== ")[1:]]


def _frame(part: str) -> dict[str, Any]:
    head, _, text = part.partition("\n---\n")
    first, *lines = head.splitlines()
    language, _, name = first.partition(" ")
    frame: dict[str, Any] = {"language": language, "name": name, "text": text.strip(), "fields": {}}
    for line in lines:
        slot, _, rest = line.partition(": ")
        if slot == "rows":
            names, _, count = rest.partition(" * ")
            frame["items"] = {"as": names, "count": [*map(int, count.split("-"))], "columns": {}}
            continue
        fields = frame["items"]["columns"] if slot.startswith(" - ") else frame["fields"]
        fields[slot.removeprefix(" - ")] = _spec(rest)
    return frame


def _spec(source: str) -> dict[str, Any]:
    kind, _, names = source.partition(" -> ")
    first, _, rest = kind.partition(":")
    if first == "lacks":
        return {**_spec(f"{rest} -> {names}"), "gap": 1.0}
    if first == "pick":
        options, _, picked = rest.partition(":")
        fixed = {"fixed": picked} if picked else {}
        return {"is": "enum", "as": names, "options": dict.fromkeys(options.split("/"), ""), **fixed}
    if first == "const" or (first == "bool" and rest):
        return {"is": "int" if first == "const" else "bool", "as": names, "fixed": json.loads(rest)}
    return {"is": kind, "as": names}


def written(frame: Mapping[str, Any], fields: Mapping[str, Value | None], rows: Sequence[Row] | None) -> str:
    """The text of a frame with its values."""

    def filled(template: str, values: Row) -> str:
        def text_of(match: re.Match[str]) -> str:
            value = values[match[1]]
            return "" if value is None else value.text

        return re.sub(r"\{(\w+)\}", text_of, template)

    def listed(match: re.Match[str]) -> str:
        template = match[1]
        if template.startswith("table:"):
            columns = [part.split("=") for part in template.split(":")[1:]]
            cells = [[head for head, _ in columns], ["---"] * len(columns), [f"{{{name}}}" for _, name in columns]]
            heads, rule, line = ("| " + " | ".join(row) + " |" for row in cells)
            return "\n".join([heads, rule, *(filled(line, row) for row in rows or ())])
        if "{" in template:
            return "\n".join(filled(template, row) for row in rows or ())
        names, _, mark = template.rpartition("|")
        quoted = [[_quoted(filled(f"{{{name}}}", row), mark) for name in names.split(mark)] for row in rows or ()]
        return "\n".join([names, *map(mark.join, quoted)])

    def chosen(match: re.Match[str]) -> str:
        value, said = fields[match[1]], match[2].split("|")
        options = frame["fields"][match[1]].get("options", (True, False))
        return "" if value is None else dict(zip(options, said, strict=True))[value.data]

    return filled(_CHOICE.sub(chosen, _ROWS.sub(listed, frame["text"])), fields)


def _quoted(cell: str, mark: str) -> str:
    return f'"{cell}"' if mark in cell else cell
