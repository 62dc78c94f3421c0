"""The results of grammar checks that vLLM's front end keeps."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from guided.grammars.errors import GrammarInputError, GuidedError, LimitExceededError
from guided.integrations.common.latest import Latest
from guided.integrations.vllm import front_end

from .stand_ins import Outputs, Params


@pytest.mark.parametrize(
    ("error", "is_kept"),
    [
        (LimitExceededError("max_compile_seconds", 10, "seconds", "of a busy machine", is_of_time=True), False),
        (LimitExceededError("max_states", 10, "states", "of the grammar"), True),
        (GrammarInputError("no such name"), True),
    ],
)
def test_a_time_limit_is_not_kept(monkeypatch: pytest.MonkeyPatch, error: GuidedError, is_kept: bool) -> None:
    """The same grammar may compile in time later; it was refused until 1,024 others had come."""
    results: list[GuidedError | None] = [error, None]

    def compile_one(*_: Any, **__: Any) -> None:
        failure = results.pop(0)
        if failure is not None:
            raise failure

    vocabulary = SimpleNamespace(fingerprint="a", special_fingerprint="b")
    monkeypatch.setattr(front_end, "_VERDICTS", Latest(8))
    monkeypatch.setattr(front_end, "compile_grammar", compile_one)
    monkeypatch.setattr(front_end, "check_vocabulary", lambda *_: vocabulary)
    params = Params(Outputs(regex="a+"))
    assert front_end._check_grammar(params, None, None).message == str(error)
    assert front_end._check_grammar(params, None, None).message == (str(error) if is_kept else None)
    assert len(results) == is_kept


def test_the_least_recently_used_result_goes() -> None:
    verdicts = Latest[str, front_end.GrammarVerdict](2)
    refused, usable = front_end.GrammarVerdict("refused"), front_end.GrammarVerdict()
    verdicts.put("a", refused)
    verdicts.put("b", usable)
    assert (verdicts.get("a"), verdicts.get("b"), verdicts.get("c")) == (refused, usable, None)
    verdicts.get("a")
    verdicts.put("c", usable)
    assert (verdicts.get("a"), verdicts.get("b")) == (refused, None)
