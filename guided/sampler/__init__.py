"""Choosing tokens from logits: per-row parameters, exact filters, draws that don't depend on the batch."""

from .base import NO_TOKEN_ID, SamplerBackend, SamplerOutput
from .batch import SamplingBatch
from .registry import load_sampler_backend, register_sampler_backend, sampler_backend_names
from .sampler import Sampler

__all__ = [
    "NO_TOKEN_ID",
    "Sampler",
    "SamplerBackend",
    "SamplerOutput",
    "SamplingBatch",
    "load_sampler_backend",
    "register_sampler_backend",
    "sampler_backend_names",
]
