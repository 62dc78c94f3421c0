"""How sure the model was of each field of a document: the probability of its tokens, by JSON pointer.

A value's tokens are all tokens that contain a part of its text. For a number, the token that ends it counts too;
otherwise "25" would be as sure as the "25" of "250". For null, the token before it counts, where `":` and not `":"`
decides against a string. A token that contains parts of two values (`","`) counts for both.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from guided.grammars.errors import InvalidInputError

from ..engines.token_logprobs import TokenLogprobs
from ..errors import IncompleteOutputError
from ..json_events import FieldEvent, JsonTextError, read_json_events
from ..output.completion import Completion
from .calibration import Calibration

MIN_ALTERNATIVE = 0.01  # lowest probability of a reported alternative


@dataclass(frozen=True)
class FieldConfidence:
    """How sure the model was of a value. All probabilities are in [0, 1].

    raw: the probability that the unconstrained model gives to the value's tokens, each after the tokens before it.
    processed: the probability of drawing these tokens, after penalties, bias and mask. Temperature and filters count
        too, unless the request is greedy. None if another server has the tokens and does not report it.
    masked_mass: share of the model's own probability that the grammar excluded: 1 minus the product, over the tokens,
        of the share that was allowed. A high value means that the model wanted to write something else. None under the
        same condition as `processed`.
    num_tokens: number of the value's tokens.
    alternatives: other continuations at the least certain token of a scalar: the value's text up to there with another
        token, and that token's probability. Present if `SamplingParams.logprobs` asks for more tokens than the drawn
        one.
    lowest: the unconstrained model's probability of the least certain token; 1 if the value has no tokens.
    calibrated: the probability that a scalar is right, see `Calibration`. None for objects and lists, and for a model
        that has no calibration.
    content: as `processed`, without the token that opens a string. Where null is allowed, that token has the doubt
        whether there is a value at all. Of other values it equals `processed`.
    """

    raw: float
    processed: float | None
    masked_mass: float | None
    num_tokens: int
    alternatives: tuple[tuple[str, float], ...] = ()
    lowest: float = 1.0
    calibrated: float | None = None
    content: float | None = None

    @property
    def best(self) -> float:
        """See `best_share`."""
        return best_share(vars(self))


def best_share(shares: Mapping[str, Any]) -> float:
    """The probability that the report shows: `calibrated` where there is one, else `raw`.

    It can't be compared between documents: a calibration counts the document's fields with the same value.

    shares: the attributes of a `FieldConfidence` by name, or its entry in a record (see `to_record`).
    """
    found: float | None = shares.get("calibrated")
    return float(shares["raw"]) if found is None else found


def field_confidences(completion: Completion, calibration: Calibration | None = None) -> dict[str, FieldConfidence]:
    """The confidence of every value of a complete JSON document, by JSON pointer; "" is the whole document.

    calibration: the model's, for `FieldConfidence.calibrated`.
    completion: generated with logprobs and logprobs_mode="both". With engine="openai" the mode "raw" suffices and gives
        only raw confidences.
    Raises InvalidInputError without log-probabilities, IncompleteOutputError for a document that was cut off, and
    JsonTextError for a text that is not JSON.
    """
    logprobs = completion.logprobs
    if logprobs is None or any(one.processed_logprob is None and one.token_id is not None for one in logprobs):
        raise InvalidInputError("confidences need SamplingParams(logprobs=0, logprobs_mode='both') or more logprobs")
    tokens = _DocumentTokens(completion.text, logprobs)
    try:
        done = [event for event in read_json_events([completion.text]) if event.kind == "done"]
    except JsonTextError as error:
        raise (error if completion.is_complete else IncompleteOutputError(completion)) from None
    found = {event.pointer: tokens.confidence(event) for event in done}
    if calibration is None:
        return found
    scalars = {event.pointer: event.value for event in done if not isinstance(event.value, dict | list)}
    content = {pointer: one.content for pointer, one in found.items() if one.content is not None}
    for pointer, share in calibration.probabilities(scalars, content).items():
        found[pointer] = replace(found[pointer], calibrated=share)
    return found


class _DocumentTokens:
    """The tokens of a document's text, with their places in it in bytes.

    Log-probabilities also contain tokens of thinking before the text. Places are therefore counted from the end of the
    tokens, and special tokens are skipped.
    """

    def __init__(self, text: str, logprobs: Sequence[TokenLogprobs]) -> None:
        self._bytes = text.encode()
        self._byte_places = [0, *accumulate(len(char.encode()) for char in text)]  # byte offset of each character
        written = [one for one in logprobs if not one.is_special]
        surplus = sum(len(one.token) for one in written) - self._byte_places[-1]
        ends = [end - surplus for end in accumulate(len(one.token) for one in written)]
        first = bisect_right(ends, 0)
        self._logprobs, self._ends = written[first:], ends[first:]

    def confidence(self, event: FieldEvent) -> FieldConfidence:
        """The confidence of the value that ends with this event."""
        assert event.end is not None
        is_number = isinstance(event.value, int | float) and not isinstance(event.value, bool)
        start, end = self._byte_places[event.start], self._byte_places[event.end] + is_number
        first, last = bisect_right(self._ends, start), bisect_left(self._ends, end)
        if event.value is None and first > 0:
            first -= 1
        part = self._logprobs[first : last + 1]
        raw = math.exp(math.fsum(one.logprob for one in part))
        lowest = math.exp(min((one.logprob for one in part), default=0.0))
        others = (
            () if isinstance(event.value, dict | list) else self._alternatives(start, range(first, first + len(part)))
        )
        processed = [one.processed_logprob for one in part if one.processed_logprob is not None]
        if len(processed) < len(part):
            return FieldConfidence(raw, None, None, len(part), others, lowest)
        left = math.prod(1 - (one.masked_mass or 0.0) for one in part)
        opening = bisect_right(self._ends, start + 1) - first if isinstance(event.value, str) else 0
        content = math.exp(math.fsum(processed[opening:]))
        return FieldConfidence(
            raw, math.exp(math.fsum(processed)), 1 - left, len(part), others, lowest, content=content
        )

    def _alternatives(self, start: int, tokens: range) -> tuple[tuple[str, float], ...]:
        """Alternatives to the least certain of a value's tokens. start: byte offset of the value."""
        unsure = min(tokens, key=lambda place: self._logprobs[place].logprob, default=None)
        if unsure is None:
            return ()
        drawn = self._logprobs[unsure]
        token_start = self._ends[unsure] - len(drawn.token)
        # the token's bytes that stand before the value; b"" if the token begins inside the value
        before = self._bytes[token_start:start]
        found = []
        for one in drawn.top:
            share = math.exp(one.logprob)
            if one.token != drawn.token and not one.is_special and share >= MIN_ALTERNATIVE:
                text = self._bytes[start:token_start] + one.token.removeprefix(before)
                found.append((_unquoted(text.decode("utf-8", "replace")), share))
        return tuple(found)


def _unquoted(text: str) -> str:
    """The beginning of a JSON value without its opening quote."""
    return text.removeprefix('"') or text
