r"""Turn ECMA-262 patterns (JSON Schema's `pattern`) into Languages, exactly: `search` and `full`.

The reader follows the flag u: characters are code points, `\u{...}`, surrogate pairs and `\p{...}` mean characters, and
`\d` and `\w` are ASCII. For patterns that are errors under that flag, the reader follows the web-compatible Annex B:
escaped punctuation (`\-`, `\_`, `\@`), `]`, `}` and a `{` that begins no quantifier stand for themselves. Octal escapes
after `\0` and in classes are read, and sets as ends of a range, and a quantifier after a lookahead. Unlike Annex B, the
reader refuses unknown or incomplete escapes of ASCII letters (`\Z`, `\a`, `\x1`) and `{,n}`, since authors do not mean
these characters themselves. Backreferences are refused, too.

Beyond ECMA-262, the reader takes `(?i)`, `(?m)` and `(?s)` at the very start, and `(?P<name>...)`, as authors mean
them. Simple case folding decides about ignored case. Lookaheads and lookbehinds may stand anywhere, except a lookahead
inside a lookbehind.
"""

from __future__ import annotations

import re
import weakref

from ..errors import InvalidRegexError
from . import charset as cs
from .assertions import (
    END,
    START,
    Ahead,
    AssertionConcat,
    AssertionRepeat,
    AssertionUnion,
    Behind,
    Piece,
    behind,
    boundary,
    choice,
    looks_ahead,
    loop,
    sequence,
    whole,
)
from .constructors import chars, concat, text, union
from .depth import MAX_DEPTH, depth
from .ecma_classes import EcmaFlags, PatternError, dot, escape_class, read_class, read_escape
from .nodes import ANYTHING, EMPTY_TEXT, Language
from .properties import ignore_case

MAX_NESTED_GROUPS = 100
MAX_ASSERTIONS = 200

_ORDINARY = re.compile(r"[^\\^$.*+?()\[{|]+")
_QUANTIFIER = re.compile(r"(?:([*+?])|\{([0-9]+)(?:(,)([0-9]*))?\})(\??)")
_GROUP = re.compile(r"\?(?:(:)|(<?[=!])|P?<([\w$]+)>|([ims]*)(?:-([ims]+))?:)")
_GLOBAL_FLAGS = re.compile(r"\(\?([ims]+)\)")
_COUNTS = {"*": (0, None), "+": (1, None), "?": (0, 1)}

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
    parser = _Parser(pattern)
    try:
        piece = parser.alternatives()
        if parser.position < len(pattern):
            raise PatternError("a ) without its (", parser.position)
        if depth(piece).most > MAX_DEPTH:
            raise PatternError("more assertions at one place of a text than can be enforced", 0)
    except PatternError as error:
        raise InvalidRegexError(pattern, error.reason, error.position) from None
    return piece


