"""Requests that are cancelled, late, too many or unlucky, and engines that stop: nobody else notices."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from guided import LLM, EngineObserver, EngineSettings, SamplingParams
from guided.engines.local.engine_request import EngineRequest
from guided.engines.local.paged import Chunk
from guided.errors import (
    ContextLengthError,
    DeadlineExceededError,
    EngineFailureError,
    EngineStoppedError,
    GenerationCancelledError,
    QueueFullError,
)
from guided.grammars.errors import InvalidInputError
from guided.requests.observer import CompileRecord, RequestRecord, StepRecord
from tests.guided.engines.local.conftest import MakeLLM, check_pages
from tests.server.live_server import wait_until

LONG = SamplingParams(temperature=0, max_new_tokens=None, ignore_eos=True)
SHORT = SamplingParams(temperature=0, max_new_tokens=5)


def test_a_cancelled_request_leaves_at_once(make_llm: MakeLLM) -> None:
    llm = make_llm()
    generation = llm.start("a", LONG)
    next(generation)
    generation.cancel()
    assert list(generation) == []
    with pytest.raises(GenerationCancelledError):
        generation.result()
    wait_until(lambda: llm.get_stats().active_requests == 0)
    assert llm.get_stats().tokens_generated < 900
    check_pages(llm)


def test_rows_that_end_while_others_are_dropped_end_nobody_else(
    make_llm: MakeLLM, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader leaves after the step has looked at its rows, in the first step that has another caller."""
    llm = make_llm(max_batch_size=4)
    core = llm.engine._loop.core  # type: ignore[attr-defined]
    step, add, may_go_on = core.step, core.scheduler.add, threading.Event()
    many = llm.start("a", replace(LONG, n=4), read_at_end=True)
    wait_until(lambda: llm.get_stats().tokens_generated > 20)

    def gated() -> None:
        may_go_on.wait()
        step()

    def add_watched(row: EngineRequest) -> None:
        def is_ended() -> bool:
            many.cancel()
            row.request.ended.set()
            return True

        if row.max_new_tokens == 7:
            row.is_ended = is_ended
        add(row)

    monkeypatch.setattr(core, "step", gated)
    monkeypatch.setattr(core.scheduler, "add", add_watched)
    time.sleep(0.05)  # the step that was under way is over
    llm.start("b", replace(SHORT, max_new_tokens=7), read_at_end=True)
    other = llm.start("c", SHORT, read_at_end=True)
    may_go_on.set()
    assert len(other.result().token_ids) == 5
    wait_until(lambda: llm.get_stats().active_requests == 0)


def test_cancelling_from_another_thread_wakes_the_reader(make_llm: MakeLLM) -> None:
    llm = make_llm()
    generation = llm.start("a", LONG)
    threading.Timer(0.05, generation.cancel).start()
    with pytest.raises(GenerationCancelledError):
        generation.result()
    wait_until(lambda: llm.get_stats().active_requests == 0)


def test_a_cancelled_generation_has_no_result_even_if_its_text_was_finished(make_llm: MakeLLM) -> None:
    llm = make_llm()
    generation = llm.start("a", SHORT)
    llm.start("b", replace(SHORT, max_new_tokens=7)).result()  # in the same batch, and longer
    generation.cancel()
    with pytest.raises(GenerationCancelledError):
        generation.result()


def test_a_task_that_is_cancelled_cancels_its_generation(make_llm: MakeLLM) -> None:
    llm = make_llm()

    async def run() -> None:
        task = asyncio.create_task(llm.complete_async("a", LONG))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    wait_until(lambda: llm.get_stats().active_requests == 0)


@pytest.mark.parametrize("prompt", ["a", ["a", "b"]])
def test_a_stream_that_nobody_reads_ends_its_generation(make_llm: MakeLLM, prompt: Any) -> None:
    llm = make_llm()
    before = llm.get_stats().tokens_generated
    stream = llm.stream(prompt, LONG)
    stream.close()
    dropped = llm.stream(prompt, LONG)
    del dropped
    wait_until(lambda: llm.get_stats().active_requests + llm.get_stats().waiting_requests == 0)
    assert llm.get_stats().tokens_generated - before < 900
    check_pages(llm)


