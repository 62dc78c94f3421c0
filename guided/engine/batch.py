"""The rows that run together: their left-padded inputs, their KV cache, their sampling parameters.

All rows take the same number of steps, so their newest tokens are always in the last column; shorter prompts are padded
on the left and the padding is masked. A finished row leaves all tensors at once.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from guided.grammars.bitset import Bitmask, allocate_bitmask
from guided.grammars.vocabulary import Vocabulary

from ..sampler import SamplerOutput, SamplingBatch, explain_no_allowed
from .base import TokenEvent
from .logprobs import LogprobReader
from .row import RunningRow

PADDING_TOKEN_ID = 0  # any id in range: padded columns are masked


class RunningBatch:
    """B rows in flight.

    input_ids: (B, T) int64, what the next forward reads: all prompts first, then one token a row.
    attention_mask: (B, L) int64, 1 for every token of a row so far, 0 for padding; L grows by one a step.
    cache: the model's KV cache, None before prefill.
    """

    def __init__(
        self,
        rows: Sequence[RunningRow],
        vocabulary: Vocabulary,
        device: torch.device,
        eos_token_ids: Collection[int],
    ) -> None:
        self.rows = list(rows)
        self.cache: Any = None
        self.device = device
        self.vocab_size = vocabulary.size
        self.logprob_reader = LogprobReader(vocabulary)
        params, prompts = [row.request.params for row in rows], [row.request.prompt_token_ids for row in rows]
        self.sampling = SamplingBatch.from_params(params, vocabulary.size, device, prompts, eos_token_ids)
        self.input_ids, self.attention_mask = _pad_left(prompts, device)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def position_ids(self) -> torch.Tensor:
        """(B, T) int64: the place of each input token in its own sequence, padding not counted."""
        positions = (self.attention_mask.cumsum(dim=-1) - 1).clamp(min=0)
        return positions[:, -self.input_ids.shape[1] :]

    def fill_bitmask(self) -> Bitmask | None:
        """The allowed tokens of each row, int32 (B, W); None when no row has a grammar."""
        if all(row.request.grammar is None for row in self.rows):
            return None
        bitmask = allocate_bitmask(len(self.rows), self.vocab_size)
        for i, row in enumerate(self.rows):
            row.fill_bitmask(bitmask, i)
        return bitmask

    def accept(self, output: SamplerOutput, logits: torch.Tensor, bitmask: Bitmask | None) -> list[TokenEvent]:
        """Give each row its token; the events in row order. The tokens become the next inputs.

        logits, bitmask: what the output was made from.
        """
        token_ids, lacks_token = output.token_ids.tolist(), output.no_allowed.tolist()
        failed = {} if self.sampling.processors is None else self.sampling.processors.errors
        details = self._details(output, token_ids)
        has_one_choice = [False] * len(self.rows) if bitmask is None else rows_with_one_choice(bitmask)
        events: list[TokenEvent] = []
        for i, row in enumerate(self.rows):
            if i in failed:
                events.append(row.fail(failed[i]))
            elif lacks_token[i]:
                events.append(row.end_without_token(explain_no_allowed(logits, self.sampling, i, bitmask)))
            else:
                events.append(replace(row.accept(token_ids[i]), **details[i]))
        is_forced = [event.is_forced or has_one_choice[i] for i, event in enumerate(events)]
        self.sampling.accept_tokens(output.token_ids, torch.tensor(is_forced, device=self.device))
        self.input_ids = output.token_ids.to(torch.int64).unsqueeze(-1)
        self.attention_mask = torch.nn.functional.pad(self.attention_mask, (0, 1), value=1)
        return events

    def _details(self, output: SamplerOutput, token_ids: Sequence[int]) -> list[dict[str, Any]]:
        """What each row's event says beside its token."""
        details: list[dict[str, Any]] = [{} for _ in self.rows]
        if output.min_new_tokens_overruled is not None:
            for i, is_overruled in enumerate(output.min_new_tokens_overruled.tolist()):
                details[i]["min_new_tokens_overruled"] = is_overruled
        if output.logprobs is not None:
            params = [row.request.params for row in self.rows]
            logprobs = self.logprob_reader.read(
                output.logprobs,
                token_ids,
                [one.logprobs for one in params],
                [one.logprob_token_ids or () for one in params],
                [row.request.grammar is not None for row in self.rows],
            )
            for i, one in enumerate(logprobs):
                details[i]["logprobs"] = one
        for i, row in enumerate(self.rows):
            if row.prompt_logprobs is not None:
                details[i]["prompt_logprobs"], row.prompt_logprobs = row.prompt_logprobs, None
        return details

    def drop_finished(self) -> None:
        """Take the rows that need no more tokens out of every tensor and of the cache."""
        keep = [i for i, row in enumerate(self.rows) if not row.is_finished and not row.request.ended.is_set()]
        if len(keep) == len(self.rows):
            return
        self.rows = [self.rows[i] for i in keep]
        if not keep:
            self.cache = None
            return
        indices = torch.tensor(keep, dtype=torch.int64, device=self.device)
        self.input_ids = self.input_ids[indices]
        self.attention_mask = self.attention_mask[indices]
        self.sampling.filter(keep)
        self.cache.batch_select_indices(indices)


def rows_with_one_choice(bitmask: Bitmask) -> list[bool]:
    """For each row of a bitmask, int32 (B, W): whether it allows one token only."""
    num_allowed = np.bitwise_count(bitmask.view(np.uint32)).sum(axis=1, dtype=np.int64)
    has_one: list[bool] = (num_allowed == 1).tolist()
    return has_one


def _pad_left(prompts: Sequence[Sequence[int]], device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
    """Token ids and attention mask, both (B, longest prompt) int64."""
    longest = max(len(prompt) for prompt in prompts)
    input_ids = np.full((len(prompts), longest), PADDING_TOKEN_ID, dtype=np.int64)
    attention_mask = np.zeros_like(input_ids)
    for i, prompt in enumerate(prompts):
        input_ids[i, longest - len(prompt) :] = prompt
        attention_mask[i, longest - len(prompt) :] = 1
    return torch.from_numpy(input_ids).to(device), torch.from_numpy(attention_mask).to(device)
