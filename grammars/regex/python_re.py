r"""Turn patterns of Python's `re` into Languages, exactly: `full`, and `piece` for a part of one.

A text t is in `full(pattern)` if and only if `re.fullmatch(pattern, t)` finds a match. All inline flags, lookahead and
lookbehind work, case is ignored as `re` ignores it, and `\d \w \s` cover all of Unicode. Python's syntax is extended by
`\p{..}` and `\P{..}`, as ECMA-262 spells them. Under the flag i they match a character if they match one of its cases.

The reader refuses all that `re` refuses, with the message of `re`. The reader also refuses:

- backreferences and conditional groups, which no automaton can follow;
- atomic groups and possessive quantifiers, whose match depends on the order of a search;
- an assertion in a lookbehind that looks past the lookbehind's end and does not end a top-level alternative;
- groups nested more than 100 deep;
- more than 1,000 assertions, or many that can be tried at one place (depth.py).
"""

from __future__ import annotations

import re
import weakref
from re import _parser
from typing import SupportsIndex

from ..errors import InvalidRegexError
from ..watch import checkpoint
from .assertions import Piece, whole
from .nodes import Language
from .pattern_parser import NestingError, PatternError
from .pieces import to_piece
from .python_parser import ParsedPattern, parse
from .syntax_tree import variable_lookbehind

LONG_CHARS = 2048  # `re` takes some milliseconds for a pattern of this length
LOOK_CHARS = 64


def full(pattern: str) -> Language:
    """Return the texts that the pattern matches from start to end.

    The function passes on the warnings of `re.compile`, such as that for a `[[` in a class. Raises InvalidRegexError
    with the offset of the error or of the unsupported part.
    """
    known = _fulls.get(pattern)
    if known is None:
        known = _fulls[pattern] = _read(pattern)
    return known


def piece(pattern: str) -> Piece:
    """Read a pattern as one part of a longer text. `whole` joins such pieces to a Language.

    Assertions at its ends look at the neighbours' texts, as if all pieces were one pattern. Raises as `full` does.
    """
    parsed = parse(pattern)
    if not isinstance(parsed.error, NestingError):
        _ask_re(pattern, parsed)
    try:
        if parsed.error is not None:
            raise parsed.error
        assert parsed.tree is not None
        return to_piece(parsed.tree)
    except PatternError as error:
        raise InvalidRegexError(pattern, error.reason, error.position) from None


def _read(pattern: str) -> Language:
    read = piece(pattern)
    return read if isinstance(read, Language) else whole([read])


_ADVICE = {
    "unknown extension ?<": "; a named group is written (?P<name>...)",
    r"bad escape \z": r"; the end of the text is \Z",
}
"""Beginning of an error of Python's `re` about other systems' syntax -> what to write here."""


def _ask_re(pattern: str, parsed: ParsedPattern) -> None:
    """Raise the error of `re.compile` for the pattern, if any. A class of equal length replaces each masked span."""
    parts, end = [], 0
    for start, stop in parsed.masked:
        parts.append(f"{pattern[end:start]}[{'a' * (stop - start - 2)}]")
        end = stop
    parts.append(pattern[end:])
    text = "".join(parts)
    try:
        if len(text) <= LONG_CHARS:
            re.compile(text)
        else:
            _ask_parser(text, parsed)
    except re.error as error:
        if parsed.error is not None and error.msg in (r"bad escape \p", r"bad escape \P"):
            return  # our parser has stopped before this escape and has the error
        position = error.pos
        if position is None and parsed.tree is not None:
            look = variable_lookbehind(parsed.tree)
            position = None if look is None else look.position
        advice = next((advice for start, advice in _ADVICE.items() if error.msg.startswith(start)), "")
        raise InvalidRegexError(pattern, error.msg + advice, position) from None
    except (OverflowError, ValueError) as error:  # too large numbers; flags that exclude each other
        if parsed.error is None:
            raise InvalidRegexError(pattern, str(error), 0) from None


def _ask_parser(text: str, parsed: ParsedPattern) -> None:
    """Do what `re.compile` does for a long pattern, but make no code.

    PERF: making code has no checkpoint, and blocks all other computing for 0.2 s for 200 KB. Beyond its parser's
    errors, `re.compile` refuses only lookbehinds of texts of different lengths.
    """
    _parser.parse(_Watched(text))
    if parsed.tree is not None and variable_lookbehind(parsed.tree) is not None:
        raise re.error("look-behind requires fixed-width pattern")


class _Watched(str):
    """A pattern that checks the time while `re` reads it character by character, 0.3 s for 200 KB."""

    __slots__ = ()

    def __getitem__(self, index: SupportsIndex | slice) -> str:
        if isinstance(index, int) and not index % LOOK_CHARS:
            checkpoint()
        return super().__getitem__(index)


_fulls: weakref.WeakValueDictionary[str, Language] = weakref.WeakValueDictionary()
