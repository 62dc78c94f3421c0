"""Where stop strings and stop regexes end a text, found while the text is made.

A text ends at the first character at which some stop is complete; if several are, the one that begins first counts.
What may still become one is held back until that is decided, so nothing of a stop is ever shown. Strings are one
automaton (`stop_strings.py`). Regexes are one Language, whose derivatives are followed from every place at which a
match may have begun, so a regex that makes backtracking matchers slow costs no more than any other; some cost much
nevertheless, so the time for them is bounded, for all outputs of a request together. Each character that is read gives
a little of it back, as much as regexes of the usual kinds take, so these never come to the bound.

In a JSON document a stop that lies within a string does not count, unless the caller wants it to.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from guided.grammars.errors import GuidedError, InvalidInputError, InvalidRegexError, LimitExceededError
from guided.grammars.regex import algebra, python_re
from guided.grammars.regex.algebra import Language
from guided.grammars.watch import Watch

from ..params.limits import RequestLimits
from ..params.sampling_params import SamplingParams
from .stop_strings import StopStrings

MAX_OPEN_MATCHES = 4096  # places with different rests to match; about 1 us each for every character
CHARACTER_S = 20e-6  # of processor time, which each character gives back


class TooManyOpenMatchesError(GuidedError):
    """A stop regex for which too many matches are going on at one place, such as `a.{10000}b` in a text full of a."""

    def __init__(self) -> None:
        super().__init__(
            f"stop_regex: more than {MAX_OPEN_MATCHES} matches are going on at one place of the text; "
            "give a regex with shorter matches"
        )


class StopTimeError(GuidedError):
    """A stop regex whose matches take too long to look for. seconds: the limit, of processor time."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        super().__init__(
            f"stop_regex: looking for its matches took more than the limit of {seconds:g} seconds (max_stop_seconds); "
            "give a simpler regex"
        )

    def __reduce__(self) -> tuple[type[StopTimeError], tuple[float]]:
        return type(self), (self.seconds,)