@pytest.mark.parametrize("kind", ["generate", "stream", "stream of a list"])
@pytest.mark.parametrize("is_soon", [True, False], ids=["before it began", "before that was told"])
def test_a_task_that_is_cancelled_while_it_starts_leaves_nothing(
    make_llm: MakeLLM, monkeypatch: pytest.MonkeyPatch, kind: str, is_soon: bool
) -> None:
    llm = make_llm()
    submit, has_begun, may_go_on = llm.engine.submit, threading.Event(), threading.Event()

    def slow(*args: Any, **kwargs: Any) -> None:
        if is_soon:
            has_begun.set()
            may_go_on.wait()
        submit(*args, **kwargs)
        has_begun.set()

    monkeypatch.setattr(llm.engine, "submit", slow)
    before = llm.get_stats()

    async def read() -> None:
        if kind == "generate":
            await llm.complete_async("a", LONG)
        else:
            async for _ in llm.stream_async("a" if kind == "stream" else ["a"], LONG):
                pass

    async def run() -> None:
        task = asyncio.create_task(read())
        await asyncio.sleep(0)
        has_begun.wait()  # the loop stands still, so the task isn't told
        if not is_soon:
            time.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        may_go_on.set()

    asyncio.run(run())
    wait_until(lambda: llm.get_stats().active_requests + llm.get_stats().waiting_requests == 0)
    after = llm.get_stats()
    assert after.total_requests == before.total_requests + 1
    assert after.tokens_generated - before.tokens_generated < 900


def test_a_deadline_ends_a_request_with_what_there_is(make_llm: MakeLLM) -> None:
    llm = make_llm()
    beside = llm.start("b", SHORT)
    completion = llm.start("a", LONG, deadline_s=0.15).result()
    assert completion.finish_reason == "error"
    assert isinstance(completion.error, DeadlineExceededError)
    assert 0 < len(completion.token_ids) < 1000
    assert beside.result().error is None
    late = llm.start("a", LONG, deadline_s=0.0).result()
    assert isinstance(late.error, DeadlineExceededError)
    assert late.token_ids == ()
    waited = llm.generate(["a", "b"], LONG, deadline_s=0.0, keep_errors=True)
    assert all(isinstance(one.error, DeadlineExceededError) for one in waited)
    check_pages(llm)


@pytest.mark.parametrize("deadline_s", ["1", float("nan"), True])
def test_a_deadline_is_a_number(make_llm: MakeLLM, deadline_s: Any) -> None:
    with pytest.raises(InvalidInputError, match="deadline_s must be a number of seconds"):
        make_llm().start("a", SHORT, deadline_s=deadline_s)


def test_token_ids_are_integers(make_llm: MakeLLM) -> None:
    with pytest.raises(InvalidInputError, match="token ids that are not integers"):
        make_llm().start([5, 5.5], SHORT)  # type: ignore[list-item]


def test_result_with_a_timeout(make_llm: MakeLLM) -> None:
    with make_llm().start("a", LONG) as generation:
        with pytest.raises(TimeoutError):
            generation.result(timeout_s=0.01)
        assert next(generation).finish_reason is None  # it goes on


def test_a_full_queue_refuses_and_lists_are_exempt(make_llm: MakeLLM) -> None:
    llm = make_llm(max_batch_size=1, max_waiting_requests=1)
    running = llm.start("a", LONG)
    next(running)
    waiting = llm.start("b", SHORT)
    with pytest.raises(QueueFullError, match="1 requests wait already"):
        llm.start("c", SHORT)
    waiting.cancel()
    next(running)
    again = llm.start("c", SHORT)  # the cancelled one makes room
    running.cancel()
    assert len(again.result().token_ids) == 5
    assert [len(one.token_ids) for one in llm.generate(["a", "b", "c", "d"], SHORT)] == [5] * 4
    check_pages(llm)


def test_all_outputs_of_a_prompt_start_or_none(make_llm: MakeLLM) -> None:
    llm = make_llm(max_batch_size=1, max_waiting_requests=1)
    before = llm.get_stats().tokens_generated
    with pytest.raises(QueueFullError):
        llm.start("c", SamplingParams(n=3, max_new_tokens=50))
    wait_until(lambda: llm.get_stats().waiting_requests + llm.get_stats().active_requests == 0)
    assert llm.get_stats().tokens_generated - before < 50


def test_shutdown_ends_everything(tiny_model_folder: Path) -> None:
    num_threads = threading.active_count()
    with LLM(tiny_model_folder, engine_settings=EngineSettings(max_batch_size=1)) as llm:
        running, waiting = llm.start("a", LONG), llm.start("b", LONG)
        next(running)
    for generation in (running, waiting):
        completion = generation.result()
        assert isinstance(completion.error, EngineStoppedError)
    with pytest.raises(EngineStoppedError):
        llm.start("a", SHORT)
    with pytest.raises(EngineStoppedError):
        llm.generate("a", SHORT)
    llm.shutdown()
    assert threading.active_count() == num_threads


def test_an_engine_that_nobody_holds_ends(tiny_model_folder: Path) -> None:
    num_threads = threading.active_count()
    llm = LLM(tiny_model_folder)
    assert llm.generate("a", SHORT).token_ids
    assert threading.active_count() > num_threads
    del llm
    wait_until(lambda: threading.active_count() == num_threads)


