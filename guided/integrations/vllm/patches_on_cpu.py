"""Repairs and accelerates vLLM on CPUs. There is one function for each place, like in `patches.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..common.engines import VLLM

CPU_MASKS = "xgrammar.kernels.apply_token_bitmask_inplace_cpu"


def repair_sampling_on_cpu() -> None:
    """Repair a fault of vLLM 0.32 on CPUs without Triton: it samples drafts at undefined temperatures.

    vLLM's `_expand_kernel_impl` passes a copy of the output to the kernel unless the output is int64. The temperature
    of each draft then keeps its old memory, and drafts are judged by meaningless probabilities. The replacement does
    what the kernel is meant to do.
    """
    from vllm.utils import cpu_triton_utils

    if not hasattr(cpu_triton_utils, "_expand_kernel_impl"):
        return  # the fallback is gone, and its fault with it

    from .on_cpu import expand

    def wrap(original: Callable[..., None]) -> Callable[..., None]:
        return lambda *args, **kwargs: expand(*args, **kwargs)

    names = ("output", "input_val", "cu_num_tokens", "replace_from", "replace_to")
    VLLM.hook(cpu_triton_utils, "_expand_kernel_impl", names, wrap)


def apply_masks_quickly_on_cpu() -> None:
    """Apply masks quickly: on CPUs vLLM applies all backends' masks by a loop of xgrammar over the cleared bits.

    With 129,280 tokens and a batch of 32 that takes up to 20 ms, as long as a whole step of a small model.
    """
    import importlib

    from .on_cpu import apply_bitmask

    def wrap(original: Callable[..., None]) -> Callable[..., None]:
        def apply(logits: Any, bitmask: Any, vocab_size: Any = None, indices: Any = None) -> None:
            apply_bitmask(original, logits, bitmask, vocab_size, indices)

        return apply

    module = importlib.import_module(CPU_MASKS)
    VLLM.hook(module, "apply_token_bitmask_inplace_cpu", ("logits", "bitmask", "vocab_size", "indices"), wrap)
