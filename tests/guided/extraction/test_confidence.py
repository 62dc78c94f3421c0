"""The confidence of a document's fields, against products taken by hand and against the model's own logits."""

from __future__ import annotations

import math

import pytest

from guided.engines.token_logprobs import TokenLogprobs
from guided.errors import IncompleteOutputError
from guided.extraction.calibration import Calibration
from guided.extraction.confidence import field_confidences
from guided.grammars.errors import InvalidInputError
from guided.output.completion import Completion


def token(text: str | bytes, raw: float, masked_mass: float = 0.0, *, is_special: bool = False) -> TokenLogprobs:
    """A token of probability `raw`, and of raw / (1 - masked_mass) under the mask."""
    processed = math.log(raw / (1 - masked_mass))
    data = text.encode() if isinstance(text, str) else text
    return TokenLogprobs(0, data, is_special, math.log(raw), 1, masked_mass=masked_mass, processed_logprob=processed)


def completion_of(*tokens: TokenLogprobs, text: str | None = None, finish_reason: str = "stop") -> Completion:
    written = b"".join(one.token for one in tokens if not one.is_special).decode()
    return Completion(
        text=written if text is None else text,
        token_ids=(0,) * len(tokens),
        finish_reason=finish_reason,  # type: ignore[arg-type]
        error=None,
        num_prompt_tokens=1,
        num_forced_tokens=0,
        elapsed_s=1.0,
        logprobs=tokens,
    )


END = token("<end>", 0.5, is_special=True)


def test_a_value_has_the_tokens_that_hold_a_part_of_it() -> None:
    tokens = [token('{"a":', 0.9), token(' "', 0.8, 0.1), token("Ann", 0.7), token('",', 0.6), token('"b', 0.5)]
    tokens += [token('":', 0.4), token(" nu", 0.3, 0.5), token("ll", 0.2), token("}", 0.1), END]
    found = field_confidences(completion_of(*tokens))
    assert set(found) == {"", "/a", "/b"}
    assert found["/a"].raw == pytest.approx(0.8 * 0.7 * 0.6)
    assert found["/a"].lowest == pytest.approx(0.6)
    assert found["/a"].processed == pytest.approx(0.8 / 0.9 * 0.7 * 0.6)
    assert found["/a"].content == pytest.approx(0.7 * 0.6), "a string's opening token tells of null, not of the string"
    assert found["/b"].content == found["/b"].processed
    assert found["/a"].masked_mass == pytest.approx(0.1)
    assert found["/b"].raw == pytest.approx(0.4 * 0.3 * 0.2), "a string would have begun in the token before null"
    assert found["/b"].masked_mass == pytest.approx(0.5)
    assert [found[pointer].num_tokens for pointer in ("", "/a", "/b")] == [9, 3, 3]
    assert found[""].raw == pytest.approx(math.prod(math.exp(one.logprob) for one in tokens[:-1]))


def test_the_token_that_ends_a_number_counts() -> None:
    tokens = [token("[", 0.9), token("2", 0.8), token("5", 0.7), token(",", 0.6), token("1", 0.5), token("]", 0.4), END]
    found = field_confidences(completion_of(*tokens))
    assert found["/0"].raw == pytest.approx(0.8 * 0.7 * 0.6)
    assert found["/1"].raw == pytest.approx(0.5 * 0.4)
    alone = field_confidences(completion_of(token("2", 0.8), token("5", 0.7), END))
    assert alone[""].raw == pytest.approx(0.8 * 0.7)  # nothing of the text follows


def test_a_token_of_two_values_counts_for_both_and_characters_may_be_cut() -> None:
    data = "é".encode()
    tokens = [token('["', 0.9), token(data[:1], 0.8), token(data[1:], 0.7), token('","', 0.6), token('x"]', 0.5), END]
    found = field_confidences(completion_of(*tokens))
    assert found["/0"].raw == pytest.approx(0.9 * 0.8 * 0.7 * 0.6)
    assert found["/1"].raw == pytest.approx(0.6 * 0.5)


def test_the_calibration_adds_up_signs() -> None:
    """The probability under the grammar, other fields with the same value, null; objects and lists have none."""
    tokens = [token('{"a":', 1.0), token("2", 0.8), token(',"b":', 0.5), token("2", 0.9), token(',"c":', 0.6)]
    tokens += [token("null", 0.7), token("}", 0.4), END]
    found = field_confidences(completion_of(*tokens), Calibration(0.5, 0.3, -2.0, -1.0))
    totals = [0.5 + 0.3 * math.log(0.8 * 0.5) - 2 * math.log(2), 0.5 + 0.3 * math.log(0.9 * 0.6) - 2 * math.log(2)]
    totals.append(0.5 + 0.3 * math.log(0.6 * 0.7) - 1)
    assert [found[name].calibrated for name in ("/a", "/b", "/c")] == pytest.approx(
        [1 / (1 + math.exp(-total)) for total in totals]
    )
    assert found[""].calibrated is None
    alone = field_confidences(completion_of(token("true", 0.0 + 1e-300), END), Calibration(0, 1.0, 0, 0))
    assert alone[""].calibrated == pytest.approx(1e-6, rel=1e-3), "probabilities are at least 1e-6"


def test_what_was_thought_before_is_no_part_of_it() -> None:
    tokens = [
        token("hm", 0.1),
        token("<end of thinking>", 0.1, is_special=True),
        token("[1", 0.9),
        token("]", 0.8),
        END,
    ]
    found = field_confidences(completion_of(*tokens, text="[1]"))
    assert found["/0"].raw == pytest.approx(0.9 * 0.8)
    assert found[""].num_tokens == 2


def test_what_has_no_confidences_is_refused() -> None:
    raw_only = TokenLogprobs(0, b"1", False, -1.0, 1)
    with pytest.raises(InvalidInputError, match="logprobs_mode='both'"):
        field_confidences(completion_of(raw_only))
    with pytest.raises(IncompleteOutputError):
        field_confidences(completion_of(token("[1", 0.9), finish_reason="length"))
