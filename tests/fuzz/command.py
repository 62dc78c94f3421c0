"""What all fuzzers share: cases until time or number is up, a progress line, a command line, smaller faulty schemas.

A fuzzer is a function that looks at one case and tells what is wrong with it, as lines. `of_schemas` makes one of a
function that makes a schema and one that finds its first fault.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from guided.grammars.errors import InvalidSchemaError, LimitExceededError

from .shrink import shrunk

DEFAULT_S = 60.0
TOLD_EVERY_S = 5.0


@dataclass(frozen=True)
class Case:
    """One case of a run.

    number: from 0. rng: depends on the run's seed and the number alone. counts: what the run has seen so far, for the
        progress line; a fuzzer adds to it.
    """

    number: int
    rng: random.Random
    counts: Counter[str]


Look = Callable[[Case], Iterable[str]]
"""What is wrong with a case, as lines."""


def fuzz(
    look: Look,
    *,
    seed: int,
    cases: int = sys.maxsize,
    seconds: float = float("inf"),
    counts: Counter[str] | None = None,
    tell: bool = False,
) -> list[str]:
    """The faults of random cases, each with its number. Case i depends on `seed` and i alone.

    cases, seconds: it ends when one of them is up. counts: what is seen is added there. tell: print progress, faults.
    """
    faults: list[str] = []
    counts = Counter() if counts is None else counts
    start = told = time.monotonic()
    for number in range(cases):
        now = time.monotonic()
        if now - start > seconds:
            break
        if tell and now - told > TOLD_EVERY_S:
            told = now
            _tell_progress(counts, now - start)
        found = [f"#{number} {line}" for line in look(Case(number, random.Random(f"{seed} {number}"), counts))]
        counts["cases"] += 1
        if found:
            counts["faults"] += len(found)
            faults += found
        if tell and found:
            print("\n".join(found), flush=True)
    if tell:
        _tell_progress(counts, time.monotonic() - start)
    return faults


def _tell_progress(counts: Counter[str], seconds: float) -> None:
    first = {name: counts[name] for name in ("cases", "faults")}
    print(f"{seconds:.0f} s: " + ", ".join(f"{number} {name}" for name, number in (first | counts).items()), flush=True)


def main(look: Look, description: str) -> None:
    """The command line of a fuzzer; ends with 1 where something was found."""
    run(look, options(description).parse_args())


def options(description: str) -> argparse.ArgumentParser:
    """The options that all fuzzers take."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, help="how many; default: as many as the time allows")
    parser.add_argument("--seconds", type=float, help=f"default: {DEFAULT_S:.0f}, or until all --cases are done")
    return parser


def run(look: Look, asked: argparse.Namespace) -> None:
    """Fuzz as the options ask, and end the process: with 1 where something was found."""
    seconds = (DEFAULT_S if asked.cases is None else float("inf")) if asked.seconds is None else asked.seconds
    cases = sys.maxsize if asked.cases is None else asked.cases
    sys.exit(bool(fuzz(look, seed=asked.seed, cases=cases, seconds=seconds, tell=True)))


@dataclass(frozen=True)
class Fault:
    """Something wrong. kind: "dead end", "wrong accept"... text: the document or its beginning."""

    kind: str
    property_order: str
    text: str


Make = Callable[[random.Random], Any]
Find = Callable[[Any, random.Random], Fault | None]


def of_schemas(make: Make, find: Find) -> Look:
    """Looks at random schemas, and tells each faulty one as small as still shows a fault of that kind.

    make: a schema. find: its first fault; raises InvalidSchemaError where the schema is refused.
    """

    def look(case: Case) -> list[str]:
        schema = make(case.rng)
        fault = _fault_of(schema, find, case.number, case.counts)
        if fault is None:
            return []
        case.counts[fault.kind] += 1
        small, fault = _shrink(schema, fault, find, case.number)
        order = f" ({fault.property_order})" if fault.property_order else ""
        return [f"{fault.kind}{order} at {fault.text}\n  {json.dumps(small)}"]

    return look


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
