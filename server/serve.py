"""Serve a model over HTTP until told to stop."""

from __future__ import annotations

import asyncio
import functools
import logging
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping
from types import FrameType
from typing import TYPE_CHECKING, Any

import uvicorn
from fastapi import FastAPI

from guided.grammars.errors import InvalidInputError

from .app import create_app
from .connections import Connection, ConnectionBounds, Listener, LoopErrors
from .hosts import with_hosts
from .logs import log_config
from .memory import Heap, ServerCollector, allocator_of_process
from .options import LogFormat, LogLevel, LogOptions
from .settings import ServerSettings, SocketLimits

if TYPE_CHECKING:
    from guided.llm import LLM

    from .state import ServerState

logger = logging.getLogger("guided.server")
SWITCH_INTERVAL_S = 0.001
"""Seconds after which a thread that computes in Python must let other threads run.

The engine's thread releases the interpreter in every operation on tensors. Two threads that read bodies or build
grammars made a step of 900 operations 20 times slower with Python's default of 5 ms, and 4 times slower with 1 ms.
"""
FLUSH_TIMEOUT_S = 5  # seconds for the last bytes of answers, after all requests have ended
SEND_BUFFER_BYTES = 262_144  # size of a connection's send buffer in the operating system


def run(
    llm: LLM | Callable[[], LLM],
    host: str = "127.0.0.1",
    port: int = 8000,
    *,
    served_model_name: str | None = None,
    more_models: Mapping[str, LLM | Callable[[], LLM]] | None = None,
    settings: ServerSettings | None = None,
    shutdown_timeout_s: float = 30.0,
    log_level: LogLevel = "info",
    log_format: LogFormat = "text",
) -> None:
    """Serve until SIGINT or SIGTERM.

    llm: the model, or a function that loads it. While it loads, the server answers /health. An error of the function
        is raised here.
    served_model_name, more_models: see `create_app`.
    host, port: address to listen on; port 0: a free port, which the log names.
    settings: limits and keys; None: the defaults.
    shutdown_timeout_s: seconds that running requests may go on after a signal; new ones get a 503 meanwhile. Then they
        end with an error. A second signal ends them at once.
    log_level: "critical", "error", "warning", "info" or "debug".
    log_format: "text" or "json", one object a line.
    Raises InvalidInputError if the server can't listen there, or for an unknown log level or format.
    """
    LogOptions(log_level=log_level, log_format=log_format)
    settings = ServerSettings() if settings is None else settings
    failures: list[Exception] = []

    def on_loaded(error: Exception | None) -> None:
        if error is None:
            collector.start()
        else:
            failures.append(error)
            server.should_exit = True

    sys.setswitchinterval(SWITCH_INTERVAL_S)
    collector = ServerCollector()
    with listen(host, port, settings.send_timeout_s) as listener:
        app = create_app(
            llm,
            served_model_name=served_model_name,
            more_models=more_models,
            settings=with_hosts(settings, host, listener.getsockname()[0]),
            on_loaded=on_loaded,
        )
        server = Server(
            app, shutdown_timeout_s, settings, log_config=log_config(log_level, log_format), collector=collector
        )
        _log_address(listener)
        try:
            server.run(sockets=[listener])
        finally:
            collector.stop()
    if failures:
        raise failures[0]


