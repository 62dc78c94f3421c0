"""Every public error class has a line of its own in the table of HTTP answers."""

from __future__ import annotations

import inspect

import pytest

import guided.errors
import guided.grammars.errors
import guided.server.errors
from guided.errors import ChatTemplateError, ContextLengthError, EngineFailureError
from guided.grammars.errors import GuidedError, InvalidRegexError
from guided.server.errors import ERROR_KINDS, ErrorKind, Refusal, RefusedError, WireError, to_wire_error

MODULES = (guided.grammars.errors, guided.errors, guided.server.errors)
CLASSES = [
    kind
    for module in MODULES
    for _, kind in inspect.getmembers(module, inspect.isclass)
    if issubclass(kind, GuidedError) and kind.__module__ == module.__name__ and kind is not RefusedError
]
KINDS = [*ERROR_KINDS.values(), *(refusal.value[0] for refusal in Refusal)]


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_every_error_has_an_answer(kind: type[GuidedError]) -> None:
    answer = ERROR_KINDS[kind]
    assert 400 <= answer.status < 600
    assert (answer.type == "server_error") == (answer.status >= 500)
    assert answer.status < 500 or answer.code


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.code or str(kind.status))
def test_every_answer_has_openais_body(kind: ErrorKind) -> None:
    """A4.8: {"error": {"message", "type", "code"}} and OpenAI's "param"; B21: 422 is not used."""
    error = WireError(kind.status, "what", kind.type, kind.param, kind.code)
    assert error.body["error"] == {"message": "what", "type": kind.type, "param": kind.param, "code": kind.code}
    assert kind.status in (400, 401, 403, 404, 408, 413, 415, 421, 429, 500, 503, 504)
    assert ("retry-after" in error.headers) == (kind.status in (429, 503))


@pytest.mark.parametrize("refusal", Refusal, ids=lambda refusal: refusal.name)
def test_what_the_server_refuses_by_itself(refusal: Refusal) -> None:
    kind, message = refusal.value
    values = [2] * message.count("{")
    answer = to_wire_error(RefusedError(refusal, *values))
    assert (answer.status, answer.type, answer.code, answer.param) == (kind.status, kind.type, kind.code, kind.param)
    assert answer.message == message.format(*values)


def test_params_are_those_of_the_request() -> None:
    assert to_wire_error(InvalidRegexError("x", "(", 0), "guided_regex", "prompt").param == "guided_regex"
    assert to_wire_error(ContextLengthError(9, 8), "regex", "input").param == "input"
    assert to_wire_error(ChatTemplateError("x")).param is None


def test_what_is_of_the_inside_is_not_said() -> None:
    for error in (KeyError("/secret"), EngineFailureError("the forward pass", RuntimeError("/secret"))):
        answer = to_wire_error(error)
        assert answer.status == 500
        assert "secret" not in answer.message
