"""What the model says of a prompt, chunk by chunk while it reads it: log-probabilities, logits, hidden states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from ..output.token_logprobs import TokenLogprobs
from ..params.sampling_params import SamplingParams
from ..sampler import compute_logprobs_only
from .logprobs import LogprobReader

MAX_SCORED_TOKENS = 256  # of a chunk: its logits are 132 MB for 129,280 columns in float32


class PromptScorer:
    """Scores one prompt. Chunks come in their order; one that begins at 0 begins anew."""

    def __init__(self, prompt_token_ids: Sequence[int], params: SamplingParams, reader: LogprobReader) -> None:
        """params: with prompt_logprobs, return_logits or return_hidden_states."""
        self._prompt = list(prompt_token_ids)
        self._params = params
        self._reader = reader
        self._scores: list[TokenLogprobs | None] = [None]
        self._returned: list[torch.Tensor] = []

    @property
    def details(self) -> dict[str, Any]:
        """What the row's first event says of its prompt: log-probabilities, None for the first token; tensors."""
        told: dict[str, Any] = {}
        if self._params.prompt_logprobs is not None:
            told["prompt_logprobs"] = tuple(self._scores)
        if self._params.returns_tensors:
            told["prompt_returned"] = torch.cat(self._returned)
        return told

    def add(self, start: int, rows: torch.Tensor) -> None:
        """Note what the model says behind the tokens start, start + 1, ... of the prompt.

        rows: (C, V) logits, or (C, V + H) with hidden states behind them.
        """
        if self._params.returns_tensors:
            if start == 0:
                self._returned.clear()
            of_prompt = rows[: max(0, len(self._prompt) - start)]
            self._returned.append(returned_part(of_prompt, self._params, self._reader.vocabulary.size))
        if self._params.prompt_logprobs is not None:
            self._score(start, rows[:, : self._reader.vocabulary.size])

    def _score(self, start: int, logits: torch.Tensor) -> None:
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


def returned_part(rows: torch.Tensor, params: SamplingParams, vocab_size: int) -> torch.Tensor:
    """What a request gets of rows, (C, V) or (C, V + H): its logits, hidden states, or both; a copy on the CPU."""
    start = 0 if params.return_logits else vocab_size
    stop = None if params.return_hidden_states else vocab_size
    return rows[:, start:stop].to("cpu", copy=True)
