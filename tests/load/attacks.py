"""Requests that are attacks by their own fields, and what others notice of each: `python -m tests.server_attacks`.

Beside each attack two probes run: a small chat under a schema again and again, and /health. What counts is how long
these wait, how much memory the server holds at its peak, and that the attack's own answer is an error that says why,
or an answer.
"""

from __future__ import annotations

import asyncio
import json
import random
import socket
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import httpx

from .requests import CHAT, COMPLETIONS, chat
from .server_process import ServerProcess

CHECK = "/v1/grammar/check"
HI = [{"role": "user", "content": "Hi"}]
PROBE_SCHEMA = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}
MAX_OUTPUTS = 10_000  # of one request: what the server is started with
PAUSE_S = 0.02  # between two probes
HALF_SENT_S = 15.0  # for which half-sent heads are held
REST_S = 2.0  # after an attack, before what it leaves is looked at
_START = time.time_ns()

Send = Callable[[str, float], str]
"""Sends one request of an attack to a server's address, and waits so many seconds at most; what came of it."""


@dataclass(frozen=True)
class Attack:
    """What is sent at once, each in a thread. make: that, for a size between 0 and 1, where 1 is what was measured
    once."""

    name: str
    make: Callable[[float], list[Send]]


def posting(name: str, path: str, make: Callable[[float], dict[str, Any]], times: int = 1) -> Attack:
    """The attack of one body that is posted so many times."""

    def sends(size: float) -> list[Send]:
        bodies = [json.dumps({"model": "embedded", **make(size)}, separators=(",", ":")) for _ in range(times)]
        return [partial(_post, path, body.encode()) for body in bodies]

    return Attack(name, sends)


@dataclass
class Effect:
    """What others noticed. chats, healths: how long the probes waited, in seconds. failed: what else than an answer
    they got. peak_mb, after_mb: resident memory, at most meanwhile and a little later."""

    name: str
    took_s: float = 0.0
    answers: list[str] = field(default_factory=list)
    chats: list[float] = field(default_factory=list)
    healths: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    peak_mb: float = 0.0
    after_mb: float = 0.0

    def row(self) -> dict[str, Any]:
        """Its figures, in milliseconds and MB."""
        return {
            "attack": self.name,
            "answers": sorted(set(self.answers)),
            "took_s": round(self.took_s, 2),
            "chats": len(self.chats),
            "chat_p50_ms": round(statistics.median(self.chats or [0.0]) * 1000),
            "chat_p99_ms": round(_p99(self.chats) * 1000),
            "chat_worst_ms": round(max(self.chats, default=0.0) * 1000),
            "health_p99_ms": round(_p99(self.healths) * 1000),
            "health_worst_ms": round(max(self.healths, default=0.0) * 1000),
            "failed": sorted(set(self.failed)),
            "peak_mb": round(self.peak_mb),
            "after_mb": round(self.after_mb),
        }


def _p99(seconds: list[float]) -> float:
    return sorted(seconds)[int(len(seconds) * 0.99)] if seconds else 0.0


def _patterns(count: int, salt: int) -> dict[str, Any]:
    """Objects with the same key and other patterns; another grammar for each salt."""
    texts = [{"type": "string", "pattern": f"^x{number}[a-f]*{number % 7}y{salt}"} for number in range(count)]
    return {"anyOf": [{"type": "object", "properties": {"k": one}, "required": ["k"]} for one in texts]}


def _json_schema(schema: Any) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": "a", "schema": schema}}


def _times(size: float, count: int) -> int:
    return max(1, int(size * count))


