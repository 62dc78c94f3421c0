"""What others notice of attacks on a real server: `python -m tests.server_attacks --size 1`; see `--help`."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from tests.load.attacks import ATTACKS, MAX_OUTPUTS, run_attack
from tests.load.server_process import ServerProcess

MAX_MEMORY_BYTES = 12_000_000_000  # of address space, of which kernels and torch map much that they never touch


def main(
    size: Annotated[float, typer.Option(help="Of the attacks, 0 to 1; 1 is what was measured once.")] = 1.0,
    max_attack_s: Annotated[float, typer.Option(help="Seconds for which an attack may go on.")] = 90.0,
    only: Annotated[list[str] | None, typer.Option(help="Words of the attacks' names.")] = None,
) -> None:
    """Start `guided serve` with the embedded model and send one attack after the other, probes beside each.

    Out come a line for each as it is done, a table, and a last line of JSON.
    """
    effects = measure(size, max_attack_s, only)
    table = Table("attack", "answers", "took s", "chats", "p50 ms", "p99", "worst", "/health p99 ms", "worst", "failed")
    table.add_column("peak MB")
    table.add_column("after")
    for effect in effects:
        table.add_row(*(", ".join(value) if isinstance(value, list) else str(value) for value in effect.values()))
    Console(width=170).print(table)
    print(json.dumps(effects))


def measure(size: float, max_attack_s: float, only: list[str] | None = None) -> list[dict[str, Any]]:
    """The figures of each attack, in the order of `ATTACKS`."""
    chosen = [attack for attack in ATTACKS if not only or any(word in attack.name for word in only)]
    effects = []
    options = ("--kv-cache-tokens", "16384", "--max-outputs", str(MAX_OUTPUTS))
    with ServerProcess(*options, max_memory_bytes=MAX_MEMORY_BYTES) as server:
        for attack in chosen:
            effects.append(run_attack(server, attack, size, max_attack_s).row())
            print(json.dumps(effects[-1]), file=sys.stderr, flush=True)
    return effects


if __name__ == "__main__":
    typer.run(main)
