"""Which tokens may end a request's text, and how many it may still get."""

from __future__ import annotations

import numpy as np

from guided.grammars import Vocabulary, allowed_token_ids
from guided.grammars.bitset import pack_token_ids
from guided.integrations.vllm.budget import Budget
from guided.integrations.vllm.ends import Ends

from .stand_ins import Request

EOS, OTHER_EOS = 40, 41
VOCABULARY = Vocabulary([bytes([65 + i]) for i in range(40)] + [None, None], [EOS, OTHER_EOS])


def adjusted(ends: Ends, allowed: list[int], position: int = 0, *, is_complete: bool) -> list[int]:
    row = pack_token_ids(np.array(allowed), VOCABULARY.size)
    ends.adjust(row, position, is_complete=is_complete)
    return allowed_token_ids(row, VOCABULARY.size).tolist()


def test_stop_tokens_of_the_user_are_allowed_where_the_text_is_complete_and_nowhere_else() -> None:
    ends = Ends(VOCABULARY, {EOS, 7, 9999, -1})
    assert ends.stop_token_ids == {7}
    assert adjusted(ends, [1, 7], is_complete=False) == [1]
    assert adjusted(ends, [1, EOS], is_complete=True) == [1, 7, EOS]
    assert adjusted(ends, [7], is_complete=False) == [7], "nothing else is left, so it may come"


def test_the_text_goes_on_until_min_tokens_where_it_can() -> None:
    ends = Ends(VOCABULARY, {7}, min_tokens=3)
    assert adjusted(ends, [1, EOS, OTHER_EOS], 2, is_complete=True) == [1]
    assert adjusted(ends, [1, EOS, OTHER_EOS], 3, is_complete=True) == [1, 7, EOS, OTHER_EOS]
    assert adjusted(ends, [EOS, OTHER_EOS], 0, is_complete=True) == [7, EOS, OTHER_EOS], "the document's end wins"


def test_ends_can_be_left_out_where_another_is_there() -> None:
    ends = Ends(VOCABULARY, (), without={OTHER_EOS})
    assert adjusted(ends, [1, EOS, OTHER_EOS], is_complete=True) == [1, EOS]
    assert adjusted(ends, [OTHER_EOS], is_complete=True) == [OTHER_EOS]


def test_outputs_are_told_from_drafts_by_the_requests_own_count() -> None:
    request = Request(max_tokens=10)
    budget = Budget(request, 1000)
    assert (budget.left(0), budget.saw_outputs()) == (10, False)
    assert budget.left(2) == 8, "two drafts"
    request.num_output_tokens = 3
    assert budget.saw_outputs()
    assert not budget.saw_outputs()
    budget.settle(3)
    assert budget.left(3) == 7
    assert budget.left(5) == 5, "two drafts behind three outputs"


def test_tokens_before_the_grammar_count() -> None:
    request = Request(max_tokens=20)
    budget = Budget(request, 1000, num_drafts=4)
    request.num_output_tokens = 6  # of thinking
    budget.look()
    assert budget.left(0) == 20 - 6 - 4, "drafts of thinking may lie between"
    request.num_output_tokens = 9
    assert budget.saw_outputs()
    budget.settle(1)  # two of them ended the thinking
    assert budget.left(1) == 11


def test_the_context_is_a_budget_too() -> None:
    assert Budget(Request(max_tokens=100, num_prompt_tokens=60), 64).left(0) == 4


def test_a_request_is_not_kept_alive() -> None:
    budget = Budget(Request(), 1000)
    assert budget.request is None
    assert not budget.saw_outputs()
    assert budget.left(3) == 97
