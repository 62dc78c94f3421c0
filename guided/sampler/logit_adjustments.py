"""`LogitAdjustments`: all changes of logits by rows' parameters: penalties, bias, bans, min_new_tokens.

Each kind of adjustment has columns, which exist only while some row needs it. Columns are updated when tokens are
accepted, while the model runs. The step itself then only gathers and scatters the affected tokens.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from copy import copy

import torch

from ..masks import AnyBitmask
from ..params.sampling_params import SamplingParams
from .adjustments import Adjustment, AllowList, BadWords, EarlyEnds, LogitBias, Penalties
from .columns import Columns

PENALTIES, EARLY_ENDS = Penalties(), EarlyEnds()
KINDS: tuple[Adjustment, ...] = (PENALTIES, LogitBias(), BadWords(), AllowList(), EARLY_ENDS)
"""All kinds, in the order in which they are applied."""


class LogitAdjustments:
    """Adjustments of B rows.

    kinds: attribute; the kinds that some row needs, in order.
    columns: attribute; their state, blank in rows that don't need them.
    """

    def __init__(
        self,
        params: Sequence[SamplingParams],
        prompts: Sequence[Sequence[int]],
        vocab_size: int,
        device: torch.device | str,
        eos_token_ids: Collection[int] = (),
    ) -> None:
        self.columns = Columns(device, len(params))
        self._vocab_size = vocab_size
        self._kinds_of = [tuple(kind for kind in KINDS if kind.is_needed(row)) for row in params]
        self._max_seen = [0] * len(params)  # for each row an upper bound of `num_seen`, known without asking the device
        self.kinds = self._needed()
        for kind in self.kinds:
            rows = [kind.row(one, prompt, eos_token_ids) for one, prompt in zip(params, prompts, strict=True)]
            self.columns.add(kind.columns, rows)
            if kind is PENALTIES:
                self._max_seen = [row["num_seen"] for row in rows]

    @property
    def counts_tokens(self) -> bool:
        """True if some row has a penalty."""
        return PENALTIES in self.kinds

    def keep(self, indices: Sequence[int]) -> None:
        """Keep only these rows, in this order. State that none of them needs is released."""
        self._keep_needed(indices)
        self.columns.keep(indices)

    def append(self, other: LogitAdjustments) -> None:
        """Append the rows of `other`, which is not changed."""
        self.columns.append(other.columns)
        self._kinds_of = self._kinds_of + other._kinds_of
        self._max_seen = self._max_seen + other._max_seen
        self.kinds = self._needed()

    def select(self, indices: Sequence[int]) -> LogitAdjustments:
        """An independent copy of these rows, in this order."""
        part = copy(self)
        part.columns = self.columns.select(indices)
        part._keep_needed(indices)
        return part

    def accept_tokens(self, token_ids: torch.Tensor, is_forced: torch.Tensor | None) -> None:
        """Accept each row's token; arguments as in `SamplingBatch.accept_tokens`."""
        if self.counts_tokens:
            self._make_places()
        if self.kinds:
            token_ids = token_ids.to(torch.int64)
        for kind in self.kinds:
            kind.accept_tokens(self.columns, token_ids, is_forced)

    def apply_inplace(self, logits: torch.Tensor) -> None:
        """Apply all adjustments except the ban of early ends. logits: (B, V) float32 or float64, modified in place."""
        for kind in self.kinds:
            kind.apply_inplace(self.columns, logits)

    def ban_early_ends_inplace(
        self, logits: torch.Tensor, positions: torch.Tensor, bitmask: AnyBitmask | None, early_rows: torch.Tensor
    ) -> torch.Tensor:
        """Ban tokens that end a text before its min_new_tokens, unless nothing else is allowed. Returns the latter
        rows, (B,) bool.
        """
        return EARLY_ENDS.ban_inplace(self.columns, logits, positions, bitmask, early_rows)

    def _needed(self) -> list[Adjustment]:
        needed = {kind for kinds in self._kinds_of for kind in kinds}
        return [kind for kind in KINDS if kind in needed]

    def _keep_needed(self, indices: Sequence[int]) -> None:
        self._kinds_of = [self._kinds_of[index] for index in indices]
        self._max_seen = [self._max_seen[index] for index in indices]
        needed = self._needed()
        self.columns.drop([name for kind in self.kinds if kind not in needed for name in kind.columns])
        self.kinds = needed

    def _make_places(self) -> None:
        """Make room for one more token in every row with penalties."""
        pairs = zip(self._max_seen, self._kinds_of, strict=True)
        self._max_seen = [min(seen + (PENALTIES in kinds), self._vocab_size) for seen, kinds in pairs]
        num_places = self.columns["seen_ids"].shape[1]
        if max(self._max_seen, default=0) > num_places:
            for name in ("seen_ids", "output_counts"):
                self.columns.widen(name, 2 * num_places)
