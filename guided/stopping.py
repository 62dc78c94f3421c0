"""Where stop strings and stop regexes end a text, found while the text is made.

A text ends at the first character at which some stop is complete; if several are, the one that begins first counts.
What may still become one is held back until that is decided, so nothing of a stop is ever shown. Strings and regexes
are one Language; its derivatives are followed from every place at which a match may have begun, so a regex that makes
backtracking matchers slow costs no more than any other.
"""

from __future__ import annotations

from functools import lru_cache

from guided.grammars.errors import GuidedError, InvalidInputError, InvalidRegexError
from guided.grammars.regex import algebra, python_re
from guided.grammars.regex.algebra import Language

from .sampling_params import SamplingParams

MAX_OPEN_MATCHES = 4096  # places with different rests to match; about 1 us each for every character


class TooManyOpenMatchesError(GuidedError):
    """A stop regex for which too many matches are going on at one place, such as `a.{10000}b` in a text full of a."""

    def __init__(self) -> None:
        super().__init__(
            f"stop_regex: more than {MAX_OPEN_MATCHES} matches are going on at one place of the text; "
            "give a regex with shorter matches"
        )


def stop_language(params: SamplingParams) -> Language | None:
    """What ends the text: all stop strings and regexes of a request, None without any.

    Raises InvalidInputError for a regex that has an error, looks at what stands around it, matches the empty text
    (which would end every text at once) or nothing.
    """
    strings, patterns = params.stop_strings, params.stop_patterns
    if not strings and not patterns:
        return None
    return algebra.union(*map(algebra.text, strings), *map(_of_pattern, patterns))


class StopSearch:
    """Reads a text piece by piece and gives back what is surely part of it.

    includes_stop: what ends the text belongs to it. is_stopped: the end was found; nothing may be pushed any more.
    match: the stop that was found, as it stands in the text.
    """

    def __init__(self, language: Language, *, includes_stop: bool) -> None:
        self.is_stopped = False
        self.match = ""
        self._language = language
        self._includes_stop = includes_stop
        self._open: dict[
            Language, int
        ] = {}  # what a match that goes on still needs -> its leftmost start; in that order
        self._num_read = 0
        self._held = ""  # what was pushed and not given back
        self._shown: list[str] = []  # what was given back, where a match may have begun in it
        self._num_shown = 0

    def push(self, text: str, *, may_end: bool = True) -> str:
        """Read more text; returns what can be shown now. may_end: False looks over stops that are complete in it.

        Raises TooManyOpenMatchesError.
        """
        self._held += text
        for character in text:
            start = self._read(ord(character))
            if start is not None and may_end:
                self.is_stopped = True
                self.match = self._text(start, self._num_read)
                return self._release(self._num_read if self._includes_stop else start)
        first_open = next(iter(self._open.values()), self._num_read)
        return self._release(self._num_read if self._includes_stop else first_open)

    def flush(self) -> str:
        """What was held back, when the text has ended otherwise."""
        return self._release(self._num_read)

    def _read(self, code_point: int) -> int | None:
        """Follow one character; returns where the match begins that it completes."""
        following: dict[Language, int] = {}
        match_start = None
        for language, start in [*self._open.items(), (self._language, self._num_read)]:
            rest = language.step(code_point)
            if rest.nullable and match_start is None:
                match_start = start
            if rest.max_length != 0 and not algebra.is_empty(rest):
                following.setdefault(rest, start)
        if len(following) > MAX_OPEN_MATCHES:
            raise TooManyOpenMatchesError
        self._open = following
        self._num_read += 1
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
