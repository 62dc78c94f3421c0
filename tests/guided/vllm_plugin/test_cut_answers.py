"""Answers that the budget may have cut, told apart from finished ones."""

from __future__ import annotations

import enum
from types import SimpleNamespace
from typing import Any

import pytest

from guided.grammars import Vocabulary, allocate_bitmask, compile_grammar
from guided.integrations.common.text_state import TextState
from guided.integrations.vllm.cut_answers import CUT, finished_reason

from ..engines.vllm.test_outputs import END, output, reader


class FinishReason(enum.IntEnum):
    """Of vLLM."""

    STOP = 0
    LENGTH = 1
    ABORT = 2


VOCABULARY = Vocabulary([bytes([byte]) for byte in range(256)] + [None], [END])


def request(state: Any) -> Any:
    return SimpleNamespace(structured_output_request=SimpleNamespace(grammar=state), stop_reason=None)


@pytest.mark.parametrize(("budget", "is_cut"), [(5, True), (40, False)])
def test_the_budget_has_ruled_out_tokens(budget: int, is_cut: bool) -> None:
    state = TextState(compile_grammar(VOCABULARY, regex="[0-9]{1,30};"), closes=True)
    rows = allocate_bitmask(1, VOCABULARY.size)
    for place, token_id in enumerate(b"123;"):
        state.fill(rows, 0, place, budget - place)
        state.take(token_id)
    one = request(state)
    assert finished_reason(one, FinishReason.STOP) is (FinishReason.LENGTH if is_cut else FinishReason.STOP)
    assert one.stop_reason == (CUT if is_cut else None)


def test_other_ends_and_other_grammars_stay() -> None:
    cut = SimpleNamespace(is_restricted=True)
    assert finished_reason(request(cut), FinishReason.ABORT) is FinishReason.ABORT
    assert finished_reason(request(cut), None) is None
    assert finished_reason(request(SimpleNamespace()), FinishReason.STOP) is FinishReason.STOP, "another backend's"
    assert finished_reason(SimpleNamespace(structured_output_request=None), FinishReason.STOP) is FinishReason.STOP


def test_our_engine_over_vllm_says_so() -> None:
    events = reader(regex="ab?cd").read(output([*b"abcd", END], "length", CUT))
    assert [event.closed_in_budget for event in events] == [False] * 4 + [True]
    assert (events[-1].finish_reason, events[-1].fits_grammar) == ("stop", True)
