r"""Turn patterns of Python's `re` into Languages, exactly: `full`, and `piece` for a part of one.

A text t is in `full(pattern)` if and only if `re.fullmatch(pattern, t)` finds a match. All inline flags, lookahead and
lookbehind work, case is ignored as `re` ignores it, and `\d \w \s` cover all of Unicode. In addition there are `\p{..}`
and `\P{..}`, in the spelling of ECMA-262. Under the flag i they match each character with a case that they match.

The parser of `re` itself reads the pattern, and refuses it in its own words. The reader also refuses:

- backreferences and conditional groups, which no automaton can follow;
- atomic groups and possessive quantifiers, whose match depends on the order of a search;
- in a lookbehind, an assertion that looks past the lookbehind's end;
- groups nested more than 100 deep;
- more than 1,000 assertions, or many that can be tried at one place (depth.py).
"""

from __future__ import annotations

import itertools
import re
import weakref
from collections.abc import Callable
from re import _parser
from typing import Any, NamedTuple, SupportsIndex

from ..errors import InvalidRegexError
from ..watch import checkpoint
from .assertions import Piece, whole
from .ecma_classes import PatternError
from .nodes import Language
from .properties import property_set
from .python_pieces import Translation, lookbehinds
from .python_places import Places

LOOK_CHARS = 64
_PROPERTY = re.compile(r"\\(?:[pP]\{([^}]*)\}|.)", re.DOTALL)
_FIRST_STAND_IN = 0xE000


def full(pattern: str) -> Language:
    """Return the texts that the pattern matches from start to end.

    The function passes on the warnings of `re`, such as that for a `[[` in a class. Raises InvalidRegexError with the
    offset of the error or of the unsupported part.
    """
    known = _fulls.get(pattern)
    if known is None:
        found = piece(pattern)
        known = _fulls[pattern] = found if isinstance(found, Language) else whole([found])
    return known


def piece(pattern: str) -> Piece:
    """Return the piece behind `full`, to be put beside other pieces.

    Assertions at the piece's ends then see the other pieces. Raises as `full` does.
    """
    return translated(pattern, lambda parsed: parsed.translation.piece(parsed.items, parsed.flags))


class Parsed(NamedTuple):
    """A pattern as a tree.

    items: the tree; see python_pieces.py.
    flags: the flags of the whole pattern.
    """

    items: Any
    flags: int
    translation: Translation


def translated(pattern: str, translate: Callable[[Parsed], Piece]) -> Piece:
    """Return what `translate` makes of a pattern. Raises InvalidRegexError for its PatternError, and for a pattern that
    can't be parsed.
    """
    try:
        return translate(parse(pattern))
    except PatternError as error:
        raise InvalidRegexError(pattern, error.reason, error.position) from None


def parse(pattern: str) -> Parsed:
    """Parse a pattern. Raises PatternError."""
    places, stand_ins = Places(pattern), _StandIns(pattern)
    try:
        tree = _parser.parse(_Watched(stand_ins.text))
    except re.error as error:
        raise _of_re(pattern, error, stand_ins) from None
    except (OverflowError, ValueError) as error:  # too large numbers; flags that exclude each other
        is_number = "flags" not in str(error)
        reason = "the repetition number is too large" if is_number else str(error)
        raise PatternError(reason, places.first("count") if is_number else 0) from None
    for number, body in enumerate(lookbehinds(tree)):
        low, high = body.getwidth()
        if low != high:
            raise PatternError("look-behind requires fixed-width pattern", places.of_behind(number))
    places.check_assertions()
    return Parsed(tree, tree.state.flags, Translation(stand_ins.names, places))


_ADVICE = {
    "unknown extension ?<": "; a named group is written (?P<name>...)",
    r"bad escape \z": r"; the end of the text is \Z",
}
"""Beginning of an error of Python's `re` about other systems' syntax -> what to write here."""


def _of_re(pattern: str, error: re.error, stand_ins: _StandIns) -> PatternError:
    position = None if error.pos is None else stand_ins.place(error.pos)
    if position is not None and error.msg in (r"bad escape \p", r"bad escape \P"):
        found = _PROPERTY.match(pattern, position)
        if found is None or found[1] is None:
            return PatternError(r"\p and \P need a property in braces, as in \p{L}", position)
        return PatternError(f"an unknown Unicode property {found[1]!r}", position)
    advice = next((advice for start, advice in _ADVICE.items() if error.msg.startswith(start)), "")
    return PatternError(error.msg + advice, position)


class _StandIns:
    """A pattern with a character in place of each known property, since `re` has none.

    text: the pattern for `re`.
    names: code point of such a character -> the property, such as "P{L}".
    """

    def __init__(self, pattern: str) -> None:
        self.names: dict[int, str] = {}
        self._shifts: list[tuple[int, int]] = []  # place behind a character, and how many characters are missing there
        if r"\p" not in pattern and r"\P" not in pattern:
            self.text = pattern
            return
        hexadecimal, unused = pattern.lower(), itertools.count(_FIRST_STAND_IN)
        free = (code for code in unused if chr(code) not in pattern and f"{code:x}" not in hexadecimal)
        code_of: dict[str, int] = {}
        parts, end, length = list[str](), 0, 0
        for match in _PROPERTY.finditer(pattern):
            if match[1] is None or property_set(match[1]) is None:
                continue
            name = match[0][1:]
            if name not in code_of:
                code_of[name] = next(free)
            parts += [pattern[end : match.start()], chr(code_of[name])]
            length += match.start() - end + 1
            end = match.end()
            self._shifts.append((length, end - length))
        self.text = "".join([*parts, pattern[end:]])
        self.names = {code: name for name, code in code_of.items()}

    def place(self, position: int) -> int:
        """Return the place in the pattern of a place in `text`."""
        return position + next((shift for start, shift in reversed(self._shifts) if start <= position), 0)


class _Watched(str):
    """A pattern that checks the time while `re` reads it character by character, 0.3 s for 200 KB."""

    __slots__ = ()

    def __getitem__(self, index: SupportsIndex | slice) -> str:
        if isinstance(index, int) and not index % LOOK_CHARS:
            checkpoint()
        return super().__getitem__(index)


_fulls: weakref.WeakValueDictionary[str, Language] = weakref.WeakValueDictionary()
