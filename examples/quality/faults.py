"""What is wrong in the answers on disk: `python -m examples.quality.faults` counts the faults for each kind of text."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, get_args

import typer

from .__main__ import HALVES, chosen_of
from .answers import RESULTS, answers_file, read_answers
from .cases import read_cases
from .models import MODELS
from .rows import ROWS
from .scoring import Verdict, parsed, verdicts

KINDS: list[Verdict] = [one for one in get_args(Verdict) if one != "right"]


def main(
    model: Annotated[
        str, typer.Option(help=f"Whose answers: {', '.join(MODELS)}, or the folder of another.")
    ] = "smollm2-extract",
    row: Annotated[str, typer.Option(help=f"Way of asking: {', '.join(ROWS)}.")] = "quotes",
    half: Annotated[str | None, typer.Option(help="Half of the texts: tuning, held-out. Default: both.")] = None,
    answers: Annotated[Path, typer.Option(help="Folder of the answers.")] = RESULTS,
) -> None:
    """Print a table with a line for the short texts, for each kind of document, and for all documents."""
    counts: dict[str, Counter[Verdict]] = {}
    chosen_of([row], ROWS)
    halves = chosen_of(None if half is None else [half], HALVES)
    if not Path(model).is_dir():
        chosen_of([model], MODELS)
    path = answers_file(answers, Path(model).name, row)
    known = read_answers(path)
    for case in (*read_cases("short"), *read_cases("documents")):
        if case.half in halves and case.name in known:
            found = verdicts(case, parsed(known[case.name].text))
            name, _, label = case.name.partition("/")
            for kind in [name] if name == "short" else [label.rpartition("-")[0], name]:
                counts.setdefault(kind, Counter()).update(found)
    if not counts:
        raise typer.BadParameter(f"{path} has no answers to the texts of the {' and '.join(halves)} half")
    print(f"| texts | fields | right | {' | '.join(KINDS)} |")
    print("|---|" + "--:|" * (len(KINDS) + 2))
    for kind, found in sorted(
        counts.items(), key=lambda one: (one[0] == "documents", -one[1]["right"] / one[1].total())
    ):
        faults = " | ".join(str(found[one]) for one in KINDS)
        print(f"| {kind} | {found.total()} | {100 * found['right'] / found.total():.1f} % | {faults} |")


if __name__ == "__main__":
    typer.run(main)
