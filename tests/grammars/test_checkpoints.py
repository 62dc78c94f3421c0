"""Builds come to checkpoints often, and to ones at which they let go of the vocabulary's lock.

Else what one request asks for holds up the tokens of all others (`tests.fairness`). Processor time counts, so that it
makes no difference what else the machine does; without a checkpoint that matters, a grammar here takes 0.1 s to 1 s.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import suppress
from decimal import Decimal

import pytest

from guided.grammars.bitset import allocate_bitmask
from guided.grammars.build_locks import holds_lock
from guided.grammars.compile import compile_grammar
from guided.grammars.errors import GuidedError
from guided.grammars.json_schema import numbers
from guided.grammars.json_schema.formula import any_of, number_in
from guided.grammars.json_schema.specialise import number_language
from guided.grammars.limits import Limits
from guided.grammars.protocol import Matcher
from guided.grammars.regex import python_re
from guided.grammars.regex.python_parser import parse
from guided.grammars.regex.syntax_tree import variable_lookbehind
from guided.grammars.watch import (
    FEW_ITEMS,
    MANY_ITEMS,
    YIELD_S,
    Watch,
    checkpoint,
    paced,
    parts_of,
    present,
    sort_inplace,
)
from tests.checkpoints import Counted
from tests.grammars.vocabularies import byte_vocabulary
from tests.load.hostile_grammars import MAKERS

MAX_S = 0.1  # 0.05 where the machine is quiet
SIZES = {"a regex of 6,000 words": 0.1}
"""0.5 else. `re` makes code of what it has read without a checkpoint."""

VOCABULARY = byte_vocabulary()


class Stretches(Watch):
    """The longest times between two checkpoints, and between two with nothing held that others want. Seconds."""

    def __init__(self) -> None:
        super().__init__("none", 1e9)
        self.longest_s = self.longest_held_s = 0.0
        self._last_s = self._last_free_s = time.thread_time()

    def check(self) -> None:
        """Note the time."""
        now = time.thread_time()
        self.longest_s = max(self.longest_s, now - self._last_s)
        if not holds_lock() or present.lock is not None:
            self.longest_held_s = max(self.longest_held_s, now - self._last_free_s)
            self._last_free_s = now
        self._last_s = now


@pytest.fixture(autouse=True)
def _without_rounds() -> Iterator[None]:
    """The garbage collector is looked at elsewhere."""
    gc.disable()
    yield
    gc.enable()


def longest_s(name: str, salt: str) -> float:
    """In compiling, in the first mask, and in what leaves room for the end."""
    size = SIZES.get(name, 0.5)
    arguments = MAKERS[name](salt, lambda number: max(2, round(size * number)))
    limits = Limits(max_compile_seconds=100, max_mask_seconds=0.5)
    bitmask = allocate_bitmask(1, VOCABULARY.size)
    with Stretches() as stretches:
        matcher: Matcher = compile_grammar(VOCABULARY, cache=None, limits=limits, **arguments).matcher()
        with suppress(GuidedError):  # past a limit
            matcher.fill_bitmask(bitmask)
            matcher.restrict_to_budget(bitmask, 0, 5)
        with suppress(GuidedError):
            matcher.find_jump_forward_bytes()
        stretches.check()
    return max(stretches.longest_s, stretches.longest_held_s)


@pytest.fixture(scope="module", autouse=True)
def _imported() -> None:
    """What a first grammar imports is no build."""
    for name in MAKERS:
        arguments = MAKERS[name]("s0", lambda number: 2)
        matcher = compile_grammar(VOCABULARY, cache=None, **arguments).matcher()
        with suppress(GuidedError):
            matcher.restrict_to_budget(allocate_bitmask(1, VOCABULARY.size), 0, 5)


@pytest.mark.parametrize("name", MAKERS)
def test_builds_come_to_checkpoints(name: str) -> None:
    assert any(longest_s(name, salt) < MAX_S for salt in ("s1", "s2", "s3"))


def test_long_regexes_without_regard_to_case() -> None:
    """Each character was compared with all letters, and each text copied for each of its characters."""
    letters = "".join(chr(0x4E00 + i) for i in range(10_000))
    start_s = time.thread_time()
    with Stretches() as stretches:
        python_re.full(f"(?i){letters}[{letters}]")
    assert stretches.longest_s < MAX_S
    assert time.thread_time() - start_s < 10 * MAX_S  # 0.2 s


def test_checkpoints_in_loops_over_many_items() -> None:
    few, many = list(range(2 * FEW_ITEMS)), list(range(10 * MANY_ITEMS, 0, -1))
    for items, least in ((few, 0), (many, 9)):
        with Counted() as counted:
            assert list(paced(items)) == items
        assert least <= counted.count <= least * len(items)
    with Counted() as counted:
        assert [list(part) for part in parts_of(many, 1000)] == [many[:1000], many[1000:2000], many[2000:]]
    assert counted.count == 2
    checkpoint()


def test_checkpoints_come_more_often_where_items_take_long() -> None:
    with Counted() as counted:
        for _ in paced(range(4 * FEW_ITEMS)):
            time.sleep(YIELD_S)
    assert counted.count > 2 * FEW_ITEMS


@pytest.mark.parametrize("count", [0, 1, 5000, 50_000])
def test_long_sorts_go_in_parts(count: int) -> None:
    items = [number * 7919 % 100_003 for number in range(count)]
    expected = sorted(items)
    with Counted() as counted:
        sort_inplace(items)
    assert items == expected
    assert (counted.count > count // 5000) == (count > 4096)


def test_checkpoints_while_re_reads_a_long_pattern(monkeypatch: pytest.MonkeyPatch) -> None:
    pattern, parse, counts = "|".join(f"re{i}(x|y{i})*" for i in range(500)), python_re._parser.parse, list[int]()

    def parse_counted(text: str) -> object:
        before = counted.count
        try:
            return parse(text)
        finally:
            counts.append(counted.count - before)

    monkeypatch.setattr(python_re._parser, "parse", parse_counted)
    with Counted() as counted:
        python_re.full(pattern)
    assert counts[-1] > len(pattern) // 100


def test_checkpoints_while_a_long_pattern_is_looked_through() -> None:
    tree = parse("(?:ab)" * 2000).tree
    assert tree is not None
    with Counted() as counted:
        assert variable_lookbehind(tree) is None
    assert counted.count > 5


def test_checkpoints_where_all_numbers_are_known() -> None:
    """What is left of an enum of objects asks again and again for numbers that were met before."""
    parts = [number_in(numbers.one_of([Decimal(number)])) for number in range(300)]
    number_language(any_of(parts), is_written=True)
    with Counted() as counted:
        number_language(any_of(parts[1:]), is_written=True)
    assert counted.count >= 299
