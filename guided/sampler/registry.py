"""Sampler backends by name. A backend is loaded when it is first asked for, so its imports cost nothing before."""

from __future__ import annotations

from collections.abc import Callable

from guided.grammars.errors import InvalidInputError, UnknownBackendError

from .base import SamplerBackend

SamplerLoader = Callable[[], SamplerBackend]

_LOADERS: dict[str, SamplerLoader] = {}


def register_sampler_backend(name: str, loader: SamplerLoader) -> None:
    """Make `Sampler(backend=name)` use what `loader()` returns. Raises InvalidInputError when the name is taken."""
    if name in _LOADERS:
        raise InvalidInputError(f"a sampler backend named {name!r} is already registered; choose another name")
    _LOADERS[name] = loader


def sampler_backend_names() -> list[str]:
    """The registered names, sorted."""
    return sorted(_LOADERS)


def load_sampler_backend(name: str) -> SamplerBackend:
    """The backend of that name. Raises UnknownBackendError, listing the known names, when there is none."""
    if name not in _LOADERS:
        raise UnknownBackendError(f"unknown sampler backend {name!r}; known: {', '.join(sampler_backend_names())}")
    return _LOADERS[name]()


def _load_reference() -> SamplerBackend:
    from .reference import ReferenceSampler

    return ReferenceSampler()


register_sampler_backend("reference", _load_reference)
