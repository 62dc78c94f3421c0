"""Masks in SGLang's layout, which equals ours: int32, one bit for each token, set if the token is allowed."""

from __future__ import annotations

from typing import Any

import torch

from guided.masks import apply_bitmask_inplace


def allocate_mask(vocab_size: int, batch_size: int, device: Any) -> torch.Tensor:
    """A mask that allows everything, int32 (batch_size, ceil(vocab_size / 32)), on the host. `device` is where
    `move_mask` will copy it.

    Each step needs a new mask, since SGLang copies one to the device while it fills the next.
    """
    from sglang.srt.utils.common import is_pin_memory_available

    shape = (batch_size, (vocab_size + 31) // 32)
    return torch.full(shape, -1, dtype=torch.int32, pin_memory=is_pin_memory_available())


def reset_mask(vocab_mask: torch.Tensor) -> None:
    """Allow everything again."""
    vocab_mask.fill_(-1)


def move_mask(vocab_mask: torch.Tensor, device: Any) -> torch.Tensor:
    """Copy to the device, without waiting if the mask is in pinned memory."""
    return vocab_mask.to(device, non_blocking=True)


def apply_mask(logits: torch.Tensor, vocab_mask: torch.Tensor) -> None:
    """Ban the tokens that the mask excludes, with SGLang's own kernel if it has one."""
    device = logits.device.type
    if device == "npu":
        import sgl_kernel_npu  # noqa: F401

        torch.ops.npu.apply_token_bitmask(logits, vocab_mask)
    elif device not in ("cuda", "xpu", "musa"):
        apply_bitmask_inplace(logits, vocab_mask)
    elif torch.version.hip:
        from sgl_kernel import apply_token_bitmask_inplace_cuda

        apply_token_bitmask_inplace_cuda(logits, vocab_mask)
    else:
        from sglang.kernels.ops.grammar.bitmask_ops import apply_token_bitmask_inplace_triton

        apply_token_bitmask_inplace_triton(logits, vocab_mask)


def set_token_filter(
    vocab_mask: torch.Tensor,
    token_ids: list[int],
    batch_idx: int,
    is_allowed: bool = True,
    reset_vocab_mask: bool = True,
) -> None:
    """Allow or ban single tokens of a row with SGLang's own functions, for its strict thinking."""
    if vocab_mask.device.type != "cuda" or torch.version.hip:
        from sglang.srt.constrained.torch_ops.token_filter_torch_ops import set_token_filter_torch as set_bits
    else:
        from sglang.kernels.ops.grammar.token_filter_ops import set_token_filter_triton as set_bits

    set_bits(vocab_mask, token_ids, batch_idx, is_allowed=is_allowed, reset_vocab_mask=reset_vocab_mask)
