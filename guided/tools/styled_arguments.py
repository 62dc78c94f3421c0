"""`StyledArguments`: a call's arguments written one by one between marks, in a style of `styles.py`."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import product
from typing import Any

from guided.grammars.errors import GrammarError, LimitExceededError
from guided.grammars.json_paths import Path
from guided.grammars.json_schema.translate import compile_schema
from guided.grammars.json_schema.value_types import types_at
from guided.grammars.limits import Limits
from guided.grammars.quote_sources import Sources, read_sources
from guided.grammars.style_texts import TypesAt, any_type, write_object
from guided.grammars.styles import STYLES, JsonType, Layout, Style

from .arguments import ArgumentScanner, ArgumentStyle, Format, json_format
from .custom import PARAMETER, TextGrammar, text_arguments
from .definitions import Tool
from .given_types import types_alone
from .styled_scanner import StyledScanner

_PLACE = "TEXT"  # placeholder for a custom tool's text in a call
_ANY_TEXT: Format = {"type": "any_text"}
_MAX_KNOWN = 256  # number of tools whose types are cached


class StyledArguments(ArgumentStyle):
    """Arguments in a style. style: its name. layout: the whitespace that the family's chat template writes."""

    hint = "each of its arguments in place of the example's: strings as they are, all else as JSON"
    example = '{"PARAMETER": "VALUE"}'

    def __init__(self, style: str, layout: Layout | None = None) -> None:
        self._name = style
        self.style = STYLES[style]
        self._layout = layout

    def content(self, tool: Tool, *, is_compact: bool) -> Format:
        """See `ArgumentStyle.content`. If a tool's arguments are free, the format asks only for the
        style's marks. Some styles require only that marks come in pairs.
        """
        if tool.why_free and (self.style.is_deep or self.style.escapes):
            return _marks_alone(self.style)
        return {**json_format(tool.schema, is_compact=is_compact), "style": self._name}

    def text_content(self, grammar: TextGrammar, *, is_compact: bool) -> Format:
        """The format of the text itself, which must not contain the mark after it."""
        before, behind = self.spell(text_arguments(_PLACE)).split(_PLACE)
        if self.style.is_wrapped and not before.endswith("\n"):
            before, behind = f"{before}\n", f"\n{behind}"  # readers would remove the text's own line breaks
        parts = [{"type": "const_string", "value": part} for part in (before, behind)]
        text = {**grammar.format, "excludes": [self.style.quote or self.style.end_of(PARAMETER)]}
        return {"type": "sequence", "elements": [*parts[:1], text, *parts[1:]]}

    def spell(self, arguments: str) -> str:
        """See `ArgumentStyle.spell`. A value that the style can't express is written anyway, for a model to read."""
        return write_object(self.style, json.loads(arguments), any_type, self._layout, is_checked=False)

    def variants(self) -> Sequence[ArgumentStyle]:
        """See `ArgumentStyle.variants`."""
        return (self, *_layouts(self._name))

    def scanner(self, tool: Tool) -> ArgumentScanner:
        """See `ArgumentStyle.scanner`."""
        return StyledScanner(self.style, self.types_of(tool))

    def types_of(self, tool: Tool) -> TypesAt:
        """The possible types of the tool's arguments, needed where marks don't tell them."""
        if self.style.tells_strings or tool.takes_none:
            return any_type
        if tool.why_free:
            return _given_types(json.dumps({**tool.shown_schema, "type": "object"}))
        return _types_of(json.dumps(tool.schema))


def _marks_alone(style: Style) -> Format:
    """Any text with the style's marks in pairs, for styles without a grammar of their own."""
    if style.quote:
        return _in_text(style.quote, [_ANY_TEXT], style.quote)
    if style.is_deep:
        return _ANY_TEXT
    begin, before_kind, behind = re.split("NAME|KIND", style.begin[0])
    name: Format = {"type": "regex", "pattern": '[^"<>]*'}
    kind: Format = {"type": "regex", "pattern": "|".join(sorted(style.kinds.values()))}
    return _in_text(begin, [name, _const(before_kind), kind, _const(behind), _ANY_TEXT], style.end)


def _in_text(begin: str, content: list[Format], end: str) -> Format:
    tag: Format = {"type": "tag", "begin": begin, "content": {"type": "sequence", "elements": content}, "end": end}
    return {"type": "triggered_tags", "triggers": [begin], "tags": [tag]}


def _const(text: str) -> Format:
    return {"type": "const_string", "value": text}


@cache
def _layouts(style: str) -> Sequence[StyledArguments]:
    return [StyledArguments(style, Layout(*spaces)) for spaces in product(("", "\n"), repeat=3)]


@lru_cache(maxsize=_MAX_KNOWN)
def _types_of(schema: str) -> TypesAt:
    """The types that a schema, given as JSON text, permits."""
    data = json.loads(schema)
    formula = compile_schema(data, resources=None, limits=Limits(), sources=_empty_sources(data)).formula
    known: dict[Path, frozenset[JsonType]] = {}

    def types(path: Path) -> frozenset[JsonType]:
        if path not in known:
            known[path] = types_at(formula, path)
        return known[path]

    return types


@lru_cache(maxsize=_MAX_KNOWN)
def _given_types(schema: str) -> TypesAt:
    """The types of a schema that can't be enforced; all types if its references lead nowhere."""
    try:
        return _types_of(json.dumps(types_alone(json.loads(schema))))
    except (GrammarError, LimitExceededError):
        return any_type


def _empty_sources(schema: Any) -> Sources | None:
    """A text for each source that a schema quotes. The texts' content does not affect types."""
    names, pending = dict[str, str](), [schema]
    while pending:
        part = pending.pop()
        pending += part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
        quote = part.get("x-quote") if isinstance(part, dict) else None
        name = quote.get("source") if isinstance(quote, dict) else quote
        if isinstance(name, str):
            names[name] = ""
    return read_sources(names, Limits()) if names else None
