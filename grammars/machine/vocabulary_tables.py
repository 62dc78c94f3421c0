"""`VocabularyTables`: all tables of one vocabulary: its trie, the automata of strings and numbers, their interiors.

All machines of a process with the same vocabulary share an instance. Everything that builds holds its lock.
"""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..bitset import num_words
from ..build_locks import TablesLock
from ..forks import anew_after_fork
from ..memory.structs import address_of
from ..regex import algebra as lang
from ..regex.algebra import Language
from ..vocabulary import Vocabulary
from . import layout as at
from .byte_class_rows import USUAL, byte_class_arrays
from .byte_class_walks import add_byte_class_row, find_byte_class_row
from .frames import Lexeme
from .interiors import fill_count_rows, list_inside, make_interior
from .lexemes.disk_cache import cached_trie
from .lexemes.lazy_dfas import LazyDfas
from .lexemes.positions import LONG_COUNT
from .lexemes.trie import VocabularyTrie
from .lexemes.trie_kernels import BYTE_CLASSES
from .lexemes.whitespace import whitespace_table
from .machine import Machine
from .structs import InteriorWalk, MaskWork, Tables, Trie

_Attached = TypeVar("_Attached")
_Array = TypeVar("_Array", bound=NDArray[Any])

_MIN_COUNTED = 8  # characters: languages with shorter bounds have few states anyway
_MANY_PLACES = 300  # maximum number of states visited to decide whether a length bound can be counted
_MAX_BYTES = 300_000_000
_MANY_COUNTS = 300  # rows by count of one state: 5 MB
_STRUCTURAL_BYTES = b'\t\n\r ",-0123456789:[]aeflnrstu{}'
_AFTER_NUMBER = b"\t\n\r ,]}"
_QUOTE = 0x22
_LITERALS = b"true\0\0\0\0false\0\0\0null\0\0\0\0"


