"""What constraints are worth: `python -m examples.quality` asks models for the data in texts, and prints the tables.

Every answer is kept under `results/`, so that a run that was stopped goes on, and the tables can be made again without
a model (`--tables`).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from guided.errors import ModelNotFoundError
from guided.output.progress import progress_bar

from .answers import RESULTS, Answer, answers_file, read_answers, write_answers
from .cases import Case, read_cases
from .models import MODELS, example_names, load
from .rows import ROWS
from .scoring import score

HALVES = ("tuning", "held-out")
SETS = ("short", "documents")
HEAD = "| | valid | fields right | of short texts | of documents | invented values | all right | tokens | seconds |"


def main(
    model: Annotated[
        list[str] | None, typer.Option(help=f"Models to ask: {', '.join(MODELS)}, or folders of others. Default: all.")
    ] = None,
    row: Annotated[list[str] | None, typer.Option(help=f"Ways of asking: {', '.join(ROWS)}. Default: all.")] = None,
    half: Annotated[
        list[str] | None, typer.Option(help="Halves of the texts: tuning, held-out. Default: both.")
    ] = None,
    of: Annotated[list[str] | None, typer.Option(help="Sets of texts: short, documents. Default: both.")] = None,
    texts: Annotated[int, typer.Option(min=0, help="Texts of each half of each set; 0: all.")] = 0,
    batch: Annotated[int, typer.Option(min=1, help="Texts that are read together.")] = 16,
    answers: Annotated[Path, typer.Option(help="Folder of the answers.")] = RESULTS,
    tables: Annotated[
        bool, typer.Option("--tables", help="Only make the tables of the answers that are there.")
    ] = False,
) -> None:
    """Ask each model in each way for the data in each text, and print what the answers are worth.

    A table counts all chosen texts together. Tokens and seconds of processor time are means of a text. Rows that lack
    answers are left out.
    """
    named = [one for one in model or () if not Path(one).is_dir()]
    models, rows = model or [*MODELS], chosen_of(row, ROWS)
    chosen_of(named, MODELS)
    sets = chosen_of(of, SETS)
    halves = chosen_of(half, HALVES)
    cases = [case for one in halves for name in sets for case in _cases(name, one, texts)]
    for name in models if not tables else ():
        _ask(name, rows, cases, batch, answers)
    for name in models:
        print(f"\n**{MODELS.get(name, Path(name).name)}**, {len(cases)} texts ({' and '.join(halves)} half)\n")
        print(_table(name, rows, cases, answers))


def chosen_of(values: list[str] | None, known: Iterable[str]) -> list[str]:
    """The values of an option; all that are known without any."""
    for one in values or ():
        if one not in known:
            raise typer.BadParameter(f"{one!r} is none of {', '.join(known)}")
    return values or [*known]


def _cases(name: str, half: str, num_texts: int) -> list[Case]:
    """The first texts of a half of a set. The documents are mixed, so that the first ones are of all kinds."""
    found = [one for one in read_cases(name) if one.half == half and one.name not in example_names()]
    if name == "documents":
        found.sort(key=lambda case: case.name.rpartition("-")[2])
    return found[:num_texts] if num_texts else found


def _ask(model: str, rows: list[str], cases: list[Case], batch: int, folder: Path) -> None:
    """Ask for all answers that are missing."""
    missing: dict[str, list[Case]] = {}
    for row in rows:
        known = read_answers(answers_file(folder, Path(model).name, row))
        missing[row] = [case for case in cases if case.name not in known]
    if not any(missing.values()):
        return
    try:
        llm = load(model)
    except ModelNotFoundError as error:
        print(f"{model} is left out: {error}")
        return
    with progress_bar(sum(map(len, missing.values())), model) as advance:
        for row, left in missing.items():
            path = answers_file(folder, Path(model).name, row)
            for first in range(0, len(left), batch):
                part = left[first : first + batch]
                found = {one.case: one for one in ROWS[row].answers(llm, part)}
                write_answers(path, (read_answers(path) | found).values())
                advance(len(part))
    llm.shutdown()


def _table(model: str, rows: list[str], cases: list[Case], folder: Path) -> str:
    lines = [HEAD, "|---|" + "--:|" * (HEAD.count("|") - 2)]
    for row in rows:
        answers = read_answers(answers_file(folder, Path(model).name, row))
        if answers.keys() >= {case.name for case in cases}:
            lines.append(f"| {ROWS[row].label} | {' | '.join(_cells(cases, answers))} |")
    return "\n".join(lines)


def _cells(cases: list[Case], answers: dict[str, Answer]) -> list[str]:
    found = score(cases, answers)
    of_sets = [score([one for one in cases if one.name.startswith(name)], answers) for name in ("short", "documents")]
    return [
        _share(found.num_valid, found.num_documents),
        *(_share(one.num_right, one.num_fields) for one in (found, *of_sets)),
        str(found.num_invented),
        str(found.num_documents_right),
        f"{found.num_tokens / max(found.num_documents, 1):.0f}",
        f"{found.cpu_s / max(found.num_documents, 1):.1f}",
    ]


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else ""


if __name__ == "__main__":
    typer.run(main)
