"""A few seconds of the fuzzer of patterns, and that it sees faults."""

from __future__ import annotations

from typing import Any

import pytest

from . import patterns
from .command import fuzz, of_schemas


def test_random_patterns() -> None:
    assert fuzz(of_schemas(patterns.make, patterns.find), seed=5, cases=24, seconds=6) == []


@pytest.mark.parametrize(("answer", "kind"), [(True, "wrong rejection"), (False, "wrong accept")])
def test_faults_are_seen(answer: bool, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(schema: Any, value: Any) -> bool:
        return answer if value in ("ba", {"ba": 0}, {"ba": 1}) else holds(schema, value)

    holds = patterns.holds
    monkeypatch.setattr(patterns, "holds", wrong)
    faults = fuzz(of_schemas(patterns.make, patterns.find), seed=5, cases=8)
    assert any(kind in fault for fault in faults)
