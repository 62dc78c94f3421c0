"""`PromptScorer`: collects the model's results for a prompt's tokens: log-probabilities, logits, hidden states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from ...params.sampling_params import SamplingParams
from ...sampler import compute_logprobs_only
from ..logprobs import LogprobReader
from ..token_logprobs import TokenLogprobs

MAX_SCORED_TOKENS = 256  # most tokens of a chunk; their logits take 132 MB for 129,280 columns in float32


class PromptScorer:
    """The scores of one prompt. Chunks come in order; a chunk that begins at 0 discards the earlier ones."""

    def __init__(self, prompt_token_ids: Sequence[int], params: SamplingParams, reader: LogprobReader) -> None:
        """params: the request's parameters, with prompt_logprobs, return_logits or return_hidden_states."""
        self._prompt = list(prompt_token_ids)
        self._params = params
        self._reader = reader
        self._scores: list[TokenLogprobs | None] = [None]
        self._returned: list[torch.Tensor] = []

    @property
    def details(self) -> dict[str, Any]:
        """The fields of the row's first event about its prompt: `prompt_logprobs` and `prompt_returned`, if
        requested.
        """
        told: dict[str, Any] = {}
        if self._params.prompt_logprobs is not None:
            told["prompt_logprobs"] = tuple(self._scores)
        if self._params.returns_tensors:
            told["prompt_returned"] = torch.cat(self._returned)
        return told

    def add(self, start: int, rows: torch.Tensor) -> None:
        """Take the model's results after the prompt's tokens start, start + 1, ...

        rows: (C, V) logits, or (C, V + H) logits followed by hidden states.
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
    """The part of some rows that a request returns: logits, hidden states or both. A copy on the CPU.

    rows: (C, V) logits, or (C, V + H) logits followed by hidden states.
    """
    start = 0 if params.return_logits else vocab_size
    stop = None if params.return_hidden_states else vocab_size
    return rows[:, start:stop].to("cpu", copy=True)
