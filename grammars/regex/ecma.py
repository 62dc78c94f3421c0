r"""Turn ECMA-262 patterns (JSON Schema's `pattern`) into Languages, exactly: `search` and `full`.

The reader follows the flag u. Characters are code points. `\u{...}`, surrogate pairs and `\p{...}` mean characters;
`\d` and `\w` are ASCII. Patterns that are errors under the flag u are read by the web-compatible Annex B. Escaped
punctuation (`\-`, `\_`, `\@`), `]`, `}` and a `{` that begins no quantifier then stand for themselves. Octal escapes
after `\0` and in classes are read, and sets as ends of a range, and a quantifier after a lookahead. Unlike Annex B, the
reader refuses `{,n}` and unknown or incomplete escapes of ASCII letters (`\Z`, `\a`, `\x1`): their authors mean
something else than these characters. Backreferences are refused, too.

The reader also takes `(?i)`, `(?m)` and `(?s)` at the very start, and `(?P<name>...)`, which ECMA-262 lacks. Simple
case folding decides about ignored case. Lookaheads and lookbehinds may stand anywhere.
Assertions that end a top-level alternative of a lookbehind may look anywhere. Others must not look past the
lookbehind's end; the reader refuses those.
"""

from __future__ import annotations

import re
import weakref

from ..errors import InvalidRegexError
from . import charset as cs
from .assertions import START, AssertionConcat, AssertionUnion, Piece, boundary, whole
from .constructors import chars, concat, text, union
from .ecma_classes import dot, escape_class, read_class, read_escape
from .nodes import ANYTHING, Language
from .pattern_parser import BACKREFERENCE, NO_FLAGS, PatternError, PatternParser
from .pieces import to_piece
from .properties import ignore_case
from .syntax_tree import Tree

_QUANTIFIER = re.compile(r"(?:([*+?])|\{([0-9]+)(?:(,)([0-9]*))?\})(\??)")
_OPEN_LOW = re.compile(r"\{,[0-9]+\}")
_GROUP = re.compile(r"\?(?:(:)|(<?[=!])|P?<([\w$]+)>|([ims]*)(?:-([ims]+))?:)")
_GLOBAL_FLAGS = re.compile(r"\(\?([ims]+)\)")

_searches: weakref.WeakValueDictionary[str, Language] = weakref.WeakValueDictionary()
_fulls: weakref.WeakValueDictionary[str, Language] = weakref.WeakValueDictionary()


def search(pattern: str) -> Language:
    """Return the texts that contain a match of the pattern. Raises InvalidRegexError."""
    known = _searches.get(pattern)
    if known is None:
        known = _searches[pattern] = _found(_parse(pattern))
    return known


def full(pattern: str) -> Language:
    """Return the texts that the pattern matches from start to end. Raises InvalidRegexError."""
    known = _fulls.get(pattern)
    if known is None:
        piece = _parse(pattern)
        known = _fulls[pattern] = piece if isinstance(piece, Language) else whole([piece])
    return known


def _found(piece: Piece) -> Language:
    if isinstance(piece, Language):
        return concat(ANYTHING, piece, ANYTHING)
    if isinstance(piece, AssertionUnion):
        return union(*[_found(part) for part in piece.parts])
    if piece is START or (isinstance(piece, AssertionConcat) and piece.parts[0] is START):
        return whole([piece, ANYTHING])
    return whole([ANYTHING, piece, ANYTHING])


def _parse(pattern: str) -> Piece:
    """Parse the pattern into a piece. Raises InvalidRegexError with the offset of the error or of the unsupported
    part.
    """
    try:
        return to_piece(_EcmaParser(pattern).parse())
    except PatternError as error:
        raise InvalidRegexError(pattern, error.reason, error.position) from None


class _EcmaParser(PatternParser):
    """Reads an ECMA-262 pattern, and the flags at its very start."""

    quantifier = _QUANTIFIER
    repeats_lookbehinds = False
    max_repeat = None

    def __init__(self, pattern: str) -> None:
        leading = _GLOBAL_FLAGS.match(pattern)
        flags = NO_FLAGS.changed(leading[1] if leading else "", True)
        super().__init__(pattern, flags, leading.end() if leading else 0)
        self.names: set[str] = set()

    def literal(self, code: int, start: int) -> Language:
        """Return one character, in each case under the flag i. Raises PatternError for {,n}.

        {,n} is literal text in ECMA-262 and a quantifier elsewhere.
        """
        if _OPEN_LOW.match(self.pattern, start):
            raise PatternError("a quantifier without a lower bound; write {0,n}", start)
        char = chr(code)
        return chars(ignore_case(cs.single(char))) if self.flags.i else text(char)

    def dot(self) -> Language:
        """Return the characters of `.`."""
        return chars(dot(self.flags))

    def newline(self) -> Language:
        """Return the characters that end a line."""
        return chars(cs.complement(cs.ECMA_CLASSES["."]))

    def char_class(self, start: int) -> Language:
        """Read a character of `[...]`. The `[` has been read."""
        charset, self.position = read_class(self.pattern, start, self.flags)
        return chars(charset)

    def escape(self, start: int) -> Tree:
        """Read an escape. The backslash has been read."""
        letter = self.pattern[self.position : self.position + 1]
        if letter in ("b", "B"):
            self.position += 1
            return self.place(start, boundary(chars(escape_class("w", self.flags)), letter == "B"), 1)
        member, self.position = read_escape(self.pattern, self.position, False, self.flags)
        return self.literal(member, start) if isinstance(member, int) else chars(member)

    def group_kind(self, start: int) -> str | None:
        """Read the `?...` of a group and set its flags. Returns the sign of a lookaround, else None."""
        match = _GROUP.match(self.pattern, self.position)
        if match is None:
            raise PatternError(self.unknown_group(), start)
        _, look, name, added, removed = match.groups()
        if name is not None:
            if not name[0].isidentifier() and name[0] != "$":
                raise PatternError(f"a group can't be called {name!r}", start)
            if name in self.names:
                raise PatternError(f"two groups are called {name!r}", start)
            self.names.add(name)
        elif look is None and match[1] is None:
            if set(added) & set(removed or "") or len(added + (removed or "")) > len(set(added + (removed or ""))):
                raise PatternError("a flag is given twice", start)
            self.flags = self.flags.changed(added, True).changed(removed or "", False)
        self.position = match.end()
        return str(look) if look else None

    def unknown_group(self) -> str:
        """Say why the group at this position is refused."""
        rest = self.pattern[self.position :]
        if rest.startswith("?P="):
            return BACKREFERENCE
        if re.match(r"\?[a-zA-Z-]+\)", rest):
            return "flags can be set for a group (?i:...) or, (?i), (?m) and (?s), at the very start of the pattern"
        return f"(?{rest[1:2]} is no group of ECMA-262"
