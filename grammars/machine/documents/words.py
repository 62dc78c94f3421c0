"""`WordSets`: sets of whole strings (declared keys, enums, used keys) that kernels follow byte by byte.

A family is a sorted list of words, each with its class and a bit. A set is a family with the bits of the allowed words;
all other words are excluded. Frames of one object therefore differ in bits only.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from json.encoder import encode_basestring
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import LimitExceededError
from ...watch import paced, sort_inplace
from .. import layout as at
from ..machine import Machine
from .containers import add_word_set
from .word_steps import add_words, add_words_with


def spell(text: str) -> bytes:
    """Return a string's canonical JSON spelling, without quotes."""
    return encode_basestring(text)[1:-1].encode()


def quoted(text: str) -> bytes:
    """Return a string's canonical JSON spelling, with quotes."""
    return encode_basestring(text).encode()


class Entries(NamedTuple):
    """The words of a family in their order.

    text: all words as they are spelled, one after the other.
    rows: for each word its length, class and bit (-1: excluded).
    num_declared: number of declared words.
    """

    text: bytes
    rows: NDArray[np.int64]
    num_declared: int


class Family(NamedTuple):
    """A list of words: each declared word has a bit, in their order; the others are excluded.

    first, size: index in `Machine.words` and number of the words.
    num_declared: number of declared words.
    """

    first: int
    size: int
    num_declared: int


class WordSets:
    """The word sets of one machine."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def entries(self, declared: Mapping[str, int], excluded: frozenset[str], end: str | None = None) -> Entries:
        """Return the entries of a family.

        declared: word -> class.
        excluded: other words; declared ones among them are ignored.
        end: as in `spelled`.

        Raises LimitExceededError for too many or too long words.
        """
        entries = [(spelled(name, end), returned, bit) for bit, (name, returned) in enumerate(paced(declared.items()))]
        if not excluded <= declared.keys():
            entries += [(spelled(name, end), 0, -1) for name in paced(excluded) if name not in declared]
        sort_inplace(entries)
        texts = [text for text, _, _ in paced(entries)]
        if len(texts) > at.MAX_WORDS or max(map(len, texts), default=0) > at.MAX_WORD_BYTES:
            raise LimitExceededError("words_in_a_set", at.MAX_WORDS, "words of 256 KiB", "in one set of words")
        rows = [(len(text), returned, bit) for text, returned, bit in paced(entries)]
        numbers = np.fromiter(itertools.chain.from_iterable(paced(rows)), np.int64, 3 * len(rows))
        return Entries(b"".join(texts), numbers, len(declared))

    def family(self, entries: Entries) -> Family:
        """Add a family to the machine."""
        first = add_words(self._machine.address, entries.rows, np.frombuffer(entries.text, np.uint8))
        return Family(first, len(entries.rows) // 3, entries.num_declared)

    def with_excluded(self, family: Family, name: str, end: str | None) -> Family:
        """Add a family with one more word, which is excluded."""
        text = np.frombuffer(spelled(name, end), np.uint8)
        first = add_words_with(self._machine.address, family.first, family.size, text)
        return Family(first, family.size + 1, family.num_declared)

    def code(self, family: Family, allowed: int, base: int) -> int:
        """Return the code of the first state of a set.

        allowed: set of the allowed words, bit 1 << index each.
        base: code of the lexeme whose other texts are allowed too; DEAD for none.
        """
        row = bit_row(allowed, family.num_declared)
        number: int = add_word_set(self._machine.address, family.first, family.size, base, row)
        return (at.WORDS if base < 0 else at.OVERLAY) << at.TAG_SHIFT | number << (at.WORD_BITS + at.DEPTH_BITS)


def spelled(name: str, end: str | None) -> bytes:
    """Return the bytes of a word: literal with the mark `end` behind it; None: as JSON, closing quote included."""
    return encode_basestring(name)[1:].encode() if end is None else f"{name}{end}".encode()


def bit_row(bits: int, count: int) -> NDArray[np.int64]:
    """Return a number of `count` bits as int64 words, at least one."""
    width = max(1, -(-count // 64))
    return np.frombuffer(bits.to_bytes(8 * width, "little"), dtype=np.int64)


def _too_many_sets() -> LimitExceededError:
    return LimitExceededError("sets_of_words", at.MAX_SETS, "sets", "of words in one grammar")


Machine.bound_table("sets", lambda: at.MAX_SETS, _too_many_sets)