ATTACKS: tuple[Attack, ...] = (
    posting("nothing", CHAT, lambda size: chat("x", max_tokens=2)),
    posting(
        "bad_words 2,000 x 2,000", CHAT, lambda s: chat("x", bad_words=[[w] * 90 for w in range(_times(s, 2_000))])
    ),
    posting("bad_words 60,000 texts", CHAT, lambda s: chat("x", bad_words=["word"] * _times(s, 60_000))),
    posting(
        "logprob_token_ids 100,000",
        CHAT,
        lambda s: chat("x", logprobs=True, max_tokens=300, logprob_token_ids=[1] * _times(s, 100_000)),
    ),
    posting("special tokens 200,000", CHAT, lambda s: chat("<|im_start|>" * _times(s, 200_000))),
    posting("stop 100,000", CHAT, lambda s: chat("x", stop=[f"stop {n}" for n in range(_times(s, 100_000))])),
    posting(
        "stop_regex n=64",
        CHAT,
        lambda s: chat("x", n=64, max_tokens=300, ignore_eos=True, stop_regex=r"(.{1,60}q){1,30}#"),
    ),
    posting("n=64", CHAT, lambda s: chat("x", n=64, max_tokens=_times(s, 300), ignore_eos=True)),
    posting(
        "prompts 128",
        COMPLETIONS,
        lambda s: {"prompt": [f"{n} x" for n in range(128)], "max_tokens": _times(s, 300), "ignore_eos": True},
    ),
    posting("messages of nothing", CHAT, lambda s: {"model": "embedded", "messages": [{}] * _times(s, 1_000_000)}),
    posting(
        "content of nothing",
        CHAT,
        lambda s: {"messages": [{"role": "user", "content": [1] * _times(s, 1_000_000)}]},
    ),
    posting("tools of nothing", CHAT, lambda s: {"messages": HI, "tools": [1] * _times(s, 1_000_000)}),
    posting("prompt of nothing", COMPLETIONS, lambda s: {"prompt": [[]] * _times(s, 1_000_000)}),
    posting("input of nothing", "/v1/responses", lambda s: {"input": [{}] * _times(s, 1_000_000)}),
    posting("documents 300,000", CHECK, lambda s: {"regex": "a", "documents": ["a"] * _times(s, 300_000)}, 4),
    posting("document of 3.9 MB", CHECK, lambda s: {"regex": "a*", "documents": ["a" * _times(s, 3_900_000)]}),
    posting(
        "documents at the limit",
        CHECK,
        lambda s: {"regex": "(a|b)*", "documents": ["ab" * 99] * _times(s, 1_000)},
        4,
    ),
    posting(
        "names under backtracking patterns",
        "/v1/grammar/match",
        lambda s: {
            "json_schema": {"type": "object", "patternProperties": {"^(a+)+$": {"type": "integer"}}},
            "text": '{"' + "a" * _times(s, 100_000) + '!":',
        },
    ),
    posting(
        "parts that refer to all parts",
        "/v1/grammar/match",
        lambda s: {"json_schema": _crossing(_times(s, 3_000)), "text": '{"a":' * _times(s, 500)},
    ),
    posting("prompt of 3.9 MB", CHAT, lambda s: chat("a b " * _times(s, 970_000))),
    posting(
        "eight slow masks",
        COMPLETIONS,
        lambda s: {"prompt": "x", "max_tokens": 20, "json_schema": _patterns(_times(s, 1_000), time.time_ns())},
        8,
    ),
    posting(
        "one slow mask eight times",
        COMPLETIONS,
        lambda s: {"prompt": "x", "max_tokens": 20, "json_schema": _patterns(_times(s, 1_000), _START)},
        8,
    ),
    posting(
        "names under backtracking patterns, few",
        "/v1/grammar/match",
        lambda s: {
            "json_schema": {"type": "object", "patternProperties": {"^(a+)+$": {"type": "integer"}}},
            "text": '{"' + "a" * _times(s, 40) + '!":',
        },
    ),
    Attack("four regexes of many states", lambda s: [_many_states(letter) for letter in "abcd"[: _times(s, 4)]]),
    posting("tokenize 3.9 MB", "/v1/tokenize", lambda s: {"prompt": "a b " * _times(s, 970_000)}),
    posting("detokenize 1.9 MB", "/v1/detokenize", lambda s: {"tokens": [65] * _times(s, 190_000)}),
    Attack("half-sent heads", lambda s: [partial(_half_sent, _times(s, 1_100))]),
    Attack("methods as labels", lambda s: [partial(_methods, _times(s, 300))]),
    posting("model of 3 MB", CHAT, lambda s: chat("x") | {"model": "m" * _times(s, 3_000_000)}),
    posting(
        "10,000 waiting",
        COMPLETIONS,
        lambda s: {"prompt": [f"{n} x" for n in range(_times(s, MAX_OUTPUTS))], "max_tokens": 8, "ignore_eos": True},
    ),
    posting(
        "regex of 1 MB, any case", CHAT, lambda s: chat("x", max_tokens=8, regex="(?i)" + "ab" * _times(s, 499_990))
    ),
    posting(
        "choices of 1 MB", CHAT, lambda s: chat("x", max_tokens=8, choice=[f"c{n}" for n in range(_times(s, 100_000))])
    ),
)


