"""`PenaltyOrchestrator`: all adjustments that follow from parameters: created, counted, applied and released here.

Each kind of adjustment has its state in a class of its own, which exists only while some row asks for it. The state
is brought up to date when tokens are accepted, so that this work is done while the model runs; what is left for the
step itself are gathers and scatters of the tokens concerned.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import torch

from ..masks import AnyBitmask
from ..params.sampling_params import SamplingParams
from .row_state import Adjustment, RowState
from .token_bans import AllowedTokens, BadWords, EarlyEnds, LogitBias
from .token_counts import TokenCounts

ADJUSTMENTS: tuple[type[Adjustment], ...] = (TokenCounts, LogitBias, BadWords, AllowedTokens)
"""In the order in which they are applied."""

KINDS: tuple[type[RowState], ...] = (*ADJUSTMENTS, EarlyEnds)
"""All that may have state; early ends are banned last."""


class PenaltyOrchestrator:
    """Adjustments of B rows. It follows its batch: `add`, `keep`, `extend`, `accept_tokens`."""

    def __init__(self, vocab_size: int, device: torch.device, eos_token_ids: Collection[int] = ()) -> None:
        self.num_rows = 0
        self._vocab_size = vocab_size
        self._device = device
        self._eos_token_ids = eos_token_ids
        self._states: dict[type[RowState], RowState] = {}

    @property
    def adjusts(self) -> bool:
        """Some row asks for an adjustment other than min_new_tokens."""
        return any(kind in self._states for kind in ADJUSTMENTS)

    @property
    def bans_ends(self) -> bool:
        """Some row has min_new_tokens."""
        return EarlyEnds in self._states

    @property
    def has_states(self) -> bool:
        """Some row has something that follows its tokens."""
        return bool(self._states)

    @property
    def adjustments(self) -> list[Adjustment]:
        """The states of the adjustments that some row asks for, in their order."""
        states = (self._states.get(kind) for kind in ADJUSTMENTS)
        return [state for state in states if isinstance(state, Adjustment)]

    @property
    def counts(self) -> TokenCounts | None:
        """The tokens that rows with penalties have seen; None when no row has one."""
        state = self._states.get(TokenCounts)
        return state if isinstance(state, TokenCounts) else None

    def add(self, params: Sequence[SamplingParams], prompts: Sequence[Sequence[int]]) -> None:
        """Rows join after these."""
        for kind in KINDS:
            if any(kind.is_needed(row) for row in params):
                self._state(kind).add(params, prompts)
            elif kind in self._states:
                self._states[kind].add_blank(len(params))
        self.num_rows += len(params)

    def keep(self, rows: Sequence[int], params: Sequence[SamplingParams]) -> None:
        """Only these rows stay, in this order; what none of them asks for is released. params: of these rows."""
        self._states = {kind: state for kind, state in self._states.items() if any(map(kind.is_needed, params))}
        for state in self._states.values():
            state.keep(rows)
        self.num_rows = len(rows)

    def extend(self, other: PenaltyOrchestrator) -> None:
        """The other's rows join after these; the other stays as it is."""
        num_rows, num_new = self.num_rows, other.num_rows
        for kind in KINDS:
            if kind in other._states:
                self._state(kind).extend(other._states[kind])
            elif kind in self._states:
                self._states[kind].add_blank(num_new)
        self.num_rows = num_rows + num_new

    def copy_rows(self, rows: Sequence[int]) -> PenaltyOrchestrator:
        """An independent copy of these rows."""
        copy = PenaltyOrchestrator(self._vocab_size, self._device, self._eos_token_ids)
        copy._states = {kind: state.copy_rows(rows) for kind, state in self._states.items()}
        copy.num_rows = len(rows)
        return copy

    def accept_tokens(self, token_ids: torch.Tensor, is_forced: torch.Tensor | None) -> None:
        """Each row took its token; arguments as in `SamplingBatch.accept_tokens`."""
        if self._states:
            token_ids = token_ids.to(torch.int64)
        for state in self._states.values():
            state.accept_tokens(token_ids, is_forced)

    def apply_inplace(self, logits: torch.Tensor) -> None:
        """All adjustments but the ban of early ends. logits: (B, V) float32 or float64, modified in place."""
        for state in self.adjustments:
            state.apply_inplace(logits)

    def ban_early_ends_inplace(
        self, logits: torch.Tensor, positions: torch.Tensor, bitmask: AnyBitmask | None, early_rows: torch.Tensor
    ) -> torch.Tensor:
        """Ban what ends a text before its min_new_tokens, but where nothing else is left. (B,) bool: those rows."""
        state = self._states[EarlyEnds]
        assert isinstance(state, EarlyEnds)
        return state.ban_inplace(logits, positions, bitmask, early_rows)

    def _state(self, kind: type[RowState]) -> RowState:
        """The state of a kind, blank for all rows where it is new."""
        if kind not in self._states:
            self._states[kind] = kind(self._vocab_size, self._device, self._eos_token_ids)
            self._states[kind].add_blank(self.num_rows)
        return self._states[kind]
