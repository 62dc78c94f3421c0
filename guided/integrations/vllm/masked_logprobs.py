"""For our own engine on vLLM: the model's own log-probabilities under a grammar, and the mass that the grammar
excluded.

vLLM computes log-probabilities after the grammar's mask. The logits from before the mask are therefore kept, and the
output of vLLM's sampler is replaced. The last place of a row's log-probabilities contains the token's own one after the
mask; our engine asks vLLM for one more place.
"""

from __future__ import annotations

from typing import Any

import torch

REPORT_ID = -1
"""An id that no token has, for the place with the log-probability after the mask."""
_KEPT = "_guided_before_mask"


def keep(input_batch: Any, logits: torch.Tensor) -> None:
    """Keep the logits before the mask, if our engine needs them and a row of the batch asks for log-probabilities.

    logits: (B, V), the rows of the batch. The copy is attached to this tensor, which then goes to the sampler.
    """
    from .logits_processor import RunnerLogitsProcessor

    counts = input_batch.num_logprobs
    if not counts or len(logits) != len(input_batch.req_ids):
        return
    ours = (one for one in input_batch.logitsprocs.all if isinstance(one, RunnerLogitsProcessor))
    if any(one.takes_logprobs_before_mask for one in ours):
        last_places = [counts.get(name, 0) for name in input_batch.req_ids]
        setattr(logits, _KEPT, (logits.clone(), last_places))


def replace(sampler: Any, logits: torch.Tensor, output: Any) -> Any:
    """The sampler's output with the model's own log-probabilities, if the logits were kept.

    A row without log-probabilities has only its own token, which nobody reads.
    """
    kept = getattr(logits, _KEPT, None)
    found = output.logprobs_tensors
    if kept is None or found is None:
        return output
    delattr(logits, _KEPT)
    before, last_places = kept
    own = sampler.compute_logprobs(before)
    count = found.logprobs.shape[1] - 1
    tensors = sampler.gather_logprobs(own, count, token_ids=output.sampled_token_ids[:, 0].to(torch.int64))
    places = torch.tensor(last_places, device=logits.device).unsqueeze(1)
    has_place = places > 0
    after = torch.where(has_place, found.logprobs[:, :1], tensors.logprobs[:, :1])
    ids = torch.where(has_place, REPORT_ID, tensors.logprob_token_ids[:, :1])
    tensors.logprobs.scatter_(1, places, after)
    tensors.logprob_token_ids.scatter_(1, places, ids.to(tensors.logprob_token_ids.dtype))
    output.logprobs_tensors = tensors
    return output
