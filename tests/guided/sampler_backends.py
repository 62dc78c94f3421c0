"""The sampler backends that can run here, for tests that hold for each of them."""

from __future__ import annotations

import os

import pytest
import torch

from guided.sampler import sampler_backend_names


def _can_run(name: str) -> bool:
    if name != "triton":
        return True
    return torch.cuda.is_available() or os.environ.get("TRITON_INTERPRET") == "1"


BACKENDS = [
    pytest.param(name, marks=[] if _can_run(name) else pytest.mark.skip("needs CUDA or TRITON_INTERPRET=1"))
    for name in sampler_backend_names()
]


def device_of(name: str) -> str:
    """Where a backend's tensors have to be."""
    return "cuda" if name == "triton" and torch.cuda.is_available() else "cpu"
