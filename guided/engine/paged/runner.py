"""`PackedRunner`: one packed forward of a model whose attention is `guided_paged`."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import torch

from .attention import TorchPass, answer_layers
from .plan import ForwardPlan
from .sequence import Chunk
from .storage import KVLayout, KVStorage


class PackedRunner:
    """twin: modules whose attention implementation is `guided_paged`. layout: what its layers write.

    attention: "torch", "numba" (float32 on the CPU only) or "auto", the fastest that runs the layout.
    """

    def __init__(self, twin: Any, layout: KVLayout, attention: str) -> None:
        self.twin = twin
        self.layout = layout
        self._pass_type = _pass_type(attention, layout)
        self._keeps_logits = "logits_to_keep" in inspect.signature(twin.forward).parameters

    def run(self, chunks: Sequence[Chunk], storage: KVStorage) -> torch.Tensor:
        """The wanted logits, (N, V) float32; keys and values of the chunks' tokens are written to the storage."""
        plan = ForwardPlan(
            chunks,
            page_size=storage.page_size,
            null_page=storage.null_page,
            max_row_tokens=self._pass_type.max_row_tokens,
            device=self.layout.device,
        )
        options: dict[str, Any] = {"logits_to_keep": plan.logit_indices} if self._keeps_logits else {}
        with torch.inference_mode(), answer_layers(self._pass_type(plan, storage)):
            outputs = self.twin(
                input_ids=plan.input_ids,
                position_ids=plan.position_ids,
                use_cache=False,
                **options,
            )
            logits: torch.Tensor = outputs.logits[0] if self._keeps_logits else outputs.logits[0, plan.logit_indices]
            return logits.float()


def _pass_type(attention: str, layout: KVLayout) -> type[TorchPass]:
    """The class that answers the layers. Raises ValueError for a name that is not known or can't run the layout."""
    runs_in_numba = layout.device.type == "cpu" and layout.dtype == torch.float32
    if attention == "torch" or (attention == "auto" and not runs_in_numba):
        return TorchPass
    if attention not in ("auto", "numba"):
        raise ValueError(f"attention is 'auto', 'numba' or 'torch', not {attention!r}")
    if not runs_in_numba:
        raise ValueError(f"attention 'numba' is for float32 on the CPU, not {layout.dtype} on {layout.device}")
    from .numba_attention import NumbaPass  # numba compiles, or loads, its kernels on import

    return NumbaPass
