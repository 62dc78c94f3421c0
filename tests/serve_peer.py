"""`guided serve` beside `transformers serve` on one model: `python -m tests.serve_peer`.

Each server runs alone, in a process of its own, and answers the same prompts at /v1/completions, several at once; a
rate is the completion tokens that its answers count, a second of wall time and a second of its process's CPU time,
which other work on the machine hardly changes. `transformers serve` needs `pip install accelerate`. Prints a table and
one line of JSON. Linux only: CPU times are read from /proc.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import httpx
import typer
from rich.console import Console
from rich.table import Table

from guided.embedded import model_path
from tests.ports import free_port

START_TIMEOUT_S, REQUEST_TIMEOUT_S = 180.0, 600.0
PROMPT = "Customer number {}: write down what the shop knows of this person and of what was bought there."


def commands(model: str, port: int) -> dict[str, list[str]]:
    """How each server is started."""
    peer = [str(Path(sys.executable).with_name("transformers")), "serve", model, "--port", str(port), "--device", "cpu"]
    return {
        "guided serve": [sys.executable, "-m", "guided.cli", "serve", "--model", model, "--port", str(port)],
        "transformers serve": peer,
        "transformers serve --continuous-batching": [*peer, "--continuous-batching"],
    }


@contextmanager
def serving(command: list[str], port: int, threads: int) -> Iterator[tuple[str, int]]:
    """The server's URL and process id, once it answers; ends it afterwards."""
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "HF_HUB_OFFLINE": "1"}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url, end = f"http://localhost:{port}", time.monotonic() + START_TIMEOUT_S
    try:
        while not _answers(url):
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"the server did not start: {' '.join(command)}")
            time.sleep(0.5)
        yield url, process.pid
    finally:
        process.terminate()
        process.wait(60)


def _answers(url: str) -> bool:
    try:
        answer = httpx.get(f"{url}/health", timeout=2)
    except httpx.HTTPError:
        return False
    return answer.is_success and answer.json().get("model_loaded", True)


def cpu_s(pid: int) -> float:
    """CPU time that a process has taken, all of its threads, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")  # utime and stime


async def measure(url: str, pid: int, model: str, num_requests: int, num_tokens: int) -> tuple[float, float]:
    """The rates at which so many requests at once are answered, greedy: a second of wall time, and of CPU time."""
    limits = httpx.Limits(max_connections=num_requests)
    async with httpx.AsyncClient(timeout=REQUEST_TIMEOUT_S, limits=limits) as client:

        async def ask(i: int) -> int:
            body = {"model": model, "prompt": PROMPT.format(i), "max_tokens": num_tokens, "temperature": 0}
            answer = await client.post(f"{url}/v1/completions", json=body)
            answer.raise_for_status()
            return int(answer.json()["usage"]["completion_tokens"])

        start_s, start_cpu_s = time.perf_counter(), cpu_s(pid)
        num_made = sum(await asyncio.gather(*(ask(i) for i in range(num_requests))))
        return num_made / (time.perf_counter() - start_s), num_made / (cpu_s(pid) - start_cpu_s)


def main(
    model: Annotated[str, typer.Option(help="Model folder; default: the embedded model.")] = "",
    requests: Annotated[str, typer.Option(help="Requests at once, with commas.")] = "1,8,32",
    tokens: Annotated[int, typer.Option(min=1, help="max_tokens of each request.")] = 48,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds; the best counts. One more warms up.")] = 2,
    threads: Annotated[int, typer.Option(min=1, help="OMP_NUM_THREADS of both.")] = 1,
) -> None:
    """Tokens a second of both servers, for several numbers of requests at once."""
    folder = model or os.fspath(model_path())
    port = free_port()
    counts = [int(count) for count in requests.split(",")]
    results: list[dict[str, Any]] = []
    for name, command in commands(folder, port).items():
        with serving(command, port, threads) as (url, pid):
            served = httpx.get(f"{url}/v1/models", timeout=30).json()["data"][0]["id"] if "guided" in name else folder
            for count in counts:
                rates = [asyncio.run(measure(url, pid, served, count, tokens)) for _ in range(rounds + 1)][1:]
                wall, cpu = (max(kind) for kind in zip(*rates, strict=True))
                results.append({"server": name, "requests": count, "tokens_per_s": wall, "tokens_per_cpu_s": cpu})
                print(results[-1], file=sys.stderr, flush=True)
    title = "completion tokens a second, of wall time / of CPU time"
    table = Table("server", *(f"{count} at once" for count in counts), title=title)
    for name in commands(folder, port):
        own = [one for one in results if one["server"] == name]
        table.add_row(name, *(f"{one['tokens_per_s']:.0f} / {one['tokens_per_cpu_s']:.0f}" for one in own))
    Console(width=100).print(table)
    print(json.dumps({"threads": threads, "tokens": tokens, "results": results}))


if __name__ == "__main__":
    typer.run(main)
