"""Filters and draws as functions of a tensor, for code that does not use `Sampler`.

Names and argument order follow FlashInfer and SGLang. On the CPU, compiled loops draw; the rest is plain torch, where
top-p sorts. All filters are exact. Values equal to the k-th largest are kept. Top-p keeps the smallest set whose mass
reaches it, at least one token; equal values are taken in the order of their ids. Arguments that may differ between rows
(top_k, top_p, min_p, seed, position) are a number or a (B,) tensor on the same device.

NaN counts as 0 in probabilities and as the lowest value in logits. check_nan=True refuses NaN, and waits for the
device.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Literal, NamedTuple

import torch

from guided.grammars.errors import InvalidInputError

from ..draws import KEPT_SHARE, exponential_noise, gumbel_noise
from ..processors.pipeline import SEED_BITS
from .filters import relative_probabilities, scale_logits, top_k_keeps, top_p_keeps, widened, without_nan
from .reference import NO_TOKEN_ID

FilterApplyOrder = Literal["top_k_first", "joint"]


def top_k_renorm_probs(probs: torch.Tensor, top_k: int | torch.Tensor) -> torch.Tensor:
    """Keep the top_k largest probabilities of each row and renormalise them; the others become 0.

    probs: (B, V) float.
    top_k: below 1, or V and more, means off.
    Returns (B, V) float32, or float64 for float64.
    """
    probs = _checked("probs", probs, False)
    weights = _as_weights(probs)
    return _renormalised(weights, _top_k_keeps(weights, _top_ks(top_k, probs)))


def top_p_renorm_probs(probs: torch.Tensor, top_p: float | torch.Tensor) -> torch.Tensor:
    """Keep each row's nucleus, the most probable tokens whose mass reaches top_p, and renormalise it; the others become
    0.

    probs: (B, V) float.
    top_p: in [0, 1]; 1 means off.
    Returns (B, V) float32, or float64 for float64.
    """
    probs = _checked("probs", probs, False)
    weights = _as_weights(probs)
    return _renormalised(weights, top_p_keeps(weights, _shares("top_p", top_p, probs), weights.to(torch.float64)))


def top_k_mask_logits(logits: torch.Tensor, top_k: int | torch.Tensor) -> torch.Tensor:
    """Keep the top_k largest logits of each row; the others become -inf. NaN and +inf are first replaced by finite
    values.

    logits: (B, V) float.
    top_k: below 1, or V and more, means off.
    Returns (B, V) of the same dtype.
    """
    dtype = logits.dtype
    logits = _checked("logits", logits, False)
    finite = torch.finfo(dtype)
    logits = torch.nan_to_num(logits, nan=finite.min, posinf=finite.max, neginf=-torch.inf)
    return logits.masked_fill(~_top_k_keeps(logits, _top_ks(top_k, logits)), -torch.inf).to(dtype)


class Stream(NamedTuple):
    """The arguments that determine a draw beside the filters, see `top_k_top_p_sampling_from_probs`."""

    indices: torch.Tensor | None
    deterministic: bool
    generator: torch.Generator | None
    check_nan: bool
    seed: int | torch.Tensor | None
    position: int | torch.Tensor


def top_p_sampling_from_probs(
    probs: torch.Tensor,
    top_p: float | torch.Tensor,
    indices: torch.Tensor | None = None,
    deterministic: bool = True,
    generator: torch.Generator | None = None,
    check_nan: bool = False,
    seed: int | torch.Tensor | None = None,
    position: int | torch.Tensor = 0,
) -> torch.Tensor:
    """Draw one token for each row from its nucleus. Arguments as in `top_k_top_p_sampling_from_probs`."""
    stream = Stream(indices, deterministic, generator, check_nan, seed, position)
    return _draw_from_probs(probs, 0, top_p, 0.0, False, stream)


def min_p_sampling_from_probs(
    probs: torch.Tensor,
    min_p: float | torch.Tensor,
    indices: torch.Tensor | None = None,
    deterministic: bool = True,
    generator: torch.Generator | None = None,
    check_nan: bool = False,
    seed: int | torch.Tensor | None = None,
    position: int | torch.Tensor = 0,
) -> torch.Tensor:
    """Draw one token for each row from those at least min_p times as probable as the most probable one.

    min_p: in [0, 1]; 0 means off. Other arguments as in `top_k_top_p_sampling_from_probs`.
    """
    stream = Stream(indices, deterministic, generator, check_nan, seed, position)
    return _draw_from_probs(probs, 0, 1.0, min_p, False, stream)


def top_k_top_p_sampling_from_probs(
    probs: torch.Tensor,
    top_k: int | torch.Tensor,
    top_p: float | torch.Tensor,
    indices: torch.Tensor | None = None,
    filter_apply_order: FilterApplyOrder = "top_k_first",
    deterministic: bool = True,
    generator: torch.Generator | None = None,
    check_nan: bool = False,
    seed: int | torch.Tensor | None = None,
    position: int | torch.Tensor = 0,
) -> torch.Tensor:
    """Draw one token for each row from what top-k and top-p keep.

    probs: (B, V) float; rows need not sum to 1.
    top_k: below 1, or V and more, means off.
    top_p: in [0, 1]; 1 means off.
    indices: (D,) int32 or int64, the row of each draw, for several draws from one row. Seed and position then belong to
        draws, top_k and top_p still to rows. None: one draw from each row, D = B.
    filter_apply_order: "top_k_first": top_p is a share of the mass that top_k keeps; "joint": of the whole mass.
    deterministic: False: without seed and generator, seeds come from the operating system.
    generator: source of seeds that are not given; None: torch's default generator.
    check_nan: refuse NaN with InvalidInputError.
    seed, position: the random stream and the position in it, at least 0. A draw depends only on these, not on the
        batch. A number as seed gives row i the seed + i.
    Returns (D,) int32; NO_TOKEN_ID if no probability is above 0.
    Raises InvalidInputError, which names the argument, for wrong shapes, dtypes or numbers.
    """
    stream = Stream(indices, deterministic, generator, check_nan, seed, position)
    return _draw_from_probs(probs, top_k, top_p, 0.0, _is_joint(filter_apply_order), stream)


def top_k_top_p_sampling_from_logits(
    logits: torch.Tensor,
    top_k: int | torch.Tensor,
    top_p: float | torch.Tensor,
    indices: torch.Tensor | None = None,
    filter_apply_order: FilterApplyOrder = "top_k_first",
    deterministic: bool = True,
    generator: torch.Generator | None = None,
    check_nan: bool = False,
    seed: int | torch.Tensor | None = None,
    position: int | torch.Tensor = 0,
) -> torch.Tensor:
    """Draw from logits (B, V) float: the token that `Sampler` draws at temperature 1 with that seed and position.

    Other arguments as in `top_k_top_p_sampling_from_probs`.
    """
    stream = Stream(indices, deterministic, generator, check_nan, seed, position)
    (logits, top_ks, top_ps, min_ps), streams = _draws("logits", logits, top_k, top_p, 0.0, stream)
    is_joint = _is_joint(filter_apply_order)
    if logits.device.type == "cpu":
        from .numba_backend import draw_from_logits

        return draw_from_logits(logits, top_ks, top_ps, min_ps, is_joint, *streams)
    return plain_draw_from_logits(logits, top_ks, top_ps, is_joint, *streams)


top_k_renorm_prob = top_k_renorm_probs  # FlashInfer's older names
top_p_renorm_prob = top_p_renorm_probs


def _picked(indices: torch.Tensor | None, *by_row: torch.Tensor) -> Sequence[torch.Tensor]:
    """The rows to draw from, with their per-row values."""
    if indices is None:
        return by_row
    num_rows, device = len(by_row[0]), by_row[0].device
    if indices.dim() != 1 or indices.dtype not in (torch.int32, torch.int64) or indices.device != device:
        raise InvalidInputError(
            f"indices must be (D,) int32 or int64 on {device}, not {tuple(indices.shape)} {indices.dtype} on "
            f"{indices.device}"
        )
    if device.type == "cpu" and len(indices) and not 0 <= int(indices.min()) <= int(indices.max()) < num_rows:
        raise InvalidInputError(f"indices must be rows in [0, {num_rows - 1}], not {indices.tolist()}")
    return [rows.index_select(0, indices) for rows in by_row]


def plain_draw_from_logits(
    logits: torch.Tensor,
    top_ks: torch.Tensor,
    top_ps: torch.Tensor,
    is_joint: bool,
    seeds: torch.Tensor,
    positions: torch.Tensor,
) -> torch.Tensor:
    """Like `numba_backend.draw_from_logits`, in torch for any device."""
    harmless = without_nan(logits)
    scaled = scale_logits(harmless, torch.ones(len(logits), device=logits.device))
    filtered = scaled.masked_fill(~_top_k_keeps(scaled, top_ks), -torch.inf)
    seen = scaled if is_joint else filtered
    filtered = filtered.masked_fill(~top_p_keeps(seen, top_ps, relative_probabilities(seen)), -torch.inf)
    token_ids = (filtered + gumbel_noise(seeds, positions, logits.shape[1])).argmax(dim=1)
    return token_ids.masked_fill(harmless.amax(dim=1).isneginf(), NO_TOKEN_ID).to(torch.int32)


def _draw_from_probs(
    probs: torch.Tensor,
    top_k: int | torch.Tensor,
    top_p: float | torch.Tensor,
    min_p: float | torch.Tensor,
    is_joint: bool,
    stream: Stream,
) -> torch.Tensor:
    """Draw as argmax(probability / exponential noise) over what the filters keep. The result equals argmax(logarithm +
    Gumbel noise).
    """
    (probs, top_ks, top_ps, min_ps), streams = _draws("probs", probs, top_k, top_p, min_p, stream)
    weights = _as_weights(probs)
    if weights.device.type == "cpu" and weights.dtype == torch.float32:  # float64 keeps the logarithms apart
        from .numba_backend import draw_from_logits

        logits = weights.to(torch.float64).log()
        return draw_from_logits(logits, top_ks, top_ps, min_ps, is_joint, *streams)
    keeps = _top_k_keeps(weights, top_ks)
    seen = weights if is_joint else weights * keeps
    keeps &= top_p_keeps(seen, top_ps, seen.to(torch.float64))
    least = min_ps.to(torch.float64) * KEPT_SHARE * weights.amax(dim=1).to(torch.float64)
    keeps &= weights.to(torch.float64) >= least.unsqueeze(1)
    scores = (weights * keeps).to(torch.float64) / exponential_noise(*streams, probs.shape[1])
    token_ids = scores.argmax(dim=1).masked_fill(scores.amax(dim=1) <= 0.0, NO_TOKEN_ID)
    return token_ids.to(torch.int32)


def _as_weights(probs: torch.Tensor) -> torch.Tensor:
    """Probabilities with NaN and negative values replaced by 0, and +inf by the highest finite number."""
    return torch.nan_to_num(probs, nan=0.0, posinf=torch.finfo(probs.dtype).max, neginf=0.0).clamp(min=0.0)


def _top_k_keeps(values: torch.Tensor, top_ks: torch.Tensor) -> torch.Tensor:
    if values.device.type != "cpu":
        return top_k_keeps(values, top_ks, values.shape[1])  # avoids asking the device for the largest
    limited = top_ks[top_ks < values.shape[1]]
    return top_k_keeps(values, top_ks, int(limited.max()) if len(limited) else 1)


def _renormalised(weights: torch.Tensor, keeps: torch.Tensor) -> torch.Tensor:
    kept = (weights * keeps).to(torch.float64)
    total = kept.sum(dim=1, keepdim=True)
    return torch.where(total > 0.0, kept / total, 0.0).to(weights.dtype)


def _checked(name: str, tensor: torch.Tensor, check_nan: bool) -> torch.Tensor:
    if tensor.dim() != 2 or not tensor.is_floating_point() or tensor.shape[1] == 0:
        raise InvalidInputError(f"{name} must be (B, V) float with V >= 1, not {tuple(tensor.shape)} {tensor.dtype}")
    if check_nan and bool(tensor.isnan().any()):
        row, column = (int(index) for index in tensor.isnan().nonzero()[0])
        raise InvalidInputError(f"{name} contain NaN, first in row {row}, column {column}")
    return widened(tensor)


def _is_joint(order: str) -> bool:
    if order not in ("top_k_first", "joint"):
        raise InvalidInputError(f"filter_apply_order must be top_k_first or joint, not {order!r}")
    return order == "joint"


def _column(name: str, value: float | torch.Tensor, beside: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    if not isinstance(value, torch.Tensor):
        return torch.full((len(beside),), value, dtype=dtype, device=beside.device)
    is_number = value.is_floating_point() or not dtype.is_floating_point
    if value.dtype == torch.bool or tuple(value.shape) != (len(beside),) or value.device != beside.device:
        is_number = False
    if not is_number or (value.is_floating_point() and not dtype.is_floating_point):
        kind = "float" if dtype.is_floating_point else "int"
        raise InvalidInputError(
            f"{name} must be a number or ({len(beside)},) {kind} on {beside.device}, not {tuple(value.shape)} "
            f"{value.dtype} on {value.device}"
        )
    return value.to(dtype)


def _top_ks(top_k: int | torch.Tensor, beside: torch.Tensor) -> torch.Tensor:
    if not isinstance(top_k, int | torch.Tensor) or isinstance(top_k, bool):
        raise InvalidInputError(f"top_k must be an integer or a tensor, not {top_k!r}")
    num_columns = beside.shape[1]
    if isinstance(top_k, int):
        top_k = min(max(top_k, 0), num_columns)
    top_ks = _column("top_k", top_k, beside, torch.int64)
    return top_ks.masked_fill(top_ks < 1, num_columns).clamp(max=num_columns).to(torch.int32)


def _shares(name: str, value: float | torch.Tensor, beside: torch.Tensor) -> torch.Tensor:
    if not isinstance(value, torch.Tensor) and not 0.0 <= value <= 1.0:
        raise InvalidInputError(f"{name} must be in [0, 1], not {value!r}")
    return _column(name, value, beside, torch.float32)


def _draws(
    name: str,
    tensor: torch.Tensor,
    top_k: int | torch.Tensor,
    top_p: float | torch.Tensor,
    min_p: float | torch.Tensor,
    stream: Stream,
) -> tuple[Sequence[torch.Tensor], tuple[torch.Tensor, torch.Tensor]]:
    """For each draw: its row, top_k, top_p and min_p; and its seed and position."""
    tensor = _checked(name, tensor, stream.check_nan)
    filters = (_top_ks(top_k, tensor), _shares("top_p", top_p, tensor), _shares("min_p", min_p, tensor))
    rows = _picked(stream.indices, tensor, *filters)
    return rows, _streams(rows[0], stream)


def _streams(beside: torch.Tensor, stream: Stream) -> tuple[torch.Tensor, torch.Tensor]:
    """Seeds and positions, (B,) int64 each."""
    _, deterministic, generator, _, seed, position = stream
    num_rows, device = len(beside), beside.device
    if seed is not None and generator is not None:
        raise InvalidInputError("seed and generator exclude each other; give one of them")
    if seed is None and generator is None and not deterministic:
        seed = torch.tensor([secrets.randbits(SEED_BITS) for _ in range(num_rows)], dtype=torch.int64, device=device)
    if seed is None:
        seed = torch.randint(2**SEED_BITS - 1, (num_rows,), generator=generator, device=device)
    if isinstance(seed, int):
        _check_integer("seed", seed, 2**SEED_BITS - 1)
        rows = torch.arange(num_rows, dtype=torch.int64, device=device)
        seed = (rows + seed) & (2**SEED_BITS - 1)
    if isinstance(position, int):
        _check_integer("position", position, 2**32 - 1)
    return _column("seed", seed, beside, torch.int64), _column("position", position, beside, torch.int64)


def _check_integer(name: str, value: int, maximum: int) -> None:
    if isinstance(value, bool) or not 0 <= value <= maximum:
        raise InvalidInputError(f"{name} must be an integer in [0, {maximum}], not {value!r}")
