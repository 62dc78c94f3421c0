"""`xtc`: "exclude top choices", which sometimes rules out the obvious tokens and leaves a less obvious good one.

P. E. Weidmann, "Exclude Top Choices (XTC)" (text-generation-webui, pull request 6335, 2024). With p = softmax of the
logits (at temperature 1, over the tokens that the grammar allows) and the top choices T = {t: p(t) >= threshold}: where
T has at least two tokens, then with the given probability all of T is ruled out but its least probable token (and those
that tie with it). Where that would rule out a protected token (the end of the text, a line break), nothing is.

Whether it happens at a step is a function of the request's seed and its position alone: the uniform of `gumbel.py`'s
hash, under another seed than the draw itself, so that both are independent.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import torch
from pydantic import Field

from ..sampler.filters import KEPT_SHARE, hash_columns, to_uniform
from .base import CustomLogitProcessor
from .rows import ProcessorRow, RowGroup
from .token_lists import TokenId

if TYPE_CHECKING:
    from guided.grammars.vocabulary import Vocabulary

_SEED_SALT = 0x5854_4367_617465  # any number below 2**63 that is not 0: makes a stream beside the one of the draws


@dataclass(frozen=True)
class XtcParams:
    """threshold: of a top choice's probability, with the tolerance of top-p; above 0.5 there are never two.

    probability: of doing it at a step.
    protected_token_ids: None: what ends the text, and the token of a single line break.
    """

    threshold: Annotated[float, Field(gt=0, le=1)] = 0.1
    probability: Annotated[float, Field(ge=0, le=1)] = 0.5
    protected_token_ids: tuple[TokenId, ...] | None = None


class Xtc(CustomLogitProcessor):
    """See the module."""

    params_type = XtcParams
    order = 70
    is_trusted = True

    def __call__(self, logits: torch.Tensor, group: RowGroup) -> torch.Tensor:
        seen = group.allowed_logits(logits)
        # No more than 1 / threshold tokens can reach the threshold, so only so many are looked at.

        most = group.cached("most", lambda: int(1.0 / (KEPT_SHARE * min(row.params.threshold for row in group))) + 1)
        top, ids = seen.topk(min(most, logits.shape[1]), dim=1)
        probabilities = (top - seen.logsumexp(dim=1, keepdim=True)).to(torch.float64).exp()
        is_top = probabilities >= group.column("threshold", probabilities) * KEPT_SHARE
        least = torch.where(is_top, top, torch.inf).amin(dim=1, keepdim=True)
        excluded = is_top & (top > least)
        is_on = xtc_uniforms(group, logits.device) < group.column("probability", probabilities)
        blocks = (excluded & group.token_mask("protected", logits, _protected).gather(1, ids)).any(dim=1, keepdim=True)
        kept = logits.gather(1, ids)
        return logits.scatter_(1, ids, kept.masked_fill(excluded & is_on & ~blocks, -torch.inf))


def xtc_uniforms(rows: Sequence[ProcessorRow], device: torch.device) -> torch.Tensor:
    """The number in (0, 1) that decides for each row at its position, (R, 1) float64."""
    seeds = torch.tensor([row.seed ^ _SEED_SALT for row in rows], dtype=torch.int64, device=device)
    positions = torch.tensor([row.position for row in rows], dtype=torch.int64, device=device)
    return to_uniform(hash_columns(seeds, positions, 1)).to(torch.float64)


def _protected(row: ProcessorRow) -> Collection[int]:
    """The protected tokens."""
    listed = row.params.protected_token_ids
    return {*row.end_token_ids, *_line_breaks(row.vocabulary)} if listed is None else listed


def _line_breaks(vocabulary: Vocabulary | None) -> list[int]:
    return [] if vocabulary is None else vocabulary.sorted_tokens.ids_of(b"\n")
