"""`ToolReader`: an output's text, piece by piece, into the text around calls and the calls' own pieces.

The text was made under the grammar of `grammar.py`, so calls are spelled exactly as the syntax says; only its end may
be missing. What may still become a call is held back until it is decided.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .arguments import ArgumentScanner
from .calls import ToolCall, ToolCallDelta
from .definitions import Tool
from .partial import overlap
from .syntax import ToolSyntax

if TYPE_CHECKING:
    from ..completion import CompletionChunk


class ToolReader:
    """Reads one output. tools: those that may be called."""

    def __init__(self, syntax: ToolSyntax, tools: Sequence[Tool]) -> None:
        self._splitter = CallSplitter(syntax, tools)
        self._texts: list[str] = []

    def read(self, chunk: CompletionChunk) -> CompletionChunk:
        """The same chunk with calls moved from its text to its `tool_calls`, and so in its completion."""
        text, deltas = self._splitter.push(chunk.text)
        if chunk.finish_reason is not None:
            rest, more = self._splitter.finish()
            text, deltas = text + rest, [*deltas, *more]
        self._texts.append(text)
        completion = chunk.completion
        if completion is not None:
            completion = replace(completion, text="".join(self._texts), tool_calls=self._splitter.calls)
        return replace(chunk, text=text, tool_calls=tuple(deltas), completion=completion)


class CallSplitter:
    """The state of a text: in free text, before a call's arguments, in them, behind them, or in a group of calls."""

    def __init__(self, syntax: ToolSyntax, tools: Sequence[Tool]) -> None:
        self._syntax = syntax
        self._openers = {syntax.opener(tool.name): tool for tool in tools}
        self._buffer = ""
        self._text: list[str] = []
        self._whitespace = ""  # at the end of the free text so far: none of it where a call follows
        self._deltas: list[ToolCallDelta] = []
        self._calls: list[tuple[str, str, list[str]]] = []  # id, name, parts of the arguments
        self._scanner: ArgumentScanner
        self._state: Callable[[], bool] = self._in_text if syntax.trigger else self._at_start

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """All calls so far, the last one perhaps unfinished."""
        return tuple(ToolCall(call_id, name, "".join(parts)) for call_id, name, parts in self._calls)

    def push(self, text: str) -> tuple[str, list[ToolCallDelta]]:
        """Take more text; what of it is decided: free text, and pieces of calls."""
        self._buffer += text
        while self._buffer and self._state():
            pass
        return self._take()

    def finish(self) -> tuple[str, list[ToolCallDelta]]:
        """What was held back, once no text follows. A beginning of a call that shows no name yet is text."""
        if self._state in (self._in_text, self._at_start, self._before_call):
            self._add_text(self._buffer)
        self._buffer = ""
        if not self._calls:
            self._text.append(self._whitespace)
            self._whitespace = ""
        return self._take()

    def _take(self) -> tuple[str, list[ToolCallDelta]]:
        text, deltas = "".join(self._text), self._deltas
        self._text, self._deltas = [], []
        return text, deltas

    def _add_text(self, text: str) -> None:
        whole = self._whitespace + text
        kept = whole.rstrip()
        self._text.append(kept)
        self._whitespace = whole[len(kept) :]

    def _in_text(self) -> bool:
        trigger = self._syntax.trigger
        place = self._buffer.find(trigger)
        if place >= 0:
            self._add_text(self._buffer[:place])
            self._buffer = self._buffer[place:]
            self._state = self._before_call
            return True
        num_held = overlap(self._buffer, trigger)
        self._add_text(self._buffer[: len(self._buffer) - num_held])
        self._buffer = self._buffer[len(self._buffer) - num_held :]
        return False

    def _at_start(self) -> bool:
        """Calls begin at once or not at all."""
        return self._read_opener("", self._only_text)

    def _only_text(self) -> bool:
        self._add_text(self._buffer)
        self._buffer = ""
        return False

    def _before_call(self) -> bool:
        return self._read_opener(self._syntax.group_begin, self._not_a_call)

    def _read_opener(self, before: str, otherwise: Callable[[], bool]) -> bool:
        """Read `before` and the beginning of a call; wait while that is possible, else do what is left."""
        for opener, tool in self._openers.items():
            if self._buffer.startswith(before + opener):
                self._buffer = self._buffer[len(before + opener) :]
                self._begin(tool)
                return True
        if any((before + opener).startswith(self._buffer) for opener in self._openers):
            return False
        self._state = otherwise
        return True

    def _not_a_call(self) -> bool:
        """The trigger stood in a text that is none of this syntax's calls."""
        self._add_text(self._buffer[:1])
        self._buffer = self._buffer[1:]
        self._state = self._in_text
        return True

    def _begin(self, tool: Tool) -> None:
        self._whitespace = ""
        call_id = self._syntax.new_call_id()
        self._deltas.append(ToolCallDelta(len(self._calls), "", call_id, tool.name))
        self._calls.append((call_id, tool.name, []))
        self._scanner = self._syntax.arguments.scanner(tool)
        self._state = self._in_arguments

    def _in_arguments(self) -> bool:
        arguments, num_read, is_done = self._scanner.push(self._buffer)
        self._buffer = self._buffer[num_read:]
        if arguments:
            self._deltas.append(ToolCallDelta(len(self._calls) - 1, arguments))
            self._calls[-1][2].append(arguments)
        if is_done:
            self._state = self._behind_call
        return is_done

    def _behind_call(self) -> bool:
        if not self._read(self._syntax.closer):
            return False
        self._state = self._in_group if self._syntax.is_grouped else self._in_text
        if not self._syntax.trigger:
            self._state = self._only_text
        return True

    def _in_group(self) -> bool:
        return self._read_opener(self._syntax.between, self._behind_group)

    def _behind_group(self) -> bool:
        if not self._read(self._syntax.group_end):
            return False
        self._state = self._in_text
        return True

    def _read(self, expected: str) -> bool:
        """Read a text that must come; False where it is not all there yet."""
        if expected.startswith(self._buffer) and self._buffer != expected:
            return False
        self._buffer = self._buffer.removeprefix(expected)
        return True
