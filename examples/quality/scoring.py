"""Counts what answers are worth: valid documents, right fields, invented values."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from examples.embedded_model.evaluate import MISSING, leaves, same_value
from examples.embedded_model.quoting import num_invented
from guided.extraction.extraction import ExtractionTarget

from .answers import Answer
from .cases import Case

Verdict = Literal["right", "another value", "null for a value", "value for null", "missing", "too many"]
"""What a field of an answer is. "missing" fields are in the expected answer alone, "too many" ones in the given one."""


@dataclass
class Score:
    """Counts over the answers to some texts. A field is right if its JSON value is exactly the expected one; a field
    that the expected answer does not have, such as one of an item too many, is a wrong one."""

    num_documents: int = 0
    num_valid: int = 0
    num_fields: int = 0
    num_right: int = 0
    num_invented: int = 0
    num_documents_right: int = 0
    num_tokens: int = 0
    cpu_s: float = 0.0

    def add(self, case: Case, answer: Answer) -> None:
        """Count one answer."""
        value = parsed(answer.text)
        found = verdicts(case, value)
        num_fields, num_right = found.total(), found["right"]
        is_valid = value is not MISSING and ExtractionTarget(case.task.schema).is_valid(value)
        self.num_documents += 1
        self.num_valid += is_valid
        self.num_fields += num_fields
        self.num_right += num_right
        self.num_invented += 0 if value is MISSING else sum(num_invented(case.task, value))
        self.num_documents_right += num_right == num_fields and is_valid
        self.num_tokens += answer.num_tokens
        self.cpu_s += answer.cpu_s


def verdicts(case: Case, value: Any) -> Counter[Verdict]:
    """How many fields of an answer are right, and how many have which fault.

    value: the parsed answer, or MISSING.
    """
    expected = leaves(json.loads(case.task.answer))
    got = {} if value is MISSING else leaves(value)
    found = Counter(_verdict(got, path, wanted) for path, wanted in expected.items())
    found["too many"] = sum("/" in path and path not in expected for path in got)
    return found


def _verdict(got: dict[str, Any], path: str, wanted: Any) -> Verdict:
    if path not in got:
        return "missing"
    if same_value(got[path], wanted):
        return "right"
    if wanted is None:
        return "value for null"
    return "null for a value" if got[path] is None else "another value"


def score(cases: Iterable[Case], answers: dict[str, Answer]) -> Score:
    """The score of those texts that have an answer."""
    found = Score()
    for case in cases:
        if case.name in answers:
            found.add(case, answers[case.name])
    return found


def parsed(text: str) -> Any:
    """The first JSON object in a text, whatever stands around it (words, a fence); MISSING without one."""
    decoder = json.JSONDecoder()
    place = text.find("{")
    while place >= 0:
        try:
            return decoder.raw_decode(text, place)[0]
        except ValueError:
            place = text.find("{", place + 1)
    return MISSING
