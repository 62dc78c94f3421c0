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
"""After which a thread that computes in Python lets others go on, where they want to. The engine's thread gives the
interpreter away in every operation on tensors; with Python's usual 5 ms, two threads that read bodies or build grammars
made a step of 900 operations 20 times slower, with 1 ms 4 times. Seconds."""
FLUSH_TIMEOUT_S = 5  # for the last bytes of answers, once nothing runs any more
SEND_BUFFER_BYTES = 262_144  # of a connection in the system; more waits in the server, as the client's matter


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

    llm: the model, or a function that loads it (the server answers /health meanwhile; what it raises is raised here).
    served_model_name, more_models: see `create_app`.
    host, port: where to listen; port 0 takes a free one, which the log names.
    shutdown_timeout_s: how long running requests may go on after a signal; new ones get a 503 meanwhile. Then they end
        with an error. A second signal ends them at once. Seconds.
    log_level: "critical", "error", "warning", "info" or "debug". log_format: "text" or "json", one object a line.
    Raises InvalidInputError when it can't listen there, or for an unknown log level or format.
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
    """uvicorn, which on the first signal lets what runs go on for a while and refuses what is new.

    app: of `create_app`. shutdown_timeout_s: see `run`. limits: of its connections; None: the defaults. log_config: for
    `logging.config.dictConfig`; None: no change. collector: asked again and again whether it is time for a round; None:
    Python decides that itself.
    Raises InvalidInputError for more connections than the process may open files.
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
                loop="asyncio",  # the bounds on connections are made for it
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
        """Called by uvicorn."""
        asyncio.get_running_loop().set_exception_handler(LoopErrors())
        await super().startup(sockets)

    def stop(self) -> None:
        """Refuse new requests; exit when none is in flight or the time for that is up. Again: exit now. Any thread."""
        self._num_stops += 1

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """As `stop`. `run` returns then, where uvicorn would raise the signal again."""
        if self.should_exit and sig == signal.SIGINT:
            self.force_exit = True
        self.stop()

    async def on_tick(self, counter: int) -> bool:
        """Called by uvicorn ten times a second: True once it is time to exit."""
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
            state.cancel_jobs()
            self.should_exit = True


def listen(host: str, port: int, send_timeout_s: float | None = None) -> socket.socket:
    """A bound socket for a server. Raises InvalidInputError when it can't be had.

    send_timeout_s: see `ServerSettings`; where the system has no such thing (it is Linux'), connections stay open.

    The protocol number is set, not 0: only then does asyncio set TCP_NODELAY on the connections, without which each
    answer to a kept connection, and each streamed piece, can wait 40 ms for an acknowledgement.
    """
    if not 0 <= port <= 65535:  # some systems would take it modulo 65536
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
    """What a client that does not read may hold, and for how long. Connections inherit it from their listener."""
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
    option = getattr(socket, "TCP_USER_TIMEOUT", None)  # RFC 5482; counts while the client's window stays shut, too
    if option is not None and send_timeout_s is not None:
        listener.setsockopt(socket.IPPROTO_TCP, option, max(1, round(send_timeout_s * 1000)))


def _log_address(listener: socket.socket) -> None:
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    logger.info("Serving on http://%s:%d (Ctrl+C to stop)", shown, port)
