"""Tasks of an event loop that wait, and threads that wake them."""

from __future__ import annotations

import asyncio
import threading

from guided.output.loop_turns import LoopTurns, present_turns


def test_many_tasks_are_woken_by_threads_each_once_and_none_is_forgotten() -> None:
    async def wait_often(num_rounds: int) -> int:
        wakes, done = present_turns(), 0
        for _ in range(num_rounds):
            futures = [asyncio.get_running_loop().create_future() for _ in range(8)]
            threads = [threading.Thread(target=wakes.wake, args=(future,)) for future in futures]
            for thread in threads:
                thread.start()
            await asyncio.wait_for(asyncio.gather(*futures), 30)
            done += len(futures)
        return done

    assert asyncio.run(wait_often(20)) == 160


def test_wakes_of_one_moment_share_a_call() -> None:
    async def wake_all() -> int:
        loop, calls = asyncio.get_running_loop(), 0
        original = loop.call_soon_threadsafe

        def counted(*args: object) -> object:
            nonlocal calls
            calls += 1
            return original(*args)  # type: ignore[arg-type]

        loop.call_soon_threadsafe = counted  # type: ignore[method-assign, assignment]
        futures = [loop.create_future() for _ in range(32)]
        for future in futures:
            present_turns().wake(future)
        await asyncio.gather(*futures)
        return calls

    assert asyncio.run(wake_all()) == 1


def test_a_cancelled_waiter_and_a_closed_loop_harm_nobody() -> None:
    kept: list[tuple[LoopTurns, asyncio.Future[None]]] = []

    async def cancel_one() -> None:
        cancelled, other = (asyncio.get_running_loop().create_future() for _ in range(2))
        cancelled.cancel()
        present_turns().wake(cancelled)
        present_turns().wake(other)
        await asyncio.wait_for(other, 30)
        kept.append((present_turns(), asyncio.get_running_loop().create_future()))

    asyncio.run(cancel_one())
    wakes, future = kept[0]
    wakes.wake(future)
    assert not future.done()
