"""An answer that the budget may have cut ends with SGLang's "length"."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import pytest

from guided.integrations.sglang.cut_answers import tell_cut


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
class Grammar:
    """Of our plug-in."""

    is_restricted: bool = True


@dataclass
class Thinking:
    """SGLang's object around a grammar."""

    grammar: Any


@dataclass
class Req:
    """SGLang's request."""

    finished_reason: Any
    grammar: Any = None
    finished_len: int | None = None
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
    for grammar in (Grammar(), Thinking(Grammar())):
        request = Req(before, grammar)
        tell_cut(request)
        assert (type(request.finished_reason), request.finished_reason) == (type(after), after)


def test_what_comes_after_the_end_does_not_count() -> None:
    request = Req(FinishToken(), Grammar(), finished_len=2)
    tell_cut(request)
    assert request.finished_reason == FinishLength(2)


@pytest.mark.parametrize("grammar", [None, object(), Grammar(is_restricted=False), Thinking(None)])
def test_other_requests_stay_as_they_are(grammar: Any) -> None:
    request = Req(FinishToken(), grammar)
    tell_cut(request)
    assert type(request.finished_reason) is FinishToken