class VocabularyTables:
    """The tables of one vocabulary. Kernels read `tables`."""

    def __init__(
        self, vocabulary: Vocabulary, trie: VocabularyTrie | None = None, shared: VocabularyTables | None = None
    ) -> None:
        """shared: None for the tables that all grammars share; for tables of a single grammar: the shared tables, whose
        trie is used. All other parts are then made on first use.
        """
        self.vocabulary = vocabulary
        self._shared = shared
        self.trie = trie or cached_trie(vocabulary)
        self._trie_bytes = self.trie.num_bytes
        self.lock = TablesLock()
        self.num_words = num_words(vocabulary.size)
        self.tables = Tables()
        self._kept: dict[int, NDArray[np.generic]] = {}  # arrays that kernels hold by address
        self._kept_bytes = 0
        self._attached: dict[Callable[[VocabularyTables], Any], Any] = {}
        self._class_maps: dict[tuple[int, ...], int] = {}
        self._counters: dict[tuple[int, int, int], int] = {}
        self._whitespace: dict[str, NDArray[np.int32]] = {}
        self.tables.trie = self._make_trie() if shared is None else shared.tables.trie
        self.tables.walk = self._make_walk()
        self.tables.mask = self._make_mask()
        self.lazy_dfas = LazyDfas(int(self.trie.most_chars[0]), is_shared=shared is None)
        self.tables.dfa = self.lazy_dfas.dfa
        self.tables.is_structural = _byte_flags(_STRUCTURAL_BYTES)
        self.tables.literals = np.frombuffer(_LITERALS, dtype=np.uint8)
        if shared is None:
            for byte_classes in USUAL:
                self.byte_class_row(byte_classes, 0)
            self._make_any_string()

    @property
    def num_bytes(self) -> int:
        """Memory of all tables, in bytes."""
        columns = self.tables.num_bytes + self.lazy_dfas.num_bytes
        return self._trie_bytes + columns + self._kept_bytes

    @property
    def own_bytes(self) -> int:
        """Memory of one grammar's own tables, in bytes; 0 for tables that all grammars share."""
        return 0 if self._shared is None else self.num_bytes - self._trie_bytes

    @property
    def is_full(self) -> bool:
        """True if new matchers should get new tables: these have grown too large, or a fork has lost their lock."""
        return self.lock.is_lost or self.num_bytes > _MAX_BYTES or self.lazy_dfas.is_nearly_full

    def lexeme_code(self, lexeme: Lexeme, is_number: bool) -> int:
        """Return the code of the first state of a lexeme that is not empty."""
        languages, classes = zip(*lexeme, strict=True)
        if len(languages) == 1 and not is_number:
            counted = self._counted_code(languages[0], classes[0])
            if counted is not None:
                return counted
        class_map = self._class_map_of(classes)
        tag = at.NUMBER if is_number else at.STRING
        state = self.lazy_dfas.state(languages, "number" if is_number else "string")
        return tag << at.TAG_SHIFT | class_map << 32 | state

    def text_code(self, lexeme: Lexeme, end: str) -> int:
        """Return the code of the first state of non-empty texts that are written literally, with a mark after them.

        No text with its mark may be the beginning of another one.
        """
        languages, classes = zip(*lexeme, strict=True)
        mark = lang.text(end)
        if len(languages) == 1:
            counted = counted_parts(languages[0])
            if counted is not None and counted[1] + len(end) <= at.MAX_COUNT:
                base, low, high = counted
                bounds = low + len(end), None if high is None else high + len(end)
                state = self.lazy_dfas.counted_text_state(base, mark)
                return self._with_counter(state, *bounds, classes[0])
        state = self.lazy_dfas.state(tuple([lang.concat(language, mark) for language in languages]), "text")
        return at.STRING << at.TAG_SHIFT | self._class_map_of(classes) << 32 | state

    def build_count_rows(self, state: int) -> None:
        """Make the rows of a state's root interior, by the number of characters that a token needs."""
        while missing := list_inside(self.tables.address, state):
            self.lazy_dfas.build_row(missing - 1)
        tokens = self.tables.walk.tokens.in_use
        interiors = self.tables.interiors
        interior = interiors.made[interiors.index.value(state + 1, 0)]
        most = interior.max_count
        steps = np.arange(most + 1)
        if most > _MANY_COUNTS:
            is_met = np.bincount(tokens >> 32, minlength=most + 1) > 0
            steps, tokens[:] = np.flatnonzero(is_met), (np.cumsum(is_met) - 1)[tokens >> 32] << 32 | tokens & at.MASK32
        rows = self._new_rows(len(steps))
        fill_count_rows(self.tables.address, address_of(rows), len(rows))
        ranks = np.searchsorted(steps, np.arange(most), side="right") - 1
        addresses = np.where(ranks >= 0, address_of(rows) + ranks * rows.strides[0], self.zero_row)
        interior.count_rows = self._keep(addresses.astype(np.int64))

    @property
    def zero_row(self) -> int:
        """Address of a row without tokens."""
        return self.tables.mask.zero_row

    def byte_class_row(self, byte_classes: int, node: int) -> int:
        """Return the row's number in `tables.byte_class_rows`, for a set of byte classes (as bits) at a node.

        The caller holds the lock.
        """
        number: int = find_byte_class_row(self.tables.address, byte_classes, node)
        if number < 0:
            arrays = byte_class_arrays(self.tables, self._scratch, byte_classes, node)
            number = self.tables.byte_class_rows.reserve(1)
            made = self.tables.byte_class_rows[number]
            made.byte_classes, made.node = byte_classes, node
            made.row, made.nodes, made.starts, made.firsts = map(self._keep, arrays)
            add_byte_class_row(self.tables.address, number)
        return number

    def tokens_to_verify(self) -> tuple[int, ...]:
        """Return the tokens that the last mask left open."""
        count = self.tables.mask.num_must_try
        return tuple(self.trie.sorted_ids[self._must_try[:count]].tolist()) if count else ()

    def forks(self) -> list[tuple[int, int, int, int]]:
        """Return the last mask's nodes where documents may begin beside other things, as (node, taint, code, stack)."""
        forks = self.tables.mask.forks
        return forks.in_use.tolist() if forks.used else []

    def token_bytes(self, token_id: int) -> bytes:
        """Return the bytes of a token; ids from the vocabulary's size on are the 256 single bytes."""
        starts = self.trie.text_start
        return self.trie.text[starts[token_id] : starts[token_id + 1]].tobytes()

    def has_text(self, token_id: int) -> bool:
        """Return True for tokens that stand for text, and for the ids of single bytes."""
        starts = self.trie.text_start
        return bool(starts[token_id] < starts[token_id + 1])

    def child(self, node: int, byte: int) -> int | None:
        """Return the child of a node of the vocabulary's trie; None if there is none."""
        first, end = self.trie.first_child[node], self.trie.first_child[node + 1]
        child = first + int(np.searchsorted(self.trie.byte[first:end], byte))
        return int(child) if child < end and self.trie.byte[child] == byte else None

    def tokens_under(self, node: int) -> list[int]:
        """Return the tokens that end at a node or below it."""
        tokens: list[int] = self.trie.sorted_ids[self.trie.token_start[node] : self.trie.token_end[node]].tolist()
        return tokens

    def whitespace(self, option: str) -> NDArray[np.int32]:
        """Return the table of a whitespace option; see `whitespace_table`."""
        if option not in self._whitespace:
            self._whitespace[option] = whitespace_table(option, self.vocabulary.spelling)
        return self._whitespace[option]

    def attached(self, make: Callable[[VocabularyTables], _Attached]) -> _Attached:
        """Return the object that `make` builds from these tables: built once, and kept with the tables."""
        found: _Attached | None = self._attached.get(make)
        if found is None:
            found = self._attached.setdefault(make, make(self))
        return found

    def counter(self, number: int) -> tuple[int, int, int]:
        """Return a COUNTED code's bounds on characters (high -1: no bound) and its class."""
        low, high, returned = self.tables.counters.data[number].tolist()
        return low, high, returned

    def class_at(self, class_map: int, index: int) -> int:
        """Return the class of language `index` of a lexeme with a class map."""
        return int(self.tables.dfa.class_maps.data.item(class_map + index))

    def _make_any_string(self) -> None:
        """Build the tables of any string, and of strings of a bounded length, which nearly every schema needs.

        PERF: takes 2 ms, which the first request would have to wait.
        """
        state, machine = self.lazy_dfas.state((lang.ANYTHING,), "string"), Machine(self.tables)
        machine.rows_left = 1
        make_interior(machine.address, state, 0)
        self.build_count_rows(state)
        quote = self.child(0, _QUOTE)
        if quote is not None:
            make_interior(machine.address, state, quote)

    def _class_map_of(self, classes: tuple[int, ...]) -> int:
        if classes not in self._class_maps:
            self._class_maps[classes] = self.tables.dfa.class_maps.append(np.array(classes, dtype=np.int32))
        return self._class_maps[classes]

    def _counted_code(self, language: Language, returned: int) -> int | None:
        """Return the code of a string of `low` to `high` characters; None if the language is not best read by counting.

        An upper bound above MAX_COUNT counts as none: no document gets that long. A lower bound above MAX_COUNT is left
        to the algebra.
        """
        counted = counted_parts(language)
        if counted is None or counted[1] > at.MAX_COUNT:
            return None
        base, low, high = counted
        if base.is_transient and max(low, high or 0) <= LONG_COUNT:  # kernels read it as a product
            return None
        return self._with_counter(self.lazy_dfas.counted_state(base), low, high, returned)

    def _with_counter(self, state: int, low: int, high: int | None, returned: int) -> int:
        """Return the code of a state whose characters are counted."""
        key = (low, -1 if high is None or high > at.MAX_COUNT else high, returned)
        if key not in self._counters:
            number = self._counters[key] = self.tables.counters.reserve(1)
            counter = self.tables.counters[number]
            counter.low, counter.high, counter.returned = key
        number = self._counters[key]
        return at.COUNTED << at.TAG_SHIFT | number << (at.COUNT_BITS + at.STATE_BITS) | state

    def _new_rows(self, count: int) -> NDArray[np.int32]:
        """Return new rows that never move: masks hold their addresses."""
        return self._keep(np.zeros((count, self.num_words), dtype=np.int32))

    def _keep(self, array: _Array) -> _Array:
        """Keep an array as long as these tables, and count its bytes."""
        self._kept_bytes += array.nbytes
        self._kept[address_of(array)] = array
        return array

    def _make_trie(self) -> Trie:
        trie, source = Trie(), self.trie
        for field in fields(source):
            setattr(trie, field.name, getattr(source, field.name))
        first, end = source.first_child[0], source.first_child[1]
        root_child = np.zeros(256, dtype=np.int32)
        root_child[source.byte[first:end]] = np.arange(first, end)
        trie.root_child = root_child
        trie.may_end_number = _nodes_with_children(source, _AFTER_NUMBER)
        trie.byte_classes = BYTE_CLASSES
        trie.end_ids = np.array(sorted(self.vocabulary.eos_token_ids), dtype=np.int32)
        trie.num_words = self.num_words
        return trie

    def _make_walk(self) -> InteriorWalk:
        walk, num_nodes, num_tokens = InteriorWalk(), len(self.trie.byte), len(self.trie.sorted_ids)
        walk.queue.ensure(num_nodes)
        walk.tokens.ensure(num_tokens + 1)
        walk.exits.ensure(num_nodes + 1)
        walk.key = at.DEAD
        return walk

    def _make_mask(self) -> MaskWork:
        mask, num_nodes, num_tokens = MaskWork(), len(self.trie.byte), len(self.trie.sorted_ids)
        self._must_try = np.zeros(num_tokens + 1, dtype=np.int32)
        self._scratch = np.zeros(4 * num_nodes, dtype=np.int32)  # for byte class rows, while they are made
        mask.zero_row = address_of(self._new_rows(1))
        mask.must_try = self._must_try
        for entries in (mask.queue, mask.delayed, mask.forks):
            entries.ensure(4096)
        mask.scratch, mask.epochs, mask.touched = (np.zeros(self.num_words, dtype=np.int32) for _ in range(3))
        return mask


