"""The scheduler without a model: a page blocks, and rows that get any token (A4.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guided.engines.local import scheduler
from guided.engines.local.engine_request import EngineRequest, RowState
from guided.engines.local.paged import Chunk, PagedModel, PagedSequence
from guided.engines.local.paged.block_manager import BlockManager
from guided.engines.local.scheduler import Scheduler, StepPlan
from guided.engines.settings import EngineSettings
from guided.params.sampling_params import SamplingParams
from guided.requests.request import PromptRequest
from tests.examples import examples

PAGE_SIZE = 4


class Pages:
    """The part of PagedModel that a scheduler uses, with real bookkeeping of pages and no tensors."""

    def __init__(self, num_pages: int) -> None:
        self.blocks = BlockManager(num_pages, PAGE_SIZE, cast("Any", self))

    @property
    def num_free_pages(self) -> int:
        return self.blocks.pool.num_available

    def copy_page(self, source: int, target: int) -> None:
        """Nothing is stored."""

    def num_pages_for(self, num_tokens: int) -> int:
        return -(-num_tokens // PAGE_SIZE)

    def open(self, token_ids: list[int]) -> PagedSequence:
        return self.blocks.open(token_ids)

    def reserve(self, sequence: PagedSequence, num_tokens: int) -> bool:
        return self.blocks.reserve(sequence, num_tokens)

    def close(self, sequence: PagedSequence) -> None:
        self.blocks.close(sequence)


class Machine:
    """A scheduler that is stepped; every drawing row gets the next number as its token."""

    def __init__(self, num_pages: int = 100, *, are_rows_cheap: bool = True, **options: Any) -> None:
        self.pages = Pages(num_pages)
        self.started: list[EngineRequest] = []
        self.preempted: list[EngineRequest] = []
        engine_settings = EngineSettings(page_size=PAGE_SIZE, **options)
        model = cast("PagedModel", self.pages)
        self.scheduler = Scheduler(
            model, engine_settings, self.started.append, self._preempt, self._rest, are_rows_cheap=are_rows_cheap
        )
        self.drawing: list[EngineRequest] = []
        self.num_rows = 0

    def add(self, prompt: list[int], max_new_tokens: int = 5, group: object = None) -> EngineRequest:
        request = PromptRequest(prompt, SamplingParams(), group=group)
        ends: frozenset[int] = frozenset()
        row = EngineRequest(request, lambda _: None, 0, grammar=None, end_token_ids=ends, max_new_tokens=max_new_tokens)
        row.order = self.num_rows
        self.num_rows += 1
        self.scheduler.add(row)
        return row

    def step(self) -> StepPlan:
        plan = self.scheduler.plan(self.drawing)
        assert [row for row, _ in plan.drawing] == self.drawing
        for row, chunk in plan.parts:
            assert chunk.token_ids == row.token_ids[row.sequence.num_tokens :][: len(chunk.token_ids)]  # type: ignore[union-attr]
            self.pages.blocks.commit(chunk.sequence, chunk.token_ids)
        self.drawing += [row for row, _ in plan.joining]
        for row, _ in plan.joining:
            row.move(RowState.DRAWING)
        for row in list(self.drawing):
            row.accept(1000 * row.order + len(row.token_ids), 0.0)
            if row.is_finished:
                self.drawing.remove(row)
                self.scheduler.remove(row)
        self.pages.blocks.check()
        return plan

    def _rest(self, rows: Sequence[EngineRequest]) -> None:
        for row in rows:
            self.drawing.remove(row)

    def _preempt(self, row: EngineRequest) -> None:
        self.preempted.append(row)
        if row in self.drawing:
            self.drawing.remove(row)


def sizes(parts: list[tuple[EngineRequest, Chunk]]) -> list[int]:
    return [len(chunk.token_ids) for _, chunk in parts]


def test_long_prompts_are_read_in_chunks_beside_rows_that_draw() -> None:
    machine = Machine(max_prefill_tokens=10)
    short, long = machine.add([1] * 3, max_new_tokens=9), machine.add([2] * 24)
    seen = [
        (sizes(plan.drawing), sizes(plan.joining), sizes(plan.reading)) for plan in [machine.step() for _ in range(5)]
    ]
    assert seen == [([], [3], [7]), ([1], [], [10]), ([1], [7], []), ([1, 1], [], []), ([1, 1], [], [])]
    assert (short.num_new_tokens, long.num_new_tokens) == (5, 3)


@pytest.mark.parametrize(
    ("are_rows_cheap", "is_server", "size"), [(True, True, 4), (True, False, 4), (False, False, 4), (False, True, 3)]
)
def test_a_caller_alone_has_all_of_the_batch(
    monkeypatch: pytest.MonkeyPatch, are_rows_cheap: bool, is_server: bool, size: int
) -> None:
    """But on a CPU with `short_steps` three quarters, since another caller waits for the step under way."""
    monkeypatch.setattr(scheduler, "SHORT_S", 0.0)
    machine = Machine(max_batch_size=4, are_rows_cheap=are_rows_cheap, short_steps=is_server)
    many = [machine.add([1] * 3, max_new_tokens=9, group="many") for _ in range(6)]
    machine.step()
    assert machine.drawing == many[:size]
    other = machine.add([2] * 3, max_new_tokens=2)
    machine.step()
    assert other.started_s is not None
    while not other.is_finished:
        machine.step()
    machine.step()
    assert len(machine.drawing) == size


@pytest.mark.parametrize("are_rows_cheap", [True, False])
def test_beside_others_a_caller_has_three_quarters_of_the_batch(
    monkeypatch: pytest.MonkeyPatch, are_rows_cheap: bool
) -> None:
    monkeypatch.setattr(scheduler, "SHORT_S", 0.0)
    machine = Machine(max_batch_size=4, are_rows_cheap=are_rows_cheap)
    many = [machine.add([1] * 3, max_new_tokens=9, group="many") for _ in range(6)]
    others = [machine.add([2 + i] * 3, max_new_tokens=3) for i in range(2)]
    machine.step()
    assert machine.scheduler.running == [*many[:3], others[0]]  # at once, whatever waits before it
    while not others[0].is_finished:
        machine.step()
    machine.step()
    assert others[1].started_s is not None
    while not all(row.is_finished for row in [*many, *others]):
        machine.step()
    assert not machine.preempted
    assert machine.started == [*many[:3], *others, *many[3:]]


def test_callers_share_a_quarter_of_the_batch_on_a_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """While several are there, and a moment after; rows beyond that rest, and go on as if nothing had been."""
    monkeypatch.setattr(scheduler, "SHORT_S", 0.0)
    machine = Machine(max_batch_size=16, are_rows_cheap=False, short_steps=True)
    many = [machine.add([1] * 3, max_new_tokens=9, group="many") for _ in range(12)]
    machine.step()
    assert machine.drawing == many
    other = machine.add([2] * 3, max_new_tokens=4)
    machine.step()
    assert machine.drawing == [*many[:2], other]
    assert [row.state is RowState.RESTING for row in many] == [False] * 2 + [True] * 10
    while not other.is_finished:
        assert len(machine.step().parts) == 3
    while not all(row.is_finished for row in many):
        machine.step()
    assert [len(row.token_ids) for row in many] == [12] * 12
    assert not machine.preempted


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"are_rows_cheap": False, "short_steps": True}, [32, 16, 0, 0, 16, 0]),
        ({"are_rows_cheap": True, "short_steps": True}, [32] * 6),
        ({"are_rows_cheap": False}, [32] * 6),
    ],
)
def test_beside_others_a_long_prompt_is_read_by_an_eighth(options: dict[str, bool], expected: list[int]) -> None:
    """With `short_steps` by half of that, in every third step."""
    machine = Machine(num_pages=1000, max_prefill_tokens=256, **options)
    machine.add([1] * 3, max_new_tokens=99)
    machine.step()
    machine.add([2] * 900)
    assert [sum(sizes(machine.step().reading)) for _ in range(6)] == expected


def test_steps_that_others_wait_for_read_an_eighth_of_prompts() -> None:
    machine = Machine(num_pages=1000, max_prefill_tokens=256)
    machine.add([1] * 600)
    assert sizes(machine.step().parts) == [256]
    machine.add([2] * 32)
    machine.add([3] * 32)
    assert sum(sizes(machine.step().parts)) == 32


def test_long_prompts_let_short_ones_go_first() -> None:
    machine = Machine(num_pages=1000, max_prefill_tokens=8)
    long = [machine.add([i] * 200) for i in range(3)]
    machine.step()
    short = machine.add([9] * 4, max_new_tokens=1)
    left = long[0].num_unread
    num_steps = 0
    while not short.is_finished:
        machine.step()
        num_steps += 1
    assert num_steps <= 2  # it was 75
    assert left - long[0].num_unread >= 4 * num_steps  # half of each step stays with the oldest
    while not all(row.is_finished for row in long):
        machine.step()


def test_short_prompts_without_end_do_not_starve_a_long_one() -> None:
    machine = Machine(num_pages=1000, max_prefill_tokens=8)
    long = machine.add([1] * 200, max_new_tokens=1)
    for i in range(180):
        machine.add([2 + i] * 8, max_new_tokens=1)
        machine.step()
    assert long.is_finished


def test_no_more_rows_than_the_batch_holds_and_older_ones_first() -> None:
    machine = Machine(max_batch_size=2)
    rows = [machine.add([1 + i] * 3, max_new_tokens=2 + i) for i in range(4)]
    machine.step()
    assert machine.scheduler.running == rows[:2]
    machine.step()  # the first is done
    machine.step()
    assert machine.scheduler.running == [rows[2]] or machine.scheduler.running == rows[1:3]
    assert machine.started[:3] == rows[:3]


def test_the_youngest_gives_its_pages_back_and_starts_again() -> None:
    machine = Machine(num_pages=6)
    old, young = machine.add([1] * 8, max_new_tokens=12), machine.add([2] * 8, max_new_tokens=12)
    while not old.is_finished:
        machine.step()
    assert set(machine.preempted) == {young}
    num_before = young.num_new_tokens
    assert young.sequence is None or young.num_new_tokens < 12
    while not young.is_finished:
        machine.step()
    assert young.num_new_tokens == 12 > num_before
    assert young.token_ids[8:] == [1000 + place for place in range(8, 20)]  # nothing twice, nothing lost
    assert machine.started == [old, young]
    assert machine.pages.num_free_pages == 6


def test_a_long_row_takes_no_pages_from_older_short_ones() -> None:
    """It fills what is left, gives all of it back when they need more, and has all pages in the end."""
    machine = Machine(num_pages=12)
    short = [machine.add([i] * 4, max_new_tokens=12) for i in (1, 2)]
    machine.step()
    long = machine.add([3] * 16, max_new_tokens=32)
    for _ in range(11):
        machine.step()
    assert all(row.is_finished for row in short)  # a token in every step
    assert set(machine.preempted) == {long}
    while not long.is_finished:
        machine.step()
    assert long.token_ids[16:] == [2000 + place for place in range(16, 48)]
    assert machine.pages.num_free_pages == 12


def test_a_row_waits_for_a_prefix_that_another_one_is_reading() -> None:
    """B18: n outputs of one prompt read it once."""
    machine = Machine(max_prefill_tokens=8)
    prompt = list(range(18))
    rows = [machine.add(prompt) for _ in range(3)] + [machine.add([99] * 5)]
    plans = [machine.step() for _ in range(4)]
    assert [sizes(plan.parts) for plan in plans] == [[8], [8], [2, 2, 2, 2], [1, 1, 1, 3]]
    assert [row.num_cached_tokens for row in rows] == [0, 16, 16, 0]


def test_without_prefix_caching_nobody_waits() -> None:
    machine = Machine(prefix_caching=False)
    machine.pages.blocks.prefix_caching = False
    for _ in range(3):
        machine.add(list(range(18)))
    assert sizes(machine.step().parts) == [18, 18, 18]


def test_a_row_without_room_waits_until_pages_are_free() -> None:
    machine = Machine(num_pages=6)
    first, second = machine.add([1] * 8, max_new_tokens=4), machine.add([2] * 16, max_new_tokens=4)
    while not first.is_finished:
        assert second.started_s is None
        machine.step()
    machine.step()
    assert second.started_s is not None
    assert machine.preempted == []


@settings(max_examples=examples(40), deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 6), st.lists(st.integers(0, 1), min_size=1, max_size=30), st.integers(1, 12)),
        min_size=1,
        max_size=12,
    ),
    st.integers(11, 30),
    st.integers(1, 9),
    st.integers(1, 4),
)
def test_every_request_ends_with_all_of_its_tokens(
    requests: list[tuple[int, list[int], int]], num_pages: int, max_prefill: int, max_batch: int
) -> None:
    """Whatever arrives, however few pages there are: each request gets its tokens, and all pages come back."""
    machine = Machine(num_pages=num_pages, max_prefill_tokens=max_prefill, max_batch_size=max_batch)
    arriving = sorted(requests, key=lambda request: request[0])
    rows: list[EngineRequest] = []
    for step in range(3000):
        while arriving and arriving[0][0] <= step:
            _, prompt, max_new_tokens = arriving.pop(0)
            rows.append(machine.add(prompt, max_new_tokens))
        if not arriving and all(row.is_finished for row in rows):
            break
        machine.step()
        assert len(machine.scheduler.running) <= max_batch
    assert all(row.num_new_tokens == row.max_new_tokens for row in rows)
    for row in rows:
        first = row.num_prompt_tokens
        assert row.token_ids[first:] == [1000 * row.order + place for place in range(first, len(row.token_ids))]
    assert machine.pages.num_free_pages == num_pages
