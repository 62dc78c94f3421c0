"""Expands one request's params: into n outputs from one seed, and bad words into token ids."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from guided.grammars.errors import InvalidInputError

from ..params.sampling_params import MAX_SEED, SamplingParams

_GOLDEN_GAMMA = 0x9E3779B97F4A7C15
_MASK = 2**64 - 1


def expand(params: SamplingParams) -> list[SamplingParams]:
    """Params for each of the n outputs or particles, with n = 1 and its own seed (None if the request has none)."""
    count = params.particles or params.n
    if count == 1:
        return [params]
    return [replace(params, n=1, particles=None, seed=nth_seed(params.seed, index)) for index in range(count)]


def nth_seed(seed: int | None, index: int) -> int | None:
    """The seed of output number `index`. Output 0 has the request's own seed; None stays None.

    The others are spread over [0, 2**63) by SplitMix64 (Steele, Lea, Flood 2014), so that adjacent seeds share no
    stream.
    """
    if seed is None or index == 0:
        return seed
    state = _mix64((_mix64(seed) + index * _GOLDEN_GAMMA) & _MASK)
    return state & MAX_SEED


def with_word_ids(params: SamplingParams, encode: Callable[[str], Sequence[int]]) -> SamplingParams:
    """The params with each bad word as token ids: of the word as written, and of the word after a space.

    encode: converts text to token ids, without tokens that a tokenizer adds. Raises InvalidInputError for a word
        without tokens.
    """
    if params.bad_words is None or not any(isinstance(word, str) for word in params.bad_words):
        return params
    found: dict[tuple[int, ...], None] = {}  # spellings in order, without duplicates
    for word in params.bad_words:
        spellings = [encode(word), encode(" " + word.lstrip())] if isinstance(word, str) else [word]
        for token_ids in spellings:
            if not token_ids:
                raise InvalidInputError(f"the tokenizer has no tokens for the bad word {word!r}; leave it out")
            found[tuple(token_ids)] = None
    return replace(params, bad_words=tuple(found))


def _mix64(value: int) -> int:
    """The finaliser of SplitMix64: a bijection of 64-bit integers."""
    value = (value + _GOLDEN_GAMMA) & _MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)
