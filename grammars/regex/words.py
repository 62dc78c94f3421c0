"""How many words a language has, and whether it has others than some."""

from __future__ import annotations

from functools import lru_cache

from . import algebra as lang

MANY_WORDS = 1000  # up to which they are counted


@lru_cache(maxsize=4096)
def num_words(language: lang.Language) -> int:
    """How many words a language has, counted up to `MANY_WORDS`."""
    return MANY_WORDS if language is lang.ANYTHING else lang.count_words(language, MANY_WORDS)


def has_word(language: lang.Language, excluded: frozenset[str]) -> bool:
    """Whether a language has a word outside a finite set."""
    if num_words(language) > len(excluded) or lang.count_words(language, len(excluded) + 1) > len(excluded):
        return True
    return not lang.is_empty(lang.difference(language, lang.words(excluded)))
