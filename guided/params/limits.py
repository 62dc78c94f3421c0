"""`RequestLimits`: limits on the lists of one request; and `read_limits`, which reads `Limits` of a grammar from JSON
text.

`RequestLimits` bounds what one request costs others in the batch: some of these lists cause work in every step of the
engine, for all rows.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from typing import Any, ClassVar

from pydantic import Field

from guided.grammars.errors import InvalidInputError
from guided.grammars.limits import Limits

from ..errors import RequestFieldError
from ..settings import Count, Settings

_STOPS = ("stop", "stop_sequences", "stop_regex")
_TOKEN_LISTS = ("logit_bias", "allowed_token_ids", "stop_token_ids")


class RequestLimitExceededError(RequestFieldError):
    """A request's field contains more than allowed. param: the field. limit: the limit's name."""

    def __init__(self, what: str, param: str, limit: str, maximum: float) -> None:
        self.limit = limit
        self.maximum = maximum
        self._what = what
        unit = limit.rpartition("_")[2]
        super().__init__(f"{param} has {what}, more than the limit of {maximum} {unit} ({limit}); ask for less", param)

    def __reduce__(self) -> tuple[type[RequestLimitExceededError], tuple[str, str, str, float]]:
        return type(self), (self._what, self.param, self.limit, self.maximum)


class RequestLimits(Settings):
    """Limits on the fields of one request's `SamplingParams`."""

    panel: ClassVar[str | None] = "Limits of one request; over them is a 400"
    gone: ClassVar[Mapping[str, str]] = {
        "max_stop_seconds": "stop regexes are looked for in linear time, without a limit; leave it out",
    }

    max_stops: Count = Field(default=128, description="Stop strings, and stop regexes.")
    max_stop_chars: Count = Field(
        default=16_384, description="Characters of these, each kind. Building takes about 5 us each."
    )
    max_bad_words: Count = Field(default=2_048, description="Bad words; encoding one that is text takes about 0.1 ms.")
    max_bad_word_tokens: Count = Field(
        default=16_384,
        description="Token ids, or characters, of these together; each is looked at in every step, about 10 ns.",
    )
    max_token_ids: Count = Field(
        default=16_384, description="Ids in each of logit_bias, allowed_token_ids, stop_token_ids."
    )
    max_logprob_token_ids: Count = Field(
        default=256,
        description="Tokens whose logprobs are asked for by id; each is written out for every token, about 10 us.",
    )

    def check(self, given: Mapping[str, Any]) -> None:
        """Raise RequestLimitExceededError for the first field that contains too much.

        Args:
            given: fields of `SamplingParams`, or of a request's body, by name. Only sizes are checked; values of wrong
                types are left to other checks, which these limits keep cheap.
        """
        for name in _STOPS:
            self._check_list(name, given.get(name), "max_stops")
            self._check_sizes(name, given.get(name), "max_stop_chars", "characters")
        for name in _TOKEN_LISTS:
            self._check_list(name, given.get(name), "max_token_ids")
        self._check_list("logprob_token_ids", given.get("logprob_token_ids"), "max_logprob_token_ids")
        self._check_list("bad_words", given.get("bad_words"), "max_bad_words")
        self._check_sizes("bad_words", given.get("bad_words"), "max_bad_word_tokens", "tokens")

    def _check_list(self, name: str, value: Any, limit: str) -> None:
        maximum = getattr(self, limit)
        if isinstance(value, Mapping | Sequence) and not isinstance(value, str) and len(value) > maximum:
            raise RequestLimitExceededError(f"{len(value)} entries", name, limit, maximum)

    def _check_sizes(self, name: str, value: Any, limit: str, unit: str) -> None:
        maximum = getattr(self, limit)
        parts = [value] if isinstance(value, str) else value if isinstance(value, Sequence) else ()
        size = sum(len(part) for part in parts if isinstance(part, Sequence))
        if size > maximum:
            raise RequestLimitExceededError(f"{size} {unit} together", name, limit, maximum)


@lru_cache(maxsize=4)
def read_limits(text: str, name: str) -> Limits:
    """Read the limits of one grammar from JSON text, such as '{"max_repeat": 5}'. name: the setting's name, for errors.

    Raises:
        InvalidInputError: for unknown limits and invalid values.
    """
    known = {field.name: type(field.default) for field in fields(Limits)}
    try:
        given = json.loads(text)
    except ValueError as error:
        raise InvalidInputError(f"{name} is no JSON text: {error}") from None
    if not isinstance(given, dict):
        raise InvalidInputError(f"{name} is no JSON object, but {text}")
    for limit, value in given.items():
        if limit not in known:
            raise InvalidInputError(f"{name}: unknown limit {limit!r}; known are {', '.join(known)}")
        is_number = isinstance(value, known[limit] | int) and not isinstance(value, bool)
        if not is_number or value <= 0:
            raise InvalidInputError(f"{name}: {limit} is {value!r}; expected a {known[limit].__name__} above 0")
    return Limits(**given)
