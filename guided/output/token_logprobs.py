"""Log-probabilities of tokens, as a completion holds them: the token drawn at each step and its alternatives."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TokenLogprob:
    """One token and its log-probability (natural logarithm; -inf for a token that can't be drawn).

    token_id: None where another server has the tokens and tells no ids.
    token: its raw bytes, which need not be whole characters; of a special token its name as UTF-8, b"" without one.
    is_special: a token without text of its own.
    """

    token_id: int | None
    token: bytes
    is_special: bool
    logprob: float

    @property
    def text(self) -> str:
        """The bytes as text; those that are no whole character as U+FFFD."""
        return self.token.decode("utf-8", "replace")


@dataclass(frozen=True)
class TokenLogprobs(TokenLogprob):
    """The log-probability of one token of a text, and of others that could stand in its place.

    rank: 1 for the most probable token, counted over the whole vocabulary; None where another server does not say.
    top: the most probable tokens, most probable first, as many as were asked for.
    given: the tokens of `SamplingParams.logprob_token_ids`, in their order.
    masked_mass: under a grammar, the share of the model's probability that the grammar ruled out at this step, in
        [0, 1]; None without one.
    processed_logprob: of the token in what it was drawn from, after penalties, bias, mask, temperature and filters;
        None where only raw ones were asked for.
    processed_top: the most probable tokens in what it was drawn from, with `logprobs_mode="both"`.
    """

    rank: int | None
    top: tuple[TokenLogprob, ...] = ()
    given: tuple[TokenLogprob, ...] = ()
    masked_mass: float | None = None
    processed_logprob: float | None = None
    processed_top: tuple[TokenLogprob, ...] = ()
