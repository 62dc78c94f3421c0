"""Serve a model over HTTP until told to stop."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING

import uvicorn

from guided.grammars.errors import InvalidInputError

from .app import create_app
from .settings import ServerSettings

if TYPE_CHECKING:
    from guided.llm import LLM


def run(
    llm: LLM | Callable[[], LLM],
    host: str = "127.0.0.1",
    port: int = 8000,
    *,
    served_model_name: str | None = None,
    settings: ServerSettings | None = None,
    shutdown_timeout_s: int = 10,
    log_level: str = "info",
) -> None:
    """Serve until SIGINT or SIGTERM.

    llm: the model, or a function that loads it (the server answers /health meanwhile; what it raises is raised here).
    host, port: where to listen; port 0 takes a free one, which the log names.
    shutdown_timeout_s: how long running requests may go on after a signal before they are cut off. A second signal cuts
        them off at once. Seconds.
    log_level: of uvicorn: "critical", "error", "warning", "info", "debug" or "trace".
    Raises InvalidInputError when it can't listen there, or for an unknown log level.
    """
    if log_level not in uvicorn.config.LOG_LEVELS:
        raise InvalidInputError(f"log_level must be one of {', '.join(uvicorn.config.LOG_LEVELS)}, not {log_level!r}")
    failures: list[Exception] = []

    def stop(error: Exception) -> None:
        failures.append(error)
        server.should_exit = True

    app = create_app(llm, served_model_name=served_model_name, settings=settings, on_load_failure=stop)
    config = uvicorn.Config(
        app, host=host, port=port, log_level=log_level, ws="none", timeout_graceful_shutdown=shutdown_timeout_s
    )
    server = uvicorn.Server(config)
    listener = listen(host, port)
    _log_address(listener)
    try:
        server.run(sockets=[listener])
    except KeyboardInterrupt:  # uvicorn raises a caught SIGINT again once everything is stopped
        pass
    finally:
        listener.close()
    if failures:
        raise failures[0]


def listen(host: str, port: int) -> socket.socket:
    """A bound socket for a server. Raises InvalidInputError when it can't be had.

    The protocol number is set, not 0: only then does asyncio set TCP_NODELAY on the connections, without which each
    answer to a kept connection, and each streamed piece, can wait 40 ms for an acknowledgement.
    """
    if not 0 <= port <= 65535:  # some systems would take it modulo 65536
        raise InvalidInputError(f"can't listen on port {port}; choose one from 1 to 65535, or 0 for a free one")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen()
        except BaseException:
            listener.close()
            raise
    except (OSError, UnicodeError) as error:
        raise InvalidInputError(f"can't listen on {host}:{port}: {error}; choose another host or port") from None
    return listener


def _log_address(listener: socket.socket) -> None:
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    logging.getLogger("uvicorn.error").info("Serving on http://%s:%d (Ctrl+C to stop)", shown, port)
