"""Log-probabilities in a completion: those of the drawn tokens and of their alternatives."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TokenLogprob:
    """A token and its log-probability.

    token_id: id of the token; None: another server made the token and tells no ids.
    token: raw bytes of the token, which need not be whole characters. For a special token, its name as UTF-8; b"" if it
        has no name.
    is_special: True if the token has no text.
    logprob: natural logarithm of the probability; -inf: the token can't be drawn.
    """

    token_id: int | None
    token: bytes
    is_special: bool
    logprob: float

    @property
    def text(self) -> str:
        """The token as text. Bytes that are no whole character become U+FFFD."""
        return self.token.decode("utf-8", "replace")


@dataclass(frozen=True)
class TokenLogprobs(TokenLogprob):
    """The log-probability of one token of a text, and those of its alternatives.

    rank: rank of the token in the whole vocabulary, 1 for the most probable one; None: another server does not tell it.
    top: the most probable tokens, most probable first; as many as the request asked for.
    given: the tokens of `SamplingParams.logprob_token_ids`, in their order.
    masked_mass: share of the model's probability that the grammar excluded at this step, in [0, 1]; None: no grammar.
    processed_logprob: log-probability of the token after penalties, bias, mask, temperature and filters: in the
        distribution that it was drawn from. None: the request asked only for raw ones.
    processed_top: the most probable tokens of that distribution, with `logprobs_mode="both"`; else ().
    """

    rank: int | None
    top: tuple[TokenLogprob, ...] = ()
    given: tuple[TokenLogprob, ...] = ()
    masked_mass: float | None = None
    processed_logprob: float | None = None
    processed_top: tuple[TokenLogprob, ...] = ()
