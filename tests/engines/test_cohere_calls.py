"""Our calls in Cohere's formats, read by Cohere's own parser, which vLLM uses."""

from __future__ import annotations

import json

import pytest
from cohere_melody import PyFilter

from guided.tools.families import FAMILIES

from .call_texts import Calls, Case, Read, differences

CASES = (Case(FAMILIES["command_r7b"], "cmd4"), Case(FAMILIES["command_cofl"], "cmd5"))


def reader_of(case: Case) -> Read:
    """Cohere's parser, new for each text."""

    def read(text: str) -> Calls:
        found = getattr(PyFilter, case.parser)().process_full_text(text).tool_calls
        return [(call.name, json.loads(call.arguments or "{}")) for call in found]

    return read


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_calls_are_read_back(case: Case) -> None:
    assert list(differences(case, reader_of(case), 20)) == []
