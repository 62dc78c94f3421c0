"""Containers that others are compared with while they are written: that they must not become, or that they are to be.

Of these those are followed that begin as the text does, like the words in a trie; keys of objects come in any order. As
soon as none is left of the ones that must not be, anything that ends the container will do.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from ..machine.documents.listing import one_spelling, text_of_value
from ..machine.documents.narrowing import exclusions, without
from ..machine.frames import ValueSpec
from ..regex import algebra as lang

Left: TypeAlias = frozenset[tuple[str | int, bytes]]
"""The members that a container still has, or its items by their numbers; values as `text_of_value` writes them."""


class Others(NamedTuple):
    """What is left of some containers. are_wanted: the one that is written is to become one of them; else it must not
    become any."""

    lefts: frozenset[Left]
    are_wanted: bool = False

    @property
    def has_ended(self) -> bool:
        """Whether one of them ends here."""
        return frozenset() in self.lefts

    @property
    def keys(self) -> frozenset[str | int]:
        """The keys that are left in any of them; of arrays the number of the next item is the least one."""
        return frozenset([key for left in self.lefts for key, _ in left])

    def values(self, key: str | int) -> dict[bytes, Others]:
        """The values that a key has in them, and what is left of those with each."""
        found: dict[bytes, set[Left]] = {}
        for left in self.lefts:
            for member in left:
                if member[0] == key:
                    found.setdefault(member[1], set()).add(left - {member})
        return {text: Others(frozenset(lefts), self.are_wanted) for text, lefts in found.items()}

    def begun_with(self, text: bytes) -> Others:
        """What is left of those that begin as a text does, which stands between two items or members."""
        begun = text.rstrip(b" \t\n\r,")
        done = _parts(text_of_value(begun + (b"]" if text[:1] == b"[" else b"}")))
        return Others(frozenset([left - done for left in self.lefts if done <= left]), self.are_wanted)


NO_OTHERS = Others(frozenset())


def excluded(texts: Collection[bytes], bracket: bytes) -> Others:
    """The containers of one kind among some texts, which must not be written."""
    return Others(frozenset([_parts(text) for text in texts if text[:1] == bracket])) if texts else NO_OTHERS


def wanted(text: bytes) -> Others:
    """A container that is to be written."""
    return Others(frozenset([_parts(text)]), True)


def other_values(spec: ValueSpec, texts: Iterable[bytes]) -> ValueSpec:
    """A spec that excludes some more values."""
    numbers = tuple([(lang.intersect(language, one_spelling()), returned) for language, returned in spec.numbers])
    return without(replace(spec, numbers=numbers), exclusions(spec).union(texts), spec.captures)


@lru_cache(maxsize=4096)
def _parts(text: bytes) -> Left:
    value = json.loads(text)
    members = enumerate(value) if isinstance(value, list) else value.items()
    return frozenset([(key, text_of_json(item)) for key, item in members])


def text_of_json(value: object) -> bytes:
    """The text of a value, as `text_of_value` writes it."""
    return text_of_value(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())
