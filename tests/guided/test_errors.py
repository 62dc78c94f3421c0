"""Errors cross processes: a pool that can't unpickle one breaks, or waits for ever."""

from __future__ import annotations

import copy
import pickle

import pytest

from guided.errors import (
    ContextLengthError,
    DeadlineExceededError,
    EngineFailureError,
    IncompleteOutputError,
    OutputCutError,
    OutputValidationError,
    QueueFullError,
    RequestFieldError,
)
from guided.grammars.compile import compile_grammar
from guided.grammars.errors import GuidedError, InvalidSchemaError
from guided.output.completion import Completion
from tests.grammars.vocabularies import byte_vocabulary

CUT_OFF = Completion(
    text="[1", token_ids=(5,), finish_reason="length", error=None, num_prompt_tokens=1, num_forced_tokens=0, elapsed_s=1
)


@pytest.mark.parametrize(
    "error",
    [
        ContextLengthError(5, 4, "prompt 3"),
        QueueFullError(3),
        DeadlineExceededError(),
        EngineFailureError("the engine", ValueError("x")),
        RequestFieldError("bad", "top_p"),
        IncompleteOutputError(CUT_OFF),
        OutputCutError([1], [1], CUT_OFF),
        OutputValidationError("a name is missing", {"a": 1}, CUT_OFF, ["/a"]),
        InvalidSchemaError("unknown type", "/type"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_is_the_same_in_another_process(error: GuidedError) -> None:
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(other) is type(error)
        assert (str(other), other.args, vars(other)) == (str(error), error.args, vars(error))


@pytest.mark.parametrize("grammar", [{"regex": "a("}, {"ebnf": "root ::= ("}, {"json_schema": {"type": "x"}}])
def test_what_compiling_raises_too(grammar: dict[str, object]) -> None:
    with pytest.raises(GuidedError) as caught:
        compile_grammar(byte_vocabulary(), **grammar)  # type: ignore[arg-type]
    other = pickle.loads(pickle.dumps(caught.value))
    assert (type(other), str(other)) == (type(caught.value), str(caught.value))
