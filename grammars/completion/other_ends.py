"""Shortest ends of lexemes where not every text will do: some are excluded, or it must have many characters."""

from __future__ import annotations

import heapq
from itertools import count

import numpy as np
from numpy.typing import NDArray

from ..automaton import layout as at
from ..automaton.lazy_dfas import LazyDfas
from ..errors import LimitExceededError
from ..watch import checkpoint

_MAX_PLACES = 200_000
_PLAIN = [*range(0x61, 0x7B), *range(0x30, 0x3A), *range(0x41, 0x5B)]
_ORDER = np.array([*_PLAIN, *[byte for byte in range(256) if byte not in _PLAIN]])


def find_other_ends(lexemes: LazyDfas, state: int, excluded: frozenset[bytes], distance: int) -> dict[int, bytes]:
    """The shortest text for each language of a lexeme, from a state on, that is not excluded and begins at least
    `distance` characters.

    Dijkstra over states, characters that are still needed, and how far the text is one of the excluded. Once there is
    an end, only what is as short is looked at.
    """
    prefixes = {text[:length] for text in excluded for length in range(len(text) + 1)}
    order = count()
    entries: list[tuple[int, int]] = []  # the entry before, the byte that led on from there
    waiting = [(distance, 0, next(order), -1, state, b"" if b"" in prefixes else None)]
    seen: set[tuple[int, int, bytes | None]] = set()
    found: dict[int, bytes] = {}
    while waiting:
        left, negative, _, entry, here, along = heapq.heappop(waiting)
        length, missing = -negative, left + negative
        if found and left > min(map(len, found.values())):
            break
        if (here, missing, along) in seen:
            continue
        seen.add((here, missing, along))
        checkpoint()
        if len(seen) > _MAX_PLACES:
            raise LimitExceededError("max_completion_places", _MAX_PLACES, "places", "looking for the end of a string")
        row = lexemes.text_row(here)
        begins = lexemes.is_between(here)
        for byte in _choices(row, along, prefixes):
            following = int(row[byte])
            text = None if along is None else along + bytes([byte])
            if following <= at.FIRST_END:
                index = at.FIRST_END - following
                if missing <= 0 and index not in found and (text is None or text not in excluded):
                    found[index] = _read_back(entries, entry) + bytes([byte])
                continue
            entries.append((entry, byte))
            less = max(missing - begins, 0)
            kept = text if text in prefixes else None
            heapq.heappush(waiting, (length + 1 + less, -length - 1, next(order), len(entries) - 1, following, kept))
    return found


def _choices(row: NDArray[np.int32], along: bytes | None, prefixes: set[bytes]) -> list[int]:
    """The bytes to be tried: one for each state or end in a row, and each with which an excluded text goes on."""
    in_order = row[_ORDER]
    targets, places = np.unique(in_order, return_index=True)
    alive = (targets >= 0) | (targets <= at.FIRST_END)
    chosen: list[int] = _ORDER[places[alive]].tolist()
    if along is None:
        return chosen
    towards = [byte for byte in range(256) if along + bytes([byte]) in prefixes and row[byte] not in (at.DEAD,)]
    others = [int(byte) for byte in _ORDER if byte not in towards and row[byte] != at.DEAD]
    first: dict[int, int] = {}
    for byte in others:
        first.setdefault(int(row[byte]), byte)
    return [*first.values(), *towards]


def _read_back(entries: list[tuple[int, int]], entry: int) -> bytes:
    text = bytearray()
    while entry >= 0:
        entry, byte = entries[entry]
        text.append(byte)
    return bytes(reversed(text))
