"""What watching an answer costs: `python -m tests.watch_speed`.

Two figures, on the embedded model, greedy, in turns, so that a busy machine slows all modes alike:

- of the one who watches: the processor time of all threads for a token of one request, not watched, with
  log-probabilities, watched, and, for comparison, not watched without jump-forward. The bar: at most 30 % fewer tokens
  a second than not watched.
- of others: the processor time of the engine's thread for a token of rows that write free text in a batch with one
  constrained row, which is watched or not, from the first token of each of them to the last. That is what they wait
  for. The bar: nothing.

Prints the medians of the rounds and one line of JSON.
"""

from __future__ import annotations

import json
import statistics
import time
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from threading import Event, Thread
from typing import Annotated, Any, Literal, get_args

import typer

from examples.models import Order
from guided import LLM, EngineSettings, SamplingParams, stream_steps
from guided.engines.base import TokenEvent

TEXT = (
    "Hi, this is Ada Lovelace. Please send 2 laptops and 3 mice to 12 Main Street, London, as soon as you can. "
    "My number is 0207 123 456. Thanks!"
)
MESSAGES = [{"role": "user", "content": TEXT}]
CONSTRAINTS: dict[str, dict[str, Any]] = {
    "Order": {"json_schema": Order, "whitespace": "compact", "max_new_tokens": 400},
    "[a-z ]{300,600}": {"regex": "[a-z ]{300,600}", "max_new_tokens": 400},
}
NUM_TOP = 10


class Modes:
    """Ways to answer one request. Each returns its tokens."""

    def __init__(self, llm: LLM, token_by_token: LLM, params: SamplingParams) -> None:
        self._llm = llm
        self._token_by_token = token_by_token
        self._params = params
        self.all: dict[str, Callable[[], tuple[int | None, ...]]] = {
            "not watched": lambda: self._generate(llm, params),
            "not watched, token by token": lambda: self._generate(token_by_token, params),
            f"logprobs={NUM_TOP}": lambda: self._generate(llm, replace(params, logprobs=NUM_TOP, logprobs_mode="both")),
            "watched": self._watch,
        }

    def _generate(self, llm: LLM, params: SamplingParams) -> tuple[int | None, ...]:
        return tuple(llm.chat(MESSAGES, params).token_ids)

    def _watch(self) -> tuple[int | None, ...]:
        with stream_steps(self._llm, MESSAGES, self._params, num_top=NUM_TOP) as stream:
            return tuple(step.token_id for step in stream)


def measure_watched(name: str, rounds: int) -> dict[str, float]:
    """Milliseconds of processor time for a token in each mode."""
    params = SamplingParams(temperature=0, **CONSTRAINTS[name])
    by_token = EngineSettings(jump_forward=False, max_draft_tokens=0)
    with LLM() as llm, LLM(engine_settings=by_token) as token_by_token:
        modes = Modes(llm, token_by_token, params).all
        (tokens,) = {mode() for mode in modes.values()}  # warm, and all of them write the same
        times: dict[str, list[float]] = {mode: [] for mode in modes}
        for _ in range(rounds):
            for mode, answer in modes.items():
                start = time.process_time()
                answer()
                times[mode].append((time.process_time() - start) * 1e3 / len(tokens))
    print(f"{name}, {len(tokens)} tokens")
    return {mode: statistics.median(each) for mode, each in times.items()}


Beside = Literal["nobody", "not watched", "watched"]


class Others:
    """Rows of free text beside one constrained row. With a sink that notes when, by the engine thread's own time."""

    def __init__(self, num_rows: int, num_tokens: int) -> None:
        self._num_rows = num_rows
        self._num_tokens = num_tokens
        self._times: list[list[float]] = []
        self._ended = Event()

    def us_per_token(self, llm: LLM, beside: Beside) -> float:
        """Microseconds of the engine's thread for a token of theirs, while all of them draw."""
        self._times = [[] for _ in range(self._num_rows)]
        self._ended.clear()
        params = SamplingParams(temperature=0, regex="[a-z ]{2000,4000}", max_new_tokens=900)
        free = SamplingParams(temperature=0, max_new_tokens=self._num_tokens, ignore_eos=True)
        requests = llm.read([f"{TEXT} This is letter {number}." for number in range(self._num_rows)], free)
        with ExitStack() as stack:
            if beside == "watched":
                stream = stack.enter_context(stream_steps(llm, TEXT, params, num_top=NUM_TOP))
                Thread(target=deque, args=(stream, 0)).start()
            elif beside == "not watched":
                stack.enter_context(llm.start(TEXT, params))
            for index, request in enumerate(requests):
                llm.engine.submit(request, self._note, index)
            self._ended.wait()
        start, end = max(times[0] for times in self._times), min(times[-1] for times in self._times)
        return (end - start) * 1e6 / sum(start < one <= end for times in self._times for one in times)

    def _note(self, event: TokenEvent) -> None:
        self._times[event.index].append(time.thread_time())
        if all(len(times) == self._num_tokens for times in self._times):
            self._ended.set()


def measure_others(num_rows: int, rounds: int) -> dict[str, float]:
    """Microseconds of the engine's thread for a token of the others."""
    others = Others(num_rows, num_tokens=150)
    times: dict[str, list[float]] = {}
    with LLM() as llm:
        for round_ in range(rounds + 1):  # the first is to warm up
            for beside in get_args(Beside):
                taken = others.us_per_token(llm, beside)
                if round_:
                    times.setdefault(beside, []).append(taken)
    return {beside: statistics.median(each) for beside, each in times.items()}


def main(
    rounds: Annotated[int, typer.Option(min=1, help="Of each mode; the median counts.")] = 5,
    rows: Annotated[str, typer.Option(help="How many others, with commas.")] = "1,8",
) -> None:
    """Measure both, and print them."""
    results: dict[str, dict[str, float]] = {}
    for name in CONSTRAINTS:
        results[name] = measure_watched(name, rounds)
        base = results[name]["not watched"]
        for mode, taken in results[name].items():
            print(f"  {mode:28} {taken:6.2f} ms a token, {1 - base / taken:6.1%} fewer tokens a second")
    for num_rows in map(int, rows.split(",")):
        taken_by = results[f"{num_rows} others"] = measure_others(num_rows, rounds)
        print(f"{num_rows} others, beside one row that is there, and")
        for beside, taken in taken_by.items():
            print(f"  {beside:28} {taken:6.0f} us a token")
    print(json.dumps(results))


if __name__ == "__main__":
    typer.run(main)
