"""Whether the libraries are there that only the server needs: those of the extra `server`."""

from __future__ import annotations

from importlib.util import find_spec

from guided.grammars.errors import GuidedError

LIBRARIES = ("fastapi", "uvicorn", "prometheus_client")


class ServerNotInstalledError(GuidedError, ImportError):
    """The package is installed without its server; the message says how to install that."""


def require_installed() -> None:
    """Raises ServerNotInstalledError where a library of the server is missing. Imports none."""
    missing = [name for name in LIBRARIES if find_spec(name) is None]
    if missing:
        raise ServerNotInstalledError(
            f"the server needs packages that are not installed ({', '.join(missing)}); "
            "run: pip install 'guided-generation[server]'"
        )
