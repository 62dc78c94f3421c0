r"""`PatternParser`: the common part of the parsers of Python's and of ECMA-262's patterns.

Alternatives, quantifiers, groups, lookarounds and anchors are the same in both syntaxes. A subclass reads the rest:
escapes, classes, signs of groups, and characters under the flag i. The result is a tree of syntax_tree.py.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

from ..watch import MANY_ITEMS, checkpoint
from .assertions import END, START, Ahead, Behind, Piece, choice
from .constructors import concat, text
from .nodes import ANYTHING, EMPTY_TEXT, Language
from .syntax_tree import Alternation, Anchor, Concatenation, Look, Repetition, Tree

MAX_NESTED_GROUPS = 100
MAX_ASSERTIONS = 1000
ORDERED = (
    "an atomic group or possessive quantifier depends on the order of a search, and can't be enforced; "
    "use a plain group or quantifier, or write what may not follow as a lookahead (?!...)"
)
BACKREFERENCE = "a backreference can't be enforced by an automaton"

_ORDINARY = re.compile(r"[^\\^$.*+?()\[{|]+")
_VERBOSE_SPACE = re.compile(r"[ \t\n\r\v\f]+|#(?:\\.|[^\n\\])*(?:\n|\\?\Z)", re.DOTALL)
_BEFORE_QUANTIFIERS = ("*", "+", "?", "{", "(?#")  # a comment may come before a quantifier
_COUNTS = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_MAX_DIGITS = 4300


class Flags(NamedTuple):
    """The flags i, m, s, x and a."""

    i: bool = False
    m: bool = False
    s: bool = False
    x: bool = False
    a: bool = False

    def changed(self, letters: str, value: bool) -> Flags:
        """Set or remove the flags of the letters; u removes a."""
        known = {letter: value for letter in letters if letter in "imsxa"}
        if "u" in letters:
            known["a"] = False
        return self._replace(**known)


NO_FLAGS = Flags()


class PatternError(Exception):
    """A pattern can't be read.

    reason: the error in words.
    position: where the error is in the pattern.
    """

    def __init__(self, reason: str, position: int) -> None:
        self.reason = reason
        self.position = position
        super().__init__(reason)


class NestingError(PatternError):
    """Groups are nested too deep."""


class PatternParser(ABC):
    """Reads one pattern. The methods raise PatternError.

    quantifier: regex of a quantifier; its groups are the symbol, low digits, comma, high digits and suffix.
    repeats_lookbehinds: True if a quantifier may follow a lookbehind.
    max_repeat: largest number in a quantifier; None: no bound.

    can_repeat tells whether a quantifier may follow here. Each method that reads a part sets it.
    """

    quantifier: ClassVar[re.Pattern[str]]
    repeats_lookbehinds: ClassVar[bool]
    max_repeat: ClassVar[int | None]

    def __init__(self, pattern: str, flags: Flags = NO_FLAGS, position: int = 0) -> None:
        self.pattern, self.flags, self.position = pattern, flags, position
        self.depth = 0
        self.num_assertions = 0
        self.can_repeat = False

    def parse(self) -> Tree:
        """Return the tree of the whole pattern."""
        tree = self.alternatives()
        if self.position < len(self.pattern):
            raise PatternError("a ) without its (", self.position)
        return tree

    def alternatives(self) -> Tree:
        """Read alternatives separated by `|`, up to a `)` or the end."""
        branches = [self.branch()]
        while self.pattern.startswith("|", self.position):
            self.position += 1
            branches.append(self.branch())
        return branches[0] if len(branches) == 1 else Alternation(tuple(branches))

    def branch(self) -> Tree:
        """Read terms up to a `|`, a `)` or the end."""
        pattern, parts = self.pattern, list[Tree]()
        self.can_repeat = False
        while self.position < len(pattern):
            if not len(parts) % MANY_ITEMS:
                checkpoint()
            if self.flags.x and (space := _VERBOSE_SPACE.match(pattern, self.position)):
                self.position = space.end()
                continue
            if not (self.flags.x or self.flags.i) and (run := _ORDINARY.match(pattern, self.position)):
                self._ordinary(run.end(), parts)
                continue
            char = pattern[self.position]
            if char in "|)":
                break
            if char in "*+?{" and (quantifier := self.quantifier.match(pattern, self.position)):
                self._quantified(quantifier, parts)
                continue
            part = self._atom(char)
            if part is not None:
                parts.append(part)
        if not parts:
            return EMPTY_TEXT
        return parts[0] if len(parts) == 1 else Concatenation(tuple(parts))

    def _ordinary(self, end: int, parts: list[Tree]) -> None:
        """Read a run of characters that stand for themselves. A quantifier may follow the last one."""
        pattern, start = self.pattern, self.position
        self.position = end
        if end - start > 1 and pattern.startswith(_BEFORE_QUANTIFIERS, end):
            parts.append(text(pattern[start : end - 1]))
            start = end - 1
        parts.append(text(pattern[start:end]))
        self.can_repeat = True

    def _quantified(self, match: re.Match[str], parts: list[Tree]) -> None:
        """Repeat the last part."""
        start = self.position
        if not self.can_repeat:
            raise PatternError("nothing to repeat", start)
        symbol, low_digits, comma, high_digits, suffix = match.groups()
        self.position = match.end()
        if symbol:
            low, high = _COUNTS[symbol]
        else:
            low = self._count(low_digits or "0", start)
            high = self._count(high_digits, start) if high_digits else None if comma else low
        if high is not None and low > high:
            raise PatternError("a quantifier whose bounds are out of order", start)
        if suffix == "+":
            raise PatternError(ORDERED, start)
        parts.append(Repetition(parts.pop(), low, high, suffix == "?"))
        self.can_repeat = False

    def _count(self, digits: str, start: int) -> int:
        """Read a repetition number."""
        if len(digits) > _MAX_DIGITS or (self.max_repeat is not None and int(digits) > self.max_repeat):
            raise PatternError("the repetition number is too large", start)
        return int(digits)

    def _atom(self, char: str) -> Tree | None:
        """Read the part that begins with this character; None for comments and flags."""
        start = self.position
        self.position += 1
        if char == "(":
            return self._group(start)
        self.can_repeat = True
        match char:
            case "[":
                return self.char_class(start)
            case "\\":
                return self.escape(start)
            case ".":
                return self.dot()
            case "^":
                return self.place(start, self._line_start(), 0)
            case "$":
                return self.place(start, self.line_end(), 1 if self.flags.m else 2)
        return self.literal(ord(char), start)

    def place(self, start: int, piece: Piece, overhang: int) -> Anchor:
        """Return an assertion about a place, and count it. overhang: as in `Anchor`."""
        self.can_repeat = False
        self._count_assertion(start)
        return Anchor(piece, overhang, start)

    def _line_start(self) -> Piece:
        """Return `^`: the start of the text; under the flag m also the start of a line."""
        return choice([START, Behind(concat(ANYTHING, self.newline()), False)]) if self.flags.m else START

    def line_end(self) -> Piece:
        """Return `$`: the end of the text; under the flag m also the end of a line."""
        return choice([END, Ahead(self.newline(), False)]) if self.flags.m else END

    def _count_assertion(self, position: int) -> None:
        """Raise when there are more than MAX_ASSERTIONS."""
        self.num_assertions += 1
        if self.num_assertions > MAX_ASSERTIONS:
            raise PatternError(f"more than {MAX_ASSERTIONS} assertions", position)

    def _group(self, start: int) -> Tree | None:
        """Read a group, a comment or flags; None for comments and flags. The `(` has been read."""
        outer_flags, kind = self.flags, None
        if self.pattern.startswith("?", self.position):
            kind = self.group_kind(start)
            if kind == ")":
                return None
        self.depth += 1
        if self.depth > MAX_NESTED_GROUPS:
            raise NestingError(f"groups nested more than {MAX_NESTED_GROUPS} deep", start)
        body = self.alternatives()
        if not self.pattern.startswith(")", self.position):
            raise PatternError("a ( without its )", start)
        self.position += 1
        self.depth -= 1
        self.flags = outer_flags
        self.can_repeat = True
        if kind not in ("=", "!", "<=", "<!"):
            return body
        self._count_assertion(start)
        self.can_repeat = self.repeats_lookbehinds or kind[0] != "<"
        return Look(body, kind[0] == "<", kind[-1] == "!", start)

    @abstractmethod
    def group_kind(self, start: int) -> str | None:
        """Read the `?...` of a group and set its flags.

        Returns the sign of a lookaround, `)` after a comment or flags that are no group, None for other groups.
        """

    @abstractmethod
    def char_class(self, start: int) -> Language:
        """Read a character of `[...]`. The `[` has been read."""

    @abstractmethod
    def escape(self, start: int) -> Tree:
        """Read an escape. The backslash has been read."""

    @abstractmethod
    def literal(self, code: int, start: int) -> Tree:
        """Return one character, in each case under the flag i."""

    @abstractmethod
    def dot(self) -> Language:
        """Return the characters of `.`."""

    @abstractmethod
    def newline(self) -> Language:
        """Return the characters that end a line."""
