"""The tables of docs/benchmark.md and docs/speed.md, from the committed results: `python -m tests.bench.page`.

With files of results (`python -m tests.bench.page results/*.jsonl`) these are committed first, compressed.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from tests.grammar_speed import Figures as SpeedFigures

from . import pictures
from .figures import RESULTS, STATUSES, Run, compare, coverage, only_theirs, pack, quantiles, read_runs, reasons, times

DOCUMENT, SPEED = pictures.DOCS / "benchmark.md", pictures.DOCS / "speed.md"
MAX_REASONS = 6
WORDS = {"accepts_invalid": "accepts invalid", "rejects_valid": "rejects valid"}


def tables() -> dict[str, str]:
    """Name of each table -> its lines, as in the document."""
    of_bytes, of_tokens = read_runs("bytes"), read_runs("deepseek")
    return {
        "verdicts": verdicts(of_bytes),
        "coverage": coverage_table(of_bytes),
        "verdicts of tokens": verdicts(of_tokens),
        "whole work": whole_work(of_tokens),
        "compared": compared(of_tokens),
        "beaten": beaten(of_bytes, of_tokens),
        "reasons": reasons_table(of_bytes),
    }


def verdicts(runs: dict[str, Run]) -> str:
    """How many schemas have each status."""
    rows = [
        [
            f"{engine} {run.setting['version']}",
            len(run.rows),
            *(run.statuses[status] for status in STATUSES),
            f"{len(run.passing & run.with_documents)} of {len(run.with_documents)}",
        ]
        for engine, run in pictures.ordered(runs)
    ]
    head = ["engine", "schemas", *(WORDS.get(status, status) for status in STATUSES), "pass, of those with documents"]
    return _table(head, rows)


def coverage_table(runs: dict[str, Run]) -> str:
    """The schemas that pass, by data set."""
    covered = {engine: coverage(run) for engine, run in pictures.ordered(runs)}
    sets = sorted({name for found in covered.values() for name in found})
    totals = {name: max(found[name][1] for found in covered.values() if name in found) for name in sets}
    rows = [
        [name, totals[name], *(_of(found.get(name, (0, 0)), totals[name]) for found in covered.values())]
        for name in sets
    ]
    return _table(["data set", "schemas", *covered], rows)


def _of(counts: tuple[int, int], total: int) -> str:
    passing, num = counts
    if not num:
        return "-"
    return f"{passing}" if num == total else f"{passing} of {num}"


def whole_work(runs: dict[str, Run]) -> str:
    """Times of the schemas that pass with each engine."""
    rows = []
    for engine, run in pictures.ordered(runs):
        work, compiling = quantiles(times(run, "whole_ms")), quantiles(times(run, "compile_ms"))
        p50, most = quantiles(times(run, "mask_p50_us")), quantiles(times(run, "mask_max_us"))
        cells = [work.p50, work.p90, work.p99, compiling.p50, compiling.p99, p50.p50, most.p50, most.p99]
        rows.append([engine, work.num, *map(_number, cells)])
    head = ["engine", "schemas", "whole work p50, ms", "p90", "p99", "compile p50, ms", "p99", "token p50, us"]
    return _table([*head, "slowest token p50, us", "p99"], rows)


def compared(runs: dict[str, Run]) -> str:
    """Our whole work beside each peer's."""
    rows = []
    for engine, run in pictures.ordered(runs):
        if not engine.startswith("guided"):
            found = compare(runs["guided"], run)
            parts = [compare(runs["guided"], run, "compile_ms"), found]
            cells = [f"{100 * part.share_faster:.0f} %" for part in parts]
            rows.append([engine, found.num, f"{found.share_of_sum:.2g}", f"{found.median:.2g}", cells[1], cells[0]])
    return _table(["peer", "schemas", "sum", "median", "guided is faster", "and compiles faster"], rows)


def beaten(of_bytes: dict[str, Run], of_tokens: dict[str, Run]) -> str:
    """Where a peer does better: schemas that pass there alone, and those whose whole work is slowest beside theirs."""
    rows = []
    for engine, run in pictures.ordered(of_bytes):
        if not engine.startswith("guided"):
            lost = only_theirs(of_bytes["guided"], run)
            shown = ", ".join(f"{num} {WORDS.get(status, status)}" for status, num in sorted(lost.items())) or "none"
            slowest = compare(of_tokens["guided"], of_tokens[engine]).slowest[:3]
            rows.append([engine, shown, ", ".join(f"{name}: {ratio:.1f}" for name, ratio in slowest)])
    return _table(
        ["peer", "passes there, with guided it is", "guided's whole work in units of the peer's, worst"], rows
    )


