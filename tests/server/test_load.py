"""A short run of the load test (`python -m tests.server_load`): mixed clients on a real process, nothing wrong."""

from __future__ import annotations

import pytest

from tests.load.client import Outcome
from tests.load.figures import Figures, leaks
from tests.load.requests import LoadRequest
from tests.server_load import measure

CONSTRAINED = ("schema", "regex", "choice")


@pytest.mark.slow
def test_mixed_clients_on_a_real_server() -> None:
    """A4.3, B15, B17: every answer is right or a clear error; pages, tasks and threads come back."""
    report = measure(6, seconds=2.5, seed=1, send_timeout_s=1, max_growth_mb=200, warm_up_s=0.5, with_restart=False)
    assert not report["faults"]
    outcome: Outcome = report["outcome"]
    assert sum(outcome.counts[kind, "right"] for kind in CONSTRAINED) > 0
    assert report["num_requests"] >= 6


class TestTheTestItself:
    """It can fail."""

    def test_leaks_are_seen(self) -> None:
        before = Figures(0, 0, 3, ("MainThread", "guided-read_0"), 1000, 500.0)
        after = Figures(1, 2, 4, ("MainThread", "guided-load", "guided-read_0"), 1000, 800.0)
        assert leaks(before, before, 100) == []
        assert leaks(before, after, 100) == [
            "requests_in_flight grew from 0 to 1",
            "pages_in_use grew from 0 to 2",
            "tasks grew from 3 to 4",
            "there are more threads: guided-load",
            "memory grew by 300 MB, more than 100",
        ]

    def test_a_pool_that_is_made_twice_is_seen(self) -> None:
        before, first, second = (
            Figures(0, 0, 3, ("MainThread", *("guided-masks_0",) * number), 1000, 500.0) for number in range(3)
        )
        assert leaks(before, first, 100) == []
        assert leaks(before, second, 100) == leaks(first, second, 100) == ["there are more threads: guided-masks_0"]

    @pytest.mark.parametrize(
        ("answers", "number"), [([("a", "stop")], 0), ([("b", "stop")], 1), ([("a", "stop"), ("a!", "stop")], 1)]
    )
    def test_wrong_answers_are_seen(self, answers: list[tuple[str, str]], number: int) -> None:
        from tests.load.client import _judge

        outcome = Outcome()
        request = LoadRequest("k", "/", {}, lambda text, end: None if text[0] == "a" else "no", key="same")
        for answer in answers:
            _judge(request, answer, outcome)
        assert len(outcome.wrong) == number
