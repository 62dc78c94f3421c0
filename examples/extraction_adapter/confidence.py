"""How well confidences tell right fields from wrong ones: `python -m examples.extraction_adapter.confidence`.

Texts are read with quotes: generated ones of the kinds that training never sees, and others that `--texts` names. The
figure is the area under the curve: the probability that a right field has a higher score than a wrong one.
"""

from __future__ import annotations

import json
import random
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from examples.embedded_model.corpus.tasks import Task
from examples.embedded_model.evaluate import MISSING, read_tasks, same_value
from examples.embedded_model.quoting import quoting_schema
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


def scored_fields(llm: LLM, tasks: Sequence[Task]) -> tuple[list[float], list[bool]]:
    """The model's probability of each scalar that it wrote, and whether that scalar is right."""
    scores: list[float] = []
    are_right: list[bool] = []
    starts = (partial(llm.extractor(quoting_schema(task), confidence=True).start, task.document.text) for task in tasks)
    for task, extraction in zip(tasks, extract_in_order(starts), strict=True):
        expected = dict(scalars(json.loads(task.answer)))
        for pointer, value in scalars(extraction.data):
            if extraction.confidence is not None and pointer in extraction.confidence:
                scores.append(extraction.confidence[pointer].raw)
                are_right.append(same_value(value, expected.get(pointer, MISSING)))
    return scores, are_right


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


def main(
    model: Annotated[str, typer.Option(help="Model name or folder.")] = "smollm2-extract",
    tasks: Annotated[int, typer.Option(min=1, help="Number of generated texts.")] = 60,
    seed: Annotated[int, typer.Option(help="Seed of these texts.")] = 0,
    texts: Annotated[Path | None, typer.Option(help="Other texts with their answers (JSON Lines).")] = None,
) -> None:
    """Print, for each set of texts, the number of fields, the share that is right, and the area under the curve."""
    with LLM(model) as llm:
        sets = {"held-out kinds": held_out_tasks(tasks, seed)} | (
            {} if texts is None else {texts.name: read_tasks(texts)}
        )
        for name, chosen in sets.items():
            scores, are_right = scored_fields(llm, chosen)
            figures = {"fields": len(scores), "right": round(sum(are_right) / len(scores), 4)}
            print(json.dumps({name: figures | {"area": round(area_under_curve(scores, are_right), 4)}}))


if __name__ == "__main__":
    typer.run(main)
