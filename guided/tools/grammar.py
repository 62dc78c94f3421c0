"""The structural tag of an answer in which tools may be called: calls in the model's syntax, arguments by schema."""

from __future__ import annotations

from guided.grammars.errors import UnsupportedSchemaError

from .arguments import Format
from .definitions import Tool, ToolUse, wrong_tool
from .syntax import ToolSyntax


def tool_tag(syntax: ToolSyntax, use: ToolUse, answer: Format | None = None, *, is_compact: bool = False) -> Format:
    """The structural tag of the answer.

    use: offers at least one tool. answer: the format of an answer without a call; None: free text, which may also
        stand around calls where the syntax marks their beginning.

    Where several calls may come, each on its own, text may stand behind the first one, also where nothing but calls is
    wanted: the reader ends the answer there. So a model that has said what it wants is not driven to another call.

    is_compact: no whitespace between the JSON tokens of arguments.
    Raises RequestFieldError for a tool whose schema the syntax can't hold.
    """
    calls = _Calls(syntax, use, is_compact)
    if use.is_required:
        return _tag(calls.alone())
    if answer is not None:
        return _tag({"type": "or", "elements": [calls.alone(), answer]})
    if not syntax.trigger:
        # A text that begins like a call is one, so that a reader can tell at once.
        free = {"type": "regex", "pattern": r"([^{][\s\S]*)?"}
        return _tag({"type": "or", "elements": [calls.alone(), free]})
    return _tag(calls.in_text())


def _tag(content: Format) -> Format:
    return {"type": "structural_tag", "format": content}


class _Calls:
    """The calls of one request."""

    def __init__(self, syntax: ToolSyntax, use: ToolUse, is_compact: bool) -> None:
        self._syntax = syntax
        self._is_single = use.only is not None or not use.parallel or not syntax.is_parallel
        self._tags = [self._call(tool, use, is_compact) for tool in use.callable_tools]

    def _call(self, tool: Tool, use: ToolUse, is_compact: bool) -> Format:
        try:
            content = self._syntax.arguments.content(tool, is_compact=is_compact)
        except UnsupportedSchemaError as error:
            raise wrong_tool(use, tool, error) from error
        return {
            "type": "tag",
            "begin": self._syntax.opener(tool.name),
            "content": content,
            "end": self._syntax.closer,
        }

    def alone(self) -> Format:
        """Calls first, and nothing else that would be shown."""
        if self._syntax.is_grouped:
            begin, end = self._syntax.group_begin, self._syntax.group_end
            parts = [{"type": "const_string", "value": begin}, self._group(), {"type": "const_string", "value": end}]
            return {"type": "sequence", "elements": parts}
        first: Format = {"type": "or", "elements": self._tags}
        return first if self._is_single else {"type": "sequence", "elements": [first, self.in_text()]}

    def _group(self) -> Format:
        """What stands between the beginning and the end of a group."""
        if self._is_single:
            return {"type": "or", "elements": self._tags}
        if not self._syntax.between:
            return {"type": "plus", "content": {"type": "or", "elements": self._tags}}
        between = self._syntax.between
        return {"type": "tags_with_separator", "tags": self._tags, "separator": between, "at_least_one": True}

    def in_text(self) -> Format:
        """Free text with calls in it; a group of calls ends the text."""
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
