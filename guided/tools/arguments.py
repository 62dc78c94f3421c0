"""`ArgumentStyle`: how a call's arguments are written, and read back as JSON. Most models write a JSON object."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

from guided.grammars.errors import UnsupportedSchemaError

from .custom import PARAMETER, TextGrammar
from .definitions import Tool
from .json_marks import JsonMarks
from .marks import CallMarks

Format = dict[str, Any]
_MAX_INDENTS = 8


class Scanned(NamedTuple):
    """A scanner's result for a text. arguments: JSON text. num_read: number of characters that the scanner has
    consumed.
    """

    arguments: str
    num_read: int
    is_done: bool


class ArgumentScanner(ABC):
    """Reads the arguments of one call while they are written."""

    @abstractmethod
    def push(self, text: str) -> Scanned:
        """Read on. text: unread characters of earlier calls, followed by new ones. All of it must fit the grammar."""

    def finish(self, text: str) -> str:
        """JSON text from the unread end of arguments that were cut off; "" if that end only has marks."""
        return ""


class ArgumentStyle(ABC):
    """One family of models' form of writing arguments.

    hint: the instruction for a model on what to write for arguments.
    example: the arguments in the example that goes with the hint.
    """

    hint: str
    example: str

    def of_call(self, tool: Tool, *, is_compact: bool) -> Format:
        """The format of a structural tag for the arguments, or the text, of a call of the tool.

        Arguments and errors are those of `content` and `text_content`.
        """
        if tool.grammar is not None and not tool.why_free:
            return self.text_content(tool.grammar, is_compact=is_compact)
        return self.content(tool, is_compact=is_compact)

    def to_check(self, tool: Tool) -> Format:
        """A format that compiles if and only if the format of a call does. Errors point into the tool's schema."""
        return self.of_call(tool, is_compact=False)

    @abstractmethod
    def content(self, tool: Tool, *, is_compact: bool) -> Format:
        """The format of a structural tag for the tool's arguments.

        is_compact: no whitespace between JSON tokens.
        Raises UnsupportedSchemaError for a schema that this style can't enforce.
        """

    def text_content(self, grammar: TextGrammar, *, is_compact: bool) -> Format:
        """The format of a structural tag for the arguments of a custom tool whose text fits a grammar.

        Raises UnsupportedSchemaError for a grammar that this style can't enforce; by default for every grammar.
        """
        reason = "this model's syntax of calls can't hold a grammar"
        raise UnsupportedSchemaError("", "format", reason, "leave the format out, and the text is free")

    @abstractmethod
    def spell(self, arguments: str) -> str:
        """Arguments as the model would write them. arguments: JSON text of an object."""

    def variants(self) -> Sequence[ArgumentStyle]:
        """The style with each whitespace that chat templates may write, the usual one first."""
        return (self,)

    def pattern(self, arguments: str) -> str:
        """A regex of the texts that `spell` writes."""
        return re.escape(self.spell(arguments))

    @abstractmethod
    def scanner(self, tool: Tool) -> ArgumentScanner:
        """A scanner for one call of the tool."""


def json_format(schema: Any, *, is_compact: bool) -> Format:
    """The format of a JSON document."""
    content: Format = {"type": "json_schema", "json_schema": schema}
    return content | {"max_whitespace_cnt": 0} if is_compact else content


def text_in_json(grammar: TextGrammar, space: str) -> Format:
    """The format of a custom tool's arguments as JSON. space: regex of the whitespace between JSON tokens."""
    before = {"type": "regex", "pattern": rf'\{{{space}"{PARAMETER}"{space}:{space}"'}
    after = {"type": "regex", "pattern": rf'"{space}\}}'}
    return {"type": "sequence", "elements": [before, {**grammar.format, "in_json_string": True}, after]}


class JsonArguments(ArgumentStyle):
    """Arguments as a JSON object."""

    hint = "a JSON object for ARGUMENTS"
    example = "ARGUMENTS"

    def content(self, tool: Tool, *, is_compact: bool) -> Format:
        """See `ArgumentStyle.content`."""
        return json_format(tool.schema, is_compact=is_compact)

    def text_content(self, grammar: TextGrammar, *, is_compact: bool) -> Format:
        """See `ArgumentStyle.text_content`."""
        return text_in_json(grammar, "" if is_compact else r"[ \n\t]{0,2}")

    def spell(self, arguments: str) -> str:
        """The arguments, unchanged."""
        return arguments

    def pattern(self, arguments: str) -> str:
        """See `ArgumentStyle.pattern`. Any whitespace may stand between JSON tokens, since templates and models write
        it differently.
        """
        return r"\s*".join(map(re.escape, CallMarks(arguments).parts))

    def scanner(self, tool: Tool) -> ArgumentScanner:
        """See `ArgumentStyle.scanner`."""
        return _JsonScanner()


class IndentedJson(JsonArguments):
    """Arguments as a JSON object of several lines. width: spaces for each level. before: spaces before the object's own
    lines.
    """

    hint = "its arguments in place of the example's"
    example = '{"ARGUMENT": "VALUE"}'

    def __init__(self, *, width: int, before: int) -> None:
        self._width, self._before = width, before

    def content(self, tool: Tool, *, is_compact: bool) -> Format:
        """See `ArgumentStyle.content`. Lines may be indented as deeply as values nested `_MAX_INDENTS` levels deep."""
        space = 0 if is_compact else 1 + self._before + self._width * _MAX_INDENTS
        return {**super().content(tool, is_compact=is_compact), "max_whitespace_cnt": space}

    def spell(self, arguments: str) -> str:
        """See `ArgumentStyle.spell`."""
        text = json.dumps(json.loads(arguments), ensure_ascii=False, indent=self._width)
        return text.replace("\n", "\n" + " " * self._before)


class _JsonScanner(ArgumentScanner):
    """Finds the end of a JSON text."""

    def __init__(self) -> None:
        self._marks = JsonMarks()

    def push(self, text: str) -> Scanned:
        num_read = self._marks.read(text)
        return Scanned(text[:num_read], num_read, self._marks.is_over)


JSON_ARGUMENTS = JsonArguments()
