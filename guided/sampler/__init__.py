"""Chooses tokens from logits: with parameters for each row, exact filters, and draws that don't depend on the batch."""

from .batch import SamplingBatch, check_token_ids
from .functions import (
    min_p_sampling_from_probs,
    top_k_mask_logits,
    top_k_renorm_prob,
    top_k_renorm_probs,
    top_k_top_p_sampling_from_logits,
    top_k_top_p_sampling_from_probs,
    top_p_renorm_prob,
    top_p_renorm_probs,
    top_p_sampling_from_probs,
)
from .logprobs import LogprobsOutput, compute_logprobs_only, masked_mass
from .reference import NO_TOKEN_ID, SamplerBackend, SamplerOutput
from .registry import load_sampler_backend, register_sampler_backend, sampler_backend_names
from .sampler import (
    ExcludedTokens,
    Sampler,
    UnboundedMasks,
    agree_on_tokens,
    explain_no_allowed,
    scale_model_logits,
    softcap_logits,
)
from .strategies import MinP, Pipeline, Strategy, Temperature, TopK, TopP, sample

__all__ = [
    "NO_TOKEN_ID",
    "ExcludedTokens",
    "LogprobsOutput",
    "MinP",
    "Pipeline",
    "Sampler",
    "SamplerBackend",
    "SamplerOutput",
    "SamplingBatch",
    "Strategy",
    "Temperature",
    "TopK",
    "TopP",
    "UnboundedMasks",
    "agree_on_tokens",
    "check_token_ids",
    "compute_logprobs_only",
    "explain_no_allowed",
    "load_sampler_backend",
    "masked_mass",
    "min_p_sampling_from_probs",
    "register_sampler_backend",
    "sample",
    "sampler_backend_names",
    "scale_model_logits",
    "softcap_logits",
    "top_k_mask_logits",
    "top_k_renorm_prob",
    "top_k_renorm_probs",
    "top_k_top_p_sampling_from_logits",
    "top_k_top_p_sampling_from_probs",
    "top_p_renorm_prob",
    "top_p_renorm_probs",
    "top_p_sampling_from_probs",
]
