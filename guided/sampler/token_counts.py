"""Which tokens each row has seen and how often it has written them, and the three penalties that follow from that.

A row keeps a list of its distinct tokens with a count beside each, so a step costs what the text is long and not what
the vocabulary is wide. Nothing is counted twice and the device is not waited for.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar, Self

import torch

from ..params.sampling_params import SamplingParams
from .columns import Column
from .row_state import NO_ID, Adjustment, as_indices, fill_unused

MIN_SEEN_PLACES = 64


class TokenCounts(Adjustment):
    """Repetition, frequency and presence penalty, in this order.

    Repetition (prompt and output; Keskar et al., CTRL, 2019): logit / p where positive, logit * p where not.
    Frequency and presence (output only): logit - frequency * count - presence * (count > 0).

    Columns: seen_ids (B, C) int64, the distinct tokens, NO_ID past the last; output_counts (B, C) int32, how often each
    is in the output (0: prompt only); num_seen (B,) int64; repetition, frequency, presence (B,) float32; is_counted,
    counts_forced (B,) bool.
    """

    name = "penalties"
    specs: ClassVar = {
        "seen_ids": Column(torch.int64, (MIN_SEEN_PLACES,), NO_ID),
        "output_counts": Column(torch.int32, (MIN_SEEN_PLACES,)),
        "num_seen": Column(torch.int64),
        "repetition": Column(torch.float32, (), 1.0),
        "frequency": Column(torch.float32),
        "presence": Column(torch.float32),
        "is_counted": Column(torch.bool),
        "counts_forced": Column(torch.bool),
    }

    def __init__(self, vocab_size: int, device: torch.device, eos_token_ids: Collection[int] = ()) -> None:
        super().__init__(vocab_size, device, eos_token_ids)
        self._max_seen: list[int] = []  # per row, at least num_seen: known without asking the device

    @staticmethod
    def is_needed(params: SamplingParams) -> bool:
        """See `RowState.is_needed`."""
        return params.repetition_penalty != 1.0 or params.frequency_penalty != 0.0 or params.presence_penalty != 0.0

    def add(self, params: Sequence[SamplingParams], prompts: Sequence[Sequence[int]]) -> None:
        """See `RowState.add`."""
        pairs = zip(params, prompts, strict=True)
        seen = [sorted(set(prompt)) if row.repetition_penalty != 1.0 else [] for row, prompt in pairs]
        self.columns.append(
            {
                "seen_ids": seen,
                "output_counts": [[0] * len(ids) for ids in seen],
                "num_seen": [len(ids) for ids in seen],
                "repetition": [row.repetition_penalty for row in params],
                "frequency": [row.frequency_penalty for row in params],
                "presence": [row.presence_penalty for row in params],
                "is_counted": [self.is_needed(row) for row in params],
                "counts_forced": [row.penalize_forced for row in params],
            }
        )
        self._max_seen += [len(ids) for ids in seen]

    def add_blank(self, num_rows: int) -> None:
        """See `RowState.add_blank`."""
        super().add_blank(num_rows)
        self._max_seen += [0] * num_rows

    def keep(self, rows: Sequence[int]) -> None:
        """See `RowState.keep`."""
        self._max_seen = [self._max_seen[row] for row in rows]
        super().keep(rows)

    def extend(self, other: Self) -> None:
        """See `RowState.extend`."""
        self._max_seen = self._max_seen + other._max_seen
        super().extend(other)

    def copy_rows(self, rows: Sequence[int]) -> Self:
        """See `RowState.copy_rows`."""
        copy = super().copy_rows(rows)
        copy._max_seen = [self._max_seen[row] for row in rows]
        return copy

    def accept_tokens(self, token_ids: torch.Tensor, is_forced: torch.Tensor | None) -> None:
        """See `RowState.accept_tokens`."""
        self._make_places()
        seen_ids, num_seen = self.columns["seen_ids"], self.columns["num_seen"]
        counts = self.columns["is_counted"] & (token_ids >= 0)
        if is_forced is not None:
            counts = counts & (self.columns["counts_forced"] | ~is_forced)
        is_place = (seen_ids == token_ids.unsqueeze(1)) & counts.unsqueeze(1)
        is_new = counts & ~is_place.any(dim=1)
        places = torch.arange(seen_ids.shape[1], device=seen_ids.device)
        is_new_place = (places == num_seen.unsqueeze(1)) & is_new.unsqueeze(1)
        seen_ids.copy_(torch.where(is_new_place, token_ids.unsqueeze(1), seen_ids))
        self.columns["output_counts"].add_(is_place | is_new_place)
        num_seen.add_(is_new)

    def apply_inplace(self, logits: torch.Tensor) -> None:
        """See `Adjustment.apply_inplace`."""
        seen_ids = self.columns["seen_ids"]
        ids, counts = as_indices(seen_ids), fill_unused(seen_ids, self.columns["output_counts"])
        values = logits.gather(1, ids)
        repetition = self.columns["repetition"].unsqueeze(1)
        penalised = torch.where(values > 0, values / repetition, values * repetition)
        penalised = penalised - self.columns["frequency"].unsqueeze(1) * counts
        penalised = penalised - self.columns["presence"].unsqueeze(1) * (counts > 0)
        has_seen = (self.columns["num_seen"] > 0).unsqueeze(1)
        logits.scatter_(1, ids, torch.where(has_seen, penalised, values))

    def _make_places(self) -> None:
        """Room for one more token in every row."""
        self._max_seen = [min(num_seen + 1, self.vocab_size) for num_seen in self._max_seen]
        num_places = self.columns["seen_ids"].shape[1]
        if max(self._max_seen, default=0) > num_places:
            for name in ("seen_ids", "output_counts"):
                self.columns.widen(name, (2 * num_places,))
