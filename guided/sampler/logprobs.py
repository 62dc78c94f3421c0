"""Log-probabilities: of a chosen token, of the most probable tokens, of given tokens; and the mass that a mask
excludes.

`raw` is the model's own distribution, the softmax of its logits at temperature 1. `processed` is the distribution that
a row is drawn from, after penalties, bias, mask, temperature and filters. Greedy rows have only penalties, bias and
mask. NaN logits count as the lowest value, as everywhere in sampling.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import torch

from guided.grammars.errors import InvalidInputError

from ..masks import AnyBitmask, apply_bitmask_inplace
from .filters import without_nan


@dataclass(frozen=True)
class LogprobsOutput:
    """Log-probabilities of B tokens, one for each row, on the logits' device. Natural logarithms; -inf for a banned
    token.

    chosen: (B,) float32, log-probability of the row's own token.
    ranks: (B,) int64, 1 for the most probable token; equally probable tokens share a rank.
    top_ids (B, K) int32, top_logprobs (B, K) float32: the K most probable tokens, most probable first.
    given_ids (B, G) int32, given_logprobs (B, G) float32: the tokens requested by id; then -1 and NaN.
    masked_mass: (B,) float32, share of the model's own probability that the bitmask excluded.
    processed: (B,) float32, log-probability of the row's own token in the distribution that it was drawn from; NaN in
        rows that asked for raw log-probabilities only.
    processed_top_ids (B, K) int32, processed_top_logprobs (B, K) float32: the K most probable tokens of that
    distribution.
    Rows that asked for nothing have NaN and 0. Rows that asked for fewer than K tokens have more.
    """

    chosen: torch.Tensor
    ranks: torch.Tensor
    top_ids: torch.Tensor
    top_logprobs: torch.Tensor
    given_ids: torch.Tensor
    given_logprobs: torch.Tensor
    masked_mass: torch.Tensor
    processed: torch.Tensor
    processed_top_ids: torch.Tensor
    processed_top_logprobs: torch.Tensor


def compute_logprobs_only(
    logits: torch.Tensor, token_ids: torch.Tensor, num_top: int = 0, given_ids: torch.Tensor | None = None
) -> LogprobsOutput:
    """Score tokens without drawing any: no temperature, no filters, no masks.

    logits: (N, V) float, any device, not changed.
    token_ids: (N,) integer, same device; -1 for none, which gets NaN.
    num_top: number of most probable tokens to list, at most V.
    given_ids: (N, G) integer, same device, -1 for none.
    masked_mass of the result is 0. Raises InvalidInputError for wrong shapes.
    """
    _check(logits, token_ids, num_top, given_ids)
    if given_ids is None:
        given_ids = token_ids.new_zeros((len(token_ids), 0))
    harmless = without_nan(logits)
    normalisers = harmless.logsumexp(dim=1, keepdim=True)
    own = harmless.gather(1, token_ids.to(torch.int64).clamp(min=0).unsqueeze(1))
    top = harmless.topk(num_top, dim=1)
    given = harmless.gather(1, given_ids.to(torch.int64).clamp(min=0))
    return LogprobsOutput(
        chosen=_logprobs(own, normalisers).squeeze(1).masked_fill(token_ids < 0, torch.nan),
        ranks=(harmless > own).sum(dim=1) + 1,
        top_ids=top.indices.to(torch.int32),
        top_logprobs=_logprobs(top.values, normalisers),
        given_ids=given_ids.to(torch.int32),
        given_logprobs=_logprobs(given, normalisers).masked_fill(given_ids < 0, torch.nan),
        masked_mass=torch.zeros(len(logits), dtype=torch.float32, device=logits.device),
        **blank_processed(len(logits), num_top, logits.device),
    )


def masked_mass(logits: torch.Tensor, bitmask: AnyBitmask) -> torch.Tensor:
    """The probability, under softmax(logits), of the tokens that the bitmask excludes; (N,) float32 in [0, 1].

    logits: (N, V) float, not changed.
    bitmask: (N, W) int32.
    """
    probabilities = without_nan(logits).softmax(dim=1)
    masked = torch.zeros_like(probabilities)
    apply_bitmask_inplace(masked, bitmask)
    ruled_out = torch.where(masked == -torch.inf, probabilities, 0.0).sum(dim=1, dtype=torch.float64)
    return ruled_out.clamp(max=1.0).to(torch.float32)


def blank_logprobs(num_rows: int, num_top: int, num_given: int, device: torch.device) -> LogprobsOutput:
    """The output of rows that asked for nothing, see `LogprobsOutput`."""

    def numbers(*shape: int) -> torch.Tensor:
        return torch.full((num_rows, *shape), torch.nan, dtype=torch.float32, device=device)

    def integers(dtype: torch.dtype, *shape: int) -> torch.Tensor:
        return torch.zeros((num_rows, *shape), dtype=dtype, device=device)

    return LogprobsOutput(
        chosen=numbers(),
        ranks=integers(torch.int64),
        top_ids=integers(torch.int32, num_top),
        top_logprobs=numbers(num_top),
        given_ids=integers(torch.int32, num_given),
        given_logprobs=numbers(num_given),
        masked_mass=numbers(),
        **blank_processed(num_rows, num_top, device),
    )


def blank_processed(num_rows: int, num_top: int, device: torch.device) -> dict[str, torch.Tensor]:
    """The fields about processed log-probabilities, filled with NaN and 0, for rows that did not ask for them."""
    return {
        "processed": torch.full((num_rows,), torch.nan, dtype=torch.float32, device=device),
        "processed_top_ids": torch.zeros((num_rows, num_top), dtype=torch.int32, device=device),
        "processed_top_logprobs": torch.full((num_rows, num_top), torch.nan, dtype=torch.float32, device=device),
    }


def write_rows_inplace(target: LogprobsOutput, rows: torch.Tensor, part: LogprobsOutput) -> None:
    """Write the log-probabilities of some rows, (R,) int64, into `target`, except the processed fields. K and G must be
    equal.
    """
    for field in fields(LogprobsOutput):
        if not field.name.startswith("processed"):
            getattr(target, field.name).index_copy_(0, rows, getattr(part, field.name))


def write_processed_inplace(target: LogprobsOutput, rows: torch.Tensor, part: LogprobsOutput) -> None:
    """Write the processed fields of some rows. part: log-probabilities in the distribution that these rows are drawn
    from.
    """
    target.processed.index_copy_(0, rows, part.chosen)
    target.processed_top_ids.index_copy_(0, rows, part.top_ids)
    target.processed_top_logprobs.index_copy_(0, rows, part.top_logprobs)


def with_processed(output: LogprobsOutput, part: LogprobsOutput) -> LogprobsOutput:
    """The output with processed fields for all rows. part: log-probabilities in the distribution that they are drawn
    from.
    """
    return replace(
        output,
        processed=part.chosen,
        processed_top_ids=part.top_ids,
        processed_top_logprobs=part.top_logprobs,
    )


def _logprobs(values: torch.Tensor, normalisers: torch.Tensor) -> torch.Tensor:
    return (values - normalisers).to(torch.float32)


def _check(logits: torch.Tensor, token_ids: torch.Tensor, num_top: int, given_ids: torch.Tensor | None) -> None:
    if logits.dim() != 2 or not logits.is_floating_point():
        raise InvalidInputError(f"logits must be (N, V) float, not {tuple(logits.shape)} {logits.dtype}")
    if tuple(token_ids.shape) != (len(logits),):
        raise InvalidInputError(f"token_ids must be ({len(logits)},) for these logits, not {tuple(token_ids.shape)}")
    if not 0 <= num_top <= logits.shape[1]:
        raise InvalidInputError(f"num_top must be in [0, {logits.shape[1]}] for these logits, not {num_top}")
    if given_ids is not None and (given_ids.dim() != 2 or len(given_ids) != len(logits)):
        raise InvalidInputError(f"given_ids must be ({len(logits)}, G) for these logits, not {tuple(given_ids.shape)}")
