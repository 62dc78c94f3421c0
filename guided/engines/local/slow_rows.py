"""Work of grammars that takes too long for a step: the row sits out steps until a background thread has done the work.

Nearly always, everything that a grammar needs for a mask or a token exists, or is built in microseconds. A step tries
the work for a few milliseconds of processor time (`StepTime`). If that is not enough, the row leaves the batch, like a
preempted row. The row keeps its sampling state, so it draws the same tokens later. A thread in the background does its
work, a mask or a token that the grammar must accept (`SlowRows`); see `grammars/right_of_way.py`. The work ends when it
is done, when a limit of the grammar is reached, or when the row is over. The row takes the thread's result, because no
cache may have it.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import torch

from guided.grammars.bitset import Bitmask
from guided.grammars.errors import GuidedError
from guided.grammars.right_of_way import Background
from guided.grammars.watch import Trial

from ...errors import EngineFailureError
from ..stats import EngineCounters
from .decode_batch import DecodeBatch
from .engine_request import EngineRequest, RowState
from .scheduler import Scheduler

MAX_JUMP_TOKENS = 256  # maximum number of forced tokens that a row takes in one step
TRIAL_S = 0.01  # seconds of processor time for all trials of a step
TRIAL_BESIDE_S = 0.003  # like TRIAL_S, if other rows wait for the step
MOMENT_S = 0.001  # least time of a trial, in seconds
ROW_S = 0.00015  # additional seconds for each row: masks and tokens take time even if nothing is built
MAX_BUILDS = 128  # maximum number of threads that build for rows
MAX_BUILDS_OF_A_CALLER = 8  # like MAX_BUILDS, for the rows of one caller


class StepTime:
    """The processor time that a step has for the work of grammars.

    If other rows wait for the step, unused time of the step before is carried over. For a row with little work, missing
    a step is worse than a slightly longer step is for the others.
    """

    def __init__(self) -> None:
        self._left_s = TRIAL_S  # seconds left for all trials of the step

    def begin(self, num_rows: int, *, beside_others: bool) -> None:
        """Begin a step. num_rows: number of its rows. beside_others: True if rows of other callers wait for this
        step.
        """
        own_s = TRIAL_BESIDE_S if beside_others else TRIAL_S
        saved_s = min(own_s, max(0.0, self._left_s)) if beside_others else 0.0
        self._left_s = own_s + saved_s + ROW_S * num_rows

    @property
    def is_over(self) -> bool:
        """True if the time is used up."""
        return self._left_s <= 0

    @contextmanager
    def trial(self) -> Iterator[None]:
        """A `Trial` with the time that is left, but at least MOMENT_S. A step with many new rows stays short."""
        start_s = time.thread_time()
        try:
            with Trial(max(MOMENT_S, self._left_s)):
                yield
        finally:
            self._left_s -= time.thread_time() - start_s


class Build(NamedTuple):
    """Work in the background. cancel: event that ends the work early."""

    result: Future[Any]
    cancel: threading.Event


def build(work: Callable[[], Any], on_done: Callable[[], None]) -> Build:
    """Begin work in the background. Raises RuntimeError if no thread can be started.

    on_done: function that the thread calls after the work has ended.
    """
    future, cancel = Future[Any](), threading.Event()

    def run(work: Callable[[], Any]) -> None:
        try:
            with Background(cancel=cancel):
                result = work()
        except BaseException as error:  # noqa: BLE001 - raised where the result is asked for
            future.set_exception(error)
        else:
            future.set_result(result)
        del work  # frees the row that the function refers to
        on_done()

    threading.Thread(target=run, args=(work,), name="guided-build", daemon=True).start()
    return Build(future, cancel)


class SlowRows:
    """The rows that sit out, each with the `Build` that it waits for: a mask, or a token that its grammar must accept.

    The number of threads is limited. A row without a thread waits until that of another row has ended.

    build_mask: function that makes the mask of a row, int32 (1, W), in any thread.
    on_built: function that is called, in any thread, when a row may continue.
    Only the engine's thread uses this object.
    """

    def __init__(
        self,
        batch: DecodeBatch,
        scheduler: Scheduler,
        build_mask: Callable[[EngineRequest], Bitmask],
        step_time: StepTime,
        counters: EngineCounters,
        on_built: Callable[[], None],
    ) -> None:
        self._batch = batch
        self._scheduler = scheduler
        self._build_mask = build_mask
        self._step_time = step_time
        self._counters = counters
        self._on_built = on_built
        self._waiting: dict[EngineRequest, None] = {}  # rows without a thread, in the order of their starts
        self._builds: dict[EngineRequest, Build] = {}
        self._callers = WeakKeyDictionary[Future[Any], object]()  # caller of each build, also of rows that are over

    def __len__(self) -> int:
        return len(self._waiting) + len(self._builds)

    @property
    def has_built(self) -> bool:
        """True if the build of some row is done."""
        return any(one.result.done() for one in self._builds.values())

    def remove(self, row: EngineRequest) -> None:
        """Forget a row that is over. If a thread works for the row, it ends at the next checkpoint."""
        self._waiting.pop(row, None)
        if row in self._builds:
            self._builds.pop(row).cancel.set()

    def add(self, row: EngineRequest) -> None:
        """Take a slow row out of the batch, with its sampling state, until its build is done."""
        if row in self._batch:
            self._batch.park([row])
        self._scheduler.sit_out(row)
        self._waiting[row] = None

    def add_slow(self) -> None:
        """Take all slow rows out of the batch."""
        for row in [row for row in self._batch.rows if row.state is RowState.BUILDING]:
            self.add(row)

    def without_slow(self, logits: torch.Tensor, bitmask: Bitmask | None) -> tuple[torch.Tensor, Bitmask | None]:
        """The logits and masks of the rows whose masks are ready. The other rows leave the batch until theirs are."""
        if bitmask is None:  # no row has a grammar
            return logits, bitmask
        keep = [i for i, row in enumerate(self._batch.rows) if row.state is not RowState.BUILDING]
        if len(keep) == len(self._batch.rows):
            return logits, bitmask
        self.add_slow()
        return logits[torch.tensor(keep, dtype=torch.int64, device=logits.device)], bitmask[keep]

    def without_pending(
        self, token_ids: torch.Tensor, forced: torch.Tensor | None
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        """The drawn tokens of the rows that stay. Rows whose grammars are slow to accept their token leave the batch;
        the token counts when it is accepted.
        """
        rows = self._batch.rows
        keep = [i for i, row in enumerate(rows) if row.state is not RowState.BUILDING]
        if len(keep) == len(rows):
            return token_ids, forced
        for i, row in enumerate(list(rows)):
            if row.pending is not None:
                row.had_one_choice = forced is not None and bool(forced[i])
                self.add(row)
        index = torch.tensor(keep, dtype=torch.int64, device=token_ids.device)
        return token_ids[index], None if forced is None else forced[index]

    def take_back(self) -> list[EngineRequest]:
        """Let rows with finished builds continue. Returns the rows that this ends, for example with an error."""
        ended = []
        built = [(row, one.result) for row, one in self._builds.items() if one.result.done()]
        for row, future in built:
            del self._builds[row]
            row.move(RowState.WAITING)
            try:
                result = future.result()
            except Exception as error:  # noqa: BLE001 - of one grammar: it ends this row only
                failure = error if isinstance(error, GuidedError) else EngineFailureError("the grammar", error)
                row.fail(failure, time.perf_counter())
            else:
                if row.pending is None:
                    row.ready_mask = result
                else:
                    self._accept_pending(row, result)
            if row.is_finished:
                ended.append(row)
            elif row.state is RowState.BUILDING:
                self._waiting[row] = None
        return ended

    def start(self) -> list[EngineRequest]:
        """Start builds of waiting rows, as far as the limits allow. Returns the rows whose threads can't be started;
        they end with an error.
        """
        if not self._waiting:
            return []
        # A list, because builds end in their own threads, and their entries with them.
        futures = [future for ref in self._callers.keyrefs() if (future := ref()) is not None]
        num_of = Counter(self._callers[future] for future in futures if not future.done())
        del futures
        failed = []
        for row in list(self._waiting):
            if num_of.total() >= MAX_BUILDS:
                break
            if num_of[row.group] >= MAX_BUILDS_OF_A_CALLER:
                continue
            del self._waiting[row]
            try:
                self._build(row)
            except RuntimeError as error:
                row.fail(EngineFailureError("the start of a thread for the grammar", error), time.perf_counter())
                failed.append(row)
            else:
                num_of[row.group] += 1
        return failed

    def _build(self, row: EngineRequest) -> None:
        """Start the build of a row. Until the build is done, nothing else may use the row's grammar."""
        self._builds[row] = one = build(self._work_of(row), self._on_built)
        self._callers[one.result] = row.group

    def _work_of(self, row: EngineRequest) -> Callable[[], Any]:
        pending, grammar = row.pending, row.grammar
        assert grammar is not None, "only grammars are slow"
        if pending is None:
            return partial(self._build_mask, row)
        assert pending.token_id is not None
        return grammar.is_at_end if row.has_taken_pending else partial(grammar.accept, pending.token_id)

    def _accept_pending(self, row: EngineRequest, result: bool) -> None:
        """Count a row's pending token, which its grammar has accepted now, and the tokens that are forced after it.

        result: result of the row's build.
        """
        token_id = None if row.pending is None else row.pending.token_id
        assert token_id is not None
        with self._step_time.trial():
            is_forced = row.accept_pending(time.perf_counter(), result)
        if row.pending is not None:  # checking whether the text ends here is slow as well
            return
        self._counters.count_new(row.finish_reason != "error", is_forced)
        with self._step_time.trial():
            taken = [] if row.is_finished else row.jump(time.perf_counter(), MAX_JUMP_TOKENS)
        if row.parked is not None:
            row.parked.accept_forced([[token_id, *taken]], [[is_forced or row.had_one_choice]])
        self._counters.count_jumps([taken])
