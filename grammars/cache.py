"""`GrammarCache`: compiled grammars by what was asked for, so that many requests with one schema compile it once.

`PROCESS_CACHE` is the one that `compile_grammar` uses; it serves every vocabulary, backend and thread of the process.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .forks import anew_after_fork
from .limits import Limits
from .protocol import CompiledGrammar
from .right_of_way import wait_for
from .spec import GrammarSpec
from .vocabulary import Vocabulary

MAX_GRAMMARS = 32  # each holds thousands of Python objects, which full garbage collections walk (0.7 s with 256 kept)
MAX_BYTES = 1 << 30
_MANY_ASKED = 1  # others, whenever one is added: to ask 32 takes as long as to compile a small schema


class CacheKey:
    """All that decides what is compiled.

    special_fingerprint: the vocabulary's. Vocabularies that differ in their special tokens' names alone are equal, but
        a grammar may name tokens by them.
    """

    __slots__ = ("_hash", "_parts")

    def __init__(
        self, vocabulary: Vocabulary, special_fingerprint: str, backend: str, spec: GrammarSpec, limits: Limits
    ) -> None:
        self._parts = (vocabulary, special_fingerprint, backend, spec, limits)
        self._hash = hash(self._parts)  # PERF: of a whole schema, which a lookup would hash four times

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CacheKey) and self._parts == other._parts

    def __hash__(self) -> int:
        return self._hash


@dataclass(slots=True)
class _Kept:
    """A grammar, and how many bytes it estimated to hold when it was last asked."""

    grammar: CompiledGrammar
    num_bytes: int = 0


class GrammarCache:
    """The grammars used last. Safe to share between threads; a grammar that can't be compiled is not kept.

    max_grammars, max_bytes: on those kept, bytes as the grammars estimate them; the one used last stays in any case.
        Grammars grow with use, so some are asked in turn whenever one is added.
    hits, misses: how often `get` found a grammar, and had to make one.
    """

    def __init__(self, max_grammars: int = MAX_GRAMMARS, max_bytes: int = MAX_BYTES) -> None:
        self.max_grammars = max_grammars
        self.max_bytes = max_bytes
        self.hits = 0
        self.misses = 0
        self._kept: dict[CacheKey, _Kept] = {}  # those used last at the end
        self._num_bytes = 0
        self._next = 0  # place of the first grammar to be asked
        self._at_fork_reinit()
        anew_after_fork(self)

    def _at_fork_reinit(self) -> None:
        self._making: dict[CacheKey, threading.Event | None] = {}  # None: nobody waits
        self._lock = threading.Lock()

    def get(self, key: CacheKey, make: Callable[[], CompiledGrammar]) -> CompiledGrammar:
        """The kept grammar of `key`, or the one that `make` makes. Raises what `make` raises.

        While one thread makes it, others that ask for it wait, as long as their watches let them; where that one fails
        the next one tries.
        """
        while True:
            with self._lock:
                kept = self._kept.get(key)
                if kept is not None:
                    self.hits += 1
                    self._kept[key] = self._kept.pop(key)
                    self._ask([kept])
                    return kept.grammar
                if key not in self._making:
                    self.misses += 1
                    self._making[key] = None
                    break
                made = self._making[key]
                if made is None:
                    made = self._making[key] = threading.Event()
            wait_for(made)
        try:
            grammar = make()
            with self._lock:
                asked = self._some()
                kept = self._kept[key] = _Kept(grammar)
                self._ask([*asked, kept])
        finally:
            with self._lock:
                made = self._making.pop(key, None)
            if made is not None:
                made.set()
        return grammar

    @property
    def num_bytes(self) -> int:
        """What the kept grammars estimated to hold when each was last asked."""
        return self._num_bytes

    def __len__(self) -> int:
        return len(self._kept)

    def clear(self) -> None:
        """Forget every grammar; who holds one goes on with it."""
        with self._lock:
            self._kept.clear()
            self._num_bytes = 0

    def _some(self) -> list[_Kept]:
        """Kept grammars in turn."""
        kept = list(self._kept.values())
        first = self._next if self._next < len(kept) else 0
        self._next = first + _MANY_ASKED
        return kept[first : self._next]

    def _ask(self, those: Iterable[_Kept]) -> None:
        """Ask some of them for their bytes, and forget those used longest ago until the others fit. Called under the
        lock.
        """
        for kept in those:
            num_bytes = kept.grammar.num_bytes
            self._num_bytes += num_bytes - kept.num_bytes
            kept.num_bytes = num_bytes
        while len(self._kept) > 1 and (len(self._kept) > self.max_grammars or self._num_bytes > self.max_bytes):
            self._num_bytes -= self._kept.pop(next(iter(self._kept))).num_bytes


PROCESS_CACHE = GrammarCache()
