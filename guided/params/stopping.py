"""Finds stop strings and stop regexes that end a text, while the text is generated.

A text ends at the first character that completes a stop. If this character completes several stops, the one that begins
first counts. Characters that may belong to a stop are held back until that is decided, so no part of a stop is ever
shown. No regex backtracks: the time for each character is bounded by the size of the regexes
(`guided.grammars.searches`).

In a JSON document a stop within a string does not count, unless the request sets `stop_in_strings`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from guided.grammars.errors import InvalidInputError, InvalidRegexError
from guided.grammars.regex import algebra, python_re
from guided.grammars.regex.algebra import Language
from guided.grammars.searches import Sought, TextSearch

from .sampling_params import SamplingParams
from .stop_strings import StringSearch


class Stops:
    """The stops of one request, shared by its outputs.

    strings: attribute; the stop strings.
    sought: attribute; the stop regexes; None: no stop regexes.
    Raises InvalidInputError for a regex that is wrong or too large, or that matches nothing. The same holds for a regex
    that looks at the text around its match, or that matches the empty text, which would end every text at once.
    """

    def __init__(self, params: SamplingParams) -> None:
        self.strings: Sequence[str] = params.stop_strings
        self.sought = _sought(tuple(params.stop_patterns)) if params.stop_patterns else None

    @property
    def is_empty(self) -> bool:
        """True if there are no stops."""
        return not self.strings and self.sought is None


class StopSearch:
    """Searches one text for stops. The text comes in pieces, and `push` returns the characters before any stop.

    stops: the stops; without any, only `is_in_string` is useful.
    includes_stop: the stop that ends the text is part of the text.
    skips_strings: the text is a JSON document, and a stop within one of its strings does not count.
    is_stopped: attribute; a stop was found. Push nothing more then.
    match: attribute; the text of the stop that was found; "" before.
    """

    def __init__(self, stops: Stops, *, includes_stop: bool, skips_strings: bool = False) -> None:
        self.is_stopped = False
        self.match = ""
        self._json = JsonStrings() if skips_strings else None
        self._strings = StringSearch(stops.strings)
        self._regexes = None if stops.sought is None else TextSearch(stops.sought)
        self._includes_stop = includes_stop
        self._kept = ""  # the end of the text so far, from `_first_open` on
        self._num_read = 0
        self._num_shown = 0

    @property
    def is_in_string(self) -> bool:
        """True if the next character belongs to a string of the document, or ends one."""
        return self._json is not None and self._json.start is not None

    @property
    def num_held(self) -> int:
        """Number of pushed characters that have not been returned."""
        return self._num_read - self._num_shown

    def push(self, text: str, *, may_end: bool = True) -> str:
        """Read more text. Returns the characters that can be shown now. may_end: False: ignore stops that this text
        completes.
        """
        in_strings = None if self._json is None else list(map(self._json.read, text))
        num_before = self._num_read
        self._kept += text
        self._num_read += len(text)
        for end, start in self._matches(text):
            string_start = None if in_strings is None else in_strings[end - num_before - 1]
            if may_end and (string_start is None or start < string_start):
                self.is_stopped = True
                self.match = self._between(start, end)
                return self._show(end if self._includes_stop else start)
        first_open = self._first_open()
        shown = self._show(self._num_read if self._includes_stop else first_open)
        self._kept = self._between(first_open, self._num_read)
        return shown

    def flush(self) -> str:
        """The held-back characters. Call this if the text ended without a stop, or if no stop may span what follows."""
        shown = self._show(self._num_read)
        self._kept = ""
        self._strings.first_open = self._num_read
        if self._regexes is not None:
            self._regexes.forget()
        return shown

    def _matches(self, text: str) -> Iterator[tuple[int, int]]:
        """(end, start) of each stop that ends in the new text, in order of the ends, then of the starts."""
        found = list(self._strings.push(self._kept, self._num_read - len(self._kept), len(text)))
        if self._regexes is not None:
            found += self._regexes.push(text)
        return iter(sorted(found))

    def _first_open(self) -> int:
        """Position of the first place where a stop may have begun that is not complete."""
        opened = self._strings.first_open
        return opened if self._regexes is None else min(opened, self._regexes.first_open)

    def _show(self, end: int) -> str:
        """The text up to `end` that was not shown before."""
        shown = self._between(self._num_shown, end)
        self._num_shown = end
        return shown

    def _between(self, start: int, end: int) -> str:
        """The text between two positions. Neither lies before the kept text."""
        before = self._num_read - len(self._kept)
        return self._kept[start - before : end - before]


class JsonStrings:
    """Finds the strings of a JSON document, keys included. The document is read character by character.

    start: attribute; position after the opening quote of the open string; None outside of strings.
    """

    def __init__(self) -> None:
        self.start: int | None = None
        self._num_read = 0
        self._is_escaped = False

    def read(self, character: str) -> int | None:
        """Read a character. Returns the `start` of its string; None outside of strings and for their own quotes."""
        self._num_read += 1
        if self.start is None:
            if character == '"':
                self.start = self._num_read
            return None
        if self._is_escaped:
            self._is_escaped = False
        elif character == "\\":
            self._is_escaped = True
        elif character == '"':
            self.start = None
        return self.start


@lru_cache(maxsize=64)
def _sought(patterns: tuple[str, ...]) -> Sought:
    language = algebra.union(*map(_of_pattern, patterns))
    try:
        return Sought(language)
    except InvalidInputError as error:
        raise InvalidInputError(f"stop_regex: {error}") from None


def _of_pattern(pattern: str) -> Language:
    try:
        language = python_re.piece(pattern)
    except InvalidRegexError as error:
        raise InvalidInputError(f"stop_regex: {str(error).splitlines()[0]}") from error
    if language is algebra.NOTHING:
        raise InvalidInputError(f"stop_regex {pattern!r} matches nothing; leave it out")
    if not isinstance(language, Language) or not language.is_plain:
        raise InvalidInputError(
            f"stop_regex {pattern!r} looks at what stands around its match; leave out anchors, \\b, lookaround, atomic "
            "groups and possessive quantifiers"
        )
    if language.nullable:
        raise InvalidInputError(f"stop_regex {pattern!r} matches the empty text, which would end every text at once")
    return language
