"""`CallReader`: splits an output's text, while it arrives, into the text around calls and pieces of the calls.

The text was generated under the grammar of `grammar.py`; only its end may be missing. Whitespace between a call's marks
may differ from the syntax. Characters that may still become a call are held back until that is decided.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .arguments import ArgumentScanner
from .calls import ToolCall, ToolCallDelta
from .definitions import Tool
from .marks import ID, CallMarks, MarkMatch, overlap
from .stop_reader import StopReader
from .syntax import ToolSyntax
from .text_scanner import TextScanner

# after this many whitespace characters after a call, where only a call may follow, they count as text
MAX_WHITESPACE = 8


class CallReader(StopReader):
    """Reads an output that may have calls. The place in the output is one of: free text, before, in or after a call's
    arguments, in a group. A stop never cuts a call.

    syntax: how the model writes calls.
    tools: the tools that may be called.
    only_calls: once the answer has a call it contains only calls. Text after a call ends the answer and is not
        shown. Such text is allowed, so that the model itself decides when the answer ends.
    may_repeat: the same call may come twice; False: a second call with the same arguments ends the answer and is not
        shown.
    has_document, reads_json: see `StopReader`.
    """

    def __init__(
        self,
        syntax: ToolSyntax,
        tools: Sequence[Tool],
        *,
        only_calls: bool = False,
        may_repeat: bool = True,
        has_document: bool = False,
        reads_json: bool = False,
    ) -> None:
        super().__init__(reads_json=reads_json, has_document=has_document)
        self._syntax = syntax
        self._first = self._openers(syntax.group_begin, tools)
        self._next = self._openers(syntax.between, tools)
        self._closer, self._group_end = self._marks(syntax.closer), self._marks(syntax.group_end)
        self._id_part = self._marks(syntax.id_part.replace("ID", ID))
        self._custom = frozenset(tool.name for tool in tools if tool.is_custom)
        self._only_calls = only_calls
        self._may_repeat = may_repeat
        self._buffer = ""
        self._num_decided: int | None = None  # value of `num_decided` if it is not all characters except held-back ones
        self._text: list[str] = []
        self._whitespace = ""  # whitespace at the end of the free text; dropped if a call follows
        self._deltas: list[ToolCallDelta] = []
        self._calls: list[tuple[str, str, list[str]]] = []  # id, name, parts of the arguments
        self._is_same_so_far = False  # the last call equals an earlier one so far; it is shown when it differs
        self._scanner: ArgumentScanner
        self._state: Callable[[], bool] = self._in_text if syntax.trigger else self._at_start

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """See `StopReader.calls`."""
        shown = self._calls[:-1] if self._is_same_so_far else self._calls
        return tuple(ToolCall(call_id, name, "".join(parts), name in self._custom) for call_id, name, parts in shown)

    @property
    def has_whole_calls(self) -> bool:
        """See `StopReader.has_whole_calls`."""
        return bool(self.calls) and (self._state != self._in_arguments or self._is_same_so_far)

    @property
    def is_in_text(self) -> bool:
        """See `StopReader.is_in_text`."""
        return self._state in (self._in_text, self._at_start, self._only_text)

    @property
    def num_decided(self) -> int:
        """See `StopReader.num_decided`."""
        return super().num_decided - len(self._buffer) if self._num_decided is None else self._num_decided

    def push(self, text: str, *, may_end: bool = True) -> tuple[str, list[ToolCallDelta]]:
        """See `StopReader.push`."""
        self._may_end = may_end
        self._read_all(text)
        return self._take()

    def finish(self) -> tuple[str, list[ToolCallDelta]]:
        """See `StopReader.finish`. The beginning of a call that shows no name yet is text."""
        if not self.is_ended:
            is_begun = self._state == self._before_call and not self._calls
            text, self._buffer = self._buffer, ""
            if is_begun or self._state in (self._in_text, self._at_start):
                self._add_text(text)
            elif self._state == self._in_arguments:
                self._add_arguments(self._scanner.finish(text), is_done=False)
            self._let_go_of_text()
        if not self._calls:
            self._text.append(self._whitespace)
            self._whitespace = ""
        return self._take()

    def _read_all(self, text: str) -> None:
        """Read more text, as far as it can be decided."""
        self._num_read += len(text)
        self._buffer += text
        while self._buffer and not self.is_ended and self._state():
            pass

    def _take(self) -> tuple[str, list[ToolCallDelta]]:
        text, deltas = "".join(self._text), self._deltas
        self._text, self._deltas = [], []
        return text, deltas

    def _add_text(self, text: str) -> None:
        """Add text around calls, which a stop may end."""
        if self._only_calls and self._calls:
            self._end_behind_calls(text)
            return
        self._keep_text(self._up_to_stop(text))

    def _keep_text(self, text: str) -> None:
        whole = self._whitespace + text
        kept = whole.rstrip()
        self._text.append(kept)
        self._whitespace = whole[len(kept) :]

    def _let_go_of_text(self) -> None:
        held = self._let_go()
        if held:
            self._keep_text(held)

    def _end_behind_calls(self, text: str) -> None:
        self._whitespace += text
        if self._may_end and (self._whitespace.strip() or len(self._whitespace) > MAX_WHITESPACE):
            self._end(self._num_read - len(self._buffer) - len(self._whitespace))

    def _end(self, num_decided: int) -> None:
        """End the answer: characters after `num_decided` are no part of it."""
        self.is_ended, self._num_decided = True, num_decided
        self._whitespace = ""

    def _in_text(self) -> bool:
        trigger = self._syntax.trigger
        place = self._buffer.find(trigger)
        num_held = len(self._buffer) - place if place >= 0 else overlap(self._buffer, trigger)
        text = self._buffer[: len(self._buffer) - num_held]
        self._buffer = self._buffer[len(text) :]
        self._add_text(text)
        if place >= 0:
            self._state = self._before_call
        return place >= 0

    def _openers(self, before: str, tools: Sequence[Tool]) -> list[tuple[CallMarks, Tool]]:
        """The texts before the arguments of each tool's call, with `before` in front."""
        syntax = self._syntax
        return [
            (self._marks(before + opener, ends_in_name=opener.rstrip().endswith(tool.name)), tool)
            for tool in tools
            for opener in syntax.openers(tool.name)
        ]

    def _marks(self, text: str, *, ends_in_name: bool = False) -> CallMarks:
        return CallMarks(text, self._syntax.ids.characters, ends_in_name)

    def _at_start(self) -> bool:
        """Read the start of the output, where calls begin at once or not at all."""
        return self._read_opener(self._first, self._only_text)

    def _only_text(self) -> bool:
        text, self._buffer = self._buffer, ""
        self._add_text(text)
        return False

    def _before_call(self) -> bool:
        return self._read_opener(self._first, self._not_a_call)

    def _read_opener(self, openers: list[tuple[CallMarks, Tool]], otherwise: Callable[[], bool]) -> bool:
        """Read the beginning of a call. Returns False while more text is needed; if no call begins, continues with
        `otherwise`.
        """
        may_follow = False
        for marks, tool in openers:
            found, end = marks.find(self._buffer, after_space=openers is self._next)
            if found is MarkMatch.WHOLE:
                self._begin(tool, end)
                return True
            may_follow = may_follow or found is MarkMatch.PART
        if may_follow:
            return False
        self._state = otherwise
        return True

    def _not_a_call(self) -> bool:
        """Treat the trigger as text, since no call of this syntax follows it."""
        text, self._buffer = self._buffer[:1], self._buffer[1:]
        self._add_text(text)
        self._state = self._in_text
        return True

    def _begin(self, tool: Tool, num_read: int) -> None:
        self._let_go_of_text()  # no stop spans a call
        self._whitespace = ""
        if not self._may_repeat and any(name == tool.name for _, name, _ in self._calls):
            self._is_same_so_far, self._num_decided = True, self._num_read - len(self._buffer)
        self._buffer = self._buffer[num_read:]
        self._calls.append((self._syntax.ids.new(), tool.name, []))
        scanner = self._syntax.arguments.scanner(tool)
        self._scanner = TextScanner(scanner) if tool.is_custom else scanner
        self._state = self._in_arguments
        if not self._is_same_so_far:
            self._show("")

    def _show(self, arguments: str) -> None:
        """Return the first piece of the last call, with its name."""
        call_id, name, _ = self._calls[-1]
        self._add_delta(arguments, call_id, name)

    def _add_delta(self, arguments: str, call_id: str | None = None, name: str | None = None) -> None:
        is_custom = self._calls[-1][1] in self._custom
        self._deltas.append(ToolCallDelta(len(self._calls) - 1, arguments, call_id, name, is_custom))

    def _in_arguments(self) -> bool:
        arguments, num_read, is_done = self._scanner.push(self._buffer)
        self._buffer = self._buffer[num_read:]
        self._add_arguments(arguments, is_done=is_done)
        if is_done:
            self._state = self._behind_call
        return is_done

    def _add_arguments(self, arguments: str, *, is_done: bool) -> None:
        """Add to the last call's arguments. is_done: they are complete."""
        self._calls[-1][2].append(arguments)
        if self._is_same_so_far:
            self._look_for_repetition(is_done)
        elif arguments:
            self._add_delta(arguments)

    def _look_for_repetition(self, is_done: bool) -> None:
        """Show a held call when it differs from all earlier ones; if it is complete and the same, end the answer."""
        *others, (_, name, parts) = self._calls
        arguments = "".join(parts)
        said = ["".join(earlier) for _, other, earlier in others if other == name]
        if not (arguments in said if is_done else any(one.startswith(arguments) for one in said)):
            self._is_same_so_far, self._num_decided = False, None
            self._show("")
            self._add_delta(arguments)
        elif is_done and self._may_end:
            self._calls.pop()
            self._is_same_so_far, self.is_ended = False, True
        elif is_done:
            self._is_same_so_far, self._num_decided = False, None
            self._calls.pop()

    def _behind_call(self) -> bool:
        if self._syntax.id_part and self._read(self._id_part) is MarkMatch.PART:
            return False
        found = self._read(self._closer)
        if found is MarkMatch.PART:
            return False
        is_in_group = found is MarkMatch.WHOLE and self._syntax.is_grouped
        self._state = self._in_group if is_in_group else self._behind_calls
        return True

    def _in_group(self) -> bool:
        return self._read_opener(self._next, self._behind_group)

    def _behind_group(self) -> bool:
        if self._read(self._group_end) is MarkMatch.PART:
            return False
        self._state = self._behind_calls
        return True

    def _behind_calls(self) -> bool:
        self._state = self._in_text if self._syntax.trigger else self._only_text
        return True

    def _read(self, marks: CallMarks) -> MarkMatch:
        """Read marks if they are complete."""
        found, end = marks.find(self._buffer)
        if found is MarkMatch.WHOLE:
            self._buffer = self._buffer[end:]
        return found
