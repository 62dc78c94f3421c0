"""`Sampler`: checks a step's arguments and hands them to a backend."""

from __future__ import annotations

import torch

from guided.grammars.errors import InvalidInputError

from ..masks import AnyBitmask
from .base import SamplerOutput
from .batch import SamplingBatch
from .registry import load_sampler_backend


class Sampler:
    """Chooses the next token of every row of a batch.

    backend: a registered name; "reference" is plain torch on any device.
    Raises UnknownBackendError, listing the known names, for any other.
    """

    def __init__(self, backend: str = "reference") -> None:
        self.backend = backend
        self._backend = load_sampler_backend(backend)

    def sample(
        self,
        logits: torch.Tensor,
        batch: SamplingBatch,
        positions: torch.Tensor,
        bitmask: AnyBitmask | None = None,
    ) -> SamplerOutput:
        """One token for each row. Nothing is changed; the same arguments give the same tokens.

        logits: (B, V) float, V = batch.vocab_size, on the batch's device. NaN counts as the lowest value.
        positions: (B,) int64, same device: the place, in its own sequence, of the token that each row draws (below
            2**32). It is the place in the row's random stream: a count from 0 or from the prompt's length, but the same
            one at every step.
        bitmask: (B, W) int32, numpy or torch; None allows everything. Logits columns past it are not allowed.
        Raises InvalidInputError for shapes, dtypes or devices that don't fit, VocabularyMismatchError for a bitmask
        wider than the logits.
        """
        _check(logits, batch, positions)
        return self._backend.sample(logits, batch, positions, bitmask)


def _check(logits: torch.Tensor, batch: SamplingBatch, positions: torch.Tensor) -> None:
    if tuple(logits.shape) != (len(batch), batch.vocab_size) or not logits.is_floating_point():
        raise InvalidInputError(
            f"logits must be ({len(batch)}, {batch.vocab_size}) float for this batch, "
            f"not {tuple(logits.shape)} {logits.dtype}"
        )
    if tuple(positions.shape) != (len(batch),) or positions.dtype != torch.int64:
        raise InvalidInputError(
            f"positions must be ({len(batch)},) int64 for this batch, not {tuple(positions.shape)} {positions.dtype}"
        )
    if not logits.device == positions.device == batch.device:
        raise InvalidInputError(
            f"logits on {logits.device}, positions on {positions.device} and the batch on {batch.device} "
            "must be on one device"
        )
