"""One row of a batch that goes past a limit: the others are filled, the error says which row it was."""

from __future__ import annotations

import numpy as np
import pytest

from guided.grammars.bitset import allocate_bitmask
from guided.grammars.compile import compile_grammar, fill_bitmasks
from guided.grammars.errors import BatchMaskError, InvalidInputError, LimitExceededError
from guided.grammars.limits import Limits
from guided.grammars.machine import mask_rows
from guided.grammars.protocol import CompiledGrammar, Matcher
from tests.grammars.vocabularies import byte_vocabulary

VOCABULARY = byte_vocabulary()
HUNGRY = "(?:a|b)*a(?:a|b){12}"
"""Its texts need thousands of states."""


def _grammar(limits: Limits | None = None) -> CompiledGrammar:
    return compile_grammar(VOCABULARY, regex=HUNGRY, limits=limits, cache=None)


def _spent() -> Matcher:
    """A matcher whose next mask goes past a limit."""
    matcher = _grammar(Limits(max_automaton_states=40)).matcher()
    bitmask = allocate_bitmask(1, VOCABULARY.size)
    rng = np.random.default_rng(1)
    for _ in range(1000):
        try:
            matcher.fill_bitmask(bitmask)
            assert matcher.accept_token(int(rng.choice([ord("a"), ord("b")])))
        except LimitExceededError:
            return matcher
    raise AssertionError("nothing went past the limit")


@pytest.mark.parametrize("num_rows", [3, 50])
@pytest.mark.parametrize("is_mixed", [False, True])
def test_the_other_rows_are_filled(num_rows: int, is_mixed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mask_rows, "_MANY_BYTES", 0 if num_rows == 50 else 1 << 30)  # by two threads, or one
    good = _grammar().matcher()
    matchers = [good.fork() for _ in range(num_rows)]
    matchers[1] = _spent()
    if is_mixed:
        matchers[0] = compile_grammar(VOCABULARY, regex="[ab]+", backend="interegular").matcher()
    bitmask = allocate_bitmask(num_rows + 1, VOCABULARY.size)
    bitmask[:] = 7
    with pytest.raises(
        BatchMaskError, match=r"no mask for 1 of the rows, the others are filled \(row 1: limit "
    ) as got:
        fill_bitmasks(matchers, bitmask)
    assert list(got.value.errors) == [1]
    assert isinstance(got.value.errors[1], LimitExceededError)
    assert got.value.errors[1].__traceback__ is None
    assert not bitmask[1].any()
    wanted = allocate_bitmask(1, VOCABULARY.size)
    for row in {0, 2, num_rows - 1}:
        matchers[row].fill_bitmask(wanted)
        assert (bitmask[row] == wanted[0]).all()
    assert (bitmask[num_rows] == 7).all()


def test_a_wrong_bitmask_is_no_error_of_a_row() -> None:
    matchers = [_grammar().matcher(), compile_grammar(VOCABULARY, regex="[ab]+", backend="interegular").matcher()]
    with pytest.raises(InvalidInputError):
        fill_bitmasks(matchers, np.zeros((2, 1), dtype=np.int32))
