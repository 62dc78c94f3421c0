"""What the load test puts a server through, scene by scene."""

from __future__ import annotations

import asyncio
import json
import random
import socket
import time
from collections.abc import Callable
from typing import Any

import httpx

from .client import Outcome, send
from .requests import CHAT, chat, random_request
from .server_process import ServerProcess

STALL_FIELDS = {"stream": True, "n": 8, "logprobs": True, "top_logprobs": 20, "max_tokens": 400, "ignore_eos": True}


async def run_clients(url: str, num_clients: int, goes_on: Callable[[], bool], seed: int, outcome: Outcome) -> None:
    """So many clients at once, each with one random request after the other, as long as it goes on."""
    limits = httpx.Limits(max_connections=num_clients, max_keepalive_connections=num_clients)

    async def client(http: httpx.AsyncClient, number: int) -> None:
        random_ = random.Random(seed * 1000 + number)
        while goes_on():
            await send(http, random_request(random_), outcome)

    async with httpx.AsyncClient(base_url=url, timeout=300, limits=limits) as http:
        await asyncio.gather(*(client(http, number) for number in range(num_clients)))


def until(seconds: float) -> Callable[[], bool]:
    """True for so long, from now on."""
    end_s = time.monotonic() + seconds
    return lambda: time.monotonic() < end_s


def stall(server: ServerProcess, send_timeout_s: float) -> str | None:
    """A client that asks for megabytes and reads nothing; what is wrong with how that ends, or None.

    Others are answered meanwhile, and the stalled request is gone soon after `send_timeout_s`.
    """
    body = json.dumps(chat("x", **STALL_FIELDS)).encode()
    head = f"POST {CHAT} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    head += f"Content-Length: {len(body)}\r\n\r\n"
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", server.port))
        client.sendall(head.encode() + body)
        if not wait_for(lambda: server.stats()["requests_in_flight"] == 1, 30):
            return "the stalled request did not start"
        answer = httpx.post(f"{server.url}{CHAT}", json=chat("x", max_tokens=5), timeout=120)
        if answer.status_code != 200:
            return f"another client got {answer.status_code} meanwhile"
        if not wait_for(lambda: server.stats()["requests_in_flight"] == 0, send_timeout_s + 120):
            return "the stalled request was not cut off"
    return None


def kill_and_restart(server: ServerProcess) -> str | None:
    """kill -9 in the middle of a stream, and start again on the same port; what is wrong, or None."""
    with httpx.Client(base_url=server.url, timeout=60) as http:
        try:
            with http.stream("POST", CHAT, json=chat("x", stream=True, max_tokens=500, ignore_eos=True)) as response:
                lines = response.iter_lines()
                next(lines)
                server.kill()
                list(lines)
            return "the stream of a killed server came to an end"
        except httpx.TransportError:
            pass
    server.start()
    answer = httpx.post(f"{server.url}{CHAT}", json=chat("x", regex="[ab]{3}"), timeout=120).json()
    text: Any = answer["choices"][0]["message"]["content"]
    return None if len(text) == 3 else f"the restarted server answered {text!r}"


def wait_for(condition: Any, timeout_s: float) -> bool:
    """Poll until it holds; False when it does not in time."""
    end = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.2)
    return True
