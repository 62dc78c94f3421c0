"""Greedy tokens under masks on a CPU, chosen among allowed tokens without changing the logits.

vLLM writes -inf to all excluded logits and then searches for the largest of all. Here the sampler gets the masks with
the logits, and excluded columns are neither written nor read.

PERF: 32 rows of 129,280 take less than 1 ms if everything is allowed, and almost nothing if little is. vLLM's own
argmax takes 4 ms, and applying masks 1 ms.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from ...kernels.rows import run_rows
from ...sampler.numba_backend.scan import argmax_rows

_MASKS = "_guided_masks"


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
    """A `SamplerOutput`; None if no masks are attached to the logits.

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
