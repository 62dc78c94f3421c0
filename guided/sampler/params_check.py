"""Whether a request's token ids are ids of the model: what `SamplingParams` alone can't know."""

from __future__ import annotations

from collections.abc import Collection

from guided.grammars.errors import InvalidInputError

from ..errors import RequestFieldError
from ..params.sampling_params import SamplingParams


def check_token_ids(params: SamplingParams, vocab_size: int) -> None:
    """Raise InvalidInputError, naming field and id, for an id that is outside, or for bad words that are still text."""
    words = params.bad_words or ()
    if any(isinstance(word, str) for word in words):
        raise InvalidInputError("bad_words as text needs a tokenizer; give token ids, or use guided.LLM")
    fields: dict[str, Collection[int] | None] = {
        "logit_bias": params.logit_bias,
        "allowed_token_ids": params.allowed_token_ids,
        "stop_token_ids": params.stop_token_ids,
        "logprob_token_ids": params.logprob_token_ids,
        "bad_words": [int(token_id) for word in words for token_id in word],
    }
    for name, token_ids in fields.items():
        if token_ids and (min(token_ids) < 0 or max(token_ids) >= vocab_size):
            token_id = next(one for one in token_ids if not 0 <= one < vocab_size)
            raise RequestFieldError(f"{name} has token id {token_id}; the model's ids are 0..{vocab_size - 1}", name)
