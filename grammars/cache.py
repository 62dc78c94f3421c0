"""`GrammarCache`: compiled grammars, keyed by the request. Many requests with one schema compile it once.

`compile_grammar` uses `PROCESS_CACHE`, which serves every vocabulary, backend and thread of the process.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .forks import anew_after_fork
from .limits import Limits
from .protocol import CompiledGrammar
from .spec import GrammarSpec
from .vocabulary import Vocabulary
from .watch import wait_for

# Each kept grammar holds thousands of Python objects for full garbage collections to walk (0.7 s with 256 kept).
MAX_GRAMMARS = 32
MAX_BYTES = 1 << 30
# Other kept grammars to measure at each insertion. Measuring 32 takes as long as compiling a small schema.
_MANY_ASKED = 1


class CacheKey:
    """Everything that decides the compiled result.

    Args:
        special_fingerprint: hash of the vocabulary's special tokens. Vocabularies compare equal even if the names of
            their special tokens differ, yet a grammar may name tokens by those names.
    """

    __slots__ = ("_hash", "_parts")

    def __init__(
        self, vocabulary: Vocabulary, special_fingerprint: str, backend: str, spec: GrammarSpec, limits: Limits
    ) -> None:
        self._parts = (vocabulary, special_fingerprint, backend, spec, limits)
        self._hash = hash(self._parts)  # PERF: hashes a whole schema, which each lookup would do four times

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CacheKey) and self._parts == other._parts

    def __hash__(self) -> int:
        return self._hash


@dataclass(slots=True)
class _Kept:
    """A kept grammar, and the bytes that it estimated to hold at its last measurement."""

    grammar: CompiledGrammar
    num_bytes: int = 0


class GrammarCache:
    """The grammars used last. Threads may share the cache. A grammar that fails to compile is not kept.

    Args:
        max_grammars: maximum number of kept grammars.
        max_bytes: maximum of their estimated sizes together, in bytes. The grammar used last is kept even if it is
            larger. Grammars grow with use, so each insertion measures some of the kept grammars again, in turn.

    Attributes:
        hits: number of `get` calls that found a kept grammar.
        misses: number of `get` calls that had to make one.
    """

    def __init__(self, max_grammars: int = MAX_GRAMMARS, max_bytes: int = MAX_BYTES) -> None:
        self.max_grammars = max_grammars
        self.max_bytes = max_bytes
        self.hits = 0
        self.misses = 0
        self._kept: dict[CacheKey, _Kept] = {}  # least recently used first
        self._num_bytes = 0
        self._next = 0  # index of the kept grammar that is measured next
        self._at_fork_reinit()
        anew_after_fork(self)

    def _at_fork_reinit(self) -> None:
        self._making: dict[CacheKey, threading.Event | None] = {}  # None: no thread waits for this grammar
        self._lock = threading.Lock()

    def get(self, key: CacheKey, make: Callable[[], CompiledGrammar]) -> CompiledGrammar:
        """Return the kept grammar of `key`, or call `make` and keep its result. Raises what `make` raises.

        While one thread makes a grammar, other threads that want the same key wait. Only `cancel` ends their wait: time
        limits count processor time. If `make` fails, the next waiting thread tries.
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
        """Sum of the kept grammars' sizes in bytes, each as estimated at its last measurement."""
        return self._num_bytes

    def __len__(self) -> int:
        return len(self._kept)

    def clear(self) -> None:
        """Forget every grammar. Callers that still hold one can go on using it."""
        with self._lock:
            self._kept.clear()
            self._num_bytes = 0

    def _some(self) -> list[_Kept]:
        """Return the next kept grammars to measure, in turn."""
        kept = list(self._kept.values())
        first = self._next if self._next < len(kept) else 0
        self._next = first + _MANY_ASKED
        return kept[first : self._next]

    def _ask(self, those: Iterable[_Kept]) -> None:
        """Measure the given grammars again, then drop the least recently used until the rest fits. The caller holds the
        lock.
        """
        for kept in those:
            num_bytes = kept.grammar.num_bytes
            self._num_bytes += num_bytes - kept.num_bytes
            kept.num_bytes = num_bytes
        while len(self._kept) > 1 and (len(self._kept) > self.max_grammars or self._num_bytes > self.max_bytes):
            self._num_bytes -= self._kept.pop(next(iter(self._kept))).num_bytes


PROCESS_CACHE = GrammarCache()
