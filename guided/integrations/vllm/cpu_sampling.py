"""Replaces a part of vLLM's sampling on CPUs; see `patches_on_cpu.repair_sampling_on_cpu`."""

from __future__ import annotations

from typing import Any

import torch


def expand(
    output: torch.Tensor,
    input_val: torch.Tensor,
    cu_num_tokens: torch.Tensor,
    replace_from: float,
    replace_to: float,
    MAX_NUM_TOKENS: Any = None,
) -> None:
    """Write each request's value to all places of its tokens, in place.

    output: (T,), any dtype.
    input_val: (B,), the same dtype.
    cu_num_tokens: (B,), cumulative number of tokens of the requests.
    replace_from, replace_to: a value equal to replace_from is written as replace_to.
    """
    values = torch.where(input_val == replace_from, torch.full_like(input_val, replace_to), input_val)
    counts = torch.diff(cu_num_tokens, prepend=cu_num_tokens.new_zeros(1)).to(torch.int64)
    output.copy_(torch.repeat_interleave(values, counts))
