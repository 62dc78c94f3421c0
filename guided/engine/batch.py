"""The rows that run together: their left-padded inputs, their KV cache, their sampling parameters.

All rows take the same number of steps, so their newest tokens are always in the last column; shorter prompts are padded
on the left and the padding is masked. A finished row leaves all tensors at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from guided.grammars.bitset import Bitmask, allocate_bitmask

from ..sampler import SamplerOutput, SamplingBatch
from .base import TokenEvent
from .row import RunningRow

PADDING_TOKEN_ID = 0  # any id in range: padded columns are masked


class RunningBatch:
    """B rows in flight.

    input_ids: (B, T) int64, what the next forward reads: all prompts first, then one token a row.
    attention_mask: (B, L) int64, 1 for every token of a row so far, 0 for padding; L grows by one a step.
    cache: the model's KV cache, None before prefill.
    """

    def __init__(self, rows: Sequence[RunningRow], vocab_size: int, device: torch.device) -> None:
        self.rows = list(rows)
        self.cache: Any = None
        self.device = device
        self.vocab_size = vocab_size
        self.sampling = SamplingBatch.from_params([row.request.params for row in rows], vocab_size, device)
        prompts = [row.request.prompt_token_ids for row in rows]
        self.input_ids, self.attention_mask = _pad_left(prompts, device)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def position_ids(self) -> torch.Tensor:
        """(B, T) int64: the place of each input token in its own sequence, padding not counted."""
        positions = (self.attention_mask.cumsum(dim=-1) - 1).clamp(min=0)
        return positions[:, -self.input_ids.shape[1] :]

    @property
    def num_new_tokens(self) -> torch.Tensor:
        """(B,) int64: how many tokens each row has generated so far; the place in its random stream."""
        return torch.tensor([row.num_new_tokens for row in self.rows], dtype=torch.int64, device=self.device)

    def fill_bitmask(self) -> Bitmask | None:
        """The allowed tokens of each row, int32 (B, W); None when no row has a grammar."""
        if all(row.request.grammar is None for row in self.rows):
            return None
        bitmask = allocate_bitmask(len(self.rows), self.vocab_size)
        for i, row in enumerate(self.rows):
            row.fill_bitmask(bitmask, i)
        return bitmask

    def accept(self, output: SamplerOutput) -> list[TokenEvent]:
        """Give each row its token; the events in row order. The tokens become the next inputs."""
        token_ids, lacks_token = output.token_ids.tolist(), output.no_allowed.tolist()
        events = [row.accept(token_ids[i], not lacks_token[i]) for i, row in enumerate(self.rows)]
        self.input_ids = output.token_ids.to(torch.int64).unsqueeze(-1)
        self.attention_mask = torch.nn.functional.pad(self.attention_mask, (0, 1), value=1)
        return events

    def drop_finished(self) -> None:
        """Take the finished rows out of every tensor and of the cache."""
        keep = [i for i, row in enumerate(self.rows) if not row.is_finished]
        if len(keep) == len(self.rows):
            return
        self.rows = [self.rows[i] for i in keep]
        if not keep:
            self.cache = None
            return
        indices = torch.tensor(keep, dtype=torch.int64, device=self.device)
        self.input_ids = self.input_ids[indices]
        self.attention_mask = self.attention_mask[indices]
        self.sampling = self.sampling.filter(keep)
        self.cache.batch_select_indices(indices)


def _pad_left(prompts: Sequence[Sequence[int]], device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
    """Token ids and attention mask, both (B, longest prompt) int64."""
    longest = max(len(prompt) for prompt in prompts)
    input_ids = np.full((len(prompts), longest), PADDING_TOKEN_ID, dtype=np.int64)
    attention_mask = np.zeros_like(input_ids)
    for i, prompt in enumerate(prompts):
        input_ids[i, longest - len(prompt) :] = prompt
        attention_mask[i, longest - len(prompt) :] = 1
    return torch.from_numpy(input_ids).to(device), torch.from_numpy(attention_mask).to(device)
