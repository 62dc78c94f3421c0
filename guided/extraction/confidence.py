"""How sure the model was of each field of a document: the probability of the tokens that wrote it, by JSON pointer.

A value's tokens are those that hold a part of its text, and after a number the one that ends it: "25" would otherwise
be as sure as the "25" of "250". Tokens often hold parts of two values (`","`), which both count them.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from guided.grammars.errors import InvalidInputError

from ..errors import IncompleteOutputError
from ..output.completion import Completion
from ..output.token_logprobs import TokenLogprobs
from .json_events import FieldEvent, JsonTextError, read_json_events

MIN_ALTERNATIVE = 0.01  # less likely ones say nothing


@dataclass(frozen=True)
class FieldConfidence:
    """How a value came about, in [0, 1] each.

    raw: the probability that the model itself, free to write anything, gives to the value's tokens, each after those
        before it.
    processed: the probability with which they are drawn, after penalties, bias and mask (and temperature and filters,
        unless the request is greedy). None where another server has the tokens and does not say.
    masked_mass: how much of the model's own probability the grammar ruled out on the way: 1 minus the product over the
        tokens of what it left. Much of it says that the model wanted to write something else. None as `processed`.
    num_tokens: how many tokens they are.
    alternatives: how else the model itself would have gone on where it was least sure of the value: the value's text up
        to there with another token, and that token's probability; of scalars, where `SamplingParams.logprobs` asked for
        more tokens than the one that was drawn.
    lowest: the probability that the model itself gives to the token that it was least sure of; 1 where there is none.
    """

    raw: float
    processed: float | None
    masked_mass: float | None
    num_tokens: int
    alternatives: tuple[tuple[str, float], ...] = ()
    lowest: float = 1.0


def field_confidences(completion: Completion) -> dict[str, FieldConfidence]:
    """The confidence of every value of a complete JSON document, by its JSON pointer; "" is the whole document.

    completion: made with logprobs and logprobs_mode="both" (with engine="openai" "raw" will do, and the confidences are
        raw ones). Raises InvalidInputError where it was not, IncompleteOutputError for a document that is cut off,
        JsonTextError for a text that is no JSON document.
    """
    logprobs = completion.logprobs
    if logprobs is None or any(one.processed_logprob is None and one.token_id is not None for one in logprobs):
        raise InvalidInputError("confidences need SamplingParams(logprobs=0, logprobs_mode='both') or more logprobs")
    tokens = _DocumentTokens(completion.text, logprobs)
    try:
        done = [event for event in read_json_events([completion.text]) if event.kind == "done"]
    except JsonTextError as error:
        raise (error if completion.is_complete else IncompleteOutputError(completion)) from None
    return {event.pointer: tokens.confidence(event) for event in done}


class _DocumentTokens:
    """The tokens of a document's text and where in it they stand: the last ones that have bytes of their own.

    What was thought before the text is in the log-probabilities too, so places are counted from the end.
    """

    def __init__(self, text: str, logprobs: Sequence[TokenLogprobs]) -> None:
        self._bytes = text.encode()
        self._byte_places = [0, *accumulate(len(char.encode()) for char in text)]  # of each character
        written = [one for one in logprobs if not one.is_special]
        surplus = sum(len(one.token) for one in written) - self._byte_places[-1]
        ends = [end - surplus for end in accumulate(len(one.token) for one in written)]
        first = bisect_right(ends, 0)
        self._logprobs, self._ends = written[first:], ends[first:]

    def confidence(self, event: FieldEvent) -> FieldConfidence:
        """Of the value that ends with this event."""
        assert event.end is not None
        is_number = isinstance(event.value, int | float) and not isinstance(event.value, bool)
        start, end = self._byte_places[event.start], self._byte_places[event.end] + is_number
        first, last = bisect_right(self._ends, start), bisect_left(self._ends, end)
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
        return FieldConfidence(raw, math.exp(math.fsum(processed)), 1 - left, len(part), others, lowest)

    def _alternatives(self, start: int, tokens: range) -> tuple[tuple[str, float], ...]:
        """Of the least sure of a value's tokens. start: of the value, in bytes."""
        unsure = min(tokens, key=lambda place: self._logprobs[place].logprob, default=None)
        if unsure is None:
            return ()
        drawn = self._logprobs[unsure]
        token_start = self._ends[unsure] - len(drawn.token)
        before = self._bytes[token_start:start]  # of what stands before the value; b"" where the token begins in it
        found = []
        for one in drawn.top:
            share = math.exp(one.logprob)
            if one.token != drawn.token and not one.is_special and share >= MIN_ALTERNATIVE:
                text = self._bytes[start:token_start] + one.token.removeprefix(before)
                found.append((_unquoted(text.decode("utf-8", "replace")), share))
        return tuple(found)


def _unquoted(text: str) -> str:
    """The beginning of a JSON value, as the beginning of what it says."""
    return text.removeprefix('"') or text
