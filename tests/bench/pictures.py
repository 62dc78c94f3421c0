"""Pictures of docs/benchmark.md from the committed results: `python -m tests.bench.pictures`. They need matplotlib."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from .figures import Run, coverage, read_runs, times

DOCS = Path(__file__).parent.parent.parent / "docs"
COLORS = {
    "guided": "#1f5fbf",
    "guided-any-order": "#7fb0f0",
    "llguidance": "#d9822b",
    "xgrammar": "#3f9b57",
    "outlines_core": "#9a5fb5",
}


def main() -> None:
    """Write the pictures into docs/."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update({"svg.hashsalt": "guided", "font.size": 9, "svg.fonttype": "none"})
    import matplotlib.pyplot as plt

    for name, draw in (("coverage", draw_coverage), ("times", draw_times)):
        figure = draw(plt, read_runs("bytes" if name == "coverage" else "deepseek"))
        figure.savefig(DOCS / f"benchmark_{name}.svg", bbox_inches="tight", metadata={"Date": None})
        plt.close(figure)


def draw_coverage(plt: Any, runs: dict[str, Run]) -> Any:
    """Share of schemas that pass, by data set: a bar for each engine."""
    covered = {engine: coverage(run) for engine, run in ordered(runs)}
    sets = sorted({name for found in covered.values() for name in found})
    figure, axes = plt.subplots(figsize=(7, 0.42 * len(sets) + 1))
    height = 0.8 / len(covered)
    for place, (engine, found) in enumerate(covered.items()):
        shares = [100 * found[name][0] / found[name][1] if name in found else 0.0 for name in sets]
        axes.barh(np.arange(len(sets)) + place * height, shares, height, label=engine, color=COLORS[engine])
    axes.set_yticks(np.arange(len(sets)) + 0.4 - height / 2, sets)
    axes.invert_yaxis()
    axes.set_xlabel("schemas that pass, %")
    axes.set_xlim(0, 100)
    _finish(axes, "lower center")
    return figure


def draw_times(plt: Any, runs: dict[str, Run]) -> Any:
    """Share of schemas that are done within a time: a line for each engine, over the schemas with documents."""
    figure, axes = plt.subplots(figsize=(7, 3.6))
    for engine, run in ordered(runs):
        found = np.sort(times(run, "whole_ms"))
        shares = 100 * np.arange(1, len(found) + 1) / len(run.with_documents)
        axes.step(found, shares, where="post", label=engine, color=COLORS[engine])
    axes.set_xscale("log")
    axes.set_xlabel("compiling and all tokens of the valid documents, ms of processor time")
    axes.set_ylabel("schemas with documents that pass, %")
    axes.set_ylim(0, 100)
    _finish(axes, "lower center")
    return figure


def ordered(runs: dict[str, Run]) -> list[tuple[str, Run]]:
    """The runs in the order of the colours."""
    return [(engine, runs[engine]) for engine in COLORS if engine in runs]


def _finish(axes: Any, place: str) -> None:
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc=place, bbox_to_anchor=(0.5, 1.0), ncol=5, frameon=False)


if __name__ == "__main__":
    main()
