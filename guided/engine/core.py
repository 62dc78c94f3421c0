"""`EngineCore`: one step of the engine after the other: plan, forward, masks beside it, sample, accept, events."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch

from guided.grammars.bitset import Bitmask
from guided.grammars.errors import GuidedError
from guided.grammars.right_of_way import RIGHT_OF_WAY

from ..errors import DeadlineExceededError, EngineFailureError
from ..sampler import Sampler, SamplerOutput, explain_no_allowed
from .base import Sink, TokenEvent
from .decode_batch import DecodeBatch
from .drafter import Drafter
from .engine_request import EngineRequest
from .logprobs import LogprobReader
from .mask_filler import MaskFiller
from .observer import EngineObserver, RequestRecord, StepRecord, tell
from .pace import Pace
from .paged import PagedModel
from .scheduler import Plan, Scheduler
from .settings import EngineSettings
from .slow_rows import SlowRows, StepTime
from .stats import EngineCounters

FEW_WAITING, LOOK_INTERVAL_S = 256, 0.05  # more that wait are looked through so often, not in every step
MAX_JUMP_TOKENS = 256  # of a row in one step; more follow in the next ones

log = logging.getLogger(__name__)


class EngineCore:
    """Owns everything that runs, and is used by one thread.

    batch: an empty one. reader: of the model's vocabulary. observers: may grow at any time. step_time: of this step.
    """

    def __init__(
        self,
        model: PagedModel,
        sampler: Sampler,
        batch: DecodeBatch,
        reader: LogprobReader,
        settings: EngineSettings,
    ) -> None:
        self.counters = EngineCounters()
        self.observers: list[EngineObserver] = []
        self.model = model
        self._pace = Pace()
        self.scheduler = Scheduler(model, settings, self._start, self._preempt, batch.park, self._pace)
        self._drafter = Drafter(model, batch.vocabulary, self._pace, settings.max_draft_tokens, self.counters)
        self._sampler = sampler
        self._batch = batch
        self._reader = reader
        self._slow: SlowRows[EngineRequest] = SlowRows()
        self.step_time = StepTime()
        self._masks = MaskFiller(batch.sampling.vocab_size, settings.max_batch_size, self.step_time)
        self._outbox: list[tuple[Sink, TokenEvent]] = []  # given out once a step's work is done
        self._before = EngineCounters()
        self._forward_s = 0.0
        self._sample_s = 0.0
        self._next_look_s = 0.0

    @property
    def has_work(self) -> bool:
        """Some request is not over."""
        return bool(self.scheduler.waiting or self.scheduler.running)

    def add(self, row: EngineRequest) -> None:
        """A request waits from now on."""
        row.outbox = self._outbox
        self.scheduler.add(row)

    def step(self) -> None:
        """One pass of the model over what is next for each row; the rows' events go to their sinks."""
        start_s = time.perf_counter()
        beside_others = self.scheduler.has_others
        self.step_time.begin(
            len(self._batch.rows),
            num_slow=len(self._slow),
            beside_others=beside_others,
            is_room_wanted=RIGHT_OF_WAY.has_work,
        )
        with torch.inference_mode():
            self._drop_ended()
            self._build_slow()
            plan = self.scheduler.plan(self._batch.rows)
            if plan.parts:
                run_s = time.thread_time()
                try:
                    if self._batch.sampling.processors.is_empty:  # whose states would be copied for each further draw
                        with self.step_time.trial():
                            self._drafter.add_to(plan)
                    self._run(plan)
                    num_rows, num_drafted = len(plan.drawing) + len(plan.joining), plan.num_draft_tokens
                    num_read = sum(len(chunk.token_ids) for _, chunk in plan.parts) - num_rows - num_drafted
                    self._pace.note(num_rows, num_read, time.thread_time() - run_s, num_drafted)
                except Exception as error:  # of the model or a processor: its rows end, the others go on
                    log.exception("a step failed; it ends the %d requests in it", len(plan.parts))
                    self._fail([row for row, _ in plan.parts], EngineFailureError("a step of the engine", error))
                self._note(plan, time.perf_counter() - start_s)
        self._give_events()

    def end_all(self, error: GuidedError) -> None:
        """Every request ends with an error."""
        self._fail([*self.scheduler.running, *self.scheduler.waiting], error)
        self._give_events()

    def close(self) -> None:
        """End the helper thread."""
        self._masks.close()

    def _run(self, plan: Plan) -> None:
        self._batch.join([row for row, _ in plan.joining])
        logits, bitmask = self._forward(plan)
        self._draw(self._logits_to_draw_from(plan, logits), bitmask)
        if plan.num_draft_tokens:
            self._follow_drafts()
            self._drafter.settle(plan)

    def _draw(self, logits: torch.Tensor, bitmask: Bitmask | None) -> None:
        """Each row of the batch takes a token, and what its grammar then forces."""
        logits, bitmask = self._without_slow(logits, bitmask)
        if self._batch.rows:
            start_s = time.perf_counter()
            output = self._sampler.sample(logits, self._batch.sampling, bitmask)
            token_ids = output.token_ids.tolist()  # waits for the device
            self._sample_s += time.perf_counter() - start_s
            self._accept(output, token_ids, logits, bitmask)

    def _follow_drafts(self) -> None:
        """Rows whose drafts were right so far draw again, from logits that are there; the others wait for them."""
        parked: list[EngineRequest] = []
        while not self.step_time.is_over:
            found = {row: row.draft.next_logits(row.token_ids) for row in self._batch.rows if row.draft is not None}
            logits = [one for one in found.values() if one is not None]
            if not logits:
                break
            others = [row for row in self._batch.rows if found.get(row) is None]
            if others:
                self._batch.park(others)
                parked += others
            has_grammar = any(row.grammar is not None for row in self._batch.rows)
            self._draw(torch.stack(logits), self._masks.fill(self._batch.rows) if has_grammar else None)
        self._batch.join(parked)

    def _forward(self, plan: Plan) -> tuple[torch.Tensor, Bitmask | None]:
        """The wanted logits, and meanwhile the masks of the rows that draw."""
        start_s = time.perf_counter()
        self._masks.start(self._batch.rows)
        try:
            logits = self.model.forward([chunk for _, chunk in plan.parts])
        finally:
            self._forward_s = time.perf_counter() - start_s
            bitmask = self._masks.finish()
        return logits, bitmask

    def _logits_to_draw_from(self, plan: Plan, logits: torch.Tensor) -> torch.Tensor:
        """Those of the rows that draw, (B, V), in their order. Drafts keep theirs; prompts are scored if asked for."""
        if not plan.num_draft_tokens and all(row.scorer is None for row, _ in plan.joining + plan.reading):
            return logits
        first, wanted = 0, []
        for row, chunk in plan.parts:
            count = len(chunk.logit_positions)
            if row.draft is not None:
                row.draft.logits = logits[first + 1 : first + count]
                wanted.append(first)
            else:
                if row.scorer is not None:
                    start = chunk.sequence.num_tokens - len(chunk.token_ids)
                    row.scorer.add(start, logits[first : first + count])
                wanted.append(first + count - 1)
            first += count
        num_drawn = len(plan.drawing) + len(plan.joining)
        return logits[torch.tensor(wanted[:num_drawn], dtype=torch.int64, device=logits.device)]

    def _accept(
        self, output: SamplerOutput, token_ids: list[int], logits: torch.Tensor, bitmask: Bitmask | None
    ) -> None:
        """Give each row its token, and then what its grammar forces; rows that are done leave."""
        time_s = time.perf_counter()
        sampling, rows = self._batch.sampling, self._batch.rows
        lacks_token = output.no_allowed.tolist()
        failed = sampling.processors.errors
        details = self._details(output, token_ids)
        is_forced = [False] * len(rows)
        with self.step_time.trial():
            for i, row in enumerate(rows):
                if i in failed:
                    row.fail(failed[i], time_s)
                elif lacks_token[i]:
                    row.end_without_token(explain_no_allowed(logits, sampling, i, bitmask), time_s)
                else:
                    is_forced[i] = row.accept(token_ids[i], time_s, **details.get(i, {}))
                    self.counters.num_sampled_tokens += 1
        forced = self._forced(is_forced, bitmask)
        drawn_ids, forced = self._hold(output.token_ids, forced)
        if len(drawn_ids):
            sampling.accept_tokens(drawn_ids, forced)
        self._count(rows, is_forced)
        self._drop_finished()
        self._jump(time_s)

    def _without_slow(self, logits: torch.Tensor, bitmask: Bitmask | None) -> tuple[torch.Tensor, Bitmask | None]:
        """The logits and masks of the rows whose masks are there; the others leave, to come back with theirs."""
        keep = [i for i, row in enumerate(self._batch.rows) if not row.is_slow]
        slow = [row for row in self._batch.rows if row.is_slow]
        if not slow or bitmask is None:
            return logits, bitmask
        for row in slow:
            self._sit_out(row)
        return logits[torch.tensor(keep, dtype=torch.int64, device=logits.device)], bitmask[keep]

    def _hold(self, token_ids: torch.Tensor, forced: torch.Tensor | None) -> tuple[torch.Tensor, torch.Tensor | None]:
        """What the rows that stay have drawn. Those whose grammars take long for their token leave before it counts."""
        rows = self._batch.rows
        keep = [i for i, row in enumerate(rows) if not row.is_slow]
        if len(keep) == len(rows):
            return token_ids, forced
        for i, row in enumerate(list(rows)):
            if row.held is not None:
                row.held.had_one_choice = forced is not None and bool(forced[i])
                self._sit_out(row)
        index = torch.tensor(keep, dtype=torch.int64, device=token_ids.device)
        return token_ids[index], None if forced is None else forced[index]

    def _sit_out(self, row: EngineRequest) -> None:
        """A slow row leaves the batch with its sampling state until what it waits for is built."""
        if row.is_drawing:
            self._batch.park([row])
        self.scheduler.sit_out(row)
        self._slow.add(row, self._work_of(row))

    def _work_of(self, row: EngineRequest) -> Callable[[], Any]:
        held, grammar = row.held, row.grammar
        assert grammar is not None, "only grammars are slow"
        if held is None:
            return partial(self._masks.build, row)
        return grammar.is_at_end if held.is_taken else partial(grammar.accept, held.token_id)

    def _build_slow(self) -> None:
        """A slice of what slow rows wait for; those for which it is done may go on."""
        for row, work in self._slow.run(self.step_time.slice_s):
            row.is_slow = False
            try:
                result = work.result()
            except Exception as error:  # noqa: BLE001 - of one grammar: it ends this row only
                row.fail(error if isinstance(error, GuidedError) else EngineFailureError("the grammar", error), _now())
            else:
                if row.held is None:
                    row.ready_mask = result
                else:
                    self._accept_held(row, result)
            if row.is_finished:
                self._end(row)
            elif row.is_slow:
                self._slow.add(row, self._work_of(row))

    def _accept_held(self, row: EngineRequest, result: bool) -> None:
        """The token that a row's grammar has taken by now, and what is forced after it. result: of its work."""
        held = row.held
        assert held is not None
        with self.step_time.trial():
            is_forced = row.accept_held(_now(), result)
        if row.held is not None:  # whether its text ends with this token takes long, too
            row.held.is_drawn, row.held.had_one_choice = held.is_drawn, held.had_one_choice
            return
        self._count([row], [is_forced])
        state = row.parked
        if state is not None and held.is_drawn:
            forced = torch.tensor([is_forced or held.had_one_choice], device=state.device)
            state.accept_tokens(torch.tensor([held.token_id], dtype=torch.int64, device=state.device), forced)
        with self.step_time.trial():
            taken = [] if row.is_finished else row.jump(_now(), MAX_JUMP_TOKENS)
        forced_ids = taken if held.is_drawn else [held.token_id, *taken]
        if state is not None and forced_ids:
            state.accept_forced([forced_ids])
        self._count_jumps([forced_ids] if not held.is_drawn else [taken])

    def _jump(self, time_s: float) -> None:
        """Rows take what their grammars force, without a pass of the model."""
        with self.step_time.trial():
            runs = [row.jump(time_s, MAX_JUMP_TOKENS) for row in self._batch.rows]
        self._batch.accept_forced(runs)
        for row in [row for row in self._batch.rows if row.is_slow]:
            self._sit_out(row)
        if any(runs):
            self._count_jumps(runs)
        self._drop_finished()

    def _forced(self, is_forced: Sequence[bool], bitmask: Bitmask | None) -> torch.Tensor | None:
        """Which tokens no row chose, for penalties that don't count them; None where nobody looks at it."""
        sampling = self._batch.sampling
        if bitmask is None or not sampling.adjustments.counts_tokens:
            return None
        return torch.tensor(np.logical_or(is_forced, rows_with_one_choice(bitmask)), device=sampling.device)

    def _details(self, output: SamplerOutput, token_ids: Sequence[int]) -> dict[int, dict[str, Any]]:
        """What rows' events say beside their token."""
        rows = self._batch.rows
        details: dict[int, dict[str, Any]] = {}
        if output.min_new_tokens_overruled is not None:
            overruled = output.min_new_tokens_overruled.tolist()
            details = {
                i: {"min_new_tokens_overruled": True} for i, is_overruled in enumerate(overruled) if is_overruled
            }
        if output.logprobs is not None:
            params = [row.request.params for row in rows]
            logprobs = self._reader.read(
                output.logprobs,
                token_ids,
                [one.logprobs for one in params],
                [one.logprob_token_ids or () for one in params],
                [row.request.grammar is not None for row in rows],
            )
            for i, one in enumerate(logprobs):
                if one is not None:
                    details.setdefault(i, {})["logprobs"] = one
        for i, row in enumerate(rows):
            if row.scorer is not None:
                details.setdefault(i, {})["prompt_logprobs"] = row.scorer.result
                row.scorer = None
        return details

    def _start(self, row: EngineRequest) -> None:
        """A request is read for the first time; what its grammar forces is read with its prompt."""
        self.counters.num_prompt_tokens += row.num_prompt_tokens
        self.counters.num_cached_prompt_tokens += row.num_cached_tokens
        with self.step_time.trial():
            taken = row.jump(_now(), MAX_JUMP_TOKENS)
        self._count_jumps([taken])
        if row.is_finished:
            self._end(row)
        elif row.is_slow:
            self._sit_out(row)

    def _preempt(self, row: EngineRequest) -> None:
        self.counters.num_preemptions += 1
        if row.is_drawing:
            self._batch.park([row])

    def _drop_ended(self) -> None:
        """Requests leave that their readers ended, or that are past their deadline."""
        now = time.monotonic()
        rows = list(self.scheduler.running)
        if len(self.scheduler.waiting) <= FEW_WAITING or now >= self._next_look_s:
            rows += self.scheduler.waiting
            self._next_look_s = now + LOOK_INTERVAL_S
        gone = []
        for row in rows:
            deadline = row.request.deadline
            if row.request.ended.is_set():
                gone.append(row)
            elif deadline is not None and now >= deadline:
                row.fail(DeadlineExceededError(), time.perf_counter())
                gone.append(row)
        if gone:
            self._batch.drop_finished()
            for row in gone:
                self._end(row)

    def _drop_finished(self) -> None:
        finished = [row for row in self._batch.rows if row.is_finished]
        if finished:
            self._batch.drop_finished()
            for row in finished:
                self._end(row)

    def _fail(self, rows: Sequence[EngineRequest], error: GuidedError) -> None:
        for row in rows:
            if not row.is_finished:
                row.fail(error, time.perf_counter())
        self._batch.drop_finished()
        for row in rows:
            if row in self.scheduler.running or row in self.scheduler.waiting:
                self._end(row)

    def _end(self, row: EngineRequest) -> None:
        """A request is over and frees its pages."""
        self._slow.remove(row)
        self.scheduler.remove(row)
        if self.observers and not row.is_paused:
            tell(self.observers, "on_request_end", _request_record(row))

    def _count(self, rows: Sequence[EngineRequest], is_forced: Sequence[bool]) -> None:
        self.counters.num_new_tokens += sum(row.finish_reason != "error" and row.held is None for row in rows)
        self.counters.num_forced_tokens += sum(is_forced)

    def _count_jumps(self, runs: Sequence[Sequence[int]]) -> None:
        num_tokens = sum(map(len, runs))
        self.counters.num_new_tokens += num_tokens
        self.counters.num_forced_tokens += num_tokens
        self.counters.num_saved_passes += num_tokens

    def _give_events(self) -> None:
        """Only now: whoever sees that a request is over finds its pages free."""
        events, self._outbox[:] = self._outbox[:], []
        for sink, event in events:
            sink(event)

    def _note(self, plan: Plan, total_s: float) -> None:
        """Count the step, and tell the observers."""
        counters, before = self.counters, self._before
        counters.num_steps += 1
        if self.observers:
            record = StepRecord(
                num_rows=len(plan.parts),
                num_prefill_tokens=plan.num_prefill_tokens,
                num_new_tokens=counters.num_new_tokens - before.num_new_tokens,
                num_forced_tokens=counters.num_forced_tokens - before.num_forced_tokens,
                num_saved_passes=counters.num_saved_passes - before.num_saved_passes,
                forward_s=self._forward_s,
                mask_s=self._masks.mask_s,
                sample_s=self._sample_s,
                total_s=total_s,
            )
            tell(self.observers, "on_step", record)
        self._before = counters.copy()
        self._sample_s = 0.0


def rows_with_one_choice(bitmask: Bitmask) -> list[bool]:
    """For each row of a bitmask, int32 (B, W): whether it allows one token only."""
    num_allowed = np.bitwise_count(bitmask.view(np.uint32)).sum(axis=1, dtype=np.int64)
    has_one: list[bool] = (num_allowed == 1).tolist()
    return has_one


def _now() -> float:
    return time.perf_counter()


def _request_record(row: EngineRequest) -> RequestRecord:
    now = time.perf_counter()
    first, count = row.first_token_s, row.num_new_tokens
    return RequestRecord(
        queue_s=(now if row.started_s is None else row.started_s) - row.submitted_s,
        time_to_first_token_s=None if first is None else first - row.submitted_s,
        inter_token_s=None if first is None or count < 2 else (row.last_token_s - first) / (count - 1),
        num_prompt_tokens=row.num_prompt_tokens,
        num_cached_tokens=row.num_cached_tokens,
        num_new_tokens=count,
        finish_reason=row.finish_reason,
    )
