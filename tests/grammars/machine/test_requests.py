"""The loop that makes what kernels ask for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import nullcontext

import pytest

from guided.grammars.errors import CompileCancelledError, LimitExceededError
from guided.grammars.limits import Limits
from guided.grammars.machine import asking
from guided.grammars.machine.requests import RequestCopy, Requests
from guided.grammars.machine.structs import Request
from guided.grammars.watch import Watch


def asks(request: Request, kind: int, states: list[int]) -> Callable[[], int | None]:
    """A kernel that asks for some states, one after the other, and then gives how many these were."""
    left = list(states)

    def kernel() -> int | None:
        if not left:
            return len(states)
        request.kind, request.state = kind, left.pop(0)
        return None

    return kernel


def test_kernels_are_called_until_all_is_made() -> None:
    request, made = Request(), list[int]()
    requests = Requests(request, lambda asked: made.append(asked.state), Limits())
    assert requests.run(asks(request, asking.ROW, [3, 5, 3])) == 3
    assert requests.run_inside(asks(request, asking.ROW, [8])) == 1
    assert made == [3, 5, 3, 8]
    assert request.kind == 0


def test_a_request_is_read_at_once() -> None:
    request = Request()
    for number, name in enumerate(RequestCopy._fields):
        setattr(request, name, number + 1)
    assert tuple(Request.layout.fields) == RequestCopy._fields
    assert RequestCopy._make(request.read_all()) == tuple(range(1, 1 + len(RequestCopy._fields)))


def test_what_waits_already_is_made_first() -> None:
    request, made = Request(), list[int]()
    requests = Requests(request, lambda asked: made.append(asked.state), Limits())
    kernel = asks(request, asking.ROW, [3, 5])
    assert kernel() is None
    assert requests.go_on(kernel) == 2
    assert made == [3, 5]


def test_what_is_not_asked_for_here_the_automaton_serves() -> None:
    inner, outer, made = Request(), Request(), list[tuple[str, int]]()
    automaton = Requests(inner, lambda asked: made.append(("inner", asked.state)), Limits())
    walk = Requests(outer, lambda asked: made.append(("outer", asked.state)), Limits(), automaton=automaton)
    assert walk.run(asks(outer, asking.ROW, [1])) == 1
    assert walk.run(asks(inner, asking.ROW, [2])) == 1
    assert made == [("outer", 1), ("inner", 2)]


def test_what_went_past_a_limit_does_so_at_once_from_then_on() -> None:
    request, tries, given_up = Request(), list[int](), list[int]()

    def fail(asked: Request) -> None:
        tries.append(asked.state)
        raise LimitExceededError("max_automaton_states", 7, "states")

    requests = Requests(request, fail, Limits(), give_up=lambda: given_up.append(1))
    for _ in range(2):
        with pytest.raises(LimitExceededError, match="max_automaton_states = 7"):
            requests.run(asks(request, asking.ROW, [4]))
    with pytest.raises(LimitExceededError):
        requests.run(asks(request, asking.ROW, [5]))
    assert tries == [4, 5]
    assert len(given_up) == 3
    assert request.kind == 0


def test_a_stack_that_is_too_short() -> None:
    request = Request()

    def recur(_: Request) -> None:
        raise RecursionError

    with pytest.raises(LimitExceededError, match="the Python stack is too short"):
        Requests(request, recur, Limits()).run(asks(request, asking.FRAME, [1]))


class _Wanted:
    """A lock that other threads wait for."""

    is_wanted = True
    let_go = nullcontext

    def pass_on(self) -> None:
        """Let another thread have it."""


def test_a_token_is_given_up_where_the_time_ends_between_two_requests() -> None:
    """What was captured of it would else count for the next token."""
    request, given_up, is_left = Request(), list[int](), threading.Event()
    requests = Requests(
        request, lambda asked: is_left.set(), Limits(), give_up=lambda: given_up.append(1), lock=_Wanted()
    )
    with Watch("", 1000, is_left), pytest.raises(CompileCancelledError):
        requests.run(asks(request, asking.ROW, [3, 5]), may_pause=True)
    assert given_up == [1]