FORKED_AND_LEFT = """
import os, pickle, threading
from guided import LLM, SamplingParams
from guided.engines.local import mask_filler
from guided.grammars.machine import mask_rows
from guided.kernels import rows

llm = LLM()
llm.generate("a", SamplingParams(max_new_tokens=2))
if os.fork() == 0:
    try:
        llm.generate("a", SamplingParams(max_new_tokens=2))
    except Exception as error:
        print(type(error).__name__, error, flush=True)
    os._exit(0)
os.wait()
print(len(llm.generate("a", SamplingParams(max_new_tokens=2, ignore_eos=True)).token_ids))
try:
    pickle.dumps(llm)
except TypeError as error:
    print(error)

mask_filler.BESIDE_FROM_S, mask_rows._MANY_BYTES, rows._MIN_COLUMNS = -1.0, 1, 1

def work():
    threading.main_thread().join()
    for completion in llm.generate(["a", "b", "c"], SamplingParams(max_new_tokens=20, regex="[a-c]{3}", seed=0)):
        print(completion.finish_reason, len(completion.text))

threading.Thread(target=work).start()
"""


@pytest.fixture(scope="module")
def forked_and_left() -> subprocess.CompletedProcess[str]:
    """What one process prints, as starting one takes seconds: it forks itself, then its main thread ends."""
    command = [sys.executable, "-c", FORKED_AND_LEFT]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)


def test_an_engine_stays_in_its_process(forked_and_left: subprocess.CompletedProcess[str]) -> None:
    child, parent, pickled = forked_and_left.stdout.splitlines()[:3]
    assert child.startswith("EngineStoppedError the engine runs in the process that this one was forked from")
    assert parent == "2"
    assert "can't be copied or pickled" in pickled


def test_threads_generate_after_the_main_thread_has_ended(forked_and_left: subprocess.CompletedProcess[str]) -> None:
    assert forked_and_left.stdout.splitlines()[3:] == ["stop 3"] * 3
    assert "Traceback" not in forked_and_left.stderr


SCRIPT = """
from guided import LLM, SamplingParams
llm = LLM()
schema = {"type": "object", "properties": {"the": {"type": "string"}}, "required": ["the"]}
generations = [llm.start("a", SamplingParams(max_new_tokens=None, json_schema=schema)) for _ in range(3)]
generations.append(llm.start("a", SamplingParams(max_new_tokens=None, ignore_eos=True)))
print(next(generations[-1]).finish_reason)
"""


def test_the_interpreter_ends_in_the_middle_of_work() -> None:
    command = [sys.executable, "-W", "error", "-c", SCRIPT]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (ended.returncode, ended.stdout) == (0, "None\n")
    assert "Traceback" not in ended.stderr
    assert "Warning" not in ended.stderr


def test_an_idle_engine_does_nothing(make_llm: MakeLLM) -> None:
    llm = make_llm()
    llm.generate("a", SHORT)
    steps, cpu_s = llm.get_stats().num_steps, time.process_time()
    time.sleep(0.5)
    assert llm.get_stats().num_steps == steps
    assert time.process_time() - cpu_s < 0.25


def test_a_failing_forward_ends_the_rows_in_it_only(
    tiny_model_folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with LLM(tiny_model_folder) as llm:
        model: Any = llm.engine.paged_model  # type: ignore[attr-defined]
        forward, calls = model.forward, [0]

        def fail_once(chunks: Sequence[Chunk]) -> torch.Tensor:
            calls[0] += 1
            if calls[0] == 3:
                raise RuntimeError("out of luck")
            result: torch.Tensor = forward(chunks)
            return result

        monkeypatch.setattr(model, "forward", fail_once)
        failed = llm.generate(["a", "b"], SHORT, keep_errors=True)
        assert all(1 <= len(one.token_ids) <= 2 for one in failed)  # the second may join a step later
        for one in failed:
            assert isinstance(one.error, EngineFailureError)
            assert isinstance(one.error.__cause__, RuntimeError)
        assert "a step failed" in caplog.text
        assert llm.generate("a", SHORT).error is None
        check_pages(llm)


def test_a_failing_speller_ends_its_row_only(make_llm: MakeLLM, monkeypatch: pytest.MonkeyPatch) -> None:
    llm = make_llm()
    speller: Any = llm.engine._speller  # type: ignore[attr-defined]

    def fail(forced: bytes) -> tuple[int, ...]:
        raise RuntimeError("out of luck")

    beside = llm.start("b", LONG)
    next(beside)
    monkeypatch.setattr(speller, "spell", fail)
    with pytest.raises(EngineFailureError) as failed:
        llm.generate("a", SamplingParams(regex="the end of it[0-9]"))
    assert isinstance(failed.value.__cause__, RuntimeError)
    assert llm.get_stats().active_requests == 1
    beside.cancel()
    check_pages_soon(llm)


def test_the_cache_bounds_the_context(make_llm: MakeLLM) -> None:
    llm = make_llm(kv_cache_tokens=40, page_size=4)
    assert llm.max_context_tokens == 40
    with pytest.raises(ContextLengthError, match="40"):
        llm.start([5] * 40)
    completion = llm.start([5] * 30, LONG).result()
    assert (len(completion.token_ids), completion.finish_reason) == (10, "length")


@pytest.mark.parametrize(
    "fields", [{"max_batch_size": 0}, {"page_size": 0}, {"kv_cache_tokens": 3}, {"max_waiting_requests": -1}]
)
def test_settings_out_of_range(fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidInputError, match=next(iter(fields))):
        EngineSettings(**fields)
    with pytest.raises(InvalidInputError, match="jump_forward"):
        EngineSettings(jump_forward="yes")  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match="overlapped is no option any more: no pass"):
        EngineSettings(overlapped=True)  # type: ignore[call-arg]


