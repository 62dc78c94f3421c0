"""`Stops`: the stop strings and stop regexes that end a text. `guided.tools.stop_reader` looks for them.

No regex backtracks: the time for each character is bounded by the size of the regexes (`guided.grammars.searches`).
"""

from __future__ import annotations

from functools import lru_cache

from guided.grammars.errors import InvalidInputError, InvalidRegexError
from guided.grammars.regex import algebra, python_re
from guided.grammars.regex.algebra import Language
from guided.grammars.searches import MAX_POSITIONS, Sought

from .sampling_params import SamplingParams


class Stops:
    """The stops of one request, shared by its outputs.

    sought: attribute; all stops as one language to search for; None: there are no stops.
    Raises InvalidInputError for stops that are too large together, and for a regex that is wrong, matches nothing, or
    looks at the text around its match. A regex must not match the empty text, which would end every text at once.
    """

    def __init__(self, params: SamplingParams) -> None:
        self.sought = _sought(params.stop_strings, tuple(params.stop_patterns))


@lru_cache(maxsize=64)
def _sought(strings: tuple[str, ...], patterns: tuple[str, ...]) -> Sought | None:
    if not strings and not patterns:
        return None
    try:
        most = MAX_POSITIONS + sum(map(len, strings))
        return Sought(algebra.union(algebra.words(strings), *map(_of_pattern, patterns)), most)
    except InvalidInputError as error:
        raise InvalidInputError(f"{'stop_regex' if patterns else 'stop'}: {error}") from None


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
