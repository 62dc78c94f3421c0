"""Sampler backends by name. A backend is loaded when first requested, so its imports cost nothing before.

"auto" is a choice among backends: "triton" on CUDA if it is installed, "numba" on a CPU, "reference" otherwise.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable

import torch

from guided.grammars.errors import BackendNotInstalledError, InvalidInputError, UnknownBackendError

from .reference import ReferenceSampler, SamplerBackend

SamplerLoader = Callable[[], SamplerBackend]

AUTO = "auto"
_FASTEST = {"cuda": "triton", "cpu": "numba"}  # the backend made for a device type

_LOADERS: dict[str, SamplerLoader] = {}


def register_sampler_backend(name: str, loader: SamplerLoader) -> None:
    """Let `Sampler(backend=name)` use the result of `loader()`. Raises InvalidInputError if the name is taken."""
    if name in _LOADERS or name == AUTO:
        raise InvalidInputError(f"a sampler backend named {name!r} is already registered; choose another name")
    _LOADERS[name] = loader


def sampler_backend_names() -> list[str]:
    """The registered names, sorted."""
    return sorted(_LOADERS)


def load_sampler_backend(name: str) -> SamplerBackend:
    """Load the backend with this name. Raises UnknownBackendError, which lists the known names, for an unknown one."""
    if name not in _LOADERS:
        raise UnknownBackendError(f"unknown sampler backend {name!r}; known: {', '.join(sampler_backend_names())}")
    return _LOADERS[name]()


def fastest_backend_name(device: torch.device) -> str:
    """The backend that "auto" means for tensors on this device."""
    name = _FASTEST.get(device.type, "reference")
    is_missing = name == "triton" and importlib.util.find_spec(name) is None  # numba's kernels are part of the package
    return "reference" if is_missing or name not in _LOADERS else name


def check_backend_name(name: str) -> None:
    """Raise UnknownBackendError, which lists the known names, unless the name is "auto" or registered."""
    if name != AUTO and name not in _LOADERS:
        known = ", ".join([AUTO, *sampler_backend_names()])
        raise UnknownBackendError(f"unknown sampler backend {name!r}; known: {known}")


def _load_numba() -> SamplerBackend:
    from .numba_backend import NumbaSampler

    return NumbaSampler()


def _load_triton() -> SamplerBackend:
    if importlib.util.find_spec("triton") is None:
        raise BackendNotInstalledError(
            "the sampler backend 'triton' needs the package triton, which is not installed; run: pip install triton"
        )
    from .triton_backend import TritonSampler

    return TritonSampler()


register_sampler_backend("reference", ReferenceSampler)
register_sampler_backend("numba", _load_numba)
register_sampler_backend("triton", _load_triton)
