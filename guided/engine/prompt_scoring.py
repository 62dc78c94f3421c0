"""Log-probabilities of prompts: the model reads them a few columns at a time, so that few logits exist at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

from ..sampler import compute_logprobs_only
from ..sampling_params import SamplingParams
from ..token_logprobs import TokenLogprobs
from .logprobs import LogprobReader

MAX_LOGIT_ROWS = 256  # rows of logits at once, all prompts together: 132 MB for 129,280 columns in float32

Forward = Callable[[int, int], torch.Tensor]
"""The model on columns start .. stop of the inputs, (B, stop - start, V) logits; earlier columns are in its cache."""


class PromptScorer:
    """Scores the prompts of a batch while it is prefilled. Only rows whose params have prompt_logprobs are scored."""

    def __init__(
        self,
        input_ids: torch.Tensor,
        prompt_lengths: Sequence[int],
        params: Sequence[SamplingParams],
        reader: LogprobReader,
    ) -> None:
        """input_ids: (B, T) int64, prompts padded on the left. prompt_lengths: of each row."""
        self._input_ids = input_ids
        self._starts = [input_ids.shape[1] - length for length in prompt_lengths]
        self._params = params
        self._reader = reader
        self._rows = [row for row, one in enumerate(params) if one.prompt_logprobs is not None]
        self._scores: dict[int, list[TokenLogprobs | None]] = {row: [None] for row in self._rows}

    def prefill(self, forward: Forward) -> torch.Tensor:
        """Run the model over all columns; the logits after the last one, (B, V)."""
        num_rows, num_columns = self._input_ids.shape
        width = max(1, MAX_LOGIT_ROWS // num_rows)
        logits = torch.empty(0)
        for start in range(0, num_columns, width):
            stop = min(start + width, num_columns)
            logits = forward(start, stop)
            for row in self._rows:
                self._score(row, logits[row], start, stop)
        return logits[:, -1]

    def result(self, row: int) -> tuple[TokenLogprobs | None, ...] | None:
        """Of the prompt's tokens, None for the first; None for a row that did not ask."""
        return tuple(self._scores[row]) if row in self._scores else None

    def _score(self, row: int, logits: torch.Tensor, start: int, stop: int) -> None:
        """Score the tokens that follow columns start .. stop. logits: (stop - start, V)."""
        first = max(self._starts[row], start)
        last = min(stop, self._input_ids.shape[1] - 1)
        if first >= last:
            return
        params = self._params[row]
        token_ids = self._input_ids[row, first + 1 : last + 1]
        num_top = min(params.prompt_logprobs or 0, logits.shape[1])
        given_ids = list(params.logprob_token_ids or ())
        given = torch.tensor(given_ids, dtype=torch.int64, device=token_ids.device)
        output = compute_logprobs_only(
            logits[first - start : last - start], token_ids, num_top, given.expand(len(token_ids), -1)
        )
        count = len(token_ids)
        self._scores[row] += self._reader.read(
            output, token_ids.tolist(), [num_top] * count, [given_ids] * count, [False] * count
        )