def counted_parts(language: Language) -> tuple[Language, int, int | None] | None:
    """Split a language into a simpler one and bounds on its length; None if that would be wrong or useless.

    Upper bounds are exact, since each state knows how many characters it still needs. Lower bounds need texts that can
    grow to that length from every state. Texts of a set of characters can; other texts must have the length anyway, or
    be able to grow. Small bounds are left to the algebra.
    """
    if isinstance(language, lang.Repeat) and isinstance(language.child, lang.Chars):
        is_free = language.low == 0 and language.high is None
        return None if is_free else (lang.repeat(language.child, 0), language.low, language.high)
    if isinstance(language, lang.Intersection):
        for part in language.parts:
            if isinstance(part, lang.Repeat) and part.child is lang.ANY_CHAR:
                rest = lang.intersect(*[other for other in language.parts if other is not part])
                low = 0 if part.low <= rest.min_length else part.low
                if max(low, part.high or 0) <= _MIN_COUNTED:
                    return None
                if low <= _MIN_COUNTED:
                    return lang.intersect(rest, lang.repeat(lang.ANY_CHAR, low)), 0, part.high
                return (rest, low, part.high) if _can_always_grow(rest) else None
    return None


def _can_always_grow(language: Language) -> bool:
    """Return True if in every state of its texts all lengths from some length on are possible."""
    seen, waiting = {language}, [language]
    while waiting:
        here = waiting.pop()
        if not here.is_dense or here.max_length is not None or len(seen) > _MANY_PLACES:
            return False
        for _, target in here.transitions():
            if target not in seen and not lang.is_empty(target):
                seen.add(target)
                waiting.append(target)
    return True


