"""What all fuzzers share: schemas until time or number is up, faults shrunk and told, a progress line."""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from guided.grammars.errors import InvalidSchemaError, LimitExceededError

from .shrink import shrunk


@dataclass(frozen=True)
class Fault:
    """Something wrong. kind: "dead end", "wrong accept"... text: the document or its beginning."""

    kind: str
    property_order: str
    text: str


Make = Callable[[random.Random], Any]
Find = Callable[[Any, random.Random], Fault | None]


def fuzz(
    make: Make, find: Find, *, seed: int, schemas: int = sys.maxsize, seconds: float = float("inf"), tell: bool = False
) -> list[tuple[Any, Fault]]:
    """The faults of random schemas, each schema as small as still shows a fault of that kind.

    make: a schema. find: its first fault; raises InvalidSchemaError where the schema is refused. Schema i depends on
    `seed` and i alone. schemas, seconds: it ends when one of them is up. tell: print progress and faults.
    """
    faults: list[tuple[Any, Fault]] = []
    counts: Counter[str] = Counter()
    start = told = time.monotonic()
    for number in range(schemas):
        now = time.monotonic()
        if now - start > seconds:
            break
        if tell and now - told > 5:
            told = now
            print(f"{number} schemas, {now - start:.0f} s, {dict(counts)}", flush=True)
        schema = make(random.Random(f"{seed} {number}"))
        fault = _fault_of(schema, find, number, counts)
        counts["schemas"] += 1
        if fault is not None:
            counts[fault.kind] += 1
            small, fault = _shrink(schema, fault, find, number)
            faults.append((small, fault))
            if tell:
                print(
                    f"#{number} {fault.kind} ({fault.property_order}) at {fault.text}\n  {json.dumps(small)}",
                    flush=True,
                )
    if tell:
        print(f"{dict(counts)} in {time.monotonic() - start:.0f} s")
    return faults


def _fault_of(schema: Any, find: Find, number: int, counts: Counter[str]) -> Fault | None:
    try:
        return find(schema, random.Random(number))
    except LimitExceededError as error:
        return Fault("limit", "", str(error))
    except InvalidSchemaError:
        counts["refused"] += 1
        return None


def _shrink(schema: Any, fault: Fault, find: Find, number: int) -> tuple[Any, Fault]:
    found = fault

    def shows_fault(smaller: Any) -> bool:
        nonlocal found
        another = _fault_of(smaller, find, number, Counter())
        if another is None or another.kind != fault.kind:
            return False
        found = another
        return True

    return shrunk(schema, shows_fault), found


def main(make: Make, find: Find, description: str) -> None:
    """The command line of a fuzzer; ends with 1 where something was found."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--schemas", type=int, default=sys.maxsize)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    asked = parser.parse_args()
    sys.exit(bool(fuzz(make, find, seed=asked.seed, schemas=asked.schemas, seconds=asked.seconds, tell=True)))
