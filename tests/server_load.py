"""Load on a real server: `python -m tests.server_load --clients 64 --minutes 5`; see `--help`."""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from tests.load.client import Outcome
from tests.load.figures import Figures, leaks, rows
from tests.load.scenes import kill_and_restart, run_clients, stall, until
from tests.load.server_process import ServerProcess

WARM_UP_S = 10.0
KV_CACHE_TOKENS = 16_384  # so few that all pages are used at once and again, and are no growth of memory afterwards


def main(
    clients: Annotated[int, typer.Option(min=1, help="Clients at once.")] = 64,
    minutes: Annotated[float, typer.Option(help="How long they send requests.")] = 5.0,
    seed: Annotated[int, typer.Option(help="Of the requests.")] = 1,
    send_timeout_s: Annotated[float, typer.Option(help="The server's, for the client that stops reading.")] = 5.0,
    max_growth_mb: Annotated[float, typer.Option(help="Memory that the server may hold more afterwards.")] = 200.0,
) -> None:
    """Start `guided serve` with the embedded model and let many mixed clients at it; then look for what leaked.

    Each client sends one request after the other: answers under a schema, a regex or a choice, free ones, of three wire
    formats, half of them streamed; some leave in the middle, some give a deadline, some are wrong. Every answer is
    judged: a constrained one must be valid, a seeded one always the same, a wrong request must get its error. Meanwhile
    nothing but 429 and 503 may be refused for load.

    Then: a client that asks for megabytes and reads nothing, and kill -9 with a restart on the same port.

    Out comes a table of what happened by kind, the server's figures before and after, and a last line of JSON. The exit
    code is 1 where an answer was wrong or something leaked.

    Examples:

    python -m tests.server_load --clients 8 --minutes 0.2

    python -m tests.server_load --clients 64 --minutes 5
    """
    report = measure(clients, minutes * 60, seed, send_timeout_s, max_growth_mb)
    print(json.dumps({key: value for key, value in report.items() if key != "outcome"}))
    sys.exit(1 if report["faults"] else 0)


def measure(
    clients: int,
    seconds: float,
    seed: int,
    send_timeout_s: float,
    max_growth_mb: float,
    *,
    warm_up_s: float = WARM_UP_S,
    with_restart: bool = True,
) -> dict[str, Any]:
    """The whole test: {"faults": what was wrong, "num_requests", "before", "after", ...}; prints tables."""
    outcome = Outcome()
    options = ("--send-timeout-s", str(send_timeout_s), "--kv-cache-tokens", str(KV_CACHE_TOKENS))
    with ServerProcess(*options) as server:
        asyncio.run(run_clients(server.url, clients, until(warm_up_s), seed + 1, Outcome()))
        before = Figures.of(server)
        start_s = time.monotonic()
        asyncio.run(run_clients(server.url, clients, until(seconds), seed, outcome))
        took_s = time.monotonic() - start_s
        scenes = {"a client that stops reading": stall(server, send_timeout_s)}
        after = Figures.of(server)
        if with_restart:
            scenes["kill -9 and restart"] = kill_and_restart(server)
        exit_code = server.stop()
        faults = [*outcome.wrong, *leaks(before, after, max_growth_mb), *_tracebacks(server.log)]
    faults += [f"{scene}: {what}" for scene, what in scenes.items() if what is not None]
    faults += [f"exit code {exit_code} after SIGTERM"] if exit_code != 0 else []
    _show(outcome, before, after, faults)
    return {
        "faults": faults,
        "clients": clients,
        "seconds": round(took_s, 1),
        "num_requests": outcome.counts.total(),
        "requests_per_s": round(outcome.counts.total() / took_s, 1),
        "before": vars(before),
        "after": vars(after),
        "outcome": outcome,
    }


def _tracebacks(log: str) -> list[str]:
    """Of the server's log, each with its last lines."""
    return [f"the server logged a traceback: ...{part[:3000][-600:]}" for part in log.split("Traceback")[1:]][:3]


def _show(outcome: Outcome, before: Figures, after: Figures, faults: Sequence[str]) -> None:
    console = Console(width=120)
    table = Table("kind", "what happened", "number", "p50 s", "p90 s", "p99 s", title="Requests")
    for (kind, what), number in sorted(outcome.counts.items()):
        times = [f"{value:.2f}" for value in _quantiles(outcome.seconds[kind])] if what == "right" else [""] * 3
        table.add_row(kind, what, str(number), *times)
    console.print(table)
    figures = Table("figure", "before", "after", title="The idle server")
    for row in rows(before, after):
        figures.add_row(*row)
    console.print(figures)
    for fault in faults[:20]:
        console.print(f"WRONG: {fault}", style="red", markup=False)


def _quantiles(seconds: list[float]) -> tuple[float, float, float]:
    if len(seconds) < 2:
        return (seconds[0],) * 3 if seconds else (0.0,) * 3
    cuts = statistics.quantiles(seconds, n=100, method="inclusive")
    return cuts[49], cuts[89], cuts[98]


if __name__ == "__main__":
    typer.run(main)
