"""Specs without some of their values."""

from __future__ import annotations

import json
from collections.abc import Callable

from ...regex.emptiness import has_word
from ..frames import Frame, Lexeme, ValueSpec
from .listing import ManyValuesError, canonical, containers_of
from .words import quoted

Texts = frozenset[bytes]
"""Values, each as `text_of_value` writes it."""


def without(
    spec: ValueSpec, excluded: Texts, captures: int, is_possible: Callable[[int, bytes], bool] = lambda cls, text: True
) -> ValueSpec:
    """A spec, of numbers in their one spelling, without some values. is_possible: whether a literal may come."""
    strings, numerals = _strings(excluded), _numerals(excluded)

    def kept(cls: int | None, text: bytes) -> int | None:
        return None if cls is None or text in excluded or not is_possible(cls, text) else cls

    return ValueSpec(
        strings=_with_words(spec.strings, strings),
        numbers=_with_words(spec.numbers, numerals),
        true=kept(spec.true, b"true"),
        false=kept(spec.false, b"false"),
        null=kept(spec.null, b"null"),
        object=spec.object,
        array=spec.array,
        captures=captures,
        excluded_strings=strings,
        excluded_numbers=numerals,
    )


def exclusions(spec: ValueSpec) -> Texts:
    """The values that a spec excludes, as texts."""
    strings = [quoted(one) for one in spec.excluded_strings]
    return spec.excluded_containers.union(strings, [one.encode() for one in spec.excluded_numbers])


def narrowed(spec: ValueSpec, is_kept: Callable[[int], bool]) -> ValueSpec:
    """The spec without the scalars of the classes that can't come."""

    def kept(cls: int | None) -> int | None:
        return cls if cls is not None and is_kept(cls) else None

    return ValueSpec(
        strings=tuple([pair for pair in spec.strings if is_kept(pair[1])]),
        numbers=tuple([pair for pair in spec.numbers if is_kept(pair[1])]),
        true=kept(spec.true),
        false=kept(spec.false),
        null=kept(spec.null),
        object=spec.object,
        array=spec.array,
    )


def _with_words(lexeme: Lexeme, excluded: frozenset[str]) -> Lexeme:
    """The languages that have texts that are not excluded."""
    return tuple([(language, cls) for language, cls in lexeme if has_word(language, excluded)])


def _strings(texts: Texts) -> frozenset[str]:
    return frozenset(json.loads(text) for text in texts if text[:1] == b'"')


def _numerals(texts: Texts) -> frozenset[str]:
    return frozenset(text.decode() for text in texts if text[:1] in b"-0123456789")


def _unless_excluded(frame: Frame | None, excluded: Texts) -> Frame | None:
    """The frame of a container just opened; None when every value that it can become is excluded."""
    if frame is None or not any(text[:1] in b"[{" for text in excluded):
        return frame
    spec = ValueSpec(object=frame) if frame.kind == "object" else ValueSpec(array=frame)
    try:
        texts = containers_of(spec, len(excluded))
    except ManyValuesError:
        return frame
    return None if {canonical(text) for text in texts} <= excluded else frame
