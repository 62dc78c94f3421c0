"""The HTTP server for a `guided.LLM`: OpenAI's and Anthropic's endpoints, with exact constraints and tools.

`create_app` returns the FastAPI application, for any ASGI server that runs its lifespan. `run` serves it with uvicorn
until the process is told to stop. Importing this package loads no model, no tensor library and no web framework: each
name is loaded when first used. The package needs the extra `server` and raises ServerNotInstalledError without it.
"""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from guided.grammars.errors import GuidedError

if TYPE_CHECKING:
    from .app import create_app as create_app
    from .serve import run as run
    from .settings import ServerSettings as ServerSettings

LIBRARIES = ("fastapi", "uvicorn", "prometheus_client", "structlog")


class ServerNotInstalledError(GuidedError, ImportError):
    """The server's own dependencies are not installed; the message says how to install them."""


_missing = [name for name in LIBRARIES if find_spec(name) is None]
if _missing:
    raise ServerNotInstalledError(
        f"the server needs packages that are not installed ({', '.join(_missing)}); "
        "run: pip install 'guided-generation[server]'"
    )

_HOMES = {"ServerSettings": ".settings", "create_app": ".app", "run": ".serve"}

__all__ = ["ServerSettings", "create_app", "run"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'guided.server' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name], __name__), name)
    globals()[name] = value
    return value
