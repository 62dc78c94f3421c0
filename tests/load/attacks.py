"""Requests that are attacks by their own fields, and what others notice of each: `python -m tests.server_attacks`.

Beside each attack two probes run: a small chat again and again, and /health. What counts is how long these wait, how
much memory the server holds at its peak, and that the attack's own answer is an error that says why, or an answer.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx

from .requests import CHAT, chat
from .server_process import ServerProcess

CHECK = "/v1/grammar/check"
HI = [{"role": "user", "content": "Hi"}]
PROBE = chat("x", max_tokens=4, temperature=0)
PAUSE_S = 0.02  # between two probes
MAX_ATTACK_S = 90.0
REST_S = 2.0  # after an attack, before what it leaves is looked at
_START = time.time_ns()


@dataclass(frozen=True)
class Attack:
    """One body, sent `times` at once. make: the body for a size between 0 and 1, where 1 is what was measured once."""

    name: str
    path: str
    make: Callable[[float], dict[str, Any]]
    times: int = 1


@dataclass
class Effect:
    """What others noticed. chats, healths: how long the probes waited, in seconds. peak_mb, after_mb: resident memory,
    at most meanwhile and a little later."""

    name: str
    took_s: float = 0.0
    answers: list[str] = field(default_factory=list)
    chats: list[float] = field(default_factory=list)
    healths: list[float] = field(default_factory=list)
    peak_mb: float = 0.0
    after_mb: float = 0.0

    def row(self) -> dict[str, Any]:
        """Its figures, in milliseconds and MB."""
        chats = sorted(self.chats) or [0.0]
        return {
            "attack": self.name,
            "answers": sorted(set(self.answers)),
            "took_s": round(self.took_s, 2),
            "chat_p50_ms": round(statistics.median(chats) * 1000),
            "chat_p99_ms": round(chats[int(len(chats) * 0.99)] * 1000),
            "chat_worst_ms": round(chats[-1] * 1000),
            "health_worst_ms": round(max(self.healths, default=0.0) * 1000),
            "peak_mb": round(self.peak_mb),
            "after_mb": round(self.after_mb),
        }


def _patterns(count: int, salt: int) -> dict[str, Any]:
    """Objects with the same key and other patterns; another grammar for each salt."""
    texts = [{"type": "string", "pattern": f"^x{number}[a-f]*{number % 7}y{salt}"} for number in range(count)]
    return {"anyOf": [{"type": "object", "properties": {"k": one}, "required": ["k"]} for one in texts]}


def _json_schema(schema: Any) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": "a", "schema": schema}}


def _times(size: float, count: int) -> int:
    return max(1, int(size * count))


ATTACKS: tuple[Attack, ...] = (
    Attack("nothing", CHAT, lambda size: chat("x", max_tokens=2)),
    Attack("bad_words 2,000 x 2,000", CHAT, lambda s: chat("x", bad_words=[[w] * 90 for w in range(_times(s, 2_000))])),
    Attack("bad_words 60,000 texts", CHAT, lambda s: chat("x", bad_words=["word"] * _times(s, 60_000))),
    Attack(
        "logprob_token_ids 100,000",
        CHAT,
        lambda s: chat("x", logprobs=True, max_tokens=300, logprob_token_ids=[1] * _times(s, 100_000)),
    ),
    Attack("special tokens 200,000", CHAT, lambda s: chat("<|im_start|>" * _times(s, 200_000))),
    Attack("stop 100,000", CHAT, lambda s: chat("x", stop=[f"stop {n}" for n in range(_times(s, 100_000))])),
    Attack(
        "stop_regex n=64",
        CHAT,
        lambda s: chat("x", n=64, max_tokens=300, ignore_eos=True, stop_regex=r"(.{1,60}q){1,30}#"),
    ),
    Attack("n=64", CHAT, lambda s: chat("x", n=64, max_tokens=_times(s, 300), ignore_eos=True)),
    Attack(
        "prompts 128",
        "/v1/completions",
        lambda s: {"prompt": [f"{n} x" for n in range(128)], "max_tokens": _times(s, 300), "ignore_eos": True},
    ),
    Attack("messages of nothing", CHAT, lambda s: {"model": "embedded", "messages": [{}] * _times(s, 1_000_000)}),
    Attack(
        "content of nothing",
        CHAT,
        lambda s: {"messages": [{"role": "user", "content": [1] * _times(s, 1_000_000)}]},
    ),
    Attack("tools of nothing", CHAT, lambda s: {"messages": HI, "tools": [1] * _times(s, 1_000_000)}),
    Attack("prompt of nothing", "/v1/completions", lambda s: {"prompt": [[]] * _times(s, 1_000_000)}),
    Attack("input of nothing", "/v1/responses", lambda s: {"input": [{}] * _times(s, 1_000_000)}),
    Attack("documents 300,000", CHECK, lambda s: {"regex": "a", "documents": ["a"] * _times(s, 300_000)}, 4),
    Attack("document of 3.9 MB", CHECK, lambda s: {"regex": "a*", "documents": ["a" * _times(s, 3_900_000)]}),
    Attack(
        "documents at the limit",
        CHECK,
        lambda s: {"regex": "(a|b)*", "documents": ["ab" * 99] * _times(s, 1_000)},
        4,
    ),
    Attack(
        "names under backtracking patterns",
        "/v1/grammar/match",
        lambda s: {
            "json_schema": {"type": "object", "patternProperties": {"^(a+)+$": {"type": "integer"}}},
            "text": '{"' + "a" * _times(s, 100_000) + '!":',
        },
    ),
    Attack("prompt of 3.9 MB", CHAT, lambda s: chat("a b " * _times(s, 970_000))),
    Attack(
        "eight slow masks",
        CHAT,
        lambda s: chat("x", max_tokens=20, response_format=_json_schema(_patterns(_times(s, 1_000), time.time_ns()))),
        8,
    ),
    Attack(
        "one slow mask eight times",
        CHAT,
        lambda s: chat("x", max_tokens=20, response_format=_json_schema(_patterns(_times(s, 1_000), _START))),
        8,
    ),
)


def run_attack(server: ServerProcess, attack: Attack, size: float) -> Effect:
    """Send it, with probes beside it until it is answered (or `MAX_ATTACK_S` are over); what they noticed."""
    return asyncio.run(_run(server, attack, size))


async def _run(server: ServerProcess, attack: Attack, size: float) -> Effect:
    effect = Effect(attack.name)
    texts = [json.dumps({"model": "embedded", **attack.make(size)}, separators=(",", ":")) for _ in range(attack.times)]
    bodies = [text.encode() for text in texts]  # now: writing them beside the probes would hold these up
    async with httpx.AsyncClient(base_url=server.url, timeout=MAX_ATTACK_S + 30) as http:
        await http.post(CHAT, json=PROBE)
        probes = [
            asyncio.ensure_future(_probe(http, effect.chats, "POST")),
            asyncio.ensure_future(_probe(http, effect.healths, "GET")),
            asyncio.ensure_future(_watch_memory(server, effect)),
        ]
        start_s = time.monotonic()
        attacks = [asyncio.to_thread(_send, server.url + attack.path, body) for body in bodies]
        effect.answers = list(await asyncio.gather(*attacks))
        effect.took_s = time.monotonic() - start_s
        for probe in probes:
            probe.cancel()
        await asyncio.gather(*probes, return_exceptions=True)
        await asyncio.sleep(REST_S)
        effect.after_mb = server.memory_mb()
    return effect


def _send(url: str, body: bytes) -> str:
    """Status and code of the answer; or that none came in time."""
    try:
        answer = httpx.post(url, content=body, headers={"content-type": "application/json"}, timeout=MAX_ATTACK_S)
    except httpx.TimeoutException:
        return f"none in {MAX_ATTACK_S:g} s"
    code = answer.json().get("error", {}).get("code") if answer.status_code != 200 else ""
    return f"{answer.status_code} {code or ''}".strip()


async def _probe(http: httpx.AsyncClient, waits: list[float], method: str) -> None:
    """Again and again, until it is cancelled. One that has no answer by then has waited so long all the same."""
    while True:
        start_s = time.monotonic()
        try:
            answer = await (http.get("/health") if method == "GET" else http.post(CHAT, json=PROBE))
            answer.raise_for_status()
        finally:
            waits.append(time.monotonic() - start_s)
        await asyncio.sleep(PAUSE_S)


async def _watch_memory(server: ServerProcess, effect: Effect) -> None:
    while True:
        effect.peak_mb = max(effect.peak_mb, server.memory_mb())
        await asyncio.sleep(PAUSE_S)
