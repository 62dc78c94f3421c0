"""Memory that large requests took goes back to the system."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from guided.server import memory
from guided.server.memory import FREE_BYTES, Heap, allocator_of_process
from tests.fuzz.requests import memory_mb


class Counted:
    """An allocator of which a test says what is free."""

    def __init__(self) -> None:
        self.free = self.num_counts = self.num_trims = 0

    def free_bytes(self) -> int:
        self.num_counts += 1
        return self.free

    def trim(self) -> None:
        self.num_trims += 1


@pytest.fixture
def now_s(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What the clock says."""
    now = [0.0]
    monkeypatch.setattr(memory, "monotonic", lambda: now[0])
    return now


def test_only_what_is_newly_free_is_given_back(now_s: list[float]) -> None:
    allocator = Counted()
    watched = Heap(allocator)
    for free, num_trims in [
        *((FREE_BYTES - 1, 0), (FREE_BYTES, 1), (FREE_BYTES, 1), (2 * FREE_BYTES - 1, 1), (2 * FREE_BYTES, 2)),
        *((0, 2), (FREE_BYTES - 1, 2), (FREE_BYTES, 3)),  # it was taken again, and freed
    ]:
        now_s[0] += memory.EVERY_S
        allocator.free = free
        watched.tick()
        assert allocator.num_trims == num_trims


def test_it_is_not_counted_at_every_tick(now_s: list[float]) -> None:
    allocator = Counted()
    watched = Heap(allocator)
    for _ in range(100):
        watched.tick()
        now_s[0] += memory.EVERY_S / 50
    assert allocator.num_counts == 2
    Heap(None).tick()  # another system


@pytest.mark.skipif(allocator_of_process() is None, reason="needs glibc 2.33")
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_small_pieces_between_what_stays() -> None:
    """As a tokenizer leaves them in the heap of each thread that reads a long prompt.

    In a process of its own: what other tests have left free would be taken first, and their threads take memory, too.
    """
    command = [sys.executable, "-c", f"from {__name__} import print_memory; print_memory()"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True, cwd=Path(__file__).parents[2]).stdout
    before, grown, after = map(float, printed.split())
    assert grown > before + 150
    assert after < before + 50


def print_memory() -> None:
    """The MB of this process before 200 MB of pieces, with what is left once they are free, and given back."""
    watched, gate = Heap(allocator_of_process()), threading.Barrier(2)
    watched.tick()
    before = memory_mb()

    def work(_: int) -> bytearray:
        gate.wait()
        pieces = [bytearray(1000) for _ in range(100_000)]
        return pieces[-1]

    with ThreadPoolExecutor(2) as pool:
        kept = list(pool.map(work, range(2)))
        grown = memory_mb()
        watched._next_s = 0.0
        watched.tick()
        after = memory_mb()
    assert len(kept) == 2
    print(before, grown, after)
