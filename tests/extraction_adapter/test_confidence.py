"""The area under the curve of confidences, and the fields that it is of."""

from __future__ import annotations

import random

from examples.extraction_adapter.confidence import area_under_curve, held_out_tasks, scalars, scored_fields
from examples.extraction_adapter.documents import kinds
from guided.llm import LLM


def test_the_area_is_the_share_of_pairs_in_order() -> None:
    rng = random.Random(5)
    scores = [rng.randint(0, 9) / 10 for _ in range(80)]
    are_right = [rng.random() < 0.4 for _ in scores]
    right = [score for score, one in zip(scores, are_right, strict=True) if one]
    wrong = [score for score, one in zip(scores, are_right, strict=True) if not one]
    pairs = [1.0 if a > b else 0.5 if a == b else 0.0 for a in right for b in wrong]
    assert abs(area_under_curve(scores, are_right) - sum(pairs) / len(pairs)) < 1e-12
    assert area_under_curve([0.9, 0.8, 0.1], [True, True, False]) == 1.0


def test_scalars() -> None:
    assert dict(scalars({"a": [{"b": None}, 2], "c": {}})) == {"/a/0/b": None, "/a/1": 2}


def test_fields_of_held_out_kinds_are_scored() -> None:
    tasks = held_out_tasks(2, 1)
    assert {task.document.kind for task in tasks} <= set(kinds(held_out=True))
    with LLM("embedded") as llm:
        scores, are_right = scored_fields(llm, tasks)
    assert len(scores) == len(are_right) > 4
    assert all(0 <= score <= 1 for score in scores)
