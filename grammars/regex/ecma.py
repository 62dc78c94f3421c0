r"""ECMA-262 patterns (JSON Schema's `pattern`) as Languages, exactly: `search` and `full`.

Patterns are read as under the flag u: characters are code points, `\u{...}`, surrogate pairs and `\p{...}` mean
characters, `\d` and `\w` are ASCII. Where that flag makes an error of it, the web-compatible reading of Annex B
holds: escaped punctuation (`\-`, `\_`, `\@`), `]`, `}` and a `{` that begins no quantifier stand for themselves,
octal escapes after `\0` and in classes, sets as ends of a range, a quantifier after a lookahead. Annex B would also
read unknown or incomplete escapes of ASCII letters (`\Z`, `\a`, `\x1`) and `{,n}` as the characters themselves;
authors mean something else by them, so they are refused, as backreferences are.

Beyond ECMA-262, as authors mean it: `(?i)`, `(?m)` and `(?s)` at the very start, and `(?P<name>...)`. Case is ignored
by simple case folding. Lookaheads and lookbehinds may stand anywhere; only a lookahead inside a lookbehind is refused.
"""

from __future__ import annotations

import weakref

from . import charset as cs
from .assertions import START, Choice, Piece, Sequence, whole
from .constructors import concat, union
from .ecma_parser import parse
from .nodes import ANYTHING, Language


def search(pattern: str, flavor: cs.Flavor = "ecma") -> Language:
    r"""The texts in which the pattern is found somewhere. Raises InvalidRegexError.

    flavor: "python" for the `\d \w \s . $` of Python's `re` in what is otherwise an ECMA-262 pattern; "both" for
        sets of what is in them in both languages, so that whatever is found is found by either.
    """
    key = (flavor, pattern)
    known = _searches.get(key)
    if known is None:
        known = _searches[key] = _found(parse(pattern, flavor))
    return known


def full(pattern: str, flavor: cs.Flavor = "ecma") -> Language:
    """The texts that the pattern matches from start to end; otherwise as `search`."""
    key = (flavor, pattern)
    known = _fulls.get(key)
    if known is None:
        piece = parse(pattern, flavor)
        known = _fulls[key] = piece if isinstance(piece, Language) else whole([piece])
    return known


def _found(piece: Piece) -> Language:
    if isinstance(piece, Language):
        return concat(ANYTHING, piece, ANYTHING)
    if isinstance(piece, Choice):
        return union(*[_found(part) for part in piece.parts])
    if piece is START or (isinstance(piece, Sequence) and piece.parts[0] is START):
        return whole([piece, ANYTHING])
    return whole([ANYTHING, piece, ANYTHING])


_searches: weakref.WeakValueDictionary[tuple[cs.Flavor, str], Language] = weakref.WeakValueDictionary()
_fulls: weakref.WeakValueDictionary[tuple[cs.Flavor, str], Language] = weakref.WeakValueDictionary()
