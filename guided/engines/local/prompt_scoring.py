"""Collects the model's results for the tokens of a row's prompt: log-probabilities, logits, hidden states."""

from __future__ import annotations

from typing import Any

import torch

from ...params.sampling_params import SamplingParams
from ...sampler import compute_logprobs_only
from ..logprobs import LogprobReader
from ..token_logprobs import TokenLogprobs
from .engine_request import EngineRequest

MAX_SCORED_TOKENS = 256  # most tokens of a chunk; their logits take 132 MB for 129,280 columns in float32


def score_prompt(row: EngineRequest, start: int, rows: torch.Tensor, reader: LogprobReader) -> None:
    """Take the model's results after the prompt's tokens start, start + 1, ... Chunks come in order; one that begins at
    0 discards the earlier ones.

    rows: (C, V) logits, or (C, V + H) logits followed by hidden states.
    """
    params, vocab_size = row.request.params, reader.vocabulary.size
    if params.returns_tensors:
        if start == 0:
            row.prompt_returned.clear()
        row.prompt_returned.append(returned_part(rows[: max(0, row.num_prompt_tokens - start)], params, vocab_size))
    if params.prompt_logprobs is not None:
        del row.prompt_scores[start:]
        row.prompt_scores += _scores(row, start, rows[:, :vocab_size], reader)


def take_scores(row: EngineRequest) -> dict[str, Any]:
    """The fields of the row's first event about its prompt: `prompt_logprobs` and `prompt_returned`, if requested. The
    row keeps nothing of them.
    """
    details: dict[str, Any] = {}
    if row.request.params.prompt_logprobs is not None:
        details["prompt_logprobs"] = (None, *row.prompt_scores)  # nothing comes before the first token
    if row.request.params.returns_tensors:
        details["prompt_returned"] = torch.cat(row.prompt_returned)
    row.scores_prompt, row.prompt_scores, row.prompt_returned = False, [], []
    return details


def _scores(row: EngineRequest, start: int, logits: torch.Tensor, reader: LogprobReader) -> list[TokenLogprobs | None]:
    """The log-probabilities of the prompt's tokens after start, start + 1, ... logits: (C, V)."""
    params, prompt = row.request.params, row.request.prompt_token_ids
    expected = list(prompt[start + 1 : start + 1 + len(logits)])
    if not expected:
        return []
    num_top = min(params.prompt_logprobs or 0, logits.shape[1])
    given_ids = list(params.logprob_token_ids or ())
    given = torch.tensor(given_ids, dtype=torch.int64, device=logits.device)
    count = len(expected)
    token_ids = torch.tensor(expected, dtype=torch.int64, device=logits.device)
    output = compute_logprobs_only(logits[:count], token_ids, num_top, given.expand(count, -1))
    none = [False] * count
    return reader.read(output, expected, [num_top] * count, [given_ids] * count, none, none)


def returned_part(rows: torch.Tensor, params: SamplingParams, vocab_size: int) -> torch.Tensor:
    """The part of some rows that a request returns: logits, hidden states or both. A copy on the CPU.

    rows: (C, V) logits, or (C, V + H) logits followed by hidden states.
    """
    start = 0 if params.return_logits else vocab_size
    stop = None if params.return_hidden_states else vocab_size
    return rows[:, start:stop].to("cpu", copy=True)
