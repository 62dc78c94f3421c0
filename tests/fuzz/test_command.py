"""The loop and the command line that all fuzzers share."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from .command import Case, Fault, fuzz, main, of_schemas


def even(case: Case) -> list[str]:
    case.counts["seen"] += 1
    return [f"drew {case.rng.randrange(1000)}"] if case.number % 2 == 0 else []


def test_cases_depend_on_the_seed_and_their_number_alone() -> None:
    counts: Counter[str] = Counter()
    found = fuzz(even, seed=3, cases=5, counts=counts)
    assert found == [f"#{number} drew {random.Random(f'3 {number}').randrange(1000)}" for number in (0, 2, 4)]
    assert counts == {"cases": 5, "faults": 3, "seen": 5}
    assert fuzz(even, seed=3, cases=1) == found[:1]
    assert fuzz(even, seed=3, seconds=-1.0) == []


def test_faulty_schemas_get_small() -> None:
    def find(schema: Any, rng: random.Random) -> Fault | None:
        return Fault("has b", "", "text") if "b" in schema else None

    assert fuzz(of_schemas(lambda rng: {"a": 1, "b": [2, 3]}, find), seed=1, cases=1) == [
        '#0 has b at text\n  {"b": [0]}'
    ]


def test_the_command_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["fuzzer", "--seed", "3", "--cases", "3"])
    with pytest.raises(SystemExit) as ended:
        main(even, "description")
    assert ended.value.code == 1
    *lines, last = capsys.readouterr().out.splitlines()
    assert lines == fuzz(even, seed=3, cases=3)
    assert last == "0 s: 3 cases, 2 faults, 3 seen"
