"""What models and samplers do to logits as such: scale, softcap, make NaN harmless."""

from __future__ import annotations

import torch


def scale_model_logits(logits: torch.Tensor, scale: float) -> torch.Tensor:
    """logits * scale, a new tensor: for models whose output layer leaves that to the sampler (Cohere, Granite...)."""
    return logits * scale


def softcap_logits(logits: torch.Tensor, cap: float) -> torch.Tensor:
    """cap * tanh(logits / cap), a new tensor: keeps logits in (-cap, cap) (Gemma 2's final softcapping). cap > 0.

    A logit of -inf is a ban and stays one, where the formula alone would lift it to -cap.
    """
    return (torch.tanh(logits / cap) * cap).masked_fill_(logits == -torch.inf, -torch.inf)


def widened(logits: torch.Tensor) -> torch.Tensor:
    """Half precision as float32; float32 and float64 as they are, not copied."""
    return logits.to(torch.promote_types(logits.dtype, torch.float32))


def without_nan(logits: torch.Tensor) -> torch.Tensor:
    """A harmless copy, float32, or float64 where the logits are.

    NaN becomes the lowest finite value (so it wins only where nothing better is allowed) and +inf the highest; -inf
    stays a ban.
    """
    logits = widened(logits)
    finite = torch.finfo(logits.dtype)
    return torch.nan_to_num(logits, nan=finite.min, posinf=finite.max, neginf=-torch.inf)
