"""`EngineCore`: runs the steps of the engine. A step plans, runs the model with masks beside it, samples, accepts
tokens, and lets rows take forced tokens (jumps).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from itertools import groupby, islice
from operator import itemgetter, sub
from typing import Any

import numpy as np
import torch

from guided.grammars.bitset import Bitmask
from guided.grammars.errors import GuidedError

from ...errors import DeadlineExceededError, EngineFailureError, GenerationCancelledError
from ...processors.thinking import closing_token
from ...requests.observer import EngineObserver, RequestRecord, StepRecord, tell
from ...sampler import NO_TOKEN_ID, LogprobsOutput, Sampler, SamplerOutput, explain_no_allowed
from ..base import StepTimes, TokenEvent
from ..logprobs import LogprobReader
from ..settings import EngineSettings
from ..stats import EngineCounters
from .decode_batch import DecodeBatch
from .drafter import Drafter
from .drafts import TokenDraft
from .engine_request import NOTHING, EngineRequest, RowState
from .mask_filler import MaskFiller
from .paged import PagedModel
from .particles import ParticleRun
from .prompt_scoring import returned_part, score_prompt, take_scores
from .scheduler import Scheduler, StepPlan
from .slow_rows import MAX_JUMP_TOKENS, SlowRows, StepTime

LOOKED_WAITING = 256  # number of waiting rows that each step checks for their end, part by part
LOOKED_A_SECOND = 50_000  # additional rows to check per second since the last check, for long steps: 1 % of the time
MAX_UNSCORED = 256  # most tokens of jumps that wait for log-probabilities: each is a row of logits in the next pass

log = logging.getLogger(__name__)


class EngineCore:
    """Owns everything that runs. Only the engine's thread uses it.

    model: the model with its pages.
    sampler: draws the tokens.
    batch: an empty decode batch.
    reader: reads log-probabilities for the model's vocabulary.
    settings: the engine's settings.
    counters: attribute; the sums for `EngineStats`.
    observers: attribute; other threads may append to it.
    runs: attribute; particle runs with a row in the batch or in the queue. Other threads may append to it.
    step_time: attribute; time of the present step for the work of grammars.
    on_built: attribute; function that is called, in any thread, when a row that sits out may continue.
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
        self.runs: list[ParticleRun] = []
        self.observers: list[EngineObserver] = []
        self.model = model
        is_on_cpu = batch.sampling.device.type == "cpu"
        self.scheduler = Scheduler(
            model, settings, self._start, self._preempt, batch.park, are_rows_cheap=not is_on_cpu
        )
        self._sampler = sampler
        self._batch = batch
        self._reader = reader
        self.step_time = StepTime()
        self._drafter = Drafter(model, batch.vocabulary, settings.max_draft_tokens, self.counters, self.step_time)
        sampling = batch.sampling
        self._masks = MaskFiller(sampling.vocab_size, settings.max_batch_size, self.step_time, sampling.device)
        self.on_built: Callable[[], None] = _do_nothing
        self._slow_rows = SlowRows(
            batch, self.scheduler, self._masks.build, self.step_time, self.counters, lambda: self.on_built()
        )
        self._outbox: list[tuple[EngineRequest, TokenEvent]] = []  # events to send at the end of the step
        self._drafts: dict[EngineRequest, TokenDraft] = {}  # drafts of the present step
        self._has_scores = False  # a row that joined in this step has scores of its prompt for its first event
        self._before = self.counters.new_tokens
        self._forward_s = 0.0
        self._sample_s = 0.0
        self._next_look = 0  # index of the first waiting row to check next
        self._looked_s = 0.0

    @property
    def has_work(self) -> bool:
        """True if there are requests."""
        return bool(self.scheduler.waiting or self.scheduler.running)

    @property
    def can_step(self) -> bool:
        """True if some request does not wait for a build."""
        num_rows = len(self.scheduler.waiting) + len(self.scheduler.running)
        return num_rows > len(self._slow_rows) or self._slow_rows.has_built

    def add(self, row: EngineRequest) -> None:
        """Add a request to the waiting ones."""
        if not row.is_particle:
            row.post = self._post
        self.scheduler.add(row)

    def step(self) -> None:
        """Make one pass of the model over the next tokens of each row, and send the rows' events to their sinks.

        The caller must be in torch's inference mode.
        """
        start_s = time.perf_counter()
        beside_others = self.scheduler.has_others
        self.step_time.begin(len(self._batch.rows), beside_others=beside_others)
        self._drop_ended()
        for row in self._slow_rows.take_back():
            self._end(row)
        plan = self.scheduler.plan(self._batch.rows)
        if plan.parts:
            try:
                self._run(plan)
            except Exception as error:  # an error of the model or a processor ends only this step's rows
                log.exception("a step failed; it ends the %d requests in it", len(plan.parts))
                self._fail([row for row, _ in plan.parts], EngineFailureError("a step of the engine", error))
            self._note(plan, time.perf_counter() - start_s)
        for row in self._slow_rows.start():
            self._end(row)
        self._run_particles()
        self._give_events()

    def end_all(self, error: GuidedError) -> None:
        """End all requests with an error. Each gets its last event, even if this raises an error itself."""
        try:
            self._fail([*self.scheduler.running, *self.scheduler.waiting], error)
        finally:
            self._run_particles()
            self._give_events()

    def close(self) -> None:
        """Stop the thread that fills masks."""
        self._masks.close()

    def _run(self, plan: StepPlan) -> None:
        if self._drafter.is_on:
            self._drafter.add_to(plan)
        self._drafts = plan.drafts
        self._batch.join([row for row, _ in plan.joining])
        for row, _ in plan.joining:
            row.move(RowState.DRAWING)
        self._has_scores = any(row.scores_prompt for row, _ in plan.joining)
        logits, bitmask = self._forward(plan)
        self._draw(self._logits_to_draw_from(plan, logits), bitmask)
        if plan.num_draft_tokens:
            self._follow_drafts(logits)
            self._drafter.settle(plan)
            self._drafts = {}

    def _draw(self, logits: torch.Tensor, bitmask: Bitmask | None) -> None:
        """Draw a token for each row of the batch. Each row takes it, and the tokens that its grammar forces then."""
        logits, bitmask = self._slow_rows.without_slow(logits, bitmask)
        if self._batch.rows:
            start_s = time.perf_counter()
            unbounded = self._masks.unbounded(self._batch.rows)
            rows, logits = logits, self._logits_in(logits)
            masks = self._masks.on_device(bitmask)
            output = self._sampler.sample(logits, self._batch.sampling, masks, unbounded, self._decided(bitmask))
            token_ids: list[int] = output.token_ids.tolist()
            self._sample_s += time.perf_counter() - start_s
            wanted = {} if unbounded is None else unbounded.wanted(output)
            self._accept(output, token_ids, rows, bitmask, wanted)

    def _decided(self, bitmask: Bitmask | None) -> dict[int, int]:
        """Row of the batch -> the token that continues it, because its thinking has used up its budget."""
        decided = {}
        for i, row in enumerate(self._batch.rows):
            if row.thinking is not None:
                token_id = closing_token(row.thinking, None if bitmask is None else bitmask[i])
                if token_id is not None:
                    decided[i] = token_id
        return decided

    def _logits_in(self, rows: torch.Tensor) -> torch.Tensor:
        """The logits, (N, V), in the rows of a pass, which may also have hidden states; see `PagedModel.forward`."""
        size = self._batch.vocabulary.size
        return rows if rows.shape[1] == size else rows[:, :size].contiguous()

    def _follow_drafts(self, logits: torch.Tensor) -> None:
        """Let rows whose drafts were right so far draw again, from logits that the pass has given. Other rows wait.

        logits: (N, V), the logits of the step.
        """
        parked: list[EngineRequest] = []
        while not self.step_time.is_over:
            found = [
                None if (draft := self._drafts.get(row)) is None else draft.next_logits_row(row.token_ids)
                for row in self._batch.rows
            ]
            places = [one for one in found if one is not None]
            if not places:
                break
            if len(places) < len(found):
                others = [row for row, place in zip(self._batch.rows, found, strict=True) if place is None]
                self._batch.park(others)
                parked += others
            has_grammar = any(row.grammar is not None for row in self._batch.rows)
            again = logits[torch.tensor(places, dtype=torch.int64, device=logits.device)]
            self._draw(again, self._masks.fill(self._batch.rows) if has_grammar else None)
        self._batch.join(parked)

    def _forward(self, plan: StepPlan) -> tuple[torch.Tensor, Bitmask | None]:
        """Run the model, and fill the masks of the drawing rows meanwhile. Returns (logits, masks)."""
        start_s = time.perf_counter()
        self._masks.start(self._batch.rows)
        try:
            logits = self.model.forward([chunk for _, chunk in plan.parts])
        finally:
            self._forward_s = time.perf_counter() - start_s
            bitmask = self._masks.finish()
        return logits, bitmask

    def _logits_to_draw_from(self, plan: StepPlan, logits: torch.Tensor) -> torch.Tensor:
        """The logits of the drawing rows, (B, V), in the order of the rows.

        Also gives drafts their logits, and scores prompts and tokens of jumps if their requests ask for it.
        """
        num_drawn = len(plan.drawing) + len(plan.joining)
        if len(logits) == num_drawn and not any(row.scores_prompt for row, _ in plan.joining + plan.reading):
            return logits
        first, wanted, of_jumps = 0, [], list[tuple[EngineRequest, torch.Tensor]]()
        for place, (row, chunk) in enumerate(plan.parts):
            end = first + len(chunk.logit_positions)
            if row.scores_prompt:
                start = chunk.sequence.num_tokens - len(chunk.token_ids)
                score_prompt(row, start, logits[first:end], self._reader)
                first = end - 1
            elif row.unscored and first < end:
                of_jump = logits[first : end if place >= num_drawn else first + len(row.unscored)]
                of_jumps.append((row, of_jump))
                first += len(of_jump)
            draft = plan.drafts.get(row)
            if draft is not None:
                draft.logits, draft.first_logits_row = logits, first + 1
            wanted.append(first)
            first = end
        self._score_jumps(of_jumps)
        return logits[torch.tensor(wanted[:num_drawn], dtype=torch.int64, device=logits.device)]

    def _score_jumps(self, of_jumps: Sequence[tuple[EngineRequest, torch.Tensor]]) -> None:
        """Send the events of tokens from jumps whose log-probabilities are now known.

        of_jumps: (row, (k, V) logits of the first k of its unscored tokens).
        """
        if not of_jumps:
            return
        events = [(row, event) for row, logits in of_jumps for event in islice(row.unscored, len(logits))]
        rows, token_ids = [row for row, _ in events], [event.token_id or 0 for _, event in events]
        logits = self._logits_in(torch.cat([logits for _, logits in of_jumps]))
        scores = self._sampler.score_forced(logits, token_ids, self._batch.parameters_of(rows))
        details, time_s = self._read_logprobs(scores, token_ids, rows), time.perf_counter()
        for row, part in groupby(zip(rows, details, strict=True), key=itemgetter(0)):
            row.give_scored([one for _, one in part], time_s)

    def _accept(
        self,
        output: SamplerOutput,
        token_ids: Sequence[int],
        drawn_from: torch.Tensor,
        bitmask: Bitmask | None,
        wanted: Mapping[int, int],
    ) -> None:
        """Give each row its token, and then the tokens that its grammar forces. Finished rows leave the batch.

        output: result of the sampler.
        token_ids: the drawn tokens, as a list.
        drawn_from: (B, V) logits, or (B, V + H) logits followed by hidden states.
        bitmask: the masks; None: no row has a grammar.
        wanted: row -> token that it would have drawn without its budget, for rows whose budget excluded tokens.
        """
        time_s = time.perf_counter()
        sampling, rows = self._batch.sampling, self._batch.rows
        failed = sampling.processors.errors
        details = self._details(output, token_ids, drawn_from)
        is_forced = [False] * len(rows)
        with nullcontext() if bitmask is None else self.step_time.trial():
            for i, row in enumerate(rows):
                if i in failed:
                    row.fail(failed[i], time_s)
                elif token_ids[i] == NO_TOKEN_ID:
                    logits = self._logits_in(drawn_from)
                    row.end_without_token(explain_no_allowed(logits, sampling, i, bitmask), time_s)
                else:
                    is_forced[i] = row.accept(token_ids[i], time_s, details.get(i, NOTHING), wanted.get(i))
                    self.counters.num_sampled_tokens += 1
        drawn_ids, forced = output.token_ids, self._forced(is_forced, bitmask)
        if bitmask is not None:
            drawn_ids, forced = self._slow_rows.without_pending(drawn_ids, forced)
        if len(self._batch.rows):
            sampling.accept_tokens(drawn_ids, forced)
        reasons = [row.finish_reason for row in self._batch.rows]
        self.counters.count_new(len(reasons) - reasons.count("error"), sum(is_forced))
        if self.runs or reasons.count(None) < len(reasons):
            self._drop_finished()
        self._jump(time_s)

    def _jump(self, time_s: float) -> None:
        """Let rows take the tokens that their grammars force, without a pass of the model."""
        if not any(row.may_jump for row in self._batch.rows):
            return
        num_unscored = 0
        runs: list[list[int]] = []
        with self.step_time.trial():
            for row in self._batch.rows:
                num_unscored += len(row.unscored)
                most = MAX_UNSCORED - num_unscored if row.is_scored else MAX_JUMP_TOKENS
                runs.append(row.jump(time_s, most))
                num_unscored += len(runs[-1]) if row.is_scored else 0
        self._score_jumps(self._known_of_jumps())
        self._batch.accept_forced(runs)
        self._slow_rows.add_slow()
        self.counters.count_jumps(runs)
        self._drop_finished()

    def _known_of_jumps(self) -> list[tuple[EngineRequest, torch.Tensor]]:
        """The logits of jumped tokens that a draft has already read, in the form of `_score_jumps`."""
        known: list[tuple[EngineRequest, torch.Tensor]] = []
        for row in self._batch.rows:
            draft = self._drafts.get(row)
            if row.unscored and draft is not None:
                logits = draft.logits_of(row.token_ids, row.num_scored)
                if logits is not None:
                    known.append((row, logits))
        return known

    def _forced(self, is_forced: Sequence[bool], bitmask: Bitmask | None) -> torch.Tensor | None:
        """bool (B,): tokens that were forced or the only choice, for penalties that ignore them; None if none needs
        this.
        """
        sampling = self._batch.sampling
        if bitmask is None or not sampling.adjustments.counts_tokens:
            return None
        return torch.tensor(np.logical_or(is_forced, rows_with_one_choice(bitmask)), device=sampling.device)

    def _details(
        self, output: SamplerOutput, token_ids: Sequence[int], drawn_from: torch.Tensor
    ) -> dict[int, dict[str, Any]]:
        """Row -> further fields of the event of its token."""
        rows = self._batch.rows
        details: dict[int, dict[str, Any]] = {}
        if output.min_new_tokens_overruled is not None:
            overruled = output.min_new_tokens_overruled.tolist()
            details = {
                i: {"min_new_tokens_overruled": True} for i, is_overruled in enumerate(overruled) if is_overruled
            }
        if output.logprobs is not None:
            for i, one in enumerate(self._read_logprobs(output.logprobs, token_ids, rows)):
                if one:
                    details.setdefault(i, {}).update(one)
        for i, row in enumerate(rows if self._has_scores else ()):
            if row.scores_prompt:
                details.setdefault(i, {}).update(take_scores(row))
        for i, row in enumerate(rows):
            params = row.request.params
            if params.returns_tensors:
                part = returned_part(drawn_from[i : i + 1], params, self._batch.vocabulary.size)
                details.setdefault(i, {})["returned"] = part
        return details

    def _read_logprobs(
        self, output: LogprobsOutput, token_ids: Sequence[int], rows: Sequence[EngineRequest]
    ) -> list[dict[str, Any]]:
        """The event's fields about log-probabilities for a token of each row; {} if the row asks for none."""
        params = [row.request.params for row in rows]
        logprobs = self._reader.read(
            output,
            token_ids,
            [one.logprobs for one in params],
            [one.logprob_token_ids or () for one in params],
            [row.request.grammar is not None for row in rows],
            [one.logprobs_mode == "both" for one in params],
        )
        times = {"times": StepTimes(self._masks.mask_s, self._forward_s)}
        return [
            {} if one is None else {"logprobs": one} | (times if row.request.is_watched else {})
            for row, one in zip(rows, logprobs, strict=True)
        ]

    def _start(self, row: EngineRequest) -> None:
        """Prepare a request that is read for the first time: tokens that its grammar forces are read with its
        prompt.
        """
        self.counters.num_prompt_tokens += row.num_prompt_tokens
        self.counters.num_cached_prompt_tokens += row.num_cached_tokens
        with self.step_time.trial():
            taken = row.jump(time.perf_counter(), MAX_JUMP_TOKENS)
        self.counters.count_jumps([taken])
        if row.is_finished:
            self._end(row)
        elif row.state is RowState.BUILDING:
            self._slow_rows.add(row)

    def _preempt(self, row: EngineRequest) -> None:
        self.counters.num_preemptions += 1
        if row in self._batch:
            self._batch.park([row])

    def _drop_ended(self) -> None:
        """Remove requests that their readers ended or whose deadline is over."""
        now = time.monotonic()
        rows = self.scheduler.running
        if self.scheduler.waiting:
            rows = rows + self._some_waiting(now)
        gone = [row for row in rows if row.must_end(now)]
        if gone:
            for row in gone:
                if row.is_ended():
                    row.leave()
                else:
                    row.fail(DeadlineExceededError(), time.perf_counter())
            self._batch.drop(gone)
            for row in gone:
                self._end(row)

    def _some_waiting(self, now: float) -> list[EngineRequest]:
        """The next part of the waiting rows to check for their end. now: `time.monotonic()`."""
        waiting = self.scheduler.waiting
        size = LOOKED_WAITING + int(LOOKED_A_SECOND * min(1.0, now - self._looked_s))
        self._looked_s = now
        start = self._next_look if self._next_look < len(waiting) else 0
        self._next_look = start + size
        return waiting.part(start, size)

    def _drop_finished(self) -> None:
        """Remove finished rows from the batch, and let particles at the end of their block rest."""
        finished = [row for row in self._batch.rows if row.is_finished]
        if finished:
            self._batch.drop(finished)
            for row in finished:
                self._end(row)
        if self.runs:
            self.scheduler.rest([row for row in self._batch.rows if row.is_at_block_end])

    def _run_particles(self) -> None:
        """Continue particle runs whose particles have all finished a block, and send the events of runs that are
        over.
        """
        for run in self.runs.copy():
            failure = GenerationCancelledError() if run.is_left else run.failure
            try:
                is_over = failure is not None or (run.is_at_end_of_block and self._end_block(run))
            except Exception as error:  # noqa: BLE001 - a state can't be copied, such as a processor's
                failure = error if isinstance(error, GuidedError) else EngineFailureError("a fork", error)
                is_over = True
            if failure is not None:
                self._outbox += run.failed(failure)
            if is_over:
                self.runs.remove(run)
                run.leave()

    def _end_block(self, run: ParticleRun) -> bool:
        """Draw the particles again if their weights require it, and let them continue. Returns True if all have
        ended.
        """
        sources = None if run.is_done else run.draw_anew()
        if sources is not None:
            self._fork(run.rows, sources)
        if run.is_done:
            self._outbox += run.results()
        else:
            run.go_on()
        return run.is_done

    def _fork(self, rows: Sequence[EngineRequest], sources: Sequence[EngineRequest]) -> None:
        """Make each row a copy of its source."""
        forks = [(row, source) for row, source in zip(rows, sources, strict=True) if row is not source]
        for row, source in forks:
            if not row.is_finished:
                self.scheduler.remove(row)
            row.go_on_as(source)
            if not row.is_finished:
                self.scheduler.fork(row, source)
        alive = [(row, source) for row, source in zip(rows, sources, strict=True) if not row.is_finished]
        self._batch.fork([row for row, _ in alive], [source for _, source in alive])

    def _fail(self, rows: Sequence[EngineRequest], error: GuidedError) -> None:
        for row in rows:
            if not row.is_finished:
                row.fail(error, time.perf_counter())
        self._batch.drop(rows)
        for row in rows:
            if row in self.scheduler.running or row in self.scheduler.waiting:
                self._end(row)

    def _end(self, row: EngineRequest) -> None:
        """Remove a request that is over, and free its pages."""
        self._slow_rows.remove(row)
        self.scheduler.remove(row)
        if self.observers and not row.is_paused:
            tell(self.observers, "on_request_end", _request_record(row))

    def _post(self, row: EngineRequest, event: TokenEvent) -> None:
        """Let an event wait for the end of the step."""
        self._outbox.append((row, event))

    def _give_events(self) -> None:
        """Send the events of the step. The call comes last, so that a reader that sees the end finds the pages free."""
        events, self._outbox = self._outbox, []
        for row, event in events:
            try:
                row.sink(event)
            except Exception as error:  # noqa: BLE001 - a fault of a sink ends its own request only
                row.fail_sink(event, error)

    def _note(self, plan: StepPlan, total_s: float) -> None:
        """Count the step, and tell the observers."""
        counters = self.counters
        counters.num_steps += 1
        before, self._before = self._before, counters.new_tokens
        if self.observers:
            num_new, num_forced, num_saved = map(sub, self._before, before)
            record = StepRecord(
                num_rows=len(plan.parts),
                num_prefill_tokens=plan.num_prefill_tokens,
                num_new_tokens=num_new,
                num_forced_tokens=num_forced,
                num_saved_passes=num_saved,
                forward_s=self._forward_s,
                mask_s=self._masks.mask_s,
                sample_s=self._sample_s,
                total_s=total_s,
            )
            tell(self.observers, "on_step", record)
        self._sample_s = 0.0


def _do_nothing() -> None:
    """Do nothing: the default of the attribute `on_built`."""


def rows_with_one_choice(bitmask: Bitmask) -> list[bool]:
    """For each row of a bitmask, int32 (B, W): True if it allows exactly one token."""
    num_allowed = np.bitwise_count(bitmask.view(np.uint32)).sum(axis=1, dtype=np.int64)
    has_one: list[bool] = (num_allowed == 1).tolist()
    return has_one


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
        finish_reason="length" if row.finish_reason == "stop" and row.was_cut else row.finish_reason,
    )