def reasons_table(runs: dict[str, Run]) -> str:
    """Why schemas were refused, most frequent first."""
    rows = []
    for engine, run in pictures.ordered(runs):
        grouped: Counter[str] = Counter()
        for reason, num in reasons(run).items():
            grouped[plain_reason(reason)] += num
        told = sorted(grouped.items(), key=lambda item: (-item[1], item[0]))
        others = sum(num for _, num in told[MAX_REASONS:])
        cells = [f"{num} {reason}" for reason, num in told[:MAX_REASONS]] + [f"{others} others"] * bool(others)
        rows.append([engine, sum(grouped.values()), "; ".join(cells) or "none"])
    return _table(["engine", "refused or failed", "reasons"], rows)


def plain_reason(reason: str) -> str:
    """The reason in short: without the error's class, places and names of formats."""
    kind, _, text = reason.partition(": ")
    if kind == "UnsupportedSchemaError":
        return f"unsupported `{text}`"
    text = re.sub(r"^(\[\.\.\. \.\.\. )?(Check failed: \(false\) is false: )?", "", text)
    text = re.sub(r"^Unknown format.*|^Format .* is not supported.*", "unknown format", text)
    return re.split(r"(?<!\.)\.(?: |$)| is unsupported|: '| \{| at \.\.\.", text)[0].replace("|", "\\|").strip()


def speed_table() -> str:
    """The whole work of `tests.grammar_speed`, from the file that its option `--out` wrote."""
    rows: list[list[object]] = []
    for case, engines in json.loads((RESULTS / "speed.json").read_text(encoding="utf-8")).items():
        found = {engine: SpeedFigures(**values) for engine, values in engines.items()}
        num_tokens = max(figures.num_tokens for figures in found.values())
        for engine, figures in found.items():
            label = case if engine == next(iter(found)) else ""
            rows.append(
                [label, engine, *(_speed_cells(figures, num_tokens) if not figures.problem else [figures.problem])]
            )
    head = ["case", "engine", "compile, ms", "whole, cold, ms", "whole, warm, ms", "cold token, us", "p99"]
    return _table([*head, "warm token, us", "tokens"], [row + [""] * (9 - len(row)) for row in rows])


def _speed_cells(figures: SpeedFigures, num_tokens: int) -> list[object]:
    """The cells of one engine. num_tokens: of all texts; with fewer the time of a round was over before their end."""
    more = "over " if figures.num_tokens < num_tokens else ""
    whole = [f"{more}{_number(number)}" for number in (figures.whole_cold_ms, figures.whole_warm_ms)]
    tokens = [_number(number) for number in (figures.cold_us, figures.cold_p99_us, figures.warm_us)]
    return [_number(figures.compile_ms), *whole, *tokens, figures.num_tokens]


def _number(value: float) -> str:
    return f"{value:.2g}" if value < 10 else f"{value:,.0f}"


def _table(head: list[str], rows: list[list[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(
        f"| {' | '.join(map(str, line))} |".replace("| --- ", "|---").replace("---|", "---|") for line in lines
    )


def document_with(document: Path, found: dict[str, str]) -> str:
    """The document with these tables between their marks. Raises ValueError if a mark is missing."""
    text = document.read_text(encoding="utf-8")
    for name, table in found.items():
        before, mark, rest = text.partition(f"<!-- {name} -->\n")
        _, end, after = rest.partition("<!-- end -->")
        if not mark or not end:
            raise ValueError(f"{document.name} has no place for the table {name!r}")
        text = f"{before}{mark}\n{table}\n\n{end}{after}"
    return text


def main(files: Annotated[list[Path] | None, typer.Argument(help="Results to commit first.")] = None) -> None:
    """Write the tables and the pictures."""
    for path in files or []:
        pack(path)
    for document, found in ((DOCUMENT, tables()), (SPEED, {"grammars": speed_table()})):
        document.write_text(document_with(document, found), encoding="utf-8")
    pictures.main()


if __name__ == "__main__":
    typer.run(main)
