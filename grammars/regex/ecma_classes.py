r"""Read escapes and character classes of ECMA-262 patterns as `CharSet`s.

The read functions take the pattern and a position, and return the set or character there and the position after it.
Errors raise PatternError; ecma.py turns it into InvalidRegexError.
"""

from __future__ import annotations

import re
from functools import lru_cache

from . import charset as cs
from . import properties
from .pattern_parser import BACKREFERENCE, Flags, PatternError

_CONTROLS = {"t": 0x09, "n": 0x0A, "v": 0x0B, "f": 0x0C, "r": 0x0D}
_CLASS_LETTERS = "dDwWsS"
_HINTS = {
    "A": r"; write ^ for the start of the text",
    "Z": r"; write $ for the end of the text",
    "z": r"; write $ for the end of the text",
    "h": r"; write [ \t]",
    "R": r"; write (?:\r\n|[\n\r])",
    "a": r"; write \x07",
    "e": r"; write \x1b",
}
_CODE = re.compile(
    r"x([0-9a-fA-F]{2})|u\{([0-9a-fA-F]+)\}|u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})"
)
_OCTAL = re.compile(r"[0-3][0-7]{0,2}|[4-7][0-7]?")
_PROPERTY = re.compile(r"[pP]\{([^}]*)\}")


@lru_cache(maxsize=512)
def escape_class(letter: str, flags: Flags) -> cs.CharSet:
    r"""Return the set of \d, \D, \w, \W, \s or \S."""
    charset = cs.ECMA_CLASSES[letter.lower()]
    if flags.i:
        charset = properties.ignore_case(charset)
    return charset if letter.islower() else cs.complement(charset)


def dot(flags: Flags) -> cs.CharSet:
    """Return the characters that `.` matches: all but line terminators, or all characters under the flag s."""
    if flags.s:
        return cs.ALL
    return cs.ECMA_CLASSES["."]


def read_escape(pattern: str, position: int, in_class: bool, flags: Flags) -> tuple[int | cs.CharSet, int]:
    r"""Read an escape: a code point or a set.

    position: of the character after the backslash.
    Raises PatternError for a wrong escape or a backreference.
    """
    if position >= len(pattern):
        raise PatternError("a backslash at the end", position - 1)
    char = pattern[position]
    if char in _CLASS_LETTERS:
        return escape_class(char, flags), position + 1
    if char in _CONTROLS:
        return _CONTROLS[char], position + 1
    if char in "xu":
        return _read_code(pattern, position)
    if char in "pP":
        return _read_property(pattern, position, flags.i)
    if char.isascii() and char.isdigit():
        return _read_octal(pattern, position, in_class)
    if char == "c":
        letter = pattern[position + 1 : position + 2]
        if letter.isascii() and letter.isalpha():
            return ord(letter) % 32, position + 2
        raise PatternError(r"\c without a letter", position - 1)
    if in_class and char == "b":
        return 0x08, position + 1
    if char == "k":
        raise PatternError(BACKREFERENCE, position - 1)
    if char.isascii() and char.isalpha():
        raise PatternError(rf"\{char} is no escape of ECMA-262{_HINTS.get(char, '')}", position - 1)
    return ord(char), position + 1


def read_class(pattern: str, position: int, flags: Flags) -> tuple[cs.CharSet, int]:
    """Read the set of a bracketed class.

    position: of its `[`.
    Raises PatternError for a wrong class.
    """
    end = _class_end(pattern, position)
    try:
        return _class_set(pattern[position:end], flags), end
    except PatternError as error:
        raise PatternError(error.reason, position + error.position) from None


def _class_end(pattern: str, position: int) -> int:
    end = position + 1
    while end < len(pattern) and pattern[end] != "]":
        end += 2 if pattern[end] == "\\" else 1
    if end >= len(pattern):
        raise PatternError("a [ without its ]", position)
    return end + 1


@lru_cache(maxsize=2048)
def _class_set(source: str, flags: Flags) -> cs.CharSet:
    """Read `[...]`. A range from or to a set means the set, the minus and the other end, as in Annex B."""
    is_negated = source.startswith("[^")
    position, end = 1 + is_negated, len(source) - 1
    found: list[cs.CharSet] = []
    while position < end:
        start = position
        low, position = _read_member(source, position, flags)
        if source[position] != "-" or position + 1 >= end:
            found.append(_as_set(low))
            continue
        high, position = _read_member(source, position + 1, flags)
        if isinstance(low, int) and isinstance(high, int):
            if low > high:
                raise PatternError("a range whose end is below its start", start)
            found.append(cs.from_ranges([(low, high)]))
        else:
            found.extend((_as_set(low), _as_set(ord("-")), _as_set(high)))
    charset = cs.union(*found)
    if flags.i:
        charset = properties.ignore_case(charset)
    return cs.complement(charset) if is_negated else charset


def _read_member(source: str, position: int, flags: Flags) -> tuple[int | cs.CharSet, int]:
    if source[position] == "\\":
        return read_escape(source, position + 1, True, flags)
    return ord(source[position]), position + 1


def _as_set(member: int | cs.CharSet) -> cs.CharSet:
    return cs.from_ranges([(member, member)]) if isinstance(member, int) else member


def _read_code(pattern: str, position: int) -> tuple[int, int]:
    match = _CODE.match(pattern, position)
    if match is None:
        raise PatternError(rf"an incomplete \{pattern[position]} escape", position - 1)
    byte, braced, high, low, unit = match.groups()
    if high is not None:
        return 0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00, match.end()
    code = int(byte or braced or unit, 16)
    if code > cs.MAX_CODE_POINT:
        raise PatternError("a code point past 10FFFF", position - 1)
    return code, match.end()


def _read_property(pattern: str, position: int, ignores_case: bool) -> tuple[cs.CharSet, int]:
    match = _PROPERTY.match(pattern, position)
    if match is None:
        raise PatternError(rf"\{pattern[position]} without a property in braces, as in \p{{L}}", position - 1)
    charset = properties.property_set(match[1])
    if charset is None:
        raise PatternError(f"an unknown Unicode property {match[1]!r}", position - 1)
    if pattern[position] == "P":
        charset = cs.complement(charset)
    return properties.ignore_case(charset) if ignores_case else charset, match.end()


def _read_octal(pattern: str, position: int, in_class: bool) -> tuple[int, int]:
    r"""Read \0 and, as in Annex B, more octal digits after it; in a class other octal escapes too."""
    if pattern[position] != "0" and not in_class:
        raise PatternError(BACKREFERENCE, position - 1)
    match = _OCTAL.match(pattern, position)
    if match is None:  # \8 and \9 in a class
        return ord(pattern[position]), position + 1
    return int(match[0], 8), match.end()
