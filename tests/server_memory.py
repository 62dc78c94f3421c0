"""Memory of a real server along mixed requests: `python -m tests.server_memory --requests 10000`; see `--help`."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass
from typing import Annotated

import typer

from tests.load.client import Outcome
from tests.load.scenes import run_clients
from tests.load.server_process import ServerProcess

EVERY = 1000  # requests between two looks
MAX_GROWTH = 1.3


@dataclass
class Memory:
    """Resident memory of a server: once its model is loaded, and after each `EVERY` requests. In MB."""

    server: ServerProcess
    requests: int
    outcome: Outcome
    found: list[float]

    def goes_on(self) -> bool:
        """Note the memory where it is time to; whether another request is to be sent."""
        done = self.outcome.counts.total()
        if done >= EVERY * len(self.found):
            self.found.append(round(self.server.memory_mb()))
            print(f"after {done} requests: {self.found[-1]:.0f} MB", file=sys.stderr, flush=True)
        return done < self.requests


def main(
    requests: Annotated[int, typer.Option(min=EVERY, help="How many are sent.")] = 10_000,
    clients: Annotated[int, typer.Option(min=1, help="Clients at once.")] = 16,
    seed: Annotated[int, typer.Option(help="Of the requests.")] = 1,
) -> None:
    """Start `guided serve` with the embedded model and all defaults, and send it the requests of `tests.server_load`.

    Its memory is printed each 1,000 requests; the last line is JSON. The exit code is 1 where an answer was wrong, or
    where the memory in the end is more than 1.3 times what it was after 1,000 requests.
    """
    outcome = Outcome()
    with ServerProcess() as server:
        memory = Memory(server, requests, outcome, [])
        asyncio.run(run_clients(server.url, clients, memory.goes_on, seed, outcome))
    growth = memory.found[-1] / memory.found[1]
    print(json.dumps({"clients": clients, "mb": memory.found, "growth": round(growth, 2), "wrong": outcome.wrong}))
    sys.exit(1 if outcome.wrong or growth > MAX_GROWTH else 0)


if __name__ == "__main__":
    typer.run(main)
