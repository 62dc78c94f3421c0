"""The long texts: one document whose data is asked for, between documents of other types, all of the tuning half."""

from __future__ import annotations

from examples.quality.cases import read_cases
from examples.quality.long_texts import NUM_CHARS, long_cases

DOCUMENTS = {
    half: [one.task.document for one in read_cases("documents") if one.half == half] for half in ("tuning", "held-out")
}


def test_a_long_text_has_one_document_of_its_type() -> None:
    cases = long_cases()
    assert len(cases) == len({one.kind for one in DOCUMENTS["tuning"]})
    assert [one.task.document.text for one in long_cases()] == [one.task.document.text for one in cases]
    for case in cases:
        text, kind = case.task.document.text, case.task.document.kind
        assert NUM_CHARS <= len(text) < NUM_CHARS + 1000
        assert sum(text.count(one.text) for one in DOCUMENTS["tuning"] if one.kind == kind) == 1
        assert all(text.count(one.text) in (1, 2) for one in DOCUMENTS["tuning"] if one.kind != kind)
        assert not any(one.text in text for one in DOCUMENTS["held-out"])
