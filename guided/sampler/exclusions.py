"""Why a row has no token left: how many tokens each step of its sampling ruled out. Slow; for messages of errors."""

from __future__ import annotations

from typing import NamedTuple

import torch

from ..masks import AnyBitmask, apply_bitmask_inplace
from .batch import SamplingBatch


class Exclusion(NamedTuple):
    """Who excluded what. reason: part of a sentence. param: the field of SamplingParams that took the last tokens."""

    reason: str
    param: str | None


def explain_no_allowed(logits: torch.Tensor, batch: SamplingBatch, row: int, bitmask: AnyBitmask | None) -> Exclusion:
    """Who excluded what in a row that `Sampler.sample` marked with `no_allowed`.

    logits, bitmask: those of that step. batch: as it was then, before it accepted the step's tokens.
    """
    left = torch.zeros((1, batch.vocab_size), device=batch.device)
    if bitmask is not None:
        apply_bitmask_inplace(left, bitmask[row : row + 1])
    num_allowed = _num_left(left)
    if bitmask is not None and not num_allowed:
        return Exclusion("the grammar allows none", None)
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
    return Exclusion(f"{subject}, of which {', '.join(reasons)}", param)


def _num_left(left: torch.Tensor) -> int:
    return int((left != -torch.inf).sum())
