"""`SittingOut`: rows that leave the batch because their grammars take long, and how they come back (`slow_rows.py`)."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import torch

from guided.grammars.bitset import Bitmask
from guided.grammars.errors import GuidedError

from ..errors import EngineFailureError
from .decode_batch import DecodeBatch
from .engine_request import EngineRequest, RowState
from .mask_filler import MaskFiller
from .scheduler import Scheduler
from .slow_rows import Build, StepTime
from .stats import EngineCounters

MAX_JUMP_TOKENS = 256  # of a row in one step; more follow in the next ones


class SittingOut:
    """Takes slow rows out of a batch with what they wait for: a mask, or that their grammar takes a token.

    on_built: called, in any thread, when a row may go on. One thread uses the rest.
    """

    def __init__(
        self,
        batch: DecodeBatch,
        scheduler: Scheduler,
        masks: MaskFiller,
        step_time: StepTime,
        counters: EngineCounters,
        on_built: Callable[[], None],
    ) -> None:
        self._batch = batch
        self._scheduler = scheduler
        self._masks = masks
        self._step_time = step_time
        self._counters = counters
        self._on_built = on_built
        self._builds: dict[EngineRequest, Build[Any]] = {}

    def __len__(self) -> int:
        return len(self._builds)

    @property
    def has_built(self) -> bool:
        """A row may go on."""
        return any(build.is_done for build in self._builds.values())

    def remove(self, row: EngineRequest) -> None:
        """A row is over; its build, if it has one, ends at the next checkpoint."""
        build = self._builds.pop(row, None)
        if build is not None:
            build.cancel()

    def add(self, row: EngineRequest) -> None:
        """A slow row leaves the batch with its sampling state until what it waits for is built."""
        if row in self._batch:
            self._batch.park([row])
        self._scheduler.sit_out(row)
        self._build(row)

    def add_slow(self) -> None:
        """All slow rows of the batch leave it."""
        for row in [row for row in self._batch.rows if row.state is RowState.BUILDING]:
            self.add(row)

    def without_slow(self, logits: torch.Tensor, bitmask: Bitmask | None) -> tuple[torch.Tensor, Bitmask | None]:
        """The logits and masks of the rows whose masks are there; the others leave, to come back with theirs."""
        if bitmask is None:  # no row has a grammar
            return logits, bitmask
        keep = [i for i, row in enumerate(self._batch.rows) if row.state is not RowState.BUILDING]
        if len(keep) == len(self._batch.rows):
            return logits, bitmask
        self.add_slow()
        return logits[torch.tensor(keep, dtype=torch.int64, device=logits.device)], bitmask[keep]

    def without_held(
        self, token_ids: torch.Tensor, forced: torch.Tensor | None
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        """What the rows that stay have drawn. Those whose grammars take long for their token leave before it counts."""
        rows = self._batch.rows
        keep = [i for i, row in enumerate(rows) if row.state is not RowState.BUILDING]
        if len(keep) == len(rows):
            return token_ids, forced
        for i, row in enumerate(list(rows)):
            if row.held is not None:
                row.held.had_one_choice = forced is not None and bool(forced[i])
                self.add(row)
        index = torch.tensor(keep, dtype=torch.int64, device=token_ids.device)
        return token_ids[index], None if forced is None else forced[index]

    def take_back(self) -> list[EngineRequest]:
        """Rows whose builds are done may go on. The rows that this ends."""
        ended = []
        built = [(row, build) for row, build in self._builds.items() if build.is_done]
        for row, build in built:
            del self._builds[row]
            row.move(RowState.WAITING)
            try:
                result = build.result()
            except Exception as error:  # noqa: BLE001 - of one grammar: it ends this row only
                failure = error if isinstance(error, GuidedError) else EngineFailureError("the grammar", error)
                row.fail(failure, time.perf_counter())
            else:
                if row.held is None:
                    row.ready_mask = result
                else:
                    self._accept_held(row, result)
            if row.is_finished:
                ended.append(row)
            elif row.state is RowState.BUILDING:
                self._build(row)
        return ended

    def _build(self, row: EngineRequest) -> None:
        """Begin what a row waits for. Until that is done nobody else may touch the row's grammar."""
        self._builds[row] = Build(self._work_of(row), self._on_built)

    def _work_of(self, row: EngineRequest) -> Callable[[], Any]:
        held, grammar = row.held, row.grammar
        assert grammar is not None, "only grammars are slow"
        if held is None:
            return partial(self._masks.build, row)
        return grammar.is_at_end if held.is_taken else partial(grammar.accept, held.token_id, held.wanted_id)

    def _accept_held(self, row: EngineRequest, result: bool) -> None:
        """The token that a row's grammar has taken by now, and what is forced after it. result: of its work."""
        held = row.held
        assert held is not None
        with self._step_time.trial():
            is_forced = row.accept_held(time.perf_counter(), result)
        if row.held is not None:  # whether its text ends with this token takes long, too
            row.held.is_drawn, row.held.had_one_choice = held.is_drawn, held.had_one_choice
            return
        self._counters.count_new(row.finish_reason != "error", is_forced)
        state = row.parked
        if state is not None and held.is_drawn:
            forced = torch.tensor([is_forced or held.had_one_choice], device=state.device)
            state.accept_tokens(torch.tensor([held.token_id], dtype=torch.int64, device=state.device), forced)
        with self._step_time.trial():
            taken = [] if row.is_finished else row.jump(time.perf_counter(), MAX_JUMP_TOKENS)
        forced_ids = taken if held.is_drawn else [held.token_id, *taken]
        if state is not None and forced_ids:
            state.accept_forced([forced_ids])
        self._counters.count_jumps([taken] if held.is_drawn else [forced_ids])
