"""What the operator of an engine sets."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from guided.grammars import Limits
from guided.grammars.errors import InvalidInputError
from guided.integrations.common.settings import grammar_limits


def test_limits_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GUIDED_LIMITS", raising=False)
    assert grammar_limits() == Limits()
    monkeypatch.setenv("GUIDED_LIMITS", '{"max_compile_seconds": 5, "max_repeat": 10}')
    assert grammar_limits() == Limits(max_compile_seconds=5, max_repeat=10)


def test_an_engine_of_our_server_has_limits_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUIDED_LIMITS", '{"max_repeat": 10}')
    config = SimpleNamespace(additional_config={"guided": {"GUIDED_LIMITS": '{"max_repeat": 20}'}, "other": 1})
    assert grammar_limits(config) == Limits(max_repeat=20)
    assert grammar_limits(SimpleNamespace(additional_config={})) == Limits(max_repeat=10)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is no JSON text"),
        ("[]", "is no JSON object"),
        ('{"max_seconds": 1}', "unknown limit 'max_seconds'; known are max_schema_bytes"),
        ('{"max_repeat": 1.5}', "max_repeat is 1.5; expected a int above 0"),
        ('{"max_compile_seconds": true}', "expected a float above 0"),
    ],
)
def test_limits_that_are_wrong_are_named(monkeypatch: pytest.MonkeyPatch, text: str, message: str) -> None:
    monkeypatch.setenv("GUIDED_LIMITS", text)
    with pytest.raises(InvalidInputError, match=message):
        grammar_limits()