class Watcher(EngineObserver):
    def __init__(self) -> None:
        self.steps: list[StepRecord] = []
        self.requests: list[RequestRecord] = []
        self.compiled: list[CompileRecord] = []

    def on_step(self, record: StepRecord) -> None:
        self.steps.append(record)

    def on_request_end(self, record: RequestRecord) -> None:
        self.requests.append(record)

    def on_compile(self, record: CompileRecord) -> None:
        self.compiled.append(record)
        raise RuntimeError("an observer's own fault")


def test_observers_see_everything(tiny_model_folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    watcher = Watcher()
    with LLM(tiny_model_folder) as llm:
        llm.add_observer(watcher)
        params = SamplingParams(temperature=0, regex="the and [0-7]{5} observed", max_new_tokens=60)
        completions = [llm.generate("in the end", params) for _ in range(2)]
        cancelled = llm.start("a", LONG)
        next(cancelled)
        cancelled.cancel()
        wait_until(lambda: llm.get_stats().active_requests == 0)
        stats = llm.get_stats()
    assert [(one.kind, one.was_cached) for one in watcher.compiled] == [("regex", False), ("regex", True)]
    assert "an observer failed in on_compile" in caplog.text
    assert sum(one.num_new_tokens for one in watcher.steps) == stats.tokens_generated
    assert sum(one.num_saved_passes for one in watcher.steps) == stats.num_saved_passes > 0
    assert sum(one.num_forced_tokens for one in watcher.steps) == stats.num_forced_tokens
    assert len(watcher.steps) == stats.num_steps
    assert all(0 < one.forward_s < one.total_s for one in watcher.steps)
    for record, completion in zip(watcher.requests[:2], completions, strict=True):
        assert record.finish_reason == completion.finish_reason == "stop"
        assert record.num_new_tokens == len(completion.token_ids)
        assert record.num_prompt_tokens == completion.num_prompt_tokens
        assert record.time_to_first_token_s is not None
        assert completion.time_to_first_token_s is not None
        assert 0 <= record.queue_s <= record.time_to_first_token_s
        assert 0 < completion.time_to_first_token_s <= completion.elapsed_s
    assert watcher.requests[2].finish_reason is None
    assert stats.total_requests == 3


def test_many_threads_and_tasks_at_once(make_llm: MakeLLM) -> None:
    """Forty threads and forty tasks start, read and cancel; every answer is the one of that prompt alone."""
    llm = make_llm()
    prompts = ["in " * (1 + i % 7) for i in range(40)]
    params = [SamplingParams(seed=i, max_new_tokens=3 + i % 11) for i in range(40)]
    expected = [llm.generate(prompt, one).token_ids for prompt, one in zip(prompts, params, strict=True)]
    failures: list[int] = []

    def run(i: int) -> None:
        if i % 5 == 0:
            with llm.start(prompts[i], LONG) as generation:
                next(generation)
        if llm.start(prompts[i], params[i]).result().token_ids != expected[i]:
            failures.append(i)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(40)]

    async def run_all() -> None:
        pairs = zip(prompts, params, strict=True)
        completions = await asyncio.gather(*(llm.complete_async(prompt, one) for prompt, one in pairs))
        assert [one.token_ids for one in completions] == expected

    for thread in threads:
        thread.start()
    asyncio.run(run_all())
    for thread in threads:
        thread.join()
    assert failures == []
    check_pages_soon(llm)


def check_pages_soon(llm: LLM) -> None:
    wait_until(lambda: llm.get_stats().active_requests == 0)
    check_pages(llm)
