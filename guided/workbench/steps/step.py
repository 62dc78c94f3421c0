"""`GenerationStep`: one token of an answer, and how it came about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from guided.workbench.inspection.expected import Expected

from ...engines.base import StepTimes
from ...engines.token_logprobs import TokenLogprob
from ...requests.finish_reason import FinishReason

StepKind = Literal["drawn", "forced", "closing"]


@dataclass(frozen=True)
class TokenChance:
    """A token that could stand at a step. prob: its probability. is_allowed: the grammar allows it there."""

    token_id: int
    token: bytes
    is_special: bool
    prob: float
    is_allowed: bool

    @classmethod
    def of(cls, one: TokenLogprob, prob: float, *, is_allowed: bool) -> TokenChance:
        """Of a token with log-probabilities. Its `prob` is given: -inf is one, too."""
        assert one.token_id is not None
        return cls(one.token_id, one.token, one.is_special, prob, is_allowed)


@dataclass(frozen=True)
class GenerationStep:
    """One token.

    index: of the token in the answer, from 0; tokens of a prefix count. text: what the answer's text gets with it: a
    token may hold a part of a character, and the end of a text none.
    kind: "forced": the grammar left no choice: every byte of the token was determined, or it was the only one allowed.
        "closing": tokens that the grammar allows were ruled out, so that the answer is complete within its budget.
        "drawn": all others.
    is_thinking: the token is of a block of thinking, where the grammar does not count.
    raw_prob: of the token in the model's own distribution. prob: in what it was drawn from, after penalties, bias,
        mask, temperature and filters; 1 at temperature 0, where nothing is drawn.
    rank: of the token in the model's own distribution, from 1.
    masked_mass: the share of the model's probability that the mask took; None where no grammar counts.
    num_allowed: how many tokens the mask allowed; None where no grammar counts.
    top_raw: the most probable tokens for the model. top: those in what the token was drawn from.
    expected: what the grammar expected before the token; None where no grammar counts.
    times: of the engine's step; compile_s: until the grammar was there, on the first step.
    finish_reason: on the last step: "stop", "length" (its budget is used up), "error"; "pause": it made as many tokens
        as it was asked for, and goes on from here with a prefix.
    fits_grammar: on the last step: the answer is one of the grammar's. error: what ended it, with "error"; there is no
        token then.
    """

    index: int
    token_id: int | None
    token: bytes
    text: str
    kind: StepKind
    is_thinking: bool = False
    raw_prob: float | None = None
    prob: float | None = None
    rank: int | None = None
    masked_mass: float | None = None
    num_allowed: int | None = None
    top_raw: tuple[TokenChance, ...] = ()
    top: tuple[TokenChance, ...] = ()
    expected: Expected | None = None
    times: StepTimes | None = None
    compile_s: float | None = None
    finish_reason: FinishReason | Literal["pause"] | None = None
    fits_grammar: bool | None = None
    error: Exception | None = None
