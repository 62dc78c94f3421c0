"""One thread makes a grammar that several ask for at once."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

from guided.grammars.cache import GrammarCache
from guided.grammars.errors import CompileCancelledError
from guided.grammars.watch import Watch

SOON_S = 30.0
KEY: Any = "key"


class Maker:
    """Makes a grammar once it is told to, or fails."""

    def __init__(self, error: Exception | None = None) -> None:
        self.has_begun, self.may_end = threading.Event(), threading.Event()
        self.num_calls = 0
        self._error = error

    def __call__(self) -> Any:
        self.num_calls += 1
        self.has_begun.set()
        assert self.may_end.wait(SOON_S)
        if self._error is not None:
            raise self._error
        return SimpleNamespace(num_bytes=1)


class Asker(threading.Thread):
    """Asks for the grammar of a key. found: it, or what was raised."""

    def __init__(self, cache: GrammarCache, make: Maker, watch: Watch | None = None) -> None:
        super().__init__(daemon=True)
        self.found: Any = None
        self._cache, self._make, self._watch = cache, make, watch
        self.start()

    def run(self) -> None:
        try:
            with self._watch or Watch("max_compile_seconds", SOON_S):
                self.found = self._cache.get(KEY, self._make)
        except Exception as error:  # noqa: BLE001 - looked at by the test
            self.found = error

    def result(self) -> Any:
        self.join(SOON_S)
        assert not self.is_alive()
        return self.found


def test_it_is_made_once_for_all_who_ask_meanwhile() -> None:
    cache, make = GrammarCache(), Maker()
    first = Asker(cache, make)
    assert make.has_begun.wait(SOON_S)
    others = [Asker(cache, make) for _ in range(7)]
    others[0].join(0.1)
    assert others[0].is_alive()
    make.may_end.set()
    assert {id(one.result()) for one in (first, *others)} == {id(first.found)}
    assert (make.num_calls, cache.misses, cache.hits) == (1, 1, 7)


def test_where_one_fails_the_next_one_tries() -> None:
    cache, failing, make = GrammarCache(), Maker(RuntimeError("no")), Maker()
    make.may_end.set()
    first = Asker(cache, failing)
    assert failing.has_begun.wait(SOON_S)
    second = Asker(cache, make)
    second.join(0.1)
    assert second.is_alive()
    failing.may_end.set()
    assert isinstance(first.result(), RuntimeError)
    assert second.result().num_bytes == 1


def test_who_waits_can_be_cancelled_and_has_its_time_left() -> None:
    cache, make, cancel = GrammarCache(), Maker(), threading.Event()
    first = Asker(cache, make)
    assert make.has_begun.wait(SOON_S)
    cancelled = Asker(cache, make, Watch("max_compile_seconds", SOON_S, cancel))
    short = Asker(cache, make, Watch("max_compile_seconds", 0.5))
    short.join(1.0)
    assert short.is_alive()  # the limit of the one that makes it holds
    cancel.set()
    assert isinstance(cancelled.result(), CompileCancelledError)
    make.may_end.set()
    assert short.result() is first.result()


def test_other_keys_do_not_wait() -> None:
    cache, make = GrammarCache(), Maker()
    first = Asker(cache, make)
    assert make.has_begun.wait(SOON_S)
    other: Any = "other"
    assert cache.get(other, lambda: SimpleNamespace(num_bytes=2)).num_bytes == 2  # type: ignore[arg-type, return-value]
    make.may_end.set()
    first.result()
