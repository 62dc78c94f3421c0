"""Tasks with much to do let the others of their event loop have their turn."""

from __future__ import annotations

import asyncio
import itertools

import pytest

from guided.output import loop_turns
from guided.output.loop_turns import AT_ONCE_S, present_turns


@pytest.mark.parametrize("num_tasks", [1, 64])
def test_who_comes_waits_for_one_turn_not_for_one_of_each_task(monkeypatch: pytest.MonkeyPatch, num_tasks: int) -> None:
    clock = itertools.count(1.0, AT_ONCE_S / 10)  # each look at it is a tenth of what is done at once
    monkeypatch.setattr(loop_turns, "monotonic", lambda: next(clock))
    done = 0

    async def work() -> None:
        nonlocal done
        for _ in range(100):
            await present_turns().pause()
            done += 1

    async def wait_of_others() -> int:
        """The most that is done while one, who has come meanwhile, waits for the loop."""
        tasks = [asyncio.ensure_future(work()) for _ in range(num_tasks)]
        most = 0
        while not all(task.done() for task in tasks):
            before = done
            await asyncio.sleep(0)
            most = max(most, done - before)
        return most

    assert asyncio.run(wait_of_others()) <= 10
    assert done == 100 * num_tasks
