"""`SittingOut`: takes rows with slow grammars out of the batch and brings them back (`slow_rows.py`)."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import torch

from guided.grammars.bitset import Bitmask
from guided.grammars.errors import GuidedError

from ...errors import EngineFailureError
from ..stats import EngineCounters
from .decode_batch import DecodeBatch
from .engine_request import EngineRequest, RowState
from .mask_filler import MaskFiller
from .scheduler import Scheduler
from .slow_rows import Build, StepTime

MAX_JUMP_TOKENS = 256  # maximum number of forced tokens that a row takes in one step


class SittingOut:
    """The rows that sit out, each with the `Build` that it waits for: a mask, or a token that its grammar must accept.

    on_built: function that is called, in any thread, when a row may continue.
    Only the engine's thread uses this object.
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
        """True if the build of some row is done."""
        return any(build.is_done for build in self._builds.values())

    def remove(self, row: EngineRequest) -> None:
        """Forget a row that is over. Its build, if it has one, ends at the next checkpoint."""
        build = self._builds.pop(row, None)
        if build is not None:
            build.cancel()

    def add(self, row: EngineRequest) -> None:
        """Take a slow row out of the batch, with its sampling state, until its build is done."""
        if row in self._batch:
            self._batch.park([row])
        self._scheduler.sit_out(row)
        self._build(row)

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

    def without_held(
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
            if row.held is not None:
                row.held.had_one_choice = forced is not None and bool(forced[i])
                self.add(row)
        index = torch.tensor(keep, dtype=torch.int64, device=token_ids.device)
        return token_ids[index], None if forced is None else forced[index]

    def take_back(self) -> list[EngineRequest]:
        """Let rows with finished builds continue. Returns the rows that this ends, for example with an error."""
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
        """Start the build of a row. Until the build is done, nothing else may use the row's grammar."""
        self._builds[row] = Build(self._work_of(row), self._on_built)

    def _work_of(self, row: EngineRequest) -> Callable[[], Any]:
        held, grammar = row.held, row.grammar
        assert grammar is not None, "only grammars are slow"
        if held is None:
            return partial(self._masks.build, row)
        return grammar.is_at_end if held.is_taken else partial(grammar.accept, held.token_id, held.wanted_id)

    def _accept_held(self, row: EngineRequest, result: bool) -> None:
        """Count the held token of a row, now that its grammar has accepted it, and the tokens that are forced after it.

        result: result of the row's build.
        """
        held = row.held
        assert held is not None
        with self._step_time.trial():
            is_forced = row.accept_held(time.perf_counter(), result)
        if row.held is not None:  # to find out if the text ends with this token is slow, too
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
