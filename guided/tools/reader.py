"""`CallReader`: an output's text, piece by piece, into the text around calls and the calls' own pieces.

The text was made under the grammar of `grammar.py`; only its end may be missing. Whitespace between the marks of a
call may be other than the syntax writes it. What may still become a call is held back until it is decided.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from .arguments import ArgumentScanner
from .calls import ToolCall, ToolCallDelta
from .definitions import Tool
from .marks import ID, Found, Marks
from .partial import overlap
from .syntax import ToolSyntax
from .text_scanner import TextScanner

if TYPE_CHECKING:
    from ..output.stopping import StopSearch

MAX_WHITESPACE = 8  # characters of it behind a call, where only a call may follow; more are text


class CallReader:
    """The state of a text: in free text, before a call's arguments, in them, behind them, or in a group of calls.

    tools: those that may be called.
    only_calls: the answer is calls and nothing else once it has one: text behind a call ends it, and is not shown. So a
        model may go on as it likes there, and the end is as likely as it has it.
    may_repeat: a call may be made twice with the same arguments; otherwise the second one ends the answer, unseen.
    has_document: an answer without a call has to fit a grammar of the caller's. reads_json: it is a JSON document.
    search: looks for stops in the text around calls; None: nothing does. Calls are never cut by one.
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
        self.search: StopSearch | None = None
        self.is_ended = False
        self.has_document = has_document
        self.reads_json = reads_json
        self._syntax = syntax
        self._first = self._openers(syntax.group_begin, tools)
        self._next = self._openers(syntax.between, tools)
        self._closer, self._group_end = self._marks(syntax.closer), self._marks(syntax.group_end)
        self._id_part = self._marks(syntax.id_part.replace("ID", ID))
        self._custom = frozenset(tool.name for tool in tools if tool.is_custom)
        self._only_calls = only_calls
        self._may_repeat = may_repeat
        self._may_end = True
        self._buffer = ""
        self._num_read = 0
        self._num_decided: int | None = None  # where that is not all but what is held back
        self._text: list[str] = []
        self._whitespace = ""  # at the end of the free text so far: none of it where a call follows
        self._deltas: list[ToolCallDelta] = []
        self._calls: list[tuple[str, str, list[str]]] = []  # id, name, parts of the arguments
        self._is_held = False  # the last call says so far what one before it says, and shows once it differs
        self._scanner: ArgumentScanner
        self._state: Callable[[], bool] = self._in_text if syntax.trigger else self._at_start

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """All calls so far, the last one perhaps unfinished."""
        shown = self._calls[:-1] if self._is_held else self._calls
        return tuple(ToolCall(call_id, name, "".join(parts), name in self._custom) for call_id, name, parts in shown)

    @property
    def has_whole_calls(self) -> bool:
        """There are calls, and the arguments of all of them are complete."""
        return bool(self.calls) and (self._state != self._in_arguments or self._is_held)

    @property
    def is_in_text(self) -> bool:
        """What follows is text, as far as that is known."""
        return self._state in (self._in_text, self._at_start, self._only_text)

    @property
    def num_decided(self) -> int:
        """Characters of the output of which it is known what they are."""
        if self._num_decided is not None:
            return self._num_decided
        held = 0 if self.search is None else self.search.num_held
        return self._num_read - len(self._buffer) - held

    @property
    def num_undecided(self) -> int:
        """Characters that were pushed and are held back, or are no part of the answer."""
        return self._num_read - self.num_decided

    def push_text(self, text: str, *, may_end: bool = True) -> tuple[str, list[ToolCallDelta]]:
        """`push`, for text that holds no call."""
        self._may_end = may_end
        self._num_read += len(text)
        self._add_text(text)
        return self._take()

    def push(self, text: str, *, may_end: bool = True) -> tuple[str, list[ToolCallDelta]]:
        """Take more text; what of it is decided: free text, and pieces of calls.

        may_end: it may end the answer (see `is_ended`; nothing may be pushed then), or a stop in it.
        """
        self._may_end = may_end
        self._num_read += len(text)
        self._buffer += text
        while self._buffer and not self.is_ended and self._state():
            pass
        return self._take()

    def finish(self) -> tuple[str, list[ToolCallDelta]]:
        """What was held back, once no text follows. A beginning of a call that shows no name yet is text."""
        if not self.is_ended:
            is_begun = self._state == self._before_call and not self._calls
            text, self._buffer = self._buffer, ""
            if is_begun or self._state in (self._in_text, self._at_start):
                self._add_text(text)
            elif self._state == self._in_arguments:
                self._add_arguments(self._scanner.finish(text), is_done=False)
            if self.search is not None and not self.search.is_stopped:
                self._keep_text(self.search.flush())
        if not self._calls:
            self._text.append(self._whitespace)
            self._whitespace = ""
        return self._take()

    def _take(self) -> tuple[str, list[ToolCallDelta]]:
        text, deltas = "".join(self._text), self._deltas
        self._text, self._deltas = [], []
        return text, deltas

    def _add_text(self, text: str) -> None:
        """Text around calls, which a stop may end."""
        if self._only_calls and self._calls:
            self._end_behind_calls(text)
            return
        if self.search is not None:
            text = self.search.push(text, may_end=self._may_end)
            self.is_ended = self.search.is_stopped
        self._keep_text(text)

    def _keep_text(self, text: str) -> None:
        whole = self._whitespace + text
        kept = whole.rstrip()
        self._text.append(kept)
        self._whitespace = whole[len(kept) :]

    def _end_behind_calls(self, text: str) -> None:
        self._whitespace += text
        if self._may_end and (self._whitespace.strip() or len(self._whitespace) > MAX_WHITESPACE):
            self._end(self._num_read - len(self._buffer) - len(self._whitespace))

    def _end(self, num_decided: int) -> None:
        """The answer ends here: what follows that place is no part of it."""
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

    def _openers(self, before: str, tools: Sequence[Tool]) -> list[tuple[Marks, Tool]]:
        """What stands before the arguments of each tool's call, with what is before the call."""
        syntax = self._syntax
        return [
            (self._marks(before + opener, ends_in_name=opener.endswith(tool.name)), tool)
            for tool in tools
            for opener in syntax.openers(tool.name)
        ]

    def _marks(self, text: str, *, ends_in_name: bool = False) -> Marks:
        return Marks(text, self._syntax.ids.characters, ends_in_name)

    def _at_start(self) -> bool:
        """Calls begin at once or not at all."""
        return self._read_opener(self._first, self._only_text)

    def _only_text(self) -> bool:
        text, self._buffer = self._buffer, ""
        self._add_text(text)
        return False

    def _before_call(self) -> bool:
        return self._read_opener(self._first, self._not_a_call)

    def _read_opener(self, openers: list[tuple[Marks, Tool]], otherwise: Callable[[], bool]) -> bool:
        """Read the beginning of a call; wait while that is possible, else do what is left."""
        may_follow = False
        for marks, tool in openers:
            found, end = marks.find(self._buffer, after_space=openers is self._next)
            if found is Found.WHOLE:
                self._begin(tool, end)
                return True
            may_follow = may_follow or found is Found.PART
        if may_follow:
            return False
        self._state = otherwise
        return True

    def _not_a_call(self) -> bool:
        """The trigger stood in a text that is none of this syntax's calls."""
        text, self._buffer = self._buffer[:1], self._buffer[1:]
        self._add_text(text)
        self._state = self._in_text
        return True

    def _begin(self, tool: Tool, num_read: int) -> None:
        if self.search is not None:
            self._keep_text(self.search.flush())  # no stop goes over a call
        self._whitespace = ""
        if not self._may_repeat and any(name == tool.name for _, name, _ in self._calls):
            self._is_held, self._num_decided = True, self._num_read - len(self._buffer)
        self._buffer = self._buffer[num_read:]
        self._calls.append((self._syntax.ids.new(), tool.name, []))
        scanner = self._syntax.arguments.scanner(tool)
        self._scanner = TextScanner(scanner) if tool.is_custom else scanner
        self._state = self._in_arguments
        if not self._is_held:
            self._show("")

    def _show(self, arguments: str) -> None:
        """The first piece of the last call, with its name."""
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
        """More of the last call's arguments. is_done: they are complete."""
        self._calls[-1][2].append(arguments)
        if self._is_held:
            self._look_for_repetition(is_done)
        elif arguments:
            self._add_delta(arguments)

    def _look_for_repetition(self, is_done: bool) -> None:
        """Show a held call once it differs from those before it; end the answer where it does not."""
        *others, (_, name, parts) = self._calls
        arguments = "".join(parts)
        if not any(other == name and "".join(said).startswith(arguments) for _, other, said in others):
            self._is_held, self._num_decided = False, None
            self._show("")
            self._add_delta(arguments)
        elif is_done and self._may_end:
            self._calls.pop()
            self._is_held, self.is_ended = False, True
        elif is_done:
            self._is_held, self._num_decided = False, None
            self._calls.pop()

    def _behind_call(self) -> bool:
        if self._syntax.id_part and self._read(self._id_part) is Found.PART:
            return False
        found = self._read(self._closer)
        if found is Found.PART:
            return False
        is_in_group = found is Found.WHOLE and self._syntax.is_grouped
        self._state = self._in_group if is_in_group else self._behind_calls
        return True

    def _in_group(self) -> bool:
        return self._read_opener(self._next, self._behind_group)

    def _behind_group(self) -> bool:
        if self._read(self._group_end) is Found.PART:
            return False
        self._state = self._behind_calls
        return True

    def _behind_calls(self) -> bool:
        self._state = self._in_text if self._syntax.trigger else self._only_text
        return True

    def _read(self, marks: Marks) -> Found:
        """Read marks where they are all there."""
        found, end = marks.find(self._buffer)
        if found is Found.WHOLE:
            self._buffer = self._buffer[end:]
        return found
