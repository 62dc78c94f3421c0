"""`xtc`: "exclude top choices". Sometimes the most obvious tokens are excluded, so that a less obvious good one is
drawn.

P. E. Weidmann, "Exclude Top Choices (XTC)" (text-generation-webui, pull request 6335, 2024). Let p be the softmax of
the logits, at temperature 1 over the allowed tokens, and T = {t: p(t) >= threshold} the top choices. If T has at least
two tokens, T is excluded with the given probability. Its least probable token, and tokens equal to that, always stay.
If this would exclude a protected token (the end of the text, a line break), nothing is excluded.

The decision in a step depends only on the request's seed and position. The decision uses the uniform numbers of
`draws.py`'s hash with another seed than the draw, so both are independent.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import torch
from pydantic import Field

from ..draws import KEPT_SHARE, hash_columns, to_uniform
from .base import CustomLogitProcessor
from .rows import ProcessorRow, RowGroup
from .token_lists import TokenId

if TYPE_CHECKING:
    from guided.grammars.vocabulary import Vocabulary

_SEED_SALT = 0x5854_4367_617465  # any nonzero number below 2**63; gives a stream apart from that of the draws


@dataclass(frozen=True)
class XtcParams:
    """The parameters of `xtc`.

    threshold: minimum probability of a top choice, with the tolerance of top-p; above 0.5 there are never two top
        choices.
    probability: probability of excluding them in a step.
    protected_token_ids: tokens that are never excluded; None: tokens that end the text, and the token of a single line
        break.
    """

    threshold: Annotated[float, Field(gt=0, le=1)] = 0.1
    probability: Annotated[float, Field(ge=0, le=1)] = 0.5
    protected_token_ids: tuple[TokenId, ...] | None = None


class Xtc(CustomLogitProcessor):
    """Excludes top choices, see the module."""

    params_type = XtcParams
    order = 70
    is_trusted = True

    def __call__(self, logits: torch.Tensor, group: RowGroup) -> torch.Tensor:
        seen = group.allowed_logits(logits)
        # At most 1 / threshold tokens can reach the threshold, so only that many are considered.

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
    """The protected tokens of a row."""
    listed = row.params.protected_token_ids
    return {*row.end_token_ids, *_line_breaks(row.vocabulary)} if listed is None else listed


def _line_breaks(vocabulary: Vocabulary | None) -> list[int]:
    return [] if vocabulary is None else vocabulary.sorted_tokens.ids_of(b"\n")
