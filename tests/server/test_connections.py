"""Connections: how long a head may take, how many are open, and what a process without files for more of them says."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import httpx
import pytest

from guided.grammars.errors import InvalidInputError
from guided.server import create_app
from guided.server.connections import ACCEPTED_AT_ONCE, LoopErrors, most_connections
from guided.server.serve import Server, listen
from guided.server.settings import SocketLimits
from tests.server.live_server import serving_by, wait_until
from tests.server.scripted_llm import ScriptedLLM
from tests.server.wire import CHAT_URL, chat_body

HALF_A_BODY = (
    f"POST {CHAT_URL} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{{"
)
HALF_A_HEAD = b"GET /health HTTP/1.1\r\nHost: localhost\r\n"
HEAD_TIMEOUT_S = 0.3


@contextmanager
def bounded(llm: Any, **limits: Any) -> Iterator[str]:
    app = create_app(llm)
    with serving_by(Server(app, 5, SocketLimits(**limits))) as url:
        wait_until(lambda: bool(app.state.server.models.are_loaded))
        yield url


def connect(url: str) -> socket.socket:
    return socket.create_connection((httpx.URL(url).host, httpx.URL(url).port), timeout=30)


def until_closed(client: socket.socket) -> bytes:
    received = b""
    with suppress(ConnectionResetError):
        while piece := client.recv(4096):
            received += piece
    return received


@pytest.fixture(scope="module")
def impatient() -> Iterator[str]:
    """Base URL of a server that waits HEAD_TIMEOUT_S for a head."""
    with bounded(ScriptedLLM(), head_timeout_s=HEAD_TIMEOUT_S) as url:
        yield url


class TestHeads:
    def test_a_head_that_does_not_end(self, impatient: str) -> None:
        """A further line of it gains no time; so does none at all."""
        with connect(impatient) as half, connect(impatient) as silent:
            half.sendall(HALF_A_HEAD)
            half.settimeout(HEAD_TIMEOUT_S / 2)
            with pytest.raises(TimeoutError):
                half.recv(1)
            half.sendall(b"x-more: 1\r\n")
            half.settimeout(30)
            answer = until_closed(half)
            assert answer.startswith(b"HTTP/1.1 408 ")
            assert b"the head of the request was not sent within 0.3 seconds" in answer
            assert until_closed(silent) == b""

    def test_a_later_head_that_does_not_end(self, impatient: str) -> None:
        with connect(impatient) as client:
            client.sendall(HALF_A_HEAD + b"\r\n")
            assert client.recv(4096).startswith(b"HTTP/1.1 200 ")
            client.sendall(HALF_A_HEAD)
            assert b"HTTP/1.1 408 " in until_closed(client)

    def test_a_body_that_nobody_reads(self, impatient: str) -> None:
        """Its request was answered before it came: pieces that come all the time keep no connection."""
        with connect(impatient) as client:
            client.sendall(b"POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n")
            assert client.recv(4096).startswith(b"HTTP/1.1 404 ")
            num_sent = 0
            with suppress(ConnectionError):
                while num_sent < 100:
                    client.sendall(b"x")
                    num_sent += 1
                    time.sleep(0.05)
        assert num_sent < 20


def test_the_longest_waiting_connection_gives_way(caplog: pytest.LogCaptureFixture) -> None:
    """Half heads and half bodies do, oldest first; a request in work does not. The log says it once."""
    llm = ScriptedLLM()
    llm.steps = threading.Semaphore(1)
    with (
        caplog.at_level(logging.WARNING, "guided.server"),
        bounded(llm, max_connections=4) as url,
        ExitStack() as stack,
    ):
        http = stack.enter_context(httpx.Client(base_url=url, timeout=60))
        running = stack.enter_context(http.stream("POST", CHAT_URL, json=chat_body(stream=True)))
        clients = []
        for number in range(60):
            clients.append(stack.enter_context(connect(url)))
            clients[-1].sendall((HALF_A_HEAD, HALF_A_BODY.encode())[number % 2])
        assert httpx.get(f"{url}/health").status_code == 200
        closed = [until_closed(client) for client in clients[:57]]
        assert all(b" 200 " not in answer for answer in closed)
        llm.steps.release(100)
        assert "[DONE]" in running.read().decode()
    assert [one[:22] for one in caplog.messages] == ["4 connections are open"]


def test_a_listener_gives_a_few_connections_at_a_time() -> None:
    with listen("127.0.0.1", 0) as listener, ExitStack() as stack:
        listener.setblocking(False)
        for _ in range(ACCEPTED_AT_ONCE + 1):
            stack.enter_context(socket.create_connection(listener.getsockname()))
        for _ in range(ACCEPTED_AT_ONCE):
            stack.enter_context(listener.accept()[0])
        with pytest.raises(BlockingIOError):
            listener.accept()
        stack.enter_context(listener.accept()[0])


def test_no_files_left_is_one_line_a_second(caplog: pytest.LogCaptureFixture) -> None:
    loop = asyncio.new_event_loop()
    handler = LoopErrors()
    with caplog.at_level(logging.WARNING, "guided.server"):
        for _ in range(2000):
            handler(
                loop, {"message": "m", "exception": OSError(errno.EMFILE, "Too many open files"), "socket": object()}
            )
        handler(loop, {"message": "another error", "exception": ValueError("x")})
    loop.close()
    assert caplog.messages[0].startswith("no connection can be accepted: Too many open files (1 times")
    assert caplog.messages[1:] == ["another error"]


def test_more_connections_than_files(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 1024))
    assert most_connections(None) == most_connections(896) == 896
    with pytest.raises(InvalidInputError, match=r"max_connections 897 is more than the 896 .*ulimit -n, now 1024"):
        most_connections(897)
    monkeypatch.setattr(resource, "getrlimit", lambda _: (2**20, 2**20))
    assert (most_connections(None), most_connections(5000)) == (4096, 5000)
