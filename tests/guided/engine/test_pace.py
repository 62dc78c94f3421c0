"""Steps stay short for those that wait: what is learned of their cost, who rests, and whose prompt comes first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import pytest

from guided import SamplingParams
from guided.engine.pace import MIN_TOKENS, STEP_S, Pace
from guided.engine.paged import PagedModel
from guided.engine.row import Row
from guided.engine.scheduler import Scheduler
from guided.engine.settings import EngineSettings
from guided.sampler import SamplingBatch
from tests.guided.engine.conftest import MakeLLM, check_pages
from tests.guided.engine.test_continuous_batching import make_requests, same
from tests.guided.engine.test_scheduler import PAGE_SIZE, Machine, sizes


class FixedPace(Pace):
    """Knows what it is told."""

    def __init__(self, beside_others: int, alone: int = 1000) -> None:
        super().__init__()
        self._beside_others, self._alone = beside_others, alone

    @property
    def tokens_beside_others(self) -> int | None:
        return self._beside_others

    @property
    def tokens_alone(self) -> int | None:
        return self._alone


class PacedMachine(Machine):
    """A machine whose steps are short."""

    def __init__(self, pace: Pace, **options: Any) -> None:
        super().__init__(**options)
        settings = EngineSettings(page_size=PAGE_SIZE, **options)
        model = cast("PagedModel", self.pages)
        self.scheduler = Scheduler(model, settings, self.started.append, self._preempt, self._rest, pace)

    def _rest(self, rows: Sequence[Row]) -> None:
        for row in rows:
            row.is_drawing = False
        self.drawing = [row for row in self.drawing if row not in rows]

    def step(self) -> Any:
        self.scheduler._choose_who_rests(self.scheduler._has_others())  # so that `drawing` is what the plan draws
        return super().step()


def learned(base_s: float, token_s: float) -> Pace:
    pace = Pace()
    for _ in range(20):
        for num_tokens in (1, 5, 64, 300):
            pace.note(num_tokens, base_s + token_s * num_tokens)
    return pace


def test_a_step_is_as_long_as_is_said() -> None:
    pace = learned(0.005, 0.0005)
    assert pace.tokens_beside_others == pytest.approx((STEP_S - 0.005) / 0.0005, abs=1)
    assert (pace.tokens_alone or 0) > 4 * (pace.tokens_beside_others or 0)


def test_where_tokens_cost_little_there_is_no_bound_that_matters() -> None:
    """A GPU, or a large model: a step costs a pass over the weights."""
    pace = learned(0.03, 0.00001)
    assert (pace.tokens_beside_others or 0) > 1000
    assert learned(0.03, 0.0).tokens_beside_others is None


def test_nothing_is_bounded_before_anything_is_known() -> None:
    pace = Pace()
    assert pace.tokens_beside_others is None
    pace.note(64, 0.5)
    assert pace.tokens_beside_others is None


def test_some_tokens_are_read_however_long_they_take() -> None:
    assert learned(0.0, 1.0).tokens_beside_others == MIN_TOKENS


def test_who_asks_for_many_outputs_does_not_make_steps_long_for_others() -> None:
    machine = PacedMachine(FixedPace(6))
    many = [machine.add([1] * 3, max_new_tokens=30, group="many") for _ in range(12)]
    machine.step()
    machine.step()
    assert len(machine.drawing) == 12  # alone it may
    others = [machine.add([2 + i] * 3, max_new_tokens=4) for i in range(2)]
    steps = []
    while not all(row.is_finished for row in others):
        steps.append(sum(sizes(machine.step().parts)))
    assert len(steps) <= 5
    assert max(steps[1:]) <= 6 + 3
    assert {row.num_new_tokens for row in many[6:]} == {2}  # these have rested
    assert min(row.num_new_tokens for row in many[:3]) > 4
    assert not machine.preempted
    plans = [len(machine.step().parts) for _ in range(3)]
    assert plans == sorted(plans)  # they come back bit by bit
    assert plans[-1] == 12
    while not all(row.is_finished for row in many):
        machine.step()
    assert all(row.num_new_tokens == 30 for row in many)


def test_one_row_of_each_group_draws_whatever_it_costs() -> None:
    machine = PacedMachine(FixedPace(1))
    rows = [machine.add([i] * 3) for i in range(5)]
    machine.step()
    assert [len(machine.step().drawing) for _ in range(2)] == [5, 5]
    assert [row.num_new_tokens for row in rows] == [3] * 5


@pytest.mark.parametrize(("num_others", "num_preempted"), [(1, 0), (2, 1)])
def test_rows_that_rest_take_no_place_of_a_full_batch(num_others: int, num_preempted: int) -> None:
    machine = PacedMachine(FixedPace(3), max_batch_size=4)
    many = [machine.add([1] * 3, max_new_tokens=20, group="many") for _ in range(4)]
    machine.step()
    machine.step()
    others = [machine.add([2 + i] * 3, max_new_tokens=6) for i in range(num_others)]
    while not all(row.is_finished for row in (*others, *many)):
        machine.step()
        assert len(machine.drawing) <= 4
    assert len(machine.preempted) == num_preempted


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


def test_who_comes_waits_for_one_row_of_a_crowd_not_for_all_that_are_older() -> None:
    machine = PacedMachine(FixedPace(6, alone=6))
    many = [machine.add([i] * 8, max_new_tokens=4, group="many") for i in range(40)]
    machine.step()
    other = machine.add([99] * 8, max_new_tokens=1)
    num_steps = 0
    while not other.is_finished:
        machine.step()
        num_steps += 1
    assert num_steps <= 2  # it was 20
    while not all(row.is_finished for row in many):
        machine.step()


def test_short_prompts_without_end_do_not_starve_a_long_one() -> None:
    machine = Machine(num_pages=1000, max_prefill_tokens=8)
    long = machine.add([1] * 200, max_new_tokens=1)
    for i in range(60):
        machine.add([2 + i] * 8, max_new_tokens=1)
        machine.step()
    assert long.is_finished


def test_what_rests_writes_what_it_writes_alone(make_llm: MakeLLM, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of every kind, which leave the batch together and come back in other company."""
    requests = make_requests(20, 0)
    llm = make_llm()
    alone = [llm.generate(*request) for request in requests]
    other = SamplingParams(temperature=0, max_new_tokens=40, ignore_eos=True)
    expected = llm.generate("the", other)
    monkeypatch.setattr(Pace, "tokens_beside_others", 4)
    parked: list[int] = []
    select = SamplingBatch.select
    monkeypatch.setattr(SamplingBatch, "select", lambda self, rows: (parked.append(len(rows)), select(self, rows))[1])
    running = llm.start("the", other)
    together = llm.generate([prompt for prompt, _ in requests], [params for _, params in requests])
    same(running.result(), expected)
    for got, one in zip(together, alone, strict=True):
        same(got, one)
    assert max(parked) > 1
    check_pages(llm)
