"""`Sampler`: one step for a batch, from the model's logits to tokens and log-probabilities.

The steps in order; each is skipped if no row needs it. First the model's own scale and softcap; then penalties, logit
bias, bad words and allowed tokens; the ban of early ends; custom processors. A row whose next token the caller has
decided, to end its thinking, keeps only that token. Then in the backend NaN guard, bitmask, temperature, top-k, top-p,
min-p and draw. Last, log-probabilities.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import torch
from torch import distributed

from guided.grammars.bitset import BITS_PER_WORD, allocate_bitmask, bit
from guided.grammars.errors import InvalidInputError

from ..masks import AnyBitmask, apply_bitmask_inplace, check_bitmask_fits, force_token_inplace
from .batch import SamplingBatch
from .filters import widened
from .logprobs import LogprobsOutput, blank_logprobs, with_processed, write_processed_inplace, write_rows_inplace
from .reference import SamplerBackend, SamplerOutput
from .registry import AUTO, check_backend_name, fastest_backend_name, load_sampler_backend

SYNC_VARIABLE = "SYNC_TOKEN_IDS_ACROSS_TP"  # environment variable, the same as SGLang's
_SWITCHES = {"1": True, "true": True, "0": False, "false": False, "": False}


class Sampler:
    """Chooses the next token of every row of a batch. For one thread at a time.

    backend: a registered name; "reference" is plain torch on any device. "auto" is the fastest one for the tensors'
        device, loaded at the first step on that device.
    logit_scale, softcap: operations that some models leave to the sampler: logits * logit_scale, then softcap *
        tanh(logits / softcap). `transformers` models do both themselves; None means off.
    process_group: the ranks of a tensor-parallel model, which all sample the same batch. Steps with a bitmask are then
        collective, and all ranks take the same tokens (`agree_on_tokens`). With SYNC_TOKEN_IDS_ACROSS_TP=1 in the
        environment, all other steps are too. None: this process is alone.
    Raises UnknownBackendError, which lists the known names, for an unknown backend. Raises InvalidInputError for a
    scale or cap that is not a finite number above 0. The sampler keeps a buffer as large as the largest logits it was
    given.
    """

    def __init__(
        self,
        backend: str = AUTO,
        *,
        logit_scale: float | None = None,
        softcap: float | None = None,
        process_group: distributed.ProcessGroup | None = None,
    ) -> None:
        for name, value in (("logit_scale", logit_scale), ("softcap", softcap)):
            if value is not None and not (math.isfinite(value) and value > 0):
                raise InvalidInputError(f"{name} must be a finite number above 0 or None, not {value!r}")
        self.backend = backend
        self.logit_scale = logit_scale
        self.softcap = softcap
        self.process_group = process_group
        self._syncs_every_step = process_group is not None and syncs_every_step()
        check_backend_name(backend)
        self._backends: dict[torch.device, SamplerBackend] = {}
        self._room: torch.Tensor | None = None

    def backend_for(self, device: torch.device) -> SamplerBackend:
        """The backend that samples tensors on `device`."""
        if device not in self._backends:
            name = fastest_backend_name(device) if self.backend == AUTO else self.backend
            self._backends[device] = load_sampler_backend(name)
        return self._backends[device]

    def sample(
        self,
        logits: torch.Tensor,
        batch: SamplingBatch,
        bitmask: AnyBitmask | None = None,
        unbounded: UnboundedMasks | None = None,
        decided: Mapping[int, int] | None = None,
    ) -> SamplerOutput:
        """Choose a token for each row. Logits and batch are not changed; the same arguments give the same tokens.

        logits: (B, V) float, V = batch.vocab_size, on the batch's device. NaN counts as the lowest value.
        batch: parameters and state of the rows.
        bitmask: (B, W) int32, numpy or torch; None allows everything. Logits columns past it are banned.
        unbounded: other masks for some rows; `unbounded_token_ids` then contains what those rows would have drawn.
        decided: row -> the token that it takes, even if something other than the bitmask excludes it. None: no row is
            decided.
        Raises InvalidInputError for wrong shapes, dtypes or devices, VocabularyMismatchError for a bitmask wider than
        the logits.
        """
        _check(logits, batch, bitmask)
        if isinstance(bitmask, np.ndarray) and batch.device.type != "cpu":
            bitmask = torch.from_numpy(bitmask).to(batch.device)
        backend = self.backend_for(batch.device)
        model_logits = self.model_logits(logits)
        work = self._work_on(model_logits, batch, backend, is_written=batch.adjusts_logits or bool(decided))
        if batch.adjustments.kinds:
            backend.adjust(work, batch)
        overruled = batch.ban_early_ends_inplace(work, bitmask)
        if not batch.processors.is_empty:
            batch.processors.apply(work, bitmask)
        for row, token_id in (decided or {}).items():
            force_token_inplace(work[row], token_id)
        processed = _processed_part(backend, work, batch, bitmask)
        wanted = None if unbounded is None else _choose_unbounded(backend, work, batch, unbounded)
        output = backend.choose(work, batch, bitmask)
        if self.process_group is not None and (bitmask is not None or self._syncs_every_step):
            output = agree_on_tokens(output, self.process_group)
        logprobs = _logprobs(backend, model_logits, processed, output.token_ids, batch, bitmask)
        if logprobs is None and overruled is None and wanted is None:
            return output
        return replace(output, logprobs=logprobs, min_new_tokens_overruled=overruled, unbounded_token_ids=wanted)

    def score_forced(self, logits: torch.Tensor, token_ids: Sequence[int], batch: SamplingBatch) -> LogprobsOutput:
        """Log-probabilities of tokens that a grammar forced: the result of `sample` with a bitmask that allows no other
        token.

        The batch's state has no effect, since a single allowed token is certain. A token that the model itself excludes
        has -inf.
        logits: (B, V) float, on the batch's device; not changed.
        token_ids: B ids.
        batch: each row's parameters, which all ask for log-probabilities.
        """
        device = batch.device
        backend = self.backend_for(device)
        model_logits = self.model_logits(logits)
        only = allocate_bitmask(len(token_ids), batch.vocab_size)
        for row, token_id in enumerate(token_ids):
            only[row, token_id // BITS_PER_WORD] = bit(token_id)
        bitmask = only if device.type == "cpu" else torch.from_numpy(only).to(device)
        processed = _processed_part(backend, widened(model_logits), batch, bitmask)
        forced = torch.tensor(token_ids, dtype=torch.int32, device=device)
        output = _logprobs(backend, model_logits, processed, forced, batch, bitmask)
        assert output is not None, "rows that ask for log-probabilities"
        return output

    def model_logits(self, logits: torch.Tensor) -> torch.Tensor:
        """The logits, scaled and softcapped if the model leaves that to the sampler.

        logits: (B, V) float; not changed.
        """
        if self.logit_scale is not None:
            logits = scale_model_logits(widened(logits), self.logit_scale)
        if self.softcap is not None:
            logits = softcap_logits(widened(logits), self.softcap)
        return logits

    def _work_on(
        self, model_logits: torch.Tensor, batch: SamplingBatch, backend: SamplerBackend, *, is_written: bool
    ) -> torch.Tensor:
        """Logits that the steps may write into: a copy, or the logits themselves if nothing writes.

        is_written: True: a step before the backend's writes into the logits.

        PERF: the copy uses a kept buffer, since page faults of fresh memory cost more than the copy itself.
        """
        is_written = is_written or not backend.keeps_logits
        is_wide = model_logits.dtype in (torch.float32, torch.float64)
        if not is_written and (is_wide or backend.widens_logits):
            return model_logits
        if not is_wide:
            return widened(model_logits)
        return self._room_like(model_logits).copy_(model_logits)

    def _room_like(self, logits: torch.Tensor) -> torch.Tensor:
        room = self._room
        is_usable = (
            room is not None
            and (room.dtype, room.device, room.shape[1]) == (logits.dtype, logits.device, logits.shape[1])
            and len(room) >= len(logits)
        )
        if room is None or not is_usable:
            with torch.inference_mode(False):  # the next step may run outside inference mode
                room = self._room = torch.empty_like(logits, memory_format=torch.contiguous_format)
        return room[: len(logits)]


class UnboundedMasks(NamedTuple):
    """Masks of some rows by their grammar alone, before the budget excluded tokens.

    rows: rows of the batch, ascending.
    bitmask: (R, W) int32, a row for each of them, on the logits' device.
    """

    rows: Sequence[int]
    bitmask: AnyBitmask

    def wanted(self, output: SamplerOutput) -> dict[int, int]:
        """The token that each of these rows would have drawn. output: of the same step."""
        assert output.unbounded_token_ids is not None, "it was sampled with these masks"
        return dict(zip(self.rows, output.unbounded_token_ids.tolist(), strict=True))


def _choose_unbounded(
    backend: SamplerBackend, work: torch.Tensor, batch: SamplingBatch, unbounded: UnboundedMasks
) -> torch.Tensor:
    """The tokens that these rows would draw, (R,), with the noise of this step; `work` is not changed."""
    rows = unbounded.rows
    part = work.index_select(0, batch.index_of(rows))
    return backend.choose(part, batch.parameters_of(rows), unbounded.bitmask).token_ids


def scale_model_logits(logits: torch.Tensor, scale: float) -> torch.Tensor:
    """logits * scale, a new tensor, for models whose output layer leaves this to the sampler (Cohere, Granite...)."""
    return logits * scale


def softcap_logits(logits: torch.Tensor, cap: float) -> torch.Tensor:
    """cap * tanh(logits / cap), a new tensor, which bounds logits to (-cap, cap) (Gemma 2's final softcapping). cap >
    0.

    A logit of -inf is a ban and stays one; the formula alone would raise it to -cap.
    """
    return (torch.tanh(logits / cap) * cap).masked_fill_(logits == -torch.inf, -torch.inf)


class ExcludedTokens(NamedTuple):
    """Why tokens were excluded. reason: part of a sentence. param: the field of SamplingParams that excluded the last
    tokens, or None.
    """

    reason: str
    param: str | None


def explain_no_allowed(
    logits: torch.Tensor, batch: SamplingBatch, row: int, bitmask: AnyBitmask | None
) -> ExcludedTokens:
    """Why a row that `Sampler.sample` marked in `no_allowed` has no token left. Slow; for error messages.

    logits, bitmask: those of that step.
    batch: the batch before it accepted the step's tokens.
    """
    left = torch.zeros((1, batch.vocab_size), device=batch.device)
    if bitmask is not None:
        apply_bitmask_inplace(left, bitmask[row : row + 1])
    num_allowed = _num_left(left)
    if bitmask is not None and not num_allowed:
        return ExcludedTokens("the grammar allows none", None)
    reasons: list[str] = []
    param = None
    work = logits[row : row + 1].float().clone()
    left.masked_fill_(work == -torch.inf, -torch.inf)
    if num_allowed > _num_left(left):
        reasons.append(f"the model excludes {num_allowed - _num_left(left)}")
    adjustments = batch.adjustments.select([row])
    for adjustment in adjustments.kinds:
        before = _num_left(left)
        adjustment.apply_inplace(adjustments.columns, work)
        left.masked_fill_(work == -torch.inf, -torch.inf)
        if before > _num_left(left):
            reasons.append(f"{adjustment.name} excludes {before - _num_left(left)}")
            param = adjustment.name
    if _num_left(left):
        reasons.append(f"the processors {', '.join(batch.processors.names_of(row))} exclude {_num_left(left)}")
        param = "logit_processors"
    subject = f"the grammar allows {num_allowed}" if bitmask is not None else f"there are {num_allowed}"
    return ExcludedTokens(f"{subject}, of which {', '.join(reasons)}", param)


def _num_left(left: torch.Tensor) -> int:
    return int((left != -torch.inf).sum())


def syncs_every_step() -> bool:
    """True if the environment asks ranks to agree on tokens in every step, not only in steps with a grammar.

    Raises InvalidInputError for a value other than 1, true, 0 or false.
    """
    value = os.environ.get(SYNC_VARIABLE, "")
    if value.lower() not in _SWITCHES:
        raise InvalidInputError(f"the environment's {SYNC_VARIABLE} must be 1, true, 0 or false, not {value!r}")
    return _SWITCHES[value.lower()]


def agree_on_tokens(output: SamplerOutput, process_group: distributed.ProcessGroup) -> SamplerOutput:
    """The output that all ranks of the group share: in each row the smallest token id that any rank chose.

    Each rank computes the same logits except for the last bits, which depend on the order of a reduction. If two tokens
    are that close, ranks could choose differently, and under a grammar their automata would then diverge permanently.

    Collective: every rank of `process_group` must call it, with outputs of the same rows in the same order. A row
    without an allowed token on some rank ends on all ranks. The given output is not changed.
    """
    token_ids = output.token_ids.clone()
    distributed.all_reduce(token_ids, op=distributed.ReduceOp.MIN, group=process_group)
    return replace(output, token_ids=token_ids)


def _logprobs(
    backend: SamplerBackend,
    model_logits: torch.Tensor,
    processed: torch.Tensor | None,
    token_ids: torch.Tensor,
    batch: SamplingBatch,
    bitmask: AnyBitmask | None,
) -> LogprobsOutput | None:
    """The log-probabilities that rows asked for, with the batch's rows; None if no row did."""
    if not batch.logprob_rows:
        return None
    num_top, given_ids = batch.max_num_logprobs, batch.given_ids

    def score(rows: Sequence[int], logits: torch.Tensor) -> LogprobsOutput:
        """The log-probabilities of these rows. logits: (R, V) of these rows."""
        if len(rows) == len(batch):
            return backend.gather_logprobs(logits, token_ids, num_top, given_ids)
        index = batch.index_of(rows)
        return backend.gather_logprobs(logits, token_ids[index], num_top, given_ids[index])

    raw_rows, drawn_rows = batch.raw_logprob_rows, batch.processed_logprob_rows
    raw = score(raw_rows, _rows_of(model_logits, batch, raw_rows)) if raw_rows else None
    drawn = None if processed is None else score(drawn_rows, processed)
    if raw is not None and len(raw_rows) == len(batch):  # PERF: no rows have to be written into place
        output = raw
    else:
        output = blank_logprobs(len(batch), num_top, given_ids.shape[1], batch.device)
        # If a row asks for both, the raw log-probabilities are written last and stay.
        for rows, part in ((drawn_rows, drawn), (raw_rows, raw)):
            if part is not None:
                write_rows_inplace(output, batch.index_of(rows), part)
    if drawn is not None and output is raw and len(drawn_rows) == len(batch):
        output = with_processed(output, drawn)
    elif drawn is not None:
        write_processed_inplace(output, batch.index_of(drawn_rows), drawn)
    if bitmask is not None:
        rows = batch.logprob_rows
        mass = backend.masked_mass(_rows_of(model_logits, batch, rows), _mask_rows(bitmask, batch, rows))
        output.masked_mass.index_copy_(0, batch.index_of(rows), mass)
    return output


def _processed_part(
    backend: SamplerBackend, work: torch.Tensor, batch: SamplingBatch, bitmask: AnyBitmask | None
) -> torch.Tensor | None:
    """The logits that rows with processed log-probabilities are drawn from, (R, V); None if no row asks for them."""
    if not batch.processed_logprob_rows:
        return None
    rows = batch.processed_logprob_rows
    mask = None if bitmask is None else _mask_rows(bitmask, batch, rows)
    return backend.process(_rows_of(work, batch, rows), batch.processed_part, mask)


def _rows_of(logits: torch.Tensor, batch: SamplingBatch, rows: Sequence[int]) -> torch.Tensor:
    """The logits of these rows, ascending; not copied if they are all rows."""
    return logits if len(rows) == len(batch) else logits.index_select(0, batch.index_of(rows))


def _mask_rows(bitmask: AnyBitmask, batch: SamplingBatch, rows: Sequence[int]) -> AnyBitmask:
    return bitmask if len(rows) == len(batch) else torch.as_tensor(bitmask).index_select(0, batch.index_of(rows))


def _check(logits: torch.Tensor, batch: SamplingBatch, bitmask: AnyBitmask | None) -> None:
    if logits.shape != (len(batch), batch.vocab_size) or not logits.is_floating_point():
        raise InvalidInputError(
            f"logits must be ({len(batch)}, {batch.vocab_size}) float for this batch, "
            f"not {tuple(logits.shape)} {logits.dtype}"
        )
    if logits.device != batch.device:
        raise InvalidInputError(f"logits on {logits.device} and the batch on {batch.device} must be on one device")
    if bitmask is not None:
        check_bitmask_fits(logits, bitmask)
