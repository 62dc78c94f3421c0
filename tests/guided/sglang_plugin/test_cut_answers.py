"""An answer that the budget may have cut ends with SGLang's "length"."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import pytest

from guided.integrations.sglang.request_link import RequestLink


@dataclass
class Finish:
    """Of SGLang's reasons."""

    length: int = 0


class FinishLength(Finish):
    """FINISH_LENGTH."""


class FinishAbort(Finish):
    """FINISH_ABORT."""


class FinishToken(Finish):
    """FINISH_MATCHED_TOKEN."""


@dataclass
class Req:
    """SGLang's request."""

    finished_reason: Any
    output_ids: list[int] = field(default_factory=lambda: [1, 2, 3])


@pytest.fixture(autouse=True)
def schedule_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("sglang", "sglang.srt", "sglang.srt.managers", "sglang.srt.managers.schedule_batch")
    for name in names:
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    module: Any = sys.modules[names[-1]]
    module.FINISH_LENGTH, module.FINISH_ABORT = FinishLength, FinishAbort


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (FinishToken(), FinishLength(3)),
        (FinishLength(9), FinishLength(9)),
        (FinishAbort(), FinishAbort()),
        (None, None),
    ],
)
def test_a_finished_request_says_length(before: Any, after: Any) -> None:
    request = Req(before)
    RequestLink(request, None).tell_cut()
    assert (type(request.finished_reason), request.finished_reason) == (type(after), after)
