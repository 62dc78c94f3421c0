"""Libraries that only some parts need: where one is missing, the error says which extra installs it."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .errors import BackendNotInstalledError

_EXTRAS = {
    "llm": ("torch", "transformers", "tokenizers", "safetensors", "outlines_core", "interegular", "dill"),
    "backends": ("llguidance", "xgrammar"),
    "documents": ("inscriptis", "lxml", "pypdf", "pyarrow"),
    "gguf": ("gguf",),
    "mcp": ("mcp",),
    "otel": ("opentelemetry",),
    "remote": ("openai",),
    "server": ("fastapi", "uvicorn", "prometheus_client", "structlog"),
    "verify": ("jsonschema_rs",),
}
_INSTALLED_BY = {name: f"'guided-generation[{extra}]'" for extra, names in _EXTRAS.items() for name in names}
_INSTALLED_BY |= {"vllm": "vllm", "triton": "triton"}


@contextmanager
def needed_by(what: str) -> Iterator[None]:
    """Turn the failed import of a library of an extra into BackendNotInstalledError, which says how to install it.

    what: name of the part that imports libraries inside this context, for the message.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library not in _INSTALLED_BY:
            raise
        command = f"run: pip install {_INSTALLED_BY[library]}"
        found = importlib.util.find_spec(library)
        if error.name != library and found is not None and found.origin is not None:
            advice = f"{what} needs another version of {library} (no module {error.name}); {command}"
        elif found is not None:  # a namespace that several distributions share
            advice = f"{what} needs {error.name}, which is not installed; {command}"
        else:
            advice = f"{what} needs {library}, which is not installed; {command}"
        raise BackendNotInstalledError(advice) from error


def require(module: str, what: str) -> Any:
    """Import a module of an optional library. what: the purpose that needs it.

    Raises BackendNotInstalledError if the library is missing.
    """
    with needed_by(what):
        return importlib.import_module(module)
