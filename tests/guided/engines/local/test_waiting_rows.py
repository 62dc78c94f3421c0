"""Requests that wait: their order, and that no step looks at all of them."""

from __future__ import annotations

import random
import time
from collections import Counter
from itertools import islice
from typing import Any

import pytest

from guided.engines.local.engine_request import EngineRequest, RowState
from guided.engines.local.waiting_rows import WaitingRows
from guided.params.sampling_params import SamplingParams
from guided.requests.request import PromptRequest
from tests.guided.engines.local.test_scheduler import Machine


def new_row(order: int, group: object) -> EngineRequest:
    request = PromptRequest([1], SamplingParams(), group=group)
    row = EngineRequest(request, lambda _: None, 0, grammar=None, end_token_ids=frozenset(), max_new_tokens=5)
    row.order = order
    return row


def expected_order(rows: list[EngineRequest], num_there: Counter[object], most: int) -> list[EngineRequest]:
    """All of them, with a count for each group."""
    counts, found = num_there.copy(), []
    for row in sorted(rows, key=lambda row: row.order):
        if row.state is RowState.WAITING and counts[row.group] < most:
            found.append(row)
            counts[row.group] += 1
    return found


@pytest.mark.parametrize("seed", range(20))
def test_the_order_is_that_of_a_plain_sort(seed: int) -> None:
    chance = random.Random(seed)
    waiting, rows = WaitingRows(), list[EngineRequest]()
    orders = iter(chance.sample(range(1000), 300))
    for _ in range(300):
        if rows and chance.random() < 0.3:
            row = rows.pop(chance.randrange(len(rows)))
            assert row in waiting
            waiting.remove(row)
            assert row not in waiting
        else:
            row = new_row(next(orders), chance.choice("abcdefgh"))
            if chance.random() < 0.1:
                row.move(RowState.BUILDING)
            rows.append(row)
            waiting.add(row)
        num_there, most = (
            Counter({group: chance.randrange(4) for group in chance.sample("abcdefghij", 3)}),
            chance.choice((3, 60)),
        )
        assert list(waiting) == sorted(rows, key=lambda row: row.order)
        assert waiting.num_groups == len({row.group for row in rows})
        expected = expected_order(rows, num_there, most)
        assert list(waiting.in_order(num_there, most)) == expected
        assert list(islice(waiting.in_order(num_there, most), 5)) == expected[:5]


@pytest.mark.parametrize("kind", ["one group", "a group each", "two groups", "one prefix"])
def test_a_step_costs_the_same_however_many_wait(kind: str) -> None:
    """Before: 6.6 ms with 10,000, 81 ms with 100,000."""

    def cost_s(num_waiting: int) -> float:
        machine = Machine(num_pages=2000, max_batch_size=16)
        for i in range(num_waiting):
            groups: dict[str, Any] = {"one group": "g", "a group each": None, "two groups": i % 2, "one prefix": None}
            prompt = [7] * 40 if kind == "one prefix" else [i, i + 1, i + 2]
            machine.add(prompt, max_new_tokens=1000, group=groups[kind])
        for _ in range(3):
            machine.step()
        times = []
        for _ in range(30):
            start_s = time.thread_time()
            machine.scheduler.plan(machine.drawing)
            times.append(time.thread_time() - start_s)
        return min(times)

    few, many = cost_s(300), cost_s(30_000)
    assert many < 3 * few + 0.0002, (few, many)
