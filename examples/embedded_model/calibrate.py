"""Fits a `Calibration` of the embedded model on generated texts: `python -m examples.embedded_model.calibrate`.

The seeds of its texts are none of the evaluation's. With `--texts` it says on other texts how well its probabilities
tell right fields from wrong ones (the area under the curve), beside the model's own probability.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from guided.extraction.calibration import Calibration, area_under_curve, field_features
from guided.extraction.extractor import extract_in_order
from guided.llm import LLM

from .corpus.scene_tasks import make_scene_task
from .corpus.tasks import Task, make_task
from .evaluate import read_tasks, same_value
from .quoting import quoting_schema


def fields_of(llm: LLM, tasks: Sequence[Task]) -> tuple[list[list[float]], list[bool]]:
    """The features of all fields that are no objects or lists, read with quotes, and whether each is right."""
    rows: list[list[float]] = []
    are_right: list[bool] = []
    starts = (partial(llm.extractor(quoting_schema(task), confidence=True).start, task.document.text) for task in tasks)
    for task, extraction in zip(tasks, extract_in_order(starts), strict=True):
        if extraction.confidence is None:
            continue
        expected = json.loads(task.answer)
        found = field_features(extraction)
        for key, value in expected.items():
            if f"/{key}" in found and not isinstance(value, dict | list):
                rows.append(found[f"/{key}"])
                are_right.append(same_value(extraction.data[key], value))
    return rows, are_right


def make_tasks(count: int, seed: int) -> list[Task]:
    """Generated texts of both kinds, of held-out words and lines."""
    rng = random.Random(f"calibrate:{seed}")
    makers: list[Any] = [
        lambda: make_task(rng, held_out_templates=True, held_out_values=True),
        lambda: make_scene_task(rng, held_out=True),
    ]
    return [makers[i % 2]() for i in range(count)]


def main(
    out: Annotated[Path, typer.Option(help="Where the calibration goes.")],
    tasks: Annotated[int, typer.Option(min=2, help="Number of generated texts.")] = 600,
    seed: Annotated[int, typer.Option(help="Seed of the texts.")] = 0,
    model: Annotated[str | None, typer.Option(help="Model folder; default: the model in the package.")] = None,
    texts: Annotated[Path | None, typer.Option(help="Texts with their answers (JSON Lines), to measure it on.")] = None,
    most_texts: Annotated[int | None, typer.Option(help="So many of them, drawn at random.")] = None,
) -> None:
    """Fit, save and measure."""
    llm = LLM(model)
    rows, are_right = fields_of(llm, make_tasks(tasks, seed))
    calibration = Calibration.fit(rows, are_right)
    calibration.save(out)
    figures = {"generated": _figures(calibration, rows, are_right)}
    if texts is not None:
        chosen = read_tasks(texts)
        if most_texts is not None:
            chosen = random.Random(0).sample(chosen, min(most_texts, len(chosen)))
        figures["texts"] = _figures(calibration, *fields_of(llm, chosen))
    print(json.dumps(figures))


def _figures(calibration: Calibration, rows: list[list[float]], are_right: list[bool]) -> dict[str, float]:
    """Shares in [0, 1], and how many fields they are of."""
    return {
        "fields": len(rows),
        "right": round(sum(are_right) / len(rows), 4),
        "area_raw": round(area_under_curve([row[0] for row in rows], are_right), 4),
        "area_calibrated": round(area_under_curve([calibration.probability(row) for row in rows], are_right), 4),
    }


if __name__ == "__main__":
    typer.run(main)
