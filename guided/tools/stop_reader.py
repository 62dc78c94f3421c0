"""`StopReader`: reads the text of one output while it arrives, up to the stop that ends it.

A text ends at the first character that completes a stop. If this character completes several stops, the stop that
begins first counts. Characters that may belong to a stop are held back until that is decided, so no part of a stop is
ever shown. A stop within a string of a JSON document does not count, unless the request sets `stop_in_strings`.
"""

from __future__ import annotations

from guided.grammars.searches import TextSearch

from ..params.sampling_params import SamplingParams
from ..params.stopping import Stops
from .calls import ToolCall, ToolCallDelta
from .json_marks import JsonMarks


class StopReader:
    """Reads a text without calls. Subclasses also read calls (`CallReader`), and thoughts in marked parts
    (`ChannelReader`).

    reads_json: the text, or an answer without a call, is a JSON document.
    has_document: the text, or an answer without a call, has to fit a grammar of the caller's.
    is_ended: attribute; the text ends here, whatever follows. Push nothing more then.
    match: attribute; the text of the stop that ended the text; "" if none did.
    """

    def __init__(self, *, reads_json: bool = False, has_document: bool = True) -> None:
        self.reads_json = reads_json
        self.has_document = has_document
        self.is_ended = False
        self.match = ""
        self._num_read = 0
        self._may_end = True
        self._search: TextSearch | None = None
        self._json: JsonMarks | None = None
        self._includes_stop = False
        self._kept = ""  # the end of the searched text, from the first place on where a stop may have begun
        self._num_searched = 0
        self._num_shown = 0  # number of searched characters that were returned as text

    def seek(self, stops: Stops, params: SamplingParams) -> None:
        """Look for these stops, and follow the strings of a JSON document. Call this before the first `push`."""
        self._search = None if stops.sought is None else TextSearch(stops.sought)
        self._json = JsonMarks() if self.reads_json and not params.stop_in_strings else None
        self._includes_stop = params.include_stop_str_in_output

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """All calls so far; the last one may be incomplete."""
        return ()

    @property
    def has_whole_calls(self) -> bool:
        """True if there are calls and all of them are complete."""
        return False

    @property
    def is_in_text(self) -> bool:
        """True if the next characters belong to the answer's text, as far as known."""
        return True

    @property
    def is_in_string(self) -> bool:
        """True if the next character belongs to a string of a JSON document, or ends one."""
        return self._json is not None and self._json.string_start is not None

    @property
    def is_thinking(self) -> bool:
        """True if the next characters belong to a thought."""
        return False

    @property
    def num_decided(self) -> int:
        """Number of the output's characters that have been assigned to thoughts, text or calls."""
        return self._num_read - self._num_searched + self._num_shown

    def push(self, text: str, *, may_end: bool = True) -> tuple[str, list[ToolCallDelta]]:
        """Take more text. Returns what can be shown now: text, and pieces of calls.

        may_end: this text may end the answer, by itself or by a stop. Push nothing after such an end.
        """
        self._may_end = may_end
        self._num_read += len(text)
        return self._up_to_stop(text), []

    def finish(self) -> tuple[str, list[ToolCallDelta]]:
        """The held-back rest, when no text follows. Empty if a stop ended the text."""
        return self._let_go(), []

    def take_thoughts(self) -> str:
        """The thoughts since the last call of this method."""
        return ""

    def _up_to_stop(self, text: str) -> str:
        """Search more text for stops. Returns the characters that can be shown now."""
        marks, place = self._json, 0  # the marks have read the text up to this place
        if self._search is not None:
            num_before = self._num_searched
            self._kept += text
            self._num_searched += len(text)
            for end, start in self._search.push(text):
                if marks is not None:
                    marks.read(text[place : end - num_before])
                    place = end - num_before
                string_start = None if marks is None else marks.string_start
                if self._may_end and (string_start is None or start < string_start):
                    self.is_ended, self.match = True, self._between(start, end)
                    return self._shown_to(end if self._includes_stop else start)
        if marks is not None:
            marks.read(text[place:])
        if self._search is None:
            return text
        first_open = self._search.first_open
        shown = self._shown_to(self._num_searched if self._includes_stop else first_open)
        self._kept = self._between(first_open, self._num_searched)
        return shown

    def _let_go(self) -> str:
        """Return the characters that were held back as a possible stop; "" if a stop was found."""
        if self._search is None or self.match:
            return ""
        shown = self._shown_to(self._num_searched)
        self._kept = ""
        self._search.forget()
        return shown

    def _shown_to(self, end: int) -> str:
        """The searched text up to `end` that was not shown before."""
        shown = self._between(self._num_shown, end)
        self._num_shown = end
        return shown

    def _between(self, start: int, end: int) -> str:
        """The searched text between two positions. The positions are not before the kept text."""
        before = self._num_searched - len(self._kept)
        return self._kept[start - before : end - before]
