"""`GenerationStep`: one token of an answer, with the reasons why it was written."""

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
    """A candidate for the token of a step.

    Attributes:
        token_id, token, is_special: as in `TokenLogprob`.
        prob: probability of the token.
        is_allowed: True: the grammar allows it here, or there is no grammar.
    """

    token_id: int
    token: bytes
    is_special: bool
    prob: float
    is_allowed: bool

    @classmethod
    def of(cls, one: TokenLogprob, prob: float, *, is_allowed: bool) -> TokenChance:
        """The candidate of a token with a log-probability. prob: its probability, in [0, 1]."""
        assert one.token_id is not None
        return cls(one.token_id, one.token, one.is_special, prob, is_allowed)


@dataclass(frozen=True)
class GenerationStep:
    """A token of an answer, with the effect of the grammar on it.

    Attributes:
        index: index of the token in the answer, from 0; tokens of a prefix count.
        token_id: id of the token; None: the step is an error.
        token: bytes of the token, or the name of a special token.
        text: the new characters of the answer or of its thinking. "" if the token has only a part of a character, or
            ends the text.
        kind: "forced": the grammar left no choice: it determined every byte, or allowed only this token. "closing": the
            budget excluded tokens, so that the answer can still be completed. "drawn": all others.
        is_thinking: True: the token belongs to a thinking block, which the grammar ignores.
        raw_prob: probability of the token in the model's own distribution.
        prob: probability in the distribution that it was drawn from, after penalties, bias, mask, temperature and
            filters; 1 at temperature 0.
        rank: rank of the token in the model's own distribution, from 1.
        masked_mass: share of the model's probability that the mask removed; None: no grammar applies.
        num_allowed: number of tokens that the mask allowed; None: no grammar applies.
        top_raw: the model's most probable tokens.
        top: the most probable tokens of the distribution that the token was drawn from.
        expected: description of what the grammar expected before the token; None: no grammar applies.
        times: times of the engine's step.
        compile_s: seconds until the grammar was compiled, on the first new step; else None.
        finish_reason: on the last step: "stop", "length" (the budget is used up), "error" or "pause"; else None.
            "pause": the answer has the requested number of tokens and can be continued with a prefix.
        fits_grammar: on the last step: True if the answer fits the grammar.
        error: the error, with "error".
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
