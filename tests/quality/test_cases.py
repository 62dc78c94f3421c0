"""The texts of the quality measurement: their answers fit the types and say nothing that the texts don't."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from examples.embedded_model.quoting import num_invented
from examples.quality.cases import Case, read_cases
from guided.extraction.extraction import ExtractionTarget

CASES = read_cases("documents")


def test_sets() -> None:
    kinds = Counter(one.name.rpartition("-")[0] for one in CASES)
    assert len(CASES) == 60
    assert set(kinds.values()) == {5}
    assert len(read_cases("short")) == 200
    assert Counter(one.half for one in CASES) == {"tuning": 30, "held-out": 30}


@pytest.mark.parametrize("case", CASES, ids=lambda one: one.name)
def test_answer(case: Case) -> None:
    answer = json.loads(case.task.answer)
    assert 60 <= len(case.task.document.text.split()) <= 300
    assert ExtractionTarget(case.task.schema).is_valid(answer)
    assert list(answer) == list(case.task.schema["properties"])
    assert num_invented(case.task, answer) == (0, 0)
