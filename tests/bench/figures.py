"""Figures of results: `tests.bench.jsonschemabench` wrote them, `tests.bench.page` shows them."""

from __future__ import annotations

import json
import lzma
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from .reading import Row

RESULTS = Path(__file__).parent / "results"
STATUSES = ("pass", "refused", "accepts_invalid", "rejects_valid", "failed", "timeout", "crash")
NAMED_SETS = ("BFCL", "JME")  # their ids have no "---" behind the set


@dataclass(frozen=True)
class Run:
    """The results of one engine on one vocabulary. setting: the first line of its file. rows: id -> row."""

    setting: dict[str, Any]
    rows: dict[str, Row]

    @property
    def engine(self) -> str:
        return str(self.setting["engine"])

    @cached_property
    def statuses(self) -> Counter[str]:
        return Counter(row["status"] for row in self.rows.values())

    @cached_property
    def with_documents(self) -> frozenset[str]:
        """The schemas that have documents; others pass if they compile."""
        return frozenset(name for name, row in self.rows.items() if row["num_documents"])

    @cached_property
    def passing(self) -> frozenset[str]:
        return frozenset(name for name, row in self.rows.items() if row["status"] == "pass")


def read_run(path: Path) -> Run:
    """A file of results, compressed or not."""
    content = path.read_bytes()
    text = (lzma.decompress(content) if path.suffix == ".xz" else content).decode()
    setting, *rows = map(json.loads, text.splitlines())
    return Run(setting, {row["id"]: row for row in rows})


def read_runs(vocabulary: str, folder: Path = RESULTS) -> dict[str, Run]:
    """Engine -> its committed results on this vocabulary."""
    runs = [read_run(path) for path in sorted(folder.glob(f"*.{vocabulary}.jsonl.xz"))]
    return {run.engine: run for run in runs}


def pack(path: Path, folder: Path = RESULTS) -> None:
    """Compress a file of results into the folder, its rows by id."""
    setting, *lines = path.read_text(encoding="utf-8").splitlines()
    rows = sorted(lines, key=lambda line: json.loads(line)["id"])
    with lzma.open(folder / f"{path.name}.xz", "wt", preset=9) as file:
        file.write("\n".join([setting, *rows]) + "\n")


def set_of(name: str) -> str:
    """The data set of a schema."""
    first = name.partition("---")[0]
    return next((one for one in NAMED_SETS if name.startswith(f"{one}_")), first)


def coverage(run: Run) -> dict[str, tuple[int, int]]:
    """Data set -> (schemas that pass, all)."""
    totals = Counter(map(set_of, run.rows))
    passing = Counter(map(set_of, run.passing))
    return {name: (passing[name], total) for name, total in sorted(totals.items())}


@dataclass(frozen=True)
class Quantiles:
    """Of some times."""

    num: int
    p50: float
    p90: float
    p99: float
    most: float


def quantiles(values: Iterable[float]) -> Quantiles:
    """Raises ValueError for no values."""
    found = np.sort(np.fromiter(values, float))
    if not found.size:
        raise ValueError("no values")
    p50, p90, p99 = (float(np.percentile(found, percent)) for percent in (50, 90, 99))
    return Quantiles(found.size, p50, p90, p99, float(found[-1]))


def times(run: Run, field: str) -> list[float]:
    """The times of the schemas that pass."""
    return [run.rows[name][field] for name in sorted(run.passing) if field in run.rows[name]]


@dataclass(frozen=True)
class Comparison:
    """The whole work of two runs on the schemas that pass in both.

    share_of_sum: our sum of times divided by theirs. median: of the ratios of single schemas. share_faster: of the
    schemas for which we take less time. slowest: the schemas with the greatest ratios, the greatest first.
    """

    num: int
    share_of_sum: float
    median: float
    share_faster: float
    slowest: tuple[tuple[str, float], ...]


def compare(ours: Run, theirs: Run, field: str = "whole_ms") -> Comparison:
    """Our times beside theirs."""
    both = sorted(ours.passing & theirs.passing)
    names = [name for name in both if field in ours.rows[name] and field in theirs.rows[name]]
    mine, other = (np.array([run.rows[name][field] for name in names]) for run in (ours, theirs))
    ratios = mine / other
    order = np.argsort(-ratios, kind="stable")[:5]
    return Comparison(
        len(names),
        float(mine.sum() / other.sum()),
        float(np.median(ratios)),
        float((ratios < 1).mean()),
        tuple((names[place], float(ratios[place])) for place in order),
    )


def only_theirs(ours: Run, theirs: Run) -> Counter[str]:
    """Our statuses of the schemas that pass with them and not with us."""
    return Counter(ours.rows[name]["status"] for name in theirs.passing - ours.passing if name in ours.rows)


def reasons(run: Run) -> Counter[str]:
    """Why schemas were refused or failed."""
    return Counter(row["reason"] for row in run.rows.values() if "reason" in row)