def _byte_flags(members: bytes) -> NDArray[np.uint8]:
    flags = np.zeros(256, dtype=np.uint8)
    flags[list(members)] = 1
    return flags


def _nodes_with_children(trie: VocabularyTrie, members: bytes) -> NDArray[np.uint8]:
    """Return 1 for each node that has a child with one of the bytes."""
    counts = np.concatenate(([0], np.cumsum(_byte_flags(members)[trie.byte], dtype=np.int64)))
    return (counts[trie.first_child[1:]] > counts[trie.first_child[:-1]]).astype(np.uint8)


_KNOWN: weakref.WeakValueDictionary[str, VocabularyTables] = weakref.WeakValueDictionary()
_RECENT: deque[VocabularyTables] = deque(maxlen=2)  # kept even if no machine uses them now
_KNOWN_LOCK = anew_after_fork(threading.Lock())


def vocabulary_tables_of(vocabulary: Vocabulary) -> VocabularyTables:
    """Return the tables of a vocabulary; equal vocabularies share them.

    Tables only grow. Tables that have grown too large are replaced here, and freed with their last matcher.
    """
    with _KNOWN_LOCK:
        vocabulary_tables = _KNOWN.get(vocabulary.fingerprint)
        if vocabulary_tables is None or vocabulary_tables.is_full:
            trie = None if vocabulary_tables is None else vocabulary_tables.trie
            vocabulary_tables = _KNOWN[vocabulary.fingerprint] = VocabularyTables(vocabulary, trie)
        if vocabulary_tables not in _RECENT:
            _RECENT.append(vocabulary_tables)
        return vocabulary_tables
