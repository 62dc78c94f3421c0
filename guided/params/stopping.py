"""Where stop strings and stop regexes end a text, found while the text is made.

A text ends at the first character at which some stop is complete; if several are, the one that begins first counts.
What may still become one is held back until that is decided, so nothing of a stop is ever shown. No regex is tried by
backtracking: each character takes a time that is bounded by the size of the regexes (`guided.grammars.searches`).

In a JSON document a stop that lies within a string does not count, unless the caller wants it to.
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
    """All that ends the texts of one request, shared by its outputs.

    strings: its stop strings. sought: its stop regexes; None: it has none.
    Raises InvalidInputError for a regex that has an error, looks at what stands around it, matches nothing or the empty
    text (which would end every text at once), or is too large.
    """

    def __init__(self, params: SamplingParams) -> None:
        self.strings: Sequence[str] = params.stop_strings
        self.sought = _sought(tuple(params.stop_patterns)) if params.stop_patterns else None

    @property
    def is_empty(self) -> bool:
        """Nothing ends a text."""
        return not self.strings and self.sought is None


class StopSearch:
    """Reads a text piece by piece and gives back what is surely part of it.

    stops: what ends it; empty ones where only `is_in_string` is asked. includes_stop: what ends the text belongs to it.
    skips_strings: the text is a JSON document, and a stop that lies within one of its strings does not count.
    is_stopped: the end was found; nothing may be pushed any more. match: the stop that was found, as it stands in the
    text.
    """

    def __init__(self, stops: Stops, *, includes_stop: bool, skips_strings: bool = False) -> None:
        self.is_stopped = False
        self.match = ""
        self._json = JsonStrings() if skips_strings else None
        self._strings = StringSearch(stops.strings)
        self._regexes = None if stops.sought is None else TextSearch(stops.sought)
        self._includes_stop = includes_stop
        self._kept = ""  # the end of what was read, from the first match on that goes on
        self._num_read = 0
        self._num_shown = 0

    @property
    def is_in_string(self) -> bool:
        """The next character belongs to a string of the document, or ends it."""
        return self._json is not None and self._json.start is not None

    @property
    def num_held(self) -> int:
        """How many of the characters that were pushed were not given back."""
        return self._num_read - self._num_shown

    def push(self, text: str, *, may_end: bool = True) -> str:
        """Read more text; returns what can be shown now. may_end: False looks over stops that are complete in it."""
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
        """What was held back, when the text has ended otherwise or no stop goes on in what follows."""
        shown = self._show(self._num_read)
        self._kept = ""
        self._strings.first_open = self._num_read
        if self._regexes is not None:
            self._regexes.forget()
        return shown

    def _matches(self, text: str) -> Iterator[tuple[int, int]]:
        """Where stops end in new text, in order, and where they begin; of those that end there, the first one first."""
        found = list(self._strings.push(self._kept, self._num_read - len(self._kept), len(text)))
        if self._regexes is not None:
            found += self._regexes.push(text)
        return iter(sorted(found))

    def _first_open(self) -> int:
        """Where the first match begins that goes on."""
        opened = self._strings.first_open
        return opened if self._regexes is None else min(opened, self._regexes.first_open)

    def _show(self, end: int) -> str:
        """The text up to a place that was not shown before."""
        shown = self._between(self._num_shown, end)
        self._num_shown = end
        return shown

    def _between(self, start: int, end: int) -> str:
        """What was read from one place to another, both not before what is kept."""
        before = self._num_read - len(self._kept)
        return self._kept[start - before : end - before]


class JsonStrings:
    """Where the strings of a JSON document are, keys included, while it is read character by character.

    start: the place after the opening quote of the string that is open; None outside of strings.
    """

    def __init__(self) -> None:
        self.start: int | None = None
        self._num_read = 0
        self._is_escaped = False

    def read(self, character: str) -> int | None:
        """Read on; `start` of the string that this character belongs to. Its quotes do not."""
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
