"""Log-probabilities of a prompt, scored chunk by chunk while the model reads it."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from ..output.token_logprobs import TokenLogprobs
from ..params.sampling_params import SamplingParams
from ..sampler import compute_logprobs_only
from .logprobs import LogprobReader

MAX_SCORED_TOKENS = 256  # of a chunk: its logits are 132 MB for 129,280 columns in float32


class PromptScorer:
    """Scores one prompt. Chunks come in their order; one that begins at 0 begins anew."""

    def __init__(self, prompt_token_ids: Sequence[int], params: SamplingParams, reader: LogprobReader) -> None:
        """params: with prompt_logprobs."""
        self._prompt = list(prompt_token_ids)
        self._params = params
        self._reader = reader
        self._scores: list[TokenLogprobs | None] = [None]

    @property
    def result(self) -> tuple[TokenLogprobs | None, ...]:
        """Of the prompt's tokens so far, None for the first."""
        return tuple(self._scores)

    def add(self, start: int, logits: torch.Tensor) -> None:
        """Score what follows the tokens start, start + 1, ... of the prompt. logits: (C, V), one row for each."""
        del self._scores[start + 1 :]
        expected = self._prompt[start + 1 : start + 1 + len(logits)]
        if not expected:
            return
        num_top = min(self._params.prompt_logprobs or 0, logits.shape[1])
        given_ids = list(self._params.logprob_token_ids or ())
        given = torch.tensor(given_ids, dtype=torch.int64, device=logits.device)
        count = len(expected)
        token_ids = torch.tensor(expected, dtype=torch.int64, device=logits.device)
        output = compute_logprobs_only(logits[:count], token_ids, num_top, given.expand(count, -1))
        none = [False] * count
        self._scores += self._reader.read(output, expected, [num_top] * count, [given_ids] * count, none, none)
