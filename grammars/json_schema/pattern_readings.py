r"""What a pattern means to those who check documents: ECMA-262 for most, Python's `re` for the `jsonschema` library.

`\w \d \s \b . $` differ. A string that has to match does so in both readings; one that must not, in neither; the keys
of `patternProperties` are those on which both agree. So a document is valid for every validator.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..regex import algebra as lang
from ..regex import ecma

_DIFFERENT = re.compile(r"\\[dDwWsSbB]|[.$]")
_ASKS_FOR_NOTHING = re.compile(r"\\[bB]|\(\?<?!")
"""Boundaries and negative lookarounds: what they hold grows when their sets shrink."""


def is_read_alike(pattern: str) -> bool:
    """True when both readings surely are the same."""
    return _DIFFERENT.search(pattern) is None


def in_both(pattern: str) -> lang.Language:
    """The strings in which the pattern is found by either reading. Raises InvalidRegexError."""
    if is_read_alike(pattern):
        return ecma.search(pattern)
    if _ASKS_FOR_NOTHING.search(pattern) is None:
        return ecma.search(pattern, "both")
    return lang.intersect(ecma.search(pattern), ecma.search(pattern, "python"))


@lru_cache(maxsize=1024)
def in_any(pattern: str) -> lang.Language:
    """The strings in which the pattern is found by one reading at least."""
    if is_read_alike(pattern):
        return ecma.search(pattern)
    return lang.union(in_both(pattern), ecma.search(pattern), ecma.search(pattern, "python"))


def agreed(pattern: str) -> lang.Language:
    """The strings of which both readings say the same."""
    inner, outer = in_both(pattern), in_any(pattern)
    return lang.ANYTHING if inner is outer else lang.union(inner, lang.complement(outer))
