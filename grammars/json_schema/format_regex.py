"""Regexes as a Language: a subset that ECMA-262 (with and without the u flag) and Python's `re` both take.

The Language lacks groups nested deeper than three, lookahead inside groups, quantified lookahead and lookbehind. Named
groups, backreferences, `\\c`, `\\k`, `\\p` and octal escapes are missing, too, and some counts `{n,m}`: {12,15}, say,
and counts over 999. Ranges in classes lie within 0-9, A-Z or a-z. Literal brackets and braces are escaped.
"""

from __future__ import annotations

import string

from ..regex import algebra as lang
from ..regex.ecma import full as language

_MAX_DEPTH = 3

_HEX = "[0-9A-Fa-f]{2}"
_CODE = f"x{_HEX}|u(?:[0-9A-Ca-cEFef][0-9A-Fa-f]|[Dd][0-7]){_HEX}"  # no surrogates
_ESCAPE = f"\\\\(?:[\\^$\\\\.*+?()\\[\\]{{}}|/]|[dDwWsSfnrtv]|{_CODE})"
_PLAIN = "[^\\^$\\\\.*+?()\\[\\]{}|/]"
_ASSERTION = "[\\^$]|\\\\[bB]"
_CLASS_CHAR = f"[^\\\\\\[\\]\\^&~|\\-]|{_ESCAPE}|\\\\-"


def regex() -> lang.Language:
    """The patterns of the subset."""
    quantifier = lang.concat(_counts(), lang.repeat(lang.text("?"), 0, 1))
    char = lang.union(language(f"{_PLAIN}|/|\\.|{_ESCAPE}"), _char_class())
    pattern = _alternatives(lang.union(lang.concat(char, lang.repeat(quantifier, 0, 1)), language(_ASSERTION)))
    for depth in range(_MAX_DEPTH):
        group = lang.concat(language("\\((?:\\?:)?"), pattern, lang.text(")"))
        item = lang.union(lang.concat(lang.union(char, group), lang.repeat(quantifier, 0, 1)), language(_ASSERTION))
        if depth == _MAX_DEPTH - 1:
            item = lang.union(item, lang.concat(language("\\(\\?[=!]"), pattern, lang.text(")")))
        pattern = _alternatives(item)
    return pattern


def _alternatives(item: lang.Language) -> lang.Language:
    branch = lang.repeat(item, 0)
    return lang.concat(branch, lang.repeat(lang.concat(lang.text("|"), branch), 0))


def _counts() -> lang.Language:
    """`*`, `+`, `?`, `{n}`, `{n,}`, and each `{n,m}` where the first digits or the lengths show that n <= m."""
    pairs = [f"{low},[{low}-9]" for low in range(10)] + ["[0-9],[1-9][0-9]", "(?:[0-9]|[1-9][0-9]),[1-9][0-9]{2}"]
    pairs += [f"{low}[0-9],[{low + 1}-9][0-9]" for low in range(1, 9)]
    return language("[*+?]|\\{(?:" + "|".join(["[0-9]{1,4},?", *pairs]) + ")\\}")


def _char_class() -> lang.Language:
    """Classes `[...]` and `[^...]` that are not empty. A hyphen forms a range, or is last, or is escaped.

    `&&`, `~~` and `||` are left out: Python reserves them for operations on sets.
    """
    letters = (string.digits, string.ascii_uppercase, string.ascii_lowercase)
    ranges = lang.words(f"{low}-{high}" for run in letters for low in run for high in run if low <= high)
    items = lang.repeat(lang.union(language(f"{_CLASS_CHAR}|[&~|]"), ranges), 1)
    doubled = lang.concat(lang.ANYTHING, lang.words(("&&", "~~", "||")), lang.ANYTHING)
    items = lang.difference(items, doubled)
    return lang.concat(language("\\[\\^?"), items, language("-?\\]"))
