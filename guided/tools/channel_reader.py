"""`ChannelReader`: splits an output's text, while it arrives, into thoughts, texts and calls.

Text outside the parts of `Channels` goes to the reader of calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from os.path import commonprefix

from .call_reader import CallReader
from .calls import ToolCallDelta
from .channels import Channels, Part
from .definitions import Tool
from .marks import overlap
from .syntax import ToolSyntax


class ChannelReader(CallReader):
    """Reads one output: first its parts, then the calls after the last part.

    channels: the parts.
    opened: the part that the prompt has begun; None: no part.
    syntax, tools, options: as for `CallReader`.
    """

    def __init__(
        self, channels: Channels, opened: Part | None, syntax: ToolSyntax, tools: Sequence[Tool], **options: bool
    ) -> None:
        super().__init__(syntax, tools, **options)
        self._channels = channels
        self._part = None if channels.has_calls_in_text else opened
        self._is_behind = self._part is not opened  # true after the last part, and in a part that has calls in its text
        self._is_first = opened is None  # true before anything has been read
        self._unsplit = ""  # the end of the text, which is not assigned to a part yet
        self._added = ""  # mark of the prompt that was read before the text, as its calls begin with it
        self._num_pushed = 0
        self._thoughts: list[str] = []

    @property
    def is_in_text(self) -> bool:
        """See `StopReader.is_in_text`."""
        return super().is_in_text if self._part is None else not self._part.is_thinking

    @property
    def is_thinking(self) -> bool:
        """See `StopReader.is_thinking`."""
        return self._part is not None and self._part.is_thinking

    @property
    def num_decided(self) -> int:
        """See `StopReader.num_decided`."""
        num_undecided = self._num_read - super().num_decided
        return max(0, self._num_pushed - len(self._unsplit) - num_undecided)

    def push(self, text: str, *, may_end: bool = True) -> tuple[str, list[ToolCallDelta]]:
        """See `StopReader.push`."""
        self._may_end = may_end
        self._num_pushed += len(text)
        self._unsplit += text
        while self._unsplit and not self.is_ended and self._split():
            pass
        return self._take()

    def finish(self) -> tuple[str, list[ToolCallDelta]]:
        """See `StopReader.finish`."""
        if not self.is_ended:
            rest, self._unsplit = self._unsplit, ""
            self._give(rest)
        return super().finish()

    def take_thoughts(self) -> str:
        """See `StopReader.take_thoughts`."""
        thoughts = "".join(self._thoughts)
        self._thoughts.clear()
        return thoughts

    def _take(self) -> tuple[str, list[ToolCallDelta]]:
        """The new text and pieces of calls, without the text that this reader added."""
        text, deltas = super()._take()
        num_added = len(commonprefix([text, self._added]))  # noqa: RUF071 - texts, not paths
        self._added = "" if deltas or num_added < len(text) else self._added[num_added:]
        return text[num_added:], deltas

    def _split(self) -> bool:
        if self._part is None and not self._is_behind:
            return self._read_begin()
        end = self._channels.end if self._part is None else self._part.end
        text, is_over = self._up_to(end)
        self._give(text)
        if not is_over or self.is_ended:
            return False
        self._unsplit = self._unsplit[len(end) :]
        self._part, self._is_first = None, False
        return True

    def _read_begin(self) -> bool:
        """Read the mark that begins a part. Returns False while more text is needed."""
        between = "" if self._is_first else self._channels.between
        for part in self._channels.parts:
            if self._unsplit.startswith(between + part.begin):
                self._unsplit = self._unsplit[len(between + part.begin) :]
                self._part, self._is_behind = (None, True) if self._channels.has_calls_in_text else (part, False)
                return True
        if any((between + part.begin).startswith(self._unsplit) for part in self._channels.parts):
            return False
        self._is_behind = True
        self._added = self._channels.between if self._channels.has_calls_in_text else ""
        self._unsplit = self._added + self._unsplit.removeprefix(between)
        return True

    def _up_to(self, end: str) -> tuple[str, bool]:
        """The text before a mark, and whether the mark is there. Characters that may begin the mark stay in the
        buffer.
        """
        place = self._unsplit.find(end) if end else -1
        num_held = len(self._unsplit) - place if place >= 0 else overlap(self._unsplit, end)
        text = self._unsplit[: len(self._unsplit) - num_held]
        self._unsplit = self._unsplit[len(text) :]
        return text, place >= 0

    def _give(self, text: str) -> None:
        """Add text to the current part: a thought, the answer's text, or calls."""
        if self.is_thinking:
            self._thoughts.append(text)
        elif self._part is None:
            self._read_all(text)
        else:
            self._num_read += len(text)
            self._add_text(text)
