"""`ChannelReader`: splits an output's text, while it arrives, into thoughts, texts and calls.

Text outside the parts of `Channels` goes to the reader of calls.
"""

from __future__ import annotations

from os.path import commonprefix
from typing import TYPE_CHECKING

from .calls import ToolCall, ToolCallDelta
from .channels import Channels, Part
from .partial import overlap
from .reader import CallReader

if TYPE_CHECKING:
    from ..params.stopping import StopSearch


class ChannelReader:
    """Reads one output: first its parts, then the calls after the last part.

    calls: the reader of calls, which also looks for stops in texts.
    opened: the part that the prompt has begun; None: no part.
    The reader has the interface of a `CallReader`, and also returns thoughts.
    """

    def __init__(self, channels: Channels, calls: CallReader, opened: Part | None = None) -> None:
        self._channels = channels
        self._calls = calls
        self._part = None if channels.has_calls_in_text else opened
        self._is_behind = self._part is not opened  # true after the last part, and in a part that has calls in its text
        self._is_first = opened is None  # true before anything has been read
        self._buffer = ""
        self._added = ""  # mark of the prompt that the reader of calls got first and that is not text
        self._num_read = 0
        self._thoughts: list[str] = []
        self._text: list[str] = []
        self._deltas: list[ToolCallDelta] = []
        self._may_end = True

    @property
    def search(self) -> StopSearch | None:
        """The search for stops in texts; None: no stops."""
        return self._calls.search

    @search.setter
    def search(self, search: StopSearch | None) -> None:
        self._calls.search = search

    @property
    def reads_json(self) -> bool:
        """True if a text without calls is a JSON document."""
        return self._calls.reads_json

    @property
    def has_document(self) -> bool:
        """True if a text without calls has to fit a grammar of the caller's."""
        return self._calls.has_document

    @property
    def is_ended(self) -> bool:
        """True if the answer ends here, whatever follows."""
        return self._calls.is_ended

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """All calls so far."""
        return self._calls.calls

    @property
    def has_whole_calls(self) -> bool:
        """True if there are calls and all of them are complete."""
        return self._calls.has_whole_calls

    @property
    def is_in_text(self) -> bool:
        """True if the next characters belong to the answer's text, as far as known."""
        return self._calls.is_in_text if self._part is None else not self._part.is_thinking

    @property
    def is_thinking(self) -> bool:
        """True if the next characters belong to a thought."""
        return self._part is not None and self._part.is_thinking

    @property
    def num_decided(self) -> int:
        """Number of the output's characters that have been assigned to thoughts, text or calls."""
        return max(0, self._num_read - len(self._buffer) - self._calls.num_undecided)

    def push(self, text: str, *, may_end: bool = True) -> tuple[str, list[ToolCallDelta]]:
        """See `CallReader.push`."""
        self._may_end = may_end
        self._num_read += len(text)
        self._buffer += text
        while self._buffer and not self.is_ended and self._read():
            pass
        return self._take()

    def finish(self) -> tuple[str, list[ToolCallDelta]]:
        """See `CallReader.finish`."""
        if not self.is_ended:
            rest, self._buffer = self._buffer, ""
            self._give(rest)
        self._keep(*self._calls.finish())
        return self._take()

    def take_thoughts(self) -> str:
        """The thoughts since the last call of this method."""
        thoughts = "".join(self._thoughts)
        self._thoughts.clear()
        return thoughts

    def _take(self) -> tuple[str, list[ToolCallDelta]]:
        taken = "".join(self._text), self._deltas
        self._text, self._deltas = [], []
        return taken

    def _read(self) -> bool:
        if self._part is None and not self._is_behind:
            return self._read_begin()
        end = self._channels.end if self._part is None else self._part.end
        text, is_over = self._up_to(end)
        self._give(text)
        if not is_over or self.is_ended:
            return False
        self._buffer = self._buffer[len(end) :]
        self._part, self._is_first = None, False
        return True

    def _read_begin(self) -> bool:
        """Read the mark that begins a part. Returns False while more text is needed."""
        between = "" if self._is_first else self._channels.between
        for part in self._channels.parts:
            if self._buffer.startswith(between + part.begin):
                self._buffer = self._buffer[len(between + part.begin) :]
                self._part, self._is_behind = (None, True) if self._channels.has_calls_in_text else (part, False)
                return True
        if any((between + part.begin).startswith(self._buffer) for part in self._channels.parts):
            return False
        self._is_behind = True
        self._added = self._channels.between if self._channels.has_calls_in_text else ""
        self._buffer = self._added + self._buffer.removeprefix(between)
        return True

    def _up_to(self, end: str) -> tuple[str, bool]:
        """The text before a mark, and whether the mark is there. Characters that may begin the mark stay in the
        buffer.
        """
        place = self._buffer.find(end) if end else -1
        num_held = len(self._buffer) - place if place >= 0 else overlap(self._buffer, end)
        text = self._buffer[: len(self._buffer) - num_held]
        self._buffer = self._buffer[len(text) :]
        return text, place >= 0

    def _give(self, text: str) -> None:
        """Add text to the current part: a thought, the answer's text, or calls."""
        if self.is_thinking:
            self._thoughts.append(text)
        elif text:
            push = self._calls.push if self._part is None else self._calls.push_text
            self._keep(*push(text, may_end=self._may_end))

    def _keep(self, text: str, deltas: list[ToolCallDelta]) -> None:
        """Keep the text and deltas from the reader of calls, without the text that was added for that reader."""
        num_added = len(commonprefix([text, self._added]))  # noqa: RUF071 - texts, not paths
        self._added = "" if deltas or num_added < len(text) else self._added[num_added:]
        self._text.append(text[num_added:])
        self._deltas += deltas
