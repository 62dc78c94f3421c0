"""`WordSets`: sets of whole strings (declared keys, enums, what is used up) that the kernels follow byte by byte.

A family is a sorted list of words, each with its class and a rank in an order. A set is a family, of which the words
of a window of that order are allowed and the others are not; so the next frame of an object, which drops the first
keys, needs a new window and nothing else. Where keys come in any order, a set has a bitmap of its words instead.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ..errors import LimitExceededError
from . import layout as at
from .lazy_dfas import SHORT_ESCAPES
from .structs import DocumentMachine, WordSet
from .word_steps import set_window

_NEVER = 0x7FFFFFFF  # the order of words that no window allows
_BITMAPS = 1 << 10  # numbers in a chunk of bitmaps
_BITS = np.array([1 << bit for bit in range(64)], dtype=np.uint64).view(np.int64)
_SPECIAL = re.compile('[\x00-\x1f"\\\\]')


def spell(text: str) -> bytes:
    """A string's canonical JSON spelling, without quotes."""
    return _SPECIAL.sub(_escape, text).encode()


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    short = SHORT_ESCAPES.get(code)
    return "\\" + short.decode() if short else f"\\u{code:04x}"


class Family:
    """Words with their classes: those of a first set, and others that are excluded.

    entries: the words that were allowed in some set, in their order, with their classes; orders: with their ranks in
    that order. The sets that follow may allow more of the excluded words, if they come after all others in the order.
    """

    __slots__ = ("_ranks", "entries", "excluded", "first", "orders", "sorted_names")

    def __init__(
        self, words: Mapping[str, int], excluded: frozenset[str], sorted_names: tuple[str, ...], first: int
    ) -> None:
        self.entries = list(words.items())
        self.orders = {name: order for order, name in enumerate(words)}
        self.excluded = excluded
        self.sorted_names = sorted_names
        self.first = first
        self._ranks: dict[str, int] | None = None

    def start_of(self, words: Mapping[str, int], excluded: frozenset[str]) -> int | None:
        """The rank in the order from which on `words` are the words allowed; None if they are no window of it.

        excluded: what is excluded beside `words`; may hold some of them.
        """
        if excluded is not self.excluded and excluded != self.excluded:
            return None
        start = self.orders.get(next(iter(words)), len(self.orders)) if words else 0
        known = self.entries[start : start + len(words)]
        return start if known == list(islice(words.items(), len(known))) else None

    @property
    def ranks(self) -> Mapping[str, int]:
        """The number of each word among all words of the family, in the order of their bytes."""
        if self._ranks is None:
            self._ranks = {known: rank for rank, known in enumerate(self.sorted_names)}
        return self._ranks


class WordSets:
    """The word sets of one machine."""

    def __init__(self, machine: DocumentMachine) -> None:
        self._machine = machine
        machine.word_text.ensure(1 << 12)
        machine.words.ensure(256)
        machine.sets.ensure(32)
        self._spelled: dict[str, bytes] = {}
        self._bitmaps: list[NDArray[np.int64]] = []
        self._num_bitmaps = 0  # numbers used of the last chunk

    def family(self, words: Mapping[str, int], excluded: frozenset[str]) -> Family:
        """A new family. excluded: other words (and perhaps some of `words`)."""
        entries = [(self._spell(name), name, returned, order) for order, (name, returned) in enumerate(words.items())]
        entries += [(self._spell(name), name, 0, _NEVER) for name in excluded if name not in words]
        entries.sort()
        texts = [entry[0] for entry in entries]
        if len(texts) > at.MAX_WORDS or max(map(len, texts), default=0) > at.MAX_WORD_BYTES:
            raise LimitExceededError("max_automaton_states", at.MAX_WORDS, "words of 256 KiB", "in one set of words")
        start = self._machine.word_text.append(np.frombuffer(b"".join(texts), dtype=np.uint8))
        size = len(entries)
        words_table = self._machine.words
        first = words_table.reserve(size + 1)
        rows = [(len(text), returned, order, 0) for text, _, returned, order in entries]
        words_table.data[first : first + size] = np.array(rows, words_table.dtype)
        set_window(self._machine.address, first, size, start)
        return Family(words, excluded, tuple([entry[1] for entry in entries]), first)

    def next_code(self, family: Family, words: Mapping[str, int], excluded: frozenset[str], base: int) -> int | None:
        """As `code` for other words of a family; None when they do not fit it."""
        start = family.start_of(words, excluded)
        if start is None:
            return None
        for name, returned in list(words.items())[len(family.orders) - start :]:
            rank = family.ranks.get(name)
            if rank is None or name in family.orders:
                return None
            word = self._machine.words[family.first + rank]
            word.lexeme_class = returned
            word.order = family.orders[name] = len(family.orders)
            family.entries.append((name, returned))
        return self.code(family, start, start + len(words), base)

    def code(self, family: Family, start: int, end: int, base: int) -> int:
        """The code of the first state of a set. start, end: what is allowed, in the family's order.

        base: the code of the lexeme whose other texts are allowed too; DEAD for none.
        """
        index = self._machine.sets.reserve(1)
        if index >= at.MAX_SETS:
            raise LimitExceededError("max_automaton_states", at.MAX_SETS, "sets", "of words in one grammar")
        self._machine.sets.write(index, (family.first, len(family.sorted_names), start, end, base))
        tag = at.WORDS if base < 0 else at.OVERLAY
        return tag << at.TAG_SHIFT | index << (at.WORD_BITS + at.DEPTH_BITS)

    def changed_code(
        self, family: Family, before: int, removed: tuple[str, ...], added: Mapping[str, int], base: int
    ) -> int:
        """As `code`, for the set of a code without some words, and with others of its family."""
        index = before >> (at.WORD_BITS + at.DEPTH_BITS) & (at.MAX_SETS - 1)
        bitmap = self._bitmap(family, self._machine.sets[index])
        for name in removed:
            rank = family.ranks[name]
            bitmap[rank >> 6] &= ~_BITS[rank & 63]
        for name, returned in added.items():
            rank = family.ranks[name]
            bitmap[rank >> 6] |= _BITS[rank & 63]
            self._machine.words[family.first + rank].lexeme_class = returned
        code = self.code(family, 0, 0, base)
        self._machine.sets[self._machine.sets.used - 1].bitmap = bitmap
        return code

    def _bitmap(self, family: Family, words: WordSet) -> NDArray[np.int64]:
        """A new bitmap of the words that a set allows. int64 (ceil(words / 64),), at an address that stays."""
        size = -(-len(family.sorted_names) // 64)
        if not self._bitmaps or self._num_bitmaps + size > len(self._bitmaps[-1]):
            self._bitmaps.append(np.zeros(max(_BITMAPS, size), dtype=np.int64))
            self._num_bitmaps = 0
        bitmap = self._bitmaps[-1][self._num_bitmaps : self._num_bitmaps + size]
        self._num_bitmaps += size
        old = words.bitmap
        if len(old):
            bitmap[:] = old.numpy()
            return bitmap
        first = family.first
        orders = self._machine.words.data["order"][first : first + len(family.sorted_names)]
        is_allowed = (orders >= words.start) & (orders < words.end)
        packed = np.packbits(is_allowed, bitorder="little")
        bitmap.view(np.uint8)[: len(packed)] = packed
        return bitmap

    def _spell(self, name: str) -> bytes:
        """The bytes of a word, closing quote included."""
        spelled = self._spelled.get(name)
        if spelled is None:
            spelled = self._spelled[name] = spell(name) + b'"'
        return spelled
