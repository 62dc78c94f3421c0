r"""Parse Python `re` patterns (`str`, all inline flags) into trees with positions.

The parser reads every pattern that `re` accepts. Other patterns need no good message, because
python_re.py asks `re` for one. The parser also reads `\p{..}` and `\P{..}`, which `re` does not have.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from ..watch import MANY_ITEMS, checkpoint
from . import charset as cs
from .assertions import END, START, Ahead, Behind, Piece, boundary, choice, sequence
from .constructors import chars, text
from .nodes import ANY_CHAR, EMPTY_TEXT, Language
from .pattern_parser import BACKREFERENCE, ORDERED, PatternError, PatternParser
from .properties import property_set
from .python_sets import Member, class_set, has_cases, is_wide
from .syntax_tree import Alternation, Tree

_QUANTIFIER = re.compile(r"(?:([*+?])|\{(?!\})([0-9]*)(,?)([0-9]*)\})([?+]?)")
_GROUP = re.compile(r"\?(?:(:)|(<?[=!])|(>)|(P<[^>]*>)|([a-zA-Z]*)(?:-([a-zA-Z]+))?([:)]))")
_COMMENT = re.compile(r"\?#(?:\\.|[^\\)])*\)", re.DOTALL)
_CODE = re.compile(r"x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(0[0-7]{0,2}|[1-7][0-7]{2})")
_CLASS_OCTAL = re.compile(r"[0-7]{1,3}")
_NAME = re.compile(r"N\{([^}]+)\}")
_PROPERTY = re.compile(r"[pP]\{([^}]*)\}")
_CONTROLS = {"a": 7, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_NEWLINE = text("\n")
_FINDS_NO_BOUNDARY_IN_NOTHING = re.fullmatch(r"\B", "") is None
"""Before Python 3.14 \\B was not found in the empty text."""


class ParsedPattern(NamedTuple):
    r"""The result of a parse.

    tree: the pattern as a tree; None after an error.
    masked: spans that `re` shall not look at: `\p{..}`, which it refuses, and wide classes, which take it long.
    error: the error that stopped the parser, or None.
    """

    tree: Tree | None
    masked: list[tuple[int, int]]
    error: PatternError | None


def parse(pattern: str) -> ParsedPattern:
    """Parse a pattern. After an error, the result has the error and the spans so far."""
    parser = _PythonParser(pattern)
    try:
        tree = parser.parse()
    except PatternError as error:
        return ParsedPattern(None, parser.masked, error)
    return ParsedPattern(tree, parser.masked, None)


class _PythonParser(PatternParser):
    """Reads a pattern of Python's `re`, and notes the spans that `re` shall not look at."""

    quantifier = _QUANTIFIER
    repeats_lookbehinds = True
    max_repeat = 2**32 - 2

    def __init__(self, pattern: str) -> None:
        super().__init__(pattern)
        self.masked: list[tuple[int, int]] = []
        self.odd_literals: list[int] = []  # see `literal`

    def alternatives(self) -> Tree:
        """Read alternatives, and refuse literals that `re` would not match among them; see `literal`."""
        num_odd = len(self.odd_literals)
        tree = super().alternatives()
        if isinstance(tree, Alternation) and len(self.odd_literals) > num_odd:
            reason = "among alternatives that ignore case, a capital past U+FFFF can't be enforced as `re` reads it"
            raise PatternError(f"{reason}; write it in lower case", self.odd_literals[num_odd])
        return tree

    def dot(self) -> Language:
        """Return the characters of `.`."""
        return ANY_CHAR if self.flags.s else chars(cs.python_class("."))

    def newline(self) -> Language:
        """Return the newline, which alone ends a line."""
        return _NEWLINE

    def literal(self, code: int, start: int) -> Tree:
        """Return one character, in each case under the flag i.

        `re` makes a class of alternatives that are all single characters. Such a class with a capital past U+FFFF does
        not match the capital when case is ignored. `alternatives` therefore refuses such a literal.
        """
        if not self.flags.i:
            return text(chr(code))
        if not has_cases(code):
            return chars(cs.single(chr(code)))
        if code > 0xFFFF and chr(code).lower() != chr(code):
            self.odd_literals.append(start)
        return chars(class_set((code,), True, self.flags.a))

    def line_end(self) -> Piece:
        """Return `$`: the end, or before a last newline; under the flag m before each newline."""
        return super().line_end() if self.flags.m else choice([END, Ahead(sequence([_NEWLINE, END]), False)])

    def boundary(self, is_negated: bool) -> Piece:
        r"""Return \b (a word character on just one side of this place) or \B (on both sides or on none)."""
        sides = boundary(chars(class_set(("w",), False, self.flags.a)), is_negated)
        if not (is_negated and _FINDS_NO_BOUNDARY_IN_NOTHING):
            return sides
        return sequence([choice([Behind(EMPTY_TEXT, True), Ahead(ANY_CHAR, False)]), sides])

    def group_kind(self, start: int) -> str | None:
        """Read the `?...` of a group and set its flags. Returns the group's sign, or `)` after a comment or flags."""
        comment = _COMMENT.match(self.pattern, self.position)
        if comment is not None:
            self.position = comment.end()
            return ")"
        match = _GROUP.match(self.pattern, self.position)
        if match is None:
            raise PatternError(self.unknown_group(), start)
        self.position = match.end()
        _, look, atomic, _, added, removed, end = match.groups()
        if atomic:
            raise PatternError(ORDERED, start)
        if end is not None:
            self.flags = self.flags.changed(added, True).changed(removed or "", False)
        return look or end

    def unknown_group(self) -> str:
        """Say why the group at this position is refused."""
        if self.pattern.startswith("?P=", self.position):
            return BACKREFERENCE
        if self.pattern.startswith("?(", self.position):
            return "a conditional group can't be enforced by an automaton"
        return "an unknown kind of group"

    def escape(self, start: int) -> Tree:
        """Read an escape. The backslash has been read."""
        letter = self.pattern[self.position : self.position + 1]
        if letter and letter in "AZzbB":
            self.position += 1
            if letter == "A":
                return self.place(start, START, 0)
            return self.place(start, END if letter in "Zz" else self.boundary(letter == "B"), 1)
        member = self.escaped(start, False)
        if isinstance(member, int):
            return self.literal(member, start)
        if len(member) > 1:
            self.masked.append((start, self.position))
        return chars(class_set((member,), self.flags.i, self.flags.a))

    def escaped(self, start: int, in_class: bool) -> int | str:
        """Return the code point or the set of characters of an escape. The backslash has been read."""
        pattern, position = self.pattern, self.position
        char = pattern[position : position + 1]
        self.position += 1
        if char and char in "dDwWsS":
            return char
        if char in _CONTROLS:
            return _CONTROLS[char]
        if in_class and char == "b":
            return 8
        match = _CLASS_OCTAL.match(pattern, position) if in_class else None
        if match is None:
            match = _CODE.match(pattern, position)
        if match is not None:
            self.position = match.end()
            return _code(match, start)
        if char in ("p", "P"):
            return self.unicode_property(start)
        if char == "N":
            return self.named_character(start)
        if char.isascii() and char.isdigit():
            raise PatternError(BACKREFERENCE, start)
        if not char or (char.isascii() and char.isalpha()):
            raise PatternError(f"bad escape \\{char}", start)
        return ord(char)

    def unicode_property(self, start: int) -> str:
        r"""Read `\p{..}` or `\P{..}` and return it unchanged."""
        match = _PROPERTY.match(self.pattern, start + 1)
        if match is None:
            raise PatternError(r"\p and \P need a property in braces, as in \p{L}", start)
        if property_set(match[1]) is None:
            raise PatternError(f"an unknown Unicode property {match[1]!r}", start)
        self.position = match.end()
        return match[0]

    def named_character(self, start: int) -> int:
        r"""Return the code point of `\N{..}`."""
        match = _NAME.match(self.pattern, start + 1)
        try:
            code = ord(unicodedata.lookup(match[1])) if match else None
        except (KeyError, TypeError):
            code = None
        if match is None or code is None:
            raise PatternError(r"\N without the name of a character", start)
        self.position = match.end()
        return code

    def char_class(self, start: int) -> Language:
        """Read a character of `[...]`. The `[` has been read."""
        pattern = self.pattern
        is_negated = pattern.startswith("^", self.position)
        self.position += is_negated
        members: list[Member] = []
        while not (members and pattern.startswith("]", self.position)):
            if not len(members) % MANY_ITEMS:
                checkpoint()
            member_start = self.position
            low = self.class_member(start)
            if pattern[self.position : self.position + 1] != "-" or pattern.startswith("-]", self.position):
                members.append(low)
                continue
            self.position += 1
            high = self.class_member(start)
            if isinstance(low, str) or isinstance(high, str) or high < low:
                raise PatternError(f"bad character range {pattern[member_start : self.position]}", member_start)
            members.append((low, high))
        self.position += 1
        if any(is_wide(member) or (isinstance(member, str) and len(member) > 1) for member in members):
            self.masked.append((start, self.position))
        charset = class_set(tuple(members), self.flags.i, self.flags.a)
        return chars(cs.complement(charset) if is_negated else charset)

    def class_member(self, class_start: int) -> int | str:
        """Read one character or set in a class."""
        start = self.position
        if start >= len(self.pattern):
            raise PatternError("a [ without its ]", class_start)
        self.position += 1
        char = self.pattern[start]
        return self.escaped(start, True) if char == "\\" else ord(char)


def _code(match: re.Match[str], start: int) -> int:
    groups = match.groups()
    if not groups or groups[3]:
        return int(match[0], 8)
    code = int(groups[0] or groups[1] or groups[2], 16)
    if code > 0x10FFFF:
        raise PatternError("a code point past 10FFFF", start)
    return code
