"""Regexes as a Language: a subset that ECMA-262 (with and without the u flag) and Python's `re` both take.

Left out, and so never generated: groups nested deeper than three, lookahead inside of groups, quantified lookahead,
lookbehind, names, backreferences, `\\c`, `\\k`, `\\p` and octal escapes, ranges in classes other than those within 0-9,
A-Z and a-z, and counts `{n,m}` like {12,15} or over 999. Brackets and braces outside of their roles are escaped.
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
    """Patterns that are valid in both dialects."""
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
    """`*`, `+`, `?`, `{n}`, `{n,}`, and those `{n,m}` whose first digits or lengths show that n is not over m."""
    pairs = [f"{low},[{low}-9]" for low in range(10)] + ["[0-9],[1-9][0-9]", "(?:[0-9]|[1-9][0-9]),[1-9][0-9]{2}"]
    pairs += [f"{low}[0-9],[{low + 1}-9][0-9]" for low in range(1, 9)]
    return language("[*+?]|\\{(?:" + "|".join(["[0-9]{1,4},?", *pairs]) + ")\\}")


def _char_class() -> lang.Language:
    """`[...]` and `[^...]`, not empty. Hyphens form a range, are last or escaped.

    No `&&`, `~~` or `||`, which Python reserves for operations on sets.
    """
    letters = (string.digits, string.ascii_uppercase, string.ascii_lowercase)
    ranges = lang.words(f"{low}-{high}" for run in letters for low in run for high in run if low <= high)
    items = lang.repeat(lang.union(language(f"{_CLASS_CHAR}|[&~|]"), ranges), 1)
    doubled = lang.concat(lang.ANYTHING, lang.words(("&&", "~~", "||")), lang.ANYTHING)
    items = lang.difference(items, doubled)
    return lang.concat(language("\\[\\^?"), items, language("-?\\]"))