class Stops:
    """All that ends the texts of one request, shared by its outputs; None of both: nothing does.

    strings: its stop strings. language: of its stop regexes. Raises InvalidInputError for a regex that has an error,
    looks at what stands around it, matches the empty text (which would end every text at once) or nothing;
    StopTimeError for one that takes too long to read. max_seconds: see `RequestLimits.max_stop_seconds`.
    """

    def __init__(self, params: SamplingParams, max_seconds: float = RequestLimits().max_stop_seconds) -> None:
        self.strings = StopStrings(params.stop_strings) if params.stop_strings else None
        self.language: Language | None = None
        self._max_seconds = self._seconds_left = max_seconds
        if params.stop_patterns:
            with self.timed():
                self.language = algebra.union(*map(_of_pattern, params.stop_patterns))

    @property
    def is_empty(self) -> bool:
        """Nothing ends a text."""
        return self.strings is None and self.language is None

    @contextmanager
    def timed(self, num_characters: int = 0) -> Iterator[None]:
        """The block's processor time counts; raises StopTimeError within it once there is none left.

        num_characters: that it reads.
        """
        start_s = time.thread_time()
        self._seconds_left = min(self._max_seconds, self._seconds_left + num_characters * CHARACTER_S)
        try:
            with Watch("max_stop_seconds", self._seconds_left, is_of_processor=True) as watch:
                yield
                watch.check()
        except LimitExceededError:
            raise StopTimeError(self._max_seconds) from None
        finally:
            self._seconds_left = max(0.0, self._seconds_left - (time.thread_time() - start_s))


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
        self._strings = JsonStrings() if skips_strings else None
        self._stops = stops
        self._state = 0  # of the strings' automaton
        self._includes_stop = includes_stop
        self._open: dict[
            Language, int
        ] = {}  # what a match that goes on still needs -> its leftmost start; in that order
        self._num_read = 0
        self._held = ""  # what was pushed and not given back
        self._shown: list[str] = []  # what was given back, where a match may have begun in it
        self._num_shown = 0

    @property
    def is_in_string(self) -> bool:
        """The next character belongs to a string of the document, or ends it."""
        return self._strings is not None and self._strings.start is not None

    @property
    def num_held(self) -> int:
        """How many of the characters that were pushed were not given back."""
        return len(self._held)

    def push(self, text: str, *, may_end: bool = True) -> str:
        """Read more text; returns what can be shown now. may_end: False looks over stops that are complete in it.

        Raises TooManyOpenMatchesError and StopTimeError.
        """
        if self._stops.language is None:
            return self._push(text, may_end)
        with self._stops.timed(len(text)):
            return self._push(text, may_end)

    def _push(self, text: str, may_end: bool) -> str:
        self._held += text
        for character in text:
            string_start = None if self._strings is None else self._strings.read(character)
            start = self._read(character)
            is_in_string = start is not None and string_start is not None and start >= string_start
            if start is not None and may_end and not is_in_string:
                self.is_stopped = True
                self.match = self._text(start, self._num_read)
                return self._release(self._num_read if self._includes_stop else start)
        return self._release(self._num_read if self._includes_stop else self._first_open())

    def flush(self) -> str:
        """What was held back, when the text has ended otherwise or no stop goes on in what follows."""
        self._open, self._state = {}, 0
        return self._release(self._num_read)

    def _first_open(self) -> int:
        """Where the first match begins that goes on."""
        first = next(iter(self._open.values()), self._num_read)
        strings = self._stops.strings
        return first if strings is None else min(first, self._num_read - strings.open_length(self._state))

    def _read(self, character: str) -> int | None:
        """Follow one character; returns where the match begins that it completes."""
        starts = []
        if self._stops.strings is not None:
            self._state = self._stops.strings.step(self._state, character)
            length = self._stops.strings.match_length(self._state)
            starts += [self._num_read + 1 - length] if length else []
        if self._stops.language is not None:
            start = self._follow(self._stops.language, ord(character))
            starts += [] if start is None else [start]
        self._num_read += 1
        return min(starts, default=None)

    def _follow(self, whole: Language, code_point: int) -> int | None:
        """Follow one character in the regexes; returns where the match begins that it completes."""
        following: dict[Language, int] = {}
        match_start = None
        for language, start in [*self._open.items(), (whole, self._num_read)]:
            rest = language.step(code_point)
            if rest.nullable and match_start is None:
                match_start = start
            if rest.max_length != 0 and not algebra.is_empty(rest):
                following.setdefault(rest, start)
        if len(following) > MAX_OPEN_MATCHES:
            raise TooManyOpenMatchesError
        self._open = following
        return match_start

    def _release(self, end: int) -> str:
        """The held text up to a place; it is held no longer."""
        num_new = end - self._num_shown
        shown, self._held = self._held[:num_new], self._held[num_new:]
        self._num_shown = end
        if self._includes_stop:
            self._shown.append(shown)
        return shown

    def _text(self, start: int, end: int) -> str:
        """What was read from one place to another, both not before what is kept."""
        first = 0 if self._includes_stop else self._num_shown
        return ("".join(self._shown) + self._held)[start - first : end - first]


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
def _of_pattern(pattern: str) -> Language:
    try:
        language = python_re.piece(pattern)
    except InvalidRegexError as error:
        raise InvalidInputError(f"stop_regex: {str(error).splitlines()[0]}") from error
    if not isinstance(language, Language):
        raise InvalidInputError(
            f"stop_regex {pattern!r} looks at what stands around its match; leave out anchors, \\b and lookaround"
        )
    if language.nullable:
        raise InvalidInputError(f"stop_regex {pattern!r} matches the empty text, which would end every text at once")
    if algebra.is_empty(language):
        raise InvalidInputError(f"stop_regex {pattern!r} matches nothing; leave it out")
    return language