def _crossing(width: int) -> dict[str, Any]:
    """A schema of which each place has so many parts, each with references to all parts of the next place."""
    parts = {f"m{number}": {"properties": {"a": {"$ref": "#/$defs/n"}}} for number in range(width)}
    return {"$ref": "#/$defs/n", "$defs": {"n": {"allOf": [{"$ref": f"#/$defs/{name}"} for name in parts]}, **parts}}


def _many_states(letter: str) -> Send:
    return partial(_post, CHAT, json.dumps(chat("x", max_tokens=8, regex=f".*{letter}.{{15}}")).encode())


PROBE = chat("x", max_tokens=12, temperature=0, response_format=_json_schema(PROBE_SCHEMA))


def run_attack(server: ServerProcess, attack: Attack, size: float, max_s: float) -> Effect:
    """Send it, with probes beside it until it is answered (or so many seconds are over); what they noticed."""
    return asyncio.run(_run(server, attack, size, max_s))


async def _run(server: ServerProcess, attack: Attack, size: float, max_s: float) -> Effect:
    effect = Effect(attack.name)
    sends = attack.make(size)  # now: writing bodies beside the probes would hold these up
    async with httpx.AsyncClient(base_url=server.url, timeout=max_s + 30) as http:
        await http.post(CHAT, json=PROBE)
        probes = [
            asyncio.ensure_future(_probe(http, effect, effect.chats, "POST")),
            asyncio.ensure_future(_probe(http, effect, effect.healths, "GET")),
            asyncio.ensure_future(_watch_memory(server, effect)),
        ]
        start_s = time.monotonic()
        with ThreadPoolExecutor(len(sends)) as pool:
            loop = asyncio.get_running_loop()
            attacks = [loop.run_in_executor(pool, send, server.url, max_s) for send in sends]
            effect.answers = list(await asyncio.gather(*attacks))
        effect.took_s = time.monotonic() - start_s
        for probe in probes:
            probe.cancel()
        await asyncio.gather(*probes, return_exceptions=True)
        await asyncio.sleep(REST_S)
        effect.after_mb = server.memory_mb()
    return effect


def _post(path: str, body: bytes, url: str, max_s: float) -> str:
    """Status and code of the answer; or that none came in time."""
    try:
        answer = httpx.post(url + path, content=body, headers={"content-type": "application/json"}, timeout=max_s)
    except httpx.TimeoutException:
        return f"none in {max_s:g} s"
    code = answer.json().get("error", {}).get("code") if answer.status_code != 200 else ""
    return f"{answer.status_code} {code or ''}".strip()


def _half_sent(count: int, url: str, max_s: float) -> str:
    """Connections on which half a head comes, held for a while; how many of them are open then."""
    address = httpx.URL(url)
    sockets = []
    try:
        for _ in range(count):
            sockets.append(socket.create_connection((address.host, address.port or 80), timeout=10))
            sockets[-1].sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-")
        held_s = min(HALF_SENT_S, max_s)
        time.sleep(held_s)
        return f"{sum(map(_is_open, sockets))} of {count} open after {held_s:g} s"
    finally:
        for one in sockets:
            one.close()


def _is_open(client: socket.socket) -> bool:
    client.setblocking(False)
    try:
        while client.recv(1 << 16):
            pass
        return False
    except BlockingIOError:
        return True
    except OSError:
        return False


def _methods(count: int, url: str, max_s: float) -> str:
    """Requests whose methods nobody knows; how long /metrics is then."""
    with httpx.Client(base_url=url, timeout=max_s) as http:
        for number in range(count):
            http.request(f"M{number}{random.randrange(10**9)}" + "X" * 4000, "/health")
        return f"/metrics of {len(http.get('/metrics').content) // 1000} kB"


async def _probe(http: httpx.AsyncClient, effect: Effect, waits: list[float], method: str) -> None:
    """Again and again, until it is cancelled. One that has no answer by then has waited so long all the same."""
    while True:
        start_s = time.monotonic()
        try:
            answer = await (http.get("/health") if method == "GET" else http.post(CHAT, json=PROBE))
            if answer.status_code != 200:
                effect.failed.append(f"{method} {answer.status_code}")
        except httpx.TransportError as error:
            effect.failed.append(f"{method} {type(error).__name__}")
        finally:
            waits.append(time.monotonic() - start_s)
        await asyncio.sleep(PAUSE_S)


async def _watch_memory(server: ServerProcess, effect: Effect) -> None:
    while True:
        effect.peak_mb = max(effect.peak_mb, server.memory_mb())
        await asyncio.sleep(PAUSE_S)
