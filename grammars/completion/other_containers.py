"""Containers that must not be equal to some others: what is left of these while a container is written.

Of the excluded containers those are followed that begin as the text does, like the words in a trie; keys of objects
come in any order. As soon as none is left, anything that ends the container will do.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import TypeAlias

from ..automaton.frames import ValueSpec
from ..automaton.listing import one_spelling, text_of_value
from ..automaton.narrowing import exclusions, without
from ..regex import algebra as lang

Left: TypeAlias = tuple[bytes, ...] | frozenset[tuple[str, bytes]]
"""The items, or the members, that an excluded container still has; values as `text_of_value` writes them."""

Excluded: TypeAlias = frozenset[Left]

NOTHING_EXCLUDED: Excluded = frozenset()


def excluded_containers(texts: Iterable[bytes], bracket: bytes) -> Excluded:
    """The containers of one kind among some texts."""
    return frozenset(_parts(text) for text in texts if text[:1] == bracket)


def begun_with(excluded: Excluded, text: bytes) -> Excluded:
    """What is left of the excluded containers that begin as a text does, which stands between two items or members."""
    begun = text.rstrip(b" \t\n\r,")
    done = _parts(text_of_value(begun + (b"]" if text[:1] == b"[" else b"}")))
    if isinstance(done, frozenset):
        return frozenset(left - done for left in excluded if isinstance(left, frozenset) and done <= left)
    return frozenset(left[len(done) :] for left in excluded if isinstance(left, tuple) and left[: len(done)] == done)


def next_items(excluded: Excluded) -> dict[bytes, Excluded]:
    """The items by which the excluded arrays go on, and what is left of those with each."""
    found: dict[bytes, set[Left]] = {}
    for left in excluded:
        if isinstance(left, tuple) and left:
            found.setdefault(left[0], set()).add(left[1:])
    return {text: frozenset(lefts) for text, lefts in found.items()}


def next_values(excluded: Excluded, key: str) -> dict[bytes, Excluded]:
    """The values that a key has in the excluded objects, and what is left of those with each."""
    found: dict[bytes, set[Left]] = {}
    for left in excluded:
        if isinstance(left, frozenset):
            for member in left:
                if member[0] == key:
                    found.setdefault(member[1], set()).add(left - {member})
    return {text: frozenset(lefts) for text, lefts in found.items()}


def keys_of(excluded: Excluded) -> frozenset[str]:
    """The keys that are left in any of the excluded objects."""
    return frozenset(key for left in excluded if isinstance(left, frozenset) for key, _ in left)


def other_values(spec: ValueSpec, texts: Iterable[bytes]) -> ValueSpec:
    """A spec that excludes some more values."""
    numbers = tuple([(lang.intersect(language, one_spelling()), returned) for language, returned in spec.numbers])
    return without(replace(spec, numbers=numbers), exclusions(spec).union(texts), spec.captures)


@lru_cache(maxsize=4096)
def _parts(text: bytes) -> Left:
    value = json.loads(text)
    if isinstance(value, list):
        return tuple([text_of_json(item) for item in value])
    return frozenset([(key, text_of_json(item)) for key, item in value.items()])


def text_of_json(value: object) -> bytes:
    """The text of a value, as `text_of_value` writes it."""
    return text_of_value(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())
