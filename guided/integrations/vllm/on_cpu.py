"""The plug-in's own work on CPUs: masks on logits, greedy tokens under masks, and a repaired kernel of vLLM.

`patches_on_cpu.py` and `patches.py` put these functions in the places of vLLM's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from ...kernels.rows import run_rows
from ...sampler.numba_backend.scan import argmax_rows, mask_rows

Apply = Callable[[torch.Tensor, torch.Tensor, Any, Any], None]
_MASKS = "_guided_masks"


def apply_bitmask(
    original: Apply, logits: torch.Tensor, bitmask: torch.Tensor, vocab_size: int | None, indices: Any
) -> None:
    """Set the logits of banned tokens to -inf in place, like `original`.

    logits: (B, V) on the host; dtypes other than float32, and other shapes, are left to the original.
    bitmask: int32 (B, W).
    vocab_size: number of columns to mask; None: as many as both have.
    indices: the rows; None: all.
    PERF: 32 rows of 129,280 take 1 ms; xgrammar's bitwise loop takes 20 ms if few tokens are allowed.
    """
    whole = None if vocab_size is not None or isinstance(indices, torch.Tensor) else _whole_rows(logits)
    if whole is None or bitmask.dim() != 2 or not bitmask.is_contiguous():
        return original(logits, bitmask, vocab_size, indices)
    words = bitmask.numpy().view(np.uint32)
    num_columns = min(logits.shape[1], 32 * words.shape[1])
    rows = np.arange(len(logits)) if indices is None else np.array(indices, np.int64)
    run_rows(lambda first, step: mask_rows(whole, words, rows, num_columns, first, step), len(rows), num_columns)
    return None


def _whole_rows(logits: torch.Tensor) -> Any:
    """The memory of the logits as uint32 (B, at least V), contiguous; None if it is no such array of float32.

    A model's logits are often the first columns of padded rows.
    """
    if logits.dtype != torch.float32 or logits.dim() != 2 or logits.stride(1) != 1 or not len(logits):
        return None
    if logits.is_contiguous():
        return logits.numpy().view(np.uint32)
    padded = logits.stride(0)
    end = logits.storage_offset() + len(logits) * padded
    if padded < logits.shape[1] or end > logits.untyped_storage().nbytes() // logits.element_size():
        return None
    return logits.as_strided((len(logits), padded), (padded, 1)).numpy().view(np.uint32)


def take_masks(scheduler_output: Any, grammar_output: Any, input_batch: Any, logits: torch.Tensor) -> bool:
    """Attach the masks to the logits, for `choose`. Returns False if the masks must be applied instead.

    The arguments are those of vLLM's `apply_grammar_bitmask`. Masks are attached if they are our backend's and the step
    has no drafts. Every request must be greedy, without log-probabilities and without a processor that depends on the
    mask.
    """
    words = grammar_output.grammar_bitmask
    is_whole = len(logits) == len(input_batch.req_ids) and logits.shape[1] <= 32 * words.shape[1]
    is_plain = logits.device.type == "cpu" and logits.dtype == torch.float32 and logits.is_contiguous()
    if not (is_whole and is_plain) or scheduler_output.scheduled_spec_decode_tokens:
        return False
    if not _is_plainly_greedy(input_batch.sampling_metadata):
        return False
    setattr(logits, _MASKS, _in_order(words, grammar_output.structured_output_request_ids, input_batch.req_ids))
    return True


def choose(sampler: Any, logits: torch.Tensor, metadata: Any) -> Any:
    """Greedy tokens as a `SamplerOutput`; None if no masks are attached to the logits.

    vLLM writes -inf to all excluded logits, and then searches for the largest of all. Here excluded columns are neither
    written nor read. PERF: 32 rows of 129,280 take less than 1 ms if everything is allowed, and almost nothing if
    little is. vLLM's own argmax takes 4 ms, and applying masks 1 ms.

    Penalties, biases and bans are applied first. Since the mask can't be overruled, the tokens are the same in either
    order.
    """
    from vllm.v1.outputs import SamplerOutput

    words = getattr(logits, _MASKS, None)
    if words is None:
        return None
    delattr(logits, _MASKS)
    found = sampler.apply_logits_processors(logits, metadata, False)
    rows, token_ids = found.numpy(), np.zeros(len(found), np.int64)
    run_rows(lambda first, step: argmax_rows(rows, words, token_ids, first, step), *rows.shape)
    # without an allowed token it is token 0, as in vLLM; the grammar then refuses it
    np.maximum(token_ids, 0, out=token_ids)
    return SamplerOutput(torch.from_numpy(token_ids.astype(np.int32)).unsqueeze(-1), logprobs_tensors=None)


def _in_order(words: Any, names: list[str], all_names: list[str]) -> Any:
    """The masks as uint32 (B, W) in the batch's order; requests without a grammar allow everything.

    Since vLLM 0.33 each request has as many rows as with all drafts. Only the first counts in a step without drafts.
    """
    words = words[:: len(words) // len(names)]
    if names == all_names:
        return words.view(np.uint32)
    found = np.full((len(all_names), words.shape[1]), 0xFFFFFFFF, np.uint32)
    places = {name: place for place, name in enumerate(all_names)}
    for row, name in zip(words.view(np.uint32), names, strict=True):
        if name in places:
            found[places[name]] = row
    return found


def _is_plainly_greedy(metadata: Any) -> bool:
    """True if only the largest logit under the mask matters."""
    from vllm.v1.sample.logits_processor.builtin import LogitBiasLogitsProcessor, MinTokensLogitsProcessor

    from .logits_processor import RunnerLogitsProcessor

    holder = metadata.thinking_budget_state_holder
    if not metadata.all_greedy or metadata.max_num_logprobs is not None or metadata.logprob_token_ids:
        return False
    if holder is not None and holder.has_tracked_requests():
        return False
    is_ours = False
    for one in metadata.logitsprocs.non_argmax_invariant:
        if isinstance(one, RunnerLogitsProcessor) and one.rows.is_empty:
            is_ours = one.is_backend_ours
        elif not isinstance(one, LogitBiasLogitsProcessor | MinTokensLogitsProcessor):
            return False
    return is_ours


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