class _Parser:
    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.depth = 0
        self.num_assertions = 0
        self.names: set[str] = set()
        leading = _GLOBAL_FLAGS.match(pattern)
        self.flags = EcmaFlags().changed(leading[1] if leading else "", True)
        self.position = leading.end() if leading else 0

    def alternatives(self) -> Piece:
        """Read alternatives separated by `|`, up to a `)` or the end."""
        first = self.sequence()
        if not self.pattern.startswith("|", self.position):
            return first
        branches = [first]
        while self.pattern.startswith("|", self.position):
            self.position += 1
            branches.append(self.sequence())
        return choice(branches)

    def sequence(self) -> Piece:
        """Read terms up to a `|`, a `)` or the end."""
        pattern, parts = self.pattern, list[Piece]()
        while self.position < len(pattern):
            run = _ORDINARY.match(pattern, self.position)
            if run is not None:
                self.ordinary(run.end(), parts)
                continue
            char = pattern[self.position]
            if char in "|)":
                break
            start = self.position
            piece, can_repeat = self.atom(char)
            parts.append(self.quantified(piece, start, can_repeat))
        if len(parts) == 1:
            return parts[0]
        return sequence(parts)

    def ordinary(self, end: int, parts: list[Piece]) -> None:
        """Read a run of characters that stand for themselves. A quantifier may follow the last one."""
        pattern, start = self.pattern, self.position
        self.position = end
        if end < len(pattern) and pattern[end] in "*+?{":
            if end - start > 1:
                parts.append(self.literal(pattern[start : end - 1]))
            parts.append(self.quantified(self.literal(pattern[end - 1]), end - 1, True))
        else:
            parts.append(self.literal(pattern[start:end]))

    def literal(self, string: str) -> Language:
        """Return the text, or its spellings in upper and lower case under the flag i."""
        if not self.flags.ignores_case:
            return text(string)
        return concat(*[chars(ignore_case(cs.single(char))) for char in string])

    def atom(self, char: str) -> tuple[Piece, bool]:
        """Read the piece at a special character. Returns (piece, whether a quantifier may follow the piece)."""
        self.position += 1
        match char:
            case "(":
                return self.group()
            case "[":
                charset, self.position = read_class(self.pattern, self.position - 1, self.flags)
                return chars(charset), True
            case "\\":
                return self.escape()
            case ".":
                return chars(dot(self.flags)), True
            case "^" | "$":
                self.count_assertion(self.position - 1)
                return (self.line_start() if char == "^" else self.line_end()), False
            case "{" if not _QUANTIFIER.match(self.pattern, self.position - 1):
                self.refuse_open_low(self.position - 1)
                return text("{"), True
        raise PatternError("nothing to repeat", self.position - 1)

    def quantified(self, piece: Piece, start: int, can_repeat: bool) -> Piece:
        """Return the piece with the quantifier that follows, if any."""
        match = _QUANTIFIER.match(self.pattern, self.position)
        if match is None:
            if self.pattern.startswith("{,", self.position):
                self.refuse_open_low(self.position)
            return piece
        if not can_repeat:
            raise PatternError("nothing to repeat", self.position)
        symbol, low_digits, comma, high_digits, _ = match.groups()
        if symbol:
            low, high = _COUNTS[symbol]
        else:
            low = int(low_digits)
            high = low if not comma else int(high_digits) if high_digits else None
        if high is not None and low > high:
            raise PatternError("a quantifier whose bounds are out of order", self.position)
        self.position = match.end()
        if isinstance(piece, Ahead):
            return piece if low else EMPTY_TEXT
        repeated = loop(piece, low, high)
        if isinstance(repeated, AssertionRepeat) and repeated.node.maybe_empty and depth(repeated).most > MAX_DEPTH:
            reason = "an assertion in a group that may be empty and is repeated so many times can't be enforced"
            raise PatternError(f"{reason}; let the group read something, or repeat it less often", start)
        return repeated

    def refuse_open_low(self, position: int) -> None:
        """Raise for {,n}, which is literal text in ECMA-262 and a quantifier elsewhere."""
        if re.compile(r"\{,[0-9]+\}").match(self.pattern, position):
            raise PatternError("a quantifier without a lower bound; write {0,n}", position)

    def escape(self) -> tuple[Piece, bool]:
        """Read the piece of a backslash. The backslash has been read."""
        letter = self.pattern[self.position : self.position + 1]
        if letter in ("b", "B"):
            self.position += 1
            self.count_assertion(self.position - 2)
            return boundary(chars(escape_class("w", self.flags)), letter == "B"), False
        member, self.position = read_escape(self.pattern, self.position, False, self.flags)
        if isinstance(member, int):
            return self.literal(chr(member)), True
        return chars(member), True

    def group(self) -> tuple[Piece, bool]:
        """Read a group. Its `(` has been read."""
        start, outer_flags = self.position - 1, self.flags
        look = None
        if self.pattern.startswith("?", self.position):
            look = self.group_kind(start)
        self.depth += 1
        if self.depth > MAX_NESTED_GROUPS:
            raise PatternError(f"groups nested more than {MAX_NESTED_GROUPS} deep", start)
        piece = self.alternatives()
        if not self.pattern.startswith(")", self.position):
            raise PatternError("a ( without its )", start)
        self.position += 1
        self.depth -= 1
        self.flags = outer_flags
        if look is None:
            return piece, True
        self.count_assertion(start)
        if not look.startswith("<"):
            return Ahead(piece, look == "!"), True
        if looks_ahead(piece):
            raise PatternError(r"a lookahead, $ or \b inside a lookbehind can't be enforced", start)
        if depth(piece).most > MAX_DEPTH:
            raise PatternError("more assertions at one place of a text than can be enforced", start)
        return behind(piece, look == "<!"), False

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
            return "a backreference can't be enforced by an automaton"
        if re.match(r"\?[a-zA-Z-]+\)", rest):
            return "flags can be set for a group (?i:...) or, (?i), (?m) and (?s), at the very start of the pattern"
        return f"(?{rest[1:2]} is no group of ECMA-262"

    def line_start(self) -> Piece:
        """Return `^`: the start of the text; under the flag m also the start of a line."""
        return choice([START, Behind(concat(ANYTHING, self.line_ends()), False)]) if self.flags.is_multiline else START

    def line_end(self) -> Piece:
        """Return `$`: the end of the text; under the flag m also the end of a line."""
        return choice([END, Ahead(self.line_ends(), False)]) if self.flags.is_multiline else END

    def line_ends(self) -> Language:
        """Return the characters that end a line."""
        return chars(cs.complement(dot(self.flags.changed("s", False))))

    def count_assertion(self, position: int) -> None:
        """Raise when there are more than MAX_ASSERTIONS."""
        self.num_assertions += 1
        if self.num_assertions > MAX_ASSERTIONS:
            raise PatternError(f"more than {MAX_ASSERTIONS} assertions", position)