class Server(uvicorn.Server):
    """uvicorn's server, with a graceful shutdown: after the first signal running requests may go on, and new ones are
    refused.

    app: the application of `create_app`.
    shutdown_timeout_s: see `run`.
    limits: limits of connections; None: the defaults.
    log_config: for `logging.config.dictConfig`; None: logging is not configured.
    collector: called regularly to collect garbage; None: Python's own collector works as usual.
    Raises InvalidInputError for more connections than the process may open files for.
    """

    def __init__(
        self,
        app: FastAPI,
        shutdown_timeout_s: float,
        limits: SocketLimits | None = None,
        log_config: dict[str, object] | None = None,
        collector: ServerCollector | None = None,
    ) -> None:
        bounds = ConnectionBounds(SocketLimits() if limits is None else limits)
        protocol: Any = functools.partial(Connection, bounds)
        super().__init__(
            uvicorn.Config(
                app,
                http=protocol,
                loop="asyncio",  # our connection limits are made for asyncio
                log_config=log_config,
                access_log=False,
                ws="none",
                server_header=False,
                timeout_graceful_shutdown=FLUSH_TIMEOUT_S,
            )
        )
        self._app = app
        self._shutdown_timeout_s = shutdown_timeout_s
        self._collector = collector
        self._heap = Heap(allocator_of_process())
        self._num_stops = 0
        self._stop_at: float | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Called by uvicorn at startup."""
        asyncio.get_running_loop().set_exception_handler(LoopErrors())
        await super().startup(sockets)

    def stop(self) -> None:
        """Refuse new requests, and exit when no request is in flight or the time is up. A second call exits at once.
        Thread-safe.
        """
        self._num_stops += 1

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Handle a signal like `stop`. Afterwards `run` returns, while uvicorn would raise the signal again."""
        if self.should_exit and sig == signal.SIGINT:
            self.force_exit = True
        self.stop()

    async def on_tick(self, counter: int) -> bool:
        """Called by uvicorn ten times a second. Returns True if it is time to exit."""
        if self._num_stops and not self.should_exit:
            self._go_on_stopping(self._app.state.server)
        if self._collector is not None:
            self._collector.tick(is_idle=not self._app.state.server.admission.num_in_flight)
        self._heap.tick()
        return await super().on_tick(counter)

    def _go_on_stopping(self, state: ServerState) -> None:
        now = time.monotonic()
        if self._stop_at is None:
            logger.info("stopping: %d requests in flight", state.admission.num_in_flight)
            state.stop_admitting()
            self._stop_at = now + self._shutdown_timeout_s
        if self._num_stops > 1 or now >= self._stop_at or not state.admission.num_in_flight:
            if state.admission.num_in_flight:
                logger.warning("stopping: %d requests are cut off", state.admission.num_in_flight)
            state.cancel_all()
            self.should_exit = True


def listen(host: str, port: int, send_timeout_s: float | None = None) -> socket.socket:
    """A bound, listening socket for a server. Raises InvalidInputError if the address can't be used.

    send_timeout_s: see `ServerSettings`. Only Linux supports it; on other systems connections stay open.
    The socket sets a protocol number other than 0, since only then does asyncio set TCP_NODELAY on connections. Without
    it an answer on a kept connection, or a streamed piece, can wait 40 ms for an acknowledgement.
    """
    if not 0 <= port <= 65535:  # some systems would take the port modulo 65536
        raise InvalidInputError(f"can't listen on port {port}; choose one from 1 to 65535, or 0 for a free one")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = Listener(family, kind, protocol)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            _bound_sending(listener, send_timeout_s)
            listener.bind(address)
            listener.listen()
        except BaseException:
            listener.close()
            raise
    except (OSError, UnicodeError) as error:
        raise InvalidInputError(f"can't listen on {host}:{port}: {error}; choose another host or port") from None
    return listener


def _bound_sending(listener: socket.socket, send_timeout_s: float | None) -> None:
    """Limit the unsent bytes of a client that does not read, and how long they are kept. Connections inherit both
    settings.
    """
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
    # RFC 5482; the time also counts while the client's receive window is full
    option = getattr(socket, "TCP_USER_TIMEOUT", None)
    if option is not None and send_timeout_s is not None:
        listener.setsockopt(socket.IPPROTO_TCP, option, max(1, round(send_timeout_s * 1000)))


def _log_address(listener: socket.socket) -> None:
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    logger.info("Serving on http://%s:%d (Ctrl+C to stop)", shown, port)
