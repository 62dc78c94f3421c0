"""How many tokens a request's text may still get."""

from __future__ import annotations

from guided.integrations.vllm.budget import TokenBudget

from .stand_ins import Request


def test_outputs_are_told_from_drafts_by_the_requests_own_count() -> None:
    request = Request(max_tokens=10)
    budget = TokenBudget(request, 1000)
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
    budget = TokenBudget(request, 1000, num_drafts=4)
    request.num_output_tokens = 6  # of thinking
    budget.look()
    assert budget.left(0) == 20 - 6 - 4, "drafts of thinking may lie between"
    request.num_output_tokens = 9
    assert budget.saw_outputs()
    budget.settle(1)  # two of them ended the thinking
    assert budget.left(1) == 11


def test_the_context_is_a_budget_too() -> None:
    assert TokenBudget(Request(max_tokens=100, num_prompt_tokens=60), 64).left(0) == 4


def test_a_request_is_not_kept_alive() -> None:
    budget = TokenBudget(Request(), 1000)
    assert budget.request is None
    assert not budget.saw_outputs()
    assert budget.left(3) == 97
