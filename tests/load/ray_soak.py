"""A soak of Ray Serve: python -m tests.load.ray_soak --requests 10000

Two replicas of the embedded model answer chats under a schema, half of them streamed. When a third of the requests is
begun, one replica is killed with `kill -9`. Every request must be answered with a valid document. What was in flight on
the killed replica may end with an honest error (a status of 500 or more, a broken connection, a stream without its end)
and is sent once more; then it must be answered too. Ends with 1 where anything was lost.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import httpx
import jsonschema

from .ray_cluster import RayCluster
from .requests import TEXTS, chat

SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 12}, "age": {"type": "integer"}, "ok": {"type": "boolean"}},
    "required": ["name", "age", "ok"],
    "additionalProperties": False,
}


class HonestError(Exception):
    """A request that ended with an error which says so."""


@dataclass
class Result:
    """counts: what became of the requests. errors: kinds of honest errors. lost: what must not be. seconds: of each."""

    counts: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


async def ask(http: httpx.AsyncClient, body: dict[str, Any]) -> str:
    """The text of one answer. Raises HonestError."""
    try:
        if not body.get("stream"):
            response = await http.post("/v1/chat/completions", json=body)
            if response.status_code >= 500:
                raise HonestError(f"status {response.status_code}")
            response.raise_for_status()
            text: str = response.json()["choices"][0]["message"]["content"]
            return text
        return await _ask_streamed(http, body)
    except httpx.TransportError as error:
        raise HonestError(type(error).__name__) from error


async def _ask_streamed(http: httpx.AsyncClient, body: dict[str, Any]) -> str:
    text, is_ended = "", False
    async with http.stream("POST", "/v1/chat/completions", json=body) as response:
        if response.status_code >= 500:
            raise HonestError(f"status {response.status_code}")
        response.raise_for_status()
        async for line in response.aiter_lines():
            if line == "data: [DONE]":
                is_ended = True
            elif line.startswith("data: "):
                data = json.loads(line.removeprefix("data: "))
                if "error" in data:
                    raise HonestError("error in a stream")
                text += "".join(choice["delta"].get("content") or "" for choice in data["choices"])
    if not is_ended:
        raise HonestError("a stream without its end")
    return text


async def one_request(http: httpx.AsyncClient, number: int, result: Result) -> None:
    """Send it, once more after an honest error, and judge the answer."""
    draw = random.Random(number)
    schema = {"type": "json_schema", "json_schema": {"name": "person", "schema": SCHEMA}}
    body = chat(draw.choice(TEXTS), response_format=schema, max_tokens=60, stream=draw.random() < 0.5, seed=number)
    start_s = time.monotonic()
    for attempt in ("first", "second"):
        try:
            jsonschema.validate(json.loads(await ask(http, body)), SCHEMA)
            result.counts[f"answered at the {attempt} attempt"] += 1
            result.seconds.append(time.monotonic() - start_s)
            return
        except HonestError as error:
            result.errors[str(error)] += 1
        except (ValueError, KeyError, httpx.HTTPStatusError, jsonschema.ValidationError) as error:
            result.lost.append(f"{number}: {type(error).__name__}: {error}")
            return
    result.lost.append(f"{number}: two errors in turn")


async def soak(cluster: RayCluster, num_requests: int, num_clients: int) -> Result:
    """All requests, by clients that each have one in flight; a replica is killed after a third of them."""
    result, numbers = Result(), iter(range(num_requests))
    async with httpx.AsyncClient(base_url=cluster.url, timeout=300) as http:

        async def client() -> None:
            for number in numbers:
                if number == num_requests // 3:
                    await asyncio.to_thread(cluster.kill_one)
                await one_request(http, number, result)

        await asyncio.gather(*(client() for _ in range(num_clients)))
    return result


def report(result: Result, num_requests: int, num_clients: int, seconds: float) -> bool:
    """Print what came; whether nothing was lost, and no more ended with an error than were in flight."""
    print(f"{num_requests} requests, {num_clients} at once, {seconds:.0f} s: {dict(result.counts)}")
    middle, worst = sorted(result.seconds)[len(result.seconds) // 2], max(result.seconds)
    print(f"honest errors: {dict(result.errors)}; seconds: {middle:.2f} (middle), {worst:.2f} (worst)")
    for line in result.lost[:20]:
        print("LOST", line)
    return not result.lost and result.errors.total() <= num_clients and result.counts.total() == num_requests


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--clients", type=int, default=8)
    options = parser.parse_args()
    with RayCluster(2, {"num_threads": 1, "max_batch_size": 16}, health_check_period_s=2) as cluster:
        pids, start_s = set(cluster.pids()), time.monotonic()
        result = asyncio.run(soak(cluster, options.requests, options.clients))
        seconds = time.monotonic() - start_s
        cluster.wait_until_running()
        is_replaced = len(set(cluster.pids()) - pids) == 1
    print("the killed replica", "was replaced" if is_replaced else "was NOT replaced")
    return 0 if report(result, options.requests, options.clients, seconds) and is_replaced else 1


if __name__ == "__main__":
    sys.exit(main())
