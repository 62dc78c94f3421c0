"""Steps stay short for those that wait: what is learned of their cost, who rests, and whose prompt comes first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import pytest

from guided import SamplingParams
from guided.engine.decode_batch import DecodeBatch
from guided.engine.engine_request import EngineRequest
from guided.engine.pace import KEYS_READ, MIN_ROWS, STEP_S, Pace
from guided.engine.paged import PagedModel
from guided.engine.scheduler import MIN_READ_TOKENS, Scheduler
from guided.engine.settings import EngineSettings
from tests.guided.engine.conftest import MakeLLM, check_pages
from tests.guided.engine.test_continuous_batching import make_requests, same
from tests.guided.engine.test_scheduler import PAGE_SIZE, Machine, sizes


class FixedPace(Pace):
    """Knows what it is told: rows, and so many tokens of prompts less a row's number."""

    def __init__(self, beside_others: int, alone: int = 1000) -> None:
        super().__init__()
        self._beside_others, self._alone = beside_others, alone

    @property
    def rows_beside_others(self) -> int | None:
        return self._beside_others

    def prompt_tokens(self, num_rows: int, position: int = 0, *, has_others: bool) -> int | None:
        return (self._beside_others if has_others else self._alone) - num_rows


class PacedMachine(Machine):
    """A machine whose steps are short."""

    def __init__(self, pace: Pace, **options: Any) -> None:
        super().__init__(**options)
        settings = EngineSettings(page_size=PAGE_SIZE, **options)
        model = cast("PagedModel", self.pages)
        self.scheduler = Scheduler(model, settings, self.started.append, self._preempt, self._rest, pace)

    def _rest(self, rows: Sequence[EngineRequest]) -> None:
        for row in rows:
            row.is_drawing = False
        self.drawing = [row for row in self.drawing if row not in rows]

    def step(self) -> Any:
        self.scheduler._choose_who_rests(self.scheduler.has_others)  # so that `drawing` is what the plan draws
        return super().step()


def learned(base_s: float, row_s: float, token_s: float = 0.0) -> Pace:
    pace = Pace()
    for _ in range(20):
        for num_rows in (1, 5, 64):
            pace.note(num_rows, 0, base_s + row_s * num_rows)
        pace.note(2, 100, base_s + 2 * row_s + 100 * token_s)
    return pace


def test_a_step_is_as_long_as_is_said() -> None:
    pace = learned(0.005, 0.0005, 0.0001)
    assert pace.rows_beside_others == pytest.approx((STEP_S - 0.005) / 0.0005, abs=1)
    assert pace.prompt_tokens(10, has_others=True) == pytest.approx((STEP_S - 0.01) / 0.0001, abs=1)
    assert (pace.prompt_tokens(10, has_others=False) or 0) > 4 * (pace.prompt_tokens(10, has_others=True) or 0)
    assert pace.prompt_tokens(1000, has_others=True) == 0


def test_where_rows_cost_little_there_is_no_bound_that_matters() -> None:
    """A GPU, or a large model: a step costs a pass over the weights."""
    pace = learned(0.03, 0.00001)
    assert (pace.rows_beside_others or 0) > 1000
    assert learned(0.03, 0.0).rows_beside_others is None


def test_prompts_do_not_make_rows_look_cheap() -> None:
    """A token of a prompt costs a tenth of a row: counted alike, 64 rows would seem to be a short step."""
    pace = learned(0.005, 0.001, 0.0001)
    for _ in range(50):
        pace.note(1, 300, 0.005 + 0.001 + 300 * 0.0001)
    assert pace.rows_beside_others == pytest.approx((STEP_S - 0.005) / 0.001, abs=1)


def test_a_long_prompt_does_not_make_steps_long() -> None:
    """Its last tokens cost three times its first ones. All steps seemed to cost more once, so that more was allowed."""
    twice_at, base_s, row_s, token_s = 1500.0, 0.008, 0.0006, 0.0003
    pace, position, steps = Pace(twice_at), 0, list[float]()
    for num_rows in (1, 5, 64) * 20:
        pace.note(num_rows, 0, base_s + row_s * num_rows)
    while position < 3000:
        wanted = pace.prompt_tokens(1, position, has_others=True)
        num_tokens = 64 if wanted is None else max(MIN_READ_TOKENS, wanted)
        attended = num_tokens * (position + num_tokens / 2) + KEYS_READ * position
        steps.append(base_s + row_s + token_s * (num_tokens + attended / twice_at))
        pace.note(1, pace.work(num_tokens, position), steps[-1])
        position += num_tokens
    assert max(steps[1:]) < 0.035  # MIN_READ_TOKENS at the end


def test_what_rows_cost_is_what_they_cost_now() -> None:
    """Their texts have grown since a step was cheap."""
    pace = learned(0.005, 0.0002)
    for _ in range(30):
        pace.note(30, 0, 0.005 + 30 * 0.001)
    assert MIN_ROWS < (pace.rows_beside_others or 0) <= (STEP_S - 0.005) / 0.001 + 1


def test_nothing_is_bounded_before_anything_is_known() -> None:
    pace = Pace()
    assert pace.rows_beside_others is None
    assert pace.prompt_tokens(1, has_others=True) is None
    pace.note(64, 0, 0.5)
    assert pace.rows_beside_others == MIN_ROWS  # where only one step is known, it is its rows that cost so much


def test_prompts_that_seem_to_cost_nothing_are_read_without_a_bound() -> None:
    """In a batch that reads prompts in every step their cost once came to 0, was divided by, and ended the engine."""
    pace = learned(0.005, 0.002, 0.0001)
    for _ in range(4000):
        pace.note(20, 16, 0.005)
    found = pace.prompt_tokens(20, has_others=False)
    assert found is None or found >= 0


def test_some_rows_go_on_however_long_they_take() -> None:
    assert learned(0.0, 1.0).rows_beside_others == MIN_ROWS


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
    parked: list[int] = []
    park = DecodeBatch.park
    monkeypatch.setattr(DecodeBatch, "park", lambda self, rows: (parked.append(len(rows)), park(self, rows))[1])
    requests = make_requests(20, 0)
    llm = make_llm()
    alone = [llm.generate(*request) for request in requests]
    other = SamplingParams(temperature=0, max_new_tokens=40, ignore_eos=True)
    expected = llm.generate("the", other)
    assert max(parked, default=0) <= 1
    monkeypatch.setattr(Pace, "rows_beside_others", 4)
    running = llm.start("the", other)
    together = llm.generate([prompt for prompt, _ in requests], [params for _, params in requests])
    same(running.result(), expected)
    for got, one in zip(together, alone, strict=True):
        same(got, one)
    assert max(parked) > 1
    check_pages(llm)
