"""`WordSets`: sets of whole strings (declared keys, enums, what is used up) that the kernels follow byte by byte.

A family is a sorted list of words, each with its class and a bit. A set is a family with the bits of the words that are
allowed; the others are excluded. So frames of one object differ in bits only.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import LimitExceededError
from ...watch import paced, sort_inplace
from .. import layout as at
from ..lexemes.lazy_dfas import SHORT_ESCAPES
from ..machine import Machine
from .word_steps import add_excluded_word, finish_words

_SPECIAL = re.compile('[\x00-\x1f"\\\\]')


def spell(text: str) -> bytes:
    """A string's canonical JSON spelling, without quotes."""
    return _SPECIAL.sub(_escape, text).encode()


def quoted(text: str) -> bytes:
    """A string as JSON, spelled so."""
    return b'"' + spell(text) + b'"'


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    short = SHORT_ESCAPES.get(code)
    return "\\" + short.decode() if short else f"\\u{code:04x}"


class Entries(NamedTuple):
    """The words of a family in their order: their text as they are spelled, and the rows with their lengths, classes
    and bits (-1: excluded)."""

    text: bytes
    rows: NDArray[np.void]
    num_declared: int


class Family(NamedTuple):
    """Words of which the declared ones have a bit each, in their order; others are excluded. first, size: where they
    stand in `Machine.words`."""

    first: int
    size: int
    num_declared: int


class WordSets:
    """The word sets of one machine."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        machine.sets.bound(at.MAX_SETS, _too_many_sets)
        self._spelled: dict[str, bytes] = {}

    def entries(self, declared: Mapping[str, int], excluded: frozenset[str]) -> Entries:
        """What a family is made of. declared: words with their classes. excluded: other words (and perhaps some of
        these)."""
        entries = [(self._spell(name), returned, bit) for bit, (name, returned) in enumerate(paced(declared.items()))]
        entries += [(self._spell(name), 0, -1) for name in paced(excluded) if name not in declared]
        sort_inplace(entries)
        if (
            len(entries) > at.MAX_WORDS
            or max([len(text) for text, _, _ in paced(entries)], default=0) > at.MAX_WORD_BYTES
        ):
            raise LimitExceededError("max_automaton_states", at.MAX_WORDS, "words of 256 KiB", "in one set of words")
        words = [(len(text), returned, bit, 0) for text, returned, bit in paced(entries)]
        numbers = np.fromiter(itertools.chain.from_iterable(paced(words)), np.int32, 4 * len(words))
        rows = numbers.view(self._machine.words.dtype)
        return Entries(b"".join([text for text, _, _ in paced(entries)]), rows, len(declared))

    def family(self, entries: Entries) -> Family:
        """A new family."""
        start = self._machine.word_text.append(np.frombuffer(entries.text, dtype=np.uint8))
        words, size = self._machine.words, len(entries.rows)
        first = words.reserve(size + 1)
        words.data[first : first + size] = entries.rows
        finish_words(self._machine.address, first, size, start)
        return Family(first, size, entries.num_declared)

    def with_excluded(self, family: Family, name: str) -> Family:
        """A family with one more word, which is excluded."""
        new = np.frombuffer(self._spell(name), dtype=np.uint8)
        first = int(add_excluded_word(self._machine.address, family.first, family.size, new))
        return Family(first, family.size + 1, family.num_declared)

    def code(self, family: Family, allowed: int, base: int) -> int:
        """The code of the first state of a set. allowed: its words, 1 << bit each.

        base: the code of the lexeme whose other texts are allowed too; DEAD for none.
        """
        place = self._machine.keys.append(bit_row(allowed, family.num_declared))
        index = self._machine.sets.add((family.first, family.size, base, place))
        return (at.WORDS if base < 0 else at.OVERLAY) << at.TAG_SHIFT | index << (at.WORD_BITS + at.DEPTH_BITS)

    def _spell(self, name: str) -> bytes:
        """The bytes of a word, closing quote included."""
        spelled = self._spelled.get(name)
        if spelled is None:
            spelled = self._spelled[name] = _SPECIAL.sub(_escape, name).encode() + b'"'
        return spelled


def bit_row(bits: int, count: int) -> NDArray[np.int64]:
    """A number of `count` bits as a row of int64, at least one."""
    width = max(1, -(-count // 64))
    return np.frombuffer(bits.to_bytes(8 * width, "little"), dtype=np.int64)


def _too_many_sets() -> LimitExceededError:
    return LimitExceededError("max_automaton_states", at.MAX_SETS, "sets", "of words in one grammar")
