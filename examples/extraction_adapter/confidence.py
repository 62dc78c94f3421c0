"""How well confidences tell right fields from wrong ones: `python -m examples.extraction_adapter.confidence`.

Texts are read with quotes: generated ones of the kinds that training never sees, and those of docs/quality.md. The
figure is the area under the curve: the probability that a right field has a higher score than a wrong one. `--fit`
makes a calibration from these texts, which `pack.py` takes.
"""

from __future__ import annotations

import json
import random
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, astuple, dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from examples.embedded_model.corpus.tasks import Task
from examples.embedded_model.evaluate import MISSING, same_value
from examples.embedded_model.quoting import quoting_schema
from examples.quality.cases import Half, read_cases
from guided.extraction.calibration import Calibration, signs
from guided.extraction.confidence import FieldConfidence
from guided.extraction.extractor import extract_in_order
from guided.llm import LLM

from .documents import make_document_task
from .samples import is_quoted


def held_out_tasks(count: int, seed: int) -> list[Task]:
    """Generated tasks of the held-out kinds whose answers keep to quotes."""
    rng = random.Random(f"confidence:{seed}")
    found: list[Task] = []
    while len(found) < count:
        task = make_document_task(rng, held_out=True)
        if is_quoted(task, json.loads(task.answer)):
            found.append(task)
    return found


@dataclass(frozen=True)
class ScoredField:
    """A scalar that the model wrote. signs: see `guided.extraction.calibration.signs`."""

    is_right: bool
    confidence: FieldConfidence
    signs: tuple[float, ...]


def scored_fields(llm: LLM, tasks: Sequence[Task]) -> list[ScoredField]:
    """The scalars of the model's documents. A document that was cut has none."""
    found: list[ScoredField] = []
    starts = (partial(llm.extractor(quoting_schema(task), confidence=True).start, task.document.text) for task in tasks)
    for task, extraction in zip(tasks, extract_in_order(starts), strict=True):
        if extraction.confidence is None:
            continue
        expected, written = dict(scalars(json.loads(task.answer))), dict(scalars(extraction.data))
        content = {pointer: extraction.confidence[pointer].content or 0.0 for pointer in written}
        for pointer, one in signs(written, content).items():
            is_right = same_value(written[pointer], expected.get(pointer, MISSING))
            found.append(ScoredField(is_right, extraction.confidence[pointer], one))
    return found


def fit(fields: Sequence[ScoredField], ridge: float = 1.0, steps: int = 50) -> Calibration:
    """The weights that explain best which fields are right, by Newton's method.

    ridge: penalty for squared weights, but for the constant. Some fields must be right and some wrong.
    """
    inputs = np.array([one.signs for one in fields])
    targets = np.array([float(one.is_right) for one in fields])
    penalty = np.diag([0.0, *[ridge] * (inputs.shape[1] - 1)])
    weights = np.zeros(inputs.shape[1])
    for _ in range(steps):
        shares = 1 / (1 + np.exp(-inputs @ weights))
        gradient = inputs.T @ (targets - shares) - penalty @ weights
        weights += np.linalg.solve((inputs.T * (shares * (1 - shares))) @ inputs + penalty, gradient)
    return Calibration(*(round(float(weight), 4) for weight in weights))


def scalars(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """The scalars of a JSON value with their pointers. Keys here have no "/" and no "~"."""
    if isinstance(value, dict | list):
        items: Iterable[tuple[Any, Any]] = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in items:
            yield from scalars(inner, f"{pointer}/{key}")
    else:
        yield pointer, value


def area_under_curve(scores: Sequence[float], are_right: Sequence[bool]) -> float:
    """The probability that a right field has a higher score than a wrong one; ties count half (Hanley, McNeil 1982).

    Both kinds of fields must be there.
    """
    right = sorted(score for score, one in zip(scores, are_right, strict=True) if one)
    wrong = [score for score, one in zip(scores, are_right, strict=True) if not one]
    above = sum(2 * len(right) - bisect_left(right, one) - bisect_right(right, one) for one in wrong)
    return above / (2 * len(right) * len(wrong))


def areas(fields: Sequence[ScoredField], calibration: Calibration | None) -> dict[str, float]:
    """The areas under the curve of the model's own probabilities, and of calibrated ones."""
    are_right = [one.is_right for one in fields]
    scores = {
        "raw": [one.confidence.raw for one in fields],
        "processed": [one.confidence.processed or 0.0 for one in fields],
    }
    if calibration is not None:  # grows with the probability
        scores["calibrated"] = [float(np.dot(astuple(calibration), one.signs)) for one in fields]
    return {name: round(area_under_curve(one, are_right), 4) for name, one in scores.items()}


def main(
    model: Annotated[str, typer.Option(help="Model name or folder.")] = "smollm2-extract",
    tasks: Annotated[int, typer.Option(min=0, help="Number of generated texts.")] = 60,
    seed: Annotated[int, typer.Option(help="Seed of these texts.")] = 0,
    half: Annotated[Half | None, typer.Option(help="Also the texts of docs/quality.md in this half.")] = None,
    weights: Annotated[Path | None, typer.Option(help="File with a calibration's weights.")] = None,
    fits: Annotated[bool, typer.Option("--fit", help="First fit these weights on all the texts.")] = False,
) -> None:
    """Print, for each set of texts, the number of fields, the share that is right, and the areas under the curve."""
    sets = {"held-out kinds": held_out_tasks(tasks, seed)} if tasks else {}
    if half is not None:
        sets |= {name: [case.task for case in read_cases(name) if case.half == half] for name in ("short", "documents")}
    with LLM(model) as llm:
        found = {name: scored_fields(llm, chosen) for name, chosen in sets.items()}
    found["all"] = [one for fields in found.values() for one in fields]
    if weights is not None and fits:
        weights.write_text(json.dumps(asdict(fit(found["all"])), indent=2) + "\n", encoding="utf-8")
    calibration = None if weights is None else Calibration(**json.loads(weights.read_text(encoding="utf-8")))
    for name, fields in found.items():
        share = sum(one.is_right for one in fields) / len(fields)
        print(json.dumps({name: {"fields": len(fields), "right": round(share, 4)} | areas(fields, calibration)}))


if __name__ == "__main__":
    typer.run(main)
