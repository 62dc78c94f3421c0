"""Client connections: how many may be open at once, and how long a client may take to send a request's head.

`Connection` is uvicorn's protocol with both limits. Without them uvicorn waits for a first head for ever, so a few
hundred silent sockets would keep everybody out.
"""

from __future__ import annotations

import asyncio
import errno
import http
import logging
import socket
import time
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from guided.grammars.errors import InvalidInputError

from .settings import SocketLimits

logger = logging.getLogger("guided.server")
MAX_DEFAULT_CONNECTIONS = 4096
OWN_FILES = 128
"""Number of files reserved for the rest of the process, and for connections that are about to be closed."""
ACCEPTED_AT_ONCE = 16
_NO_FILES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)  # errors after which asyncio pauses accepting


class RareWarning:
    """A warning for an event that clients can cause thousands of times a second.

    At most one line a second is logged; it contains the number of events since the last line.
    """

    def __init__(self) -> None:
        self._num = 0
        self._next_s = 0.0

    def warn(self, message: str) -> None:
        """Log the message, unless a line was logged less than a second ago."""
        self._num += 1
        now = time.monotonic()
        if now >= self._next_s:
            logger.warning("%s (%d times since the last such line)", message, self._num)
            self._num, self._next_s = 0, now + 1.0


class ConnectionBounds:
    """The limits that all connections of a server share.

    limits: head_timeout_s and max_connections, see `SocketLimits`. If max_connections is None, `most_connections`
        chooses the number.
    waiting: attribute; the connections whose client has to send something, longest wait first.
    Raises InvalidInputError for more connections than the process may open files.
    """

    def __init__(self, limits: SocketLimits) -> None:
        self.head_timeout_s = limits.head_timeout_s
        self.max_connections = most_connections(limits.max_connections)
        self.waiting: dict[Connection, None] = {}
        self._warning = RareWarning()

    def make_room(self, newest: Connection) -> None:
        """Close the connection that has waited longest for its client; if none waits, close the newest one."""
        self._warning.warn(
            f"{self.max_connections} connections are open, as many as max_connections allows: for each new one, "
            "the one that waits longest for its client is closed"
        )
        next(iter(self.waiting), newest).close()


def most_connections(asked: int | None) -> int:
    """The limit on connections.

    asked: number of connections; None: as many as the process may open files for, up to MAX_DEFAULT_CONNECTIONS.
    Raises InvalidInputError if `asked` is more than the process may open files for.
    """
    try:
        import resource
    except ImportError:  # a system without such limits
        return MAX_DEFAULT_CONNECTIONS if asked is None else asked
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    possible = MAX_DEFAULT_CONNECTIONS if files == resource.RLIM_INFINITY else max(files // 2, files - OWN_FILES)
    if asked is None:
        return min(possible, MAX_DEFAULT_CONNECTIONS)
    if asked > possible and files != resource.RLIM_INFINITY:
        raise InvalidInputError(
            f"max_connections {asked} is more than the {possible} for which this process may open files; raise the "
            f"limit of open files (ulimit -n, now {files}) or ask for less"
        )
    return asked


class Connection(H11Protocol):
    """One connection. The server closes it when a head takes too long, or when a newer connection needs its place."""

    def __init__(self, bounds: ConnectionBounds, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._bounds = bounds
        self._head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Called by asyncio when the connection opens."""
        super().connection_made(transport)
        if len(self.connections) > self._bounds.max_connections:
            self._bounds.make_room(self)
        self._look()

    def data_received(self, data: bytes) -> None:
        """Called by asyncio with received bytes."""
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """Called by uvicorn after a response: the client may now send its next request or the rest of this body."""
        super().on_response_complete()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by asyncio after either side closed the connection."""
        super().connection_lost(exc)
        self._look()

    def close(self) -> None:
        """Close the connection after pending output is sent. A request in work is cancelled, as if its client had
        left.
        """
        self.transport.close()
        self._look()

    def _look(self) -> None:
        """Record whether the client has to send something, and start or stop the timer for a head."""
        is_waiting = not self.transport.is_closing() and self.conn.their_state in (h11.IDLE, h11.SEND_BODY)
        if is_waiting:
            self._bounds.waiting.setdefault(self)
        else:
            self._bounds.waiting.pop(self, None)
        has_request = self.cycle is not None and not self.cycle.response_complete  # a body has a timeout of its own
        is_kept_alive = self.timeout_keep_alive_task is not None  # uvicorn's own timeout runs until the next byte
        if not is_waiting or has_request or is_kept_alive:
            self._stop_timer()
        elif self._head_timer is None:
            self._head_timer = self.loop.call_later(self._bounds.head_timeout_s, self._on_head_timeout)

    def _stop_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _on_head_timeout(self) -> None:
        is_half_sent = self.conn.our_state is h11.IDLE and bool(self.conn.trailing_data[0])
        if is_half_sent and not self.transport.is_closing():
            self._answer_408()
        self.close()

    def _answer_408(self) -> None:
        status = http.HTTPStatus.REQUEST_TIMEOUT
        text = f"the head of the request was not sent within {self._bounds.head_timeout_s:g} seconds".encode()
        headers = {"content-type": "text/plain; charset=utf-8", "content-length": f"{len(text)}", "connection": "close"}
        response = h11.Response(status_code=status, headers=[*headers.items()], reason=status.phrase.encode())
        for event in (response, h11.Data(data=text), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")


class Listener(socket.socket):
    """A listening socket that gives the event loop a few connections at a time.

    asyncio would accept up to 2,048 connections before it handles any of them. The process's files would be used up
    before `Connection` can close one.
    """

    _num_in_a_row = 0

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept a connection, or raise BlockingIOError after ACCEPTED_AT_ONCE connections in a row.

        The event loop then handles the connections it has, and calls again at once.
        """
        if self._num_in_a_row == ACCEPTED_AT_ONCE:
            self._num_in_a_row = 0
            raise BlockingIOError
        accepted = super().accept()
        self._num_in_a_row += 1
        return accepted


class LoopErrors:
    """An event loop's exception handler. If the process is out of files it logs one line a second, not a traceback each
    time.
    """

    def __init__(self) -> None:
        self._warning = RareWarning()

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Called by asyncio."""
        error = context.get("exception")
        if isinstance(error, OSError) and error.errno in _NO_FILES and "socket" in context:
            self._warning.warn(f"no connection can be accepted: {error.strerror}")
        else:
            loop.default_exception_handler(context)
