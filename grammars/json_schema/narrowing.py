"""Specs without some of their values."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from ..machine.frames import Lexeme, ValueSpec
from ..regex.emptiness import has_word

Texts = frozenset[bytes]
"""Values, each as `text_of_value` writes it."""


def without(
    spec: ValueSpec, excluded: Texts, captures: int, is_possible: Callable[[int, bytes], bool] = lambda cls, text: True
) -> ValueSpec:
    """A spec, of numbers in their one spelling, without some scalars. is_possible: whether a literal may come."""
    strings, numerals = _strings(excluded), _numerals(excluded)

    def kept(cls: int | None, text: bytes) -> int | None:
        return None if cls is None or text in excluded or not is_possible(cls, text) else cls

    return replace(
        spec,
        strings=_with_words(spec.strings, strings),
        numbers=_with_words(spec.numbers, numerals),
        true=kept(spec.true, b"true"),
        false=kept(spec.false, b"false"),
        null=kept(spec.null, b"null"),
        captures=captures,
        excluded_strings=strings,
        excluded_numbers=numerals,
    )


def narrowed(spec: ValueSpec, is_kept: Callable[[int], bool]) -> ValueSpec:
    """The spec without the scalars of the classes that can't come."""

    def kept(cls: int | None) -> int | None:
        return cls if cls is not None and is_kept(cls) else None

    return replace(
        spec,
        strings=tuple([pair for pair in spec.strings if is_kept(pair[1])]),
        numbers=tuple([pair for pair in spec.numbers if is_kept(pair[1])]),
        true=kept(spec.true),
        false=kept(spec.false),
        null=kept(spec.null),
    )


def _with_words(lexeme: Lexeme, excluded: frozenset[str]) -> Lexeme:
    """The languages that have texts that are not excluded."""
    return tuple([(language, cls) for language, cls in lexeme if has_word(language, excluded)])


def _strings(texts: Texts) -> frozenset[str]:
    return frozenset(json.loads(text) for text in texts if text[:1] == b'"')


def _numerals(texts: Texts) -> frozenset[str]:
    return frozenset(text.decode() for text in texts if text[:1] in b"-0123456789")
