"""The kernels of `guided.sampler.kernels` on CPU tensors: the same signatures as `kernels_reference`."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from .backend import choose_tokens
from .hashing import column_blocks
from .select import bit_cell
from .threads import run_rows
from .weights import draw_weight_rows, top_k_mask_rows, top_k_renorm_rows, top_p_renorm_rows


def top_k_renorm(probs: torch.Tensor, top_ks: torch.Tensor) -> torch.Tensor:
    """See `kernels_reference.top_k_renorm`."""
    rows, renormalised = _array(probs), torch.empty_like(probs)
    ks, out = _array(top_ks), renormalised.numpy()
    run_rows(lambda first, step: top_k_renorm_rows(rows, ks, *bit_cell(rows.dtype), first, step, out), *rows.shape)
    return renormalised


def top_p_renorm(probs: torch.Tensor, top_ps: torch.Tensor) -> torch.Tensor:
    """See `kernels_reference.top_p_renorm`."""
    rows, renormalised = _array(probs), torch.empty_like(probs)
    ps, out = _array(top_ps), renormalised.numpy()
    run_rows(lambda first, step: top_p_renorm_rows(rows, ps, first, step, out), *rows.shape)
    return renormalised


def top_k_mask(logits: torch.Tensor, top_ks: torch.Tensor) -> torch.Tensor:
    """See `kernels_reference.top_k_mask`."""
    rows, masked = _array(logits), torch.empty_like(logits)
    ks, out = _array(top_ks), masked.numpy()
    run_rows(lambda first, step: top_k_mask_rows(rows, ks, *bit_cell(rows.dtype), first, step, out), *rows.shape)
    return masked


def draw_from_probs(
    probs: torch.Tensor,
    top_ks: torch.Tensor,
    top_ps: torch.Tensor,
    min_ps: torch.Tensor,
    is_joint: bool,
    seeds: torch.Tensor,
    positions: torch.Tensor,
) -> torch.Tensor:
    """See `kernels_reference.draw_from_probs`."""
    rows, blocks, token_ids = _array(probs), column_blocks(probs.shape[1]), np.empty(len(probs), np.int32)
    filters = [_array(column) for column in (top_ks, top_ps, min_ps)]
    streams = [_array(column) for column in (seeds, positions)]

    def work(first: int, step: int) -> None:
        draw_weight_rows(rows, blocks, *filters, is_joint, *streams, *bit_cell(rows.dtype), first, step, token_ids)

    run_rows(work, *rows.shape)
    return torch.from_numpy(token_ids)


def draw_from_logits(
    logits: torch.Tensor,
    top_ks: torch.Tensor,
    top_ps: torch.Tensor,
    is_joint: bool,
    seeds: torch.Tensor,
    positions: torch.Tensor,
) -> torch.Tensor:
    """See `kernels_reference.draw_from_logits`."""
    num_rows = len(logits)
    temperatures, min_ps = np.ones(num_rows, np.float32), np.zeros(num_rows, np.float32)
    ks, ps = _array(top_ks), _array(top_ps)
    is_greedy, is_joint_row = np.zeros(num_rows, np.bool_), np.full(num_rows, is_joint)
    streams = (_array(seeds), _array(positions))
    return choose_tokens(logits, None, temperatures, ks, ps, min_ps, *streams, is_greedy, is_joint_row)


def _array(tensor: torch.Tensor) -> NDArray[Any]:
    return np.ascontiguousarray(tensor.detach().numpy())
