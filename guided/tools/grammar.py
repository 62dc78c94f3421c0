"""The structural tag of an answer with tools: calls in the model's syntax, with arguments that fit their schemas."""

from __future__ import annotations

import re

from guided.grammars.errors import InvalidSchemaError, UnsupportedSchemaError

from .arguments import Format
from .definitions import Tool, ToolUse, wrong_tool
from .marks import ID
from .syntax import ToolSyntax


def tool_tag(
    syntax: ToolSyntax,
    use: ToolUse,
    answer: Format | None = None,
    *,
    is_compact: bool = False,
    continues: bool = False,
) -> Format:
    """The structural tag of the answer.

    syntax: how the model writes calls.
    use: offers at least one tool, unless the syntax has channels.
    answer: format of an answer without a call. None: free text, which may also stand around calls if the syntax has a
        trigger.
    is_compact: no whitespace between the JSON tokens of arguments.
    continues: the prompt ends within the text of the answer.
    If calls stand alone and several are allowed, text may follow the first call; the reader ends the answer there. A
    model that is done is therefore not forced into another call. The same holds if only calls are wanted.
    Raises RequestFieldError for a tool whose schema the syntax can't enforce.
    """
    calls = _Calls(syntax, use, is_compact)
    if syntax.channels is not None:
        in_text = syntax.channels.has_calls_in_text and use.is_offered
        text = None if use.is_required else answer or (calls.in_text() if in_text else {"type": "any_text"})
        called = calls.alone(syntax.channels.between if in_text else "") if use.is_offered else None
        return _tag((syntax.channels.rest if continues else syntax.channels.format)(text, called))
    if use.is_required:
        return _tag(calls.alone())
    if answer is not None:
        return _tag({"type": "or", "elements": [calls.alone(), answer]})
    if not syntax.trigger:
        # A text that begins like a call must be one, so that a reader can tell at once.
        first = re.escape((syntax.group_begin or syntax.call)[0])
        free = {"type": "regex", "pattern": rf"([^{first}][\s\S]*)?"}
        return _tag({"type": "or", "elements": [calls.alone(), free]})
    return _tag(calls.in_text())


def _tag(content: Format) -> Format:
    return {"type": "structural_tag", "format": content}


def _text(text: str) -> Format:
    return {"type": "const_string", "value": text}


class _Calls:
    """The calls of one request."""

    def __init__(self, syntax: ToolSyntax, use: ToolUse, is_compact: bool) -> None:
        self._syntax = syntax
        self._is_single = use.only is not None or not use.parallel or not syntax.is_parallel
        self._tags = [self._call(tool, use, is_compact) for tool in use.callable_tools]

    def _call(self, tool: Tool, use: ToolUse, is_compact: bool) -> Format:
        try:
            content = self._syntax.arguments.of_call(tool, is_compact=is_compact)
        except (InvalidSchemaError, UnsupportedSchemaError) as error:
            raise wrong_tool(use, tool, error) from error
        if self._syntax.other_openers:
            openers = [_text(opener) for opener in self._syntax.openers(tool.name)]
            return _sequence([{"type": "or", "elements": openers}, content, _text(self._syntax.closer)])
        begin, *behind_id = self._syntax.opener(tool.name).split(ID)
        parts = [*self._id_and(behind_id), content]
        if self._syntax.id_part:
            id_part = self._syntax.id_part.split("ID")
            parts.append({"type": "optional", "content": _sequence([_text(id_part[0]), *self._id_and(id_part[1:])])})
        return {"type": "tag", "begin": begin, "content": _sequence(parts), "end": self._syntax.closer}

    def _id_and(self, behind: list[str]) -> list[Format]:
        """The formats of an id and the text after it; empty without an id."""
        return [
            part for text in behind for part in ({"type": "regex", "pattern": self._syntax.ids.pattern}, _text(text))
        ]

    def alone(self, opened: str = "") -> Format:
        """The format of an answer that begins with calls. Text may follow separate calls, but is not shown.

        opened: the beginning of the first call that the prompt already has.
        """
        if self._syntax.is_grouped:
            begin, end = self._syntax.group_begin, self._syntax.group_end
            return _sequence([_text(begin), self._group(), _text(end)])
        tags = [{**tag, "begin": tag["begin"].removeprefix(opened)} for tag in self._tags] if opened else self._tags
        first: Format = {"type": "or", "elements": tags}
        return first if self._is_single else _sequence([first, self.in_text()])

    def _group(self) -> Format:
        """The format between the beginning and the end of a group."""
        if self._is_single:
            return {"type": "or", "elements": self._tags}
        if not self._syntax.between:
            return {"type": "plus", "content": {"type": "or", "elements": self._tags}}
        between = self._syntax.between
        return {"type": "tags_with_separator", "tags": self._tags, "separator": between, "at_least_one": True}

    def in_text(self) -> Format:
        """The format of free text with calls in it; a group of calls ends the text."""
        tags = self._tags
        if self._syntax.is_grouped:
            begin, end = self._syntax.group_begin, self._syntax.group_end
            tags = [{"type": "tag", "begin": begin, "content": self._group(), "end": end}]
        return {
            "type": "triggered_tags",
            "triggers": [self._syntax.trigger],
            "tags": tags,
            "stop_after_first": self._is_single or self._syntax.is_grouped,
        }


def _sequence(parts: list[Format]) -> Format:
    return parts[0] if len(parts) == 1 else {"type": "sequence", "elements": parts}
