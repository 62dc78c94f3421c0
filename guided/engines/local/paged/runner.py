"""`PackedRunner`: one forward of a model over the chunks of many sequences, packed into one row of tokens."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import torch

from .attention import answer_layers
from .input_buffer import InputBuffer
from .plan import ForwardPlan
from .sequence import Chunk
from .storage import KVLayout, KVStorage
from .torch_attention import TorchPass


class PackedRunner:
    """Runs `twin`, a model whose layers call `paged_attention`, on the pages of `storage`.

    attention: "torch", "numba" (keys and values in float32, on the CPU) or "auto", the fastest of them.
    """

    def __init__(self, twin: Any, storage: KVStorage, attention: str) -> None:
        self.twin = twin
        self._storage = storage
        self._pass_type = _pass_type(attention, storage.layout)
        self._buffer = InputBuffer(storage.layout.device)
        self._keeps_logits = "logits_to_keep" in inspect.signature(twin.forward).parameters

    def run(self, chunks: Sequence[Chunk]) -> torch.Tensor:
        """The wanted logits of the chunks, (N, V) in the model's dtype; their keys and values are stored.

        If a chunk wants hidden states, they stand behind the logits, (N, V + H).
        """
        plan = ForwardPlan(chunks, page_size=self._storage.page_size, buffer=self._buffer)
        wants_hidden = any(chunk.wants_hidden for chunk in chunks)
        return self._forward_with_hidden(plan) if wants_hidden else self._forward(plan)

    def _forward_with_hidden(self, plan: ForwardPlan) -> torch.Tensor:
        """(N, V + H): in each row the logits, then the hidden state that the output layer has read."""
        seen: list[torch.Tensor] = []
        hook = self.twin.get_output_embeddings().register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0]))
        try:
            logits = self._forward(plan)
        finally:
            hook.remove()
        hidden = seen[-1].reshape(-1, seen[-1].shape[-1])
        return torch.cat([logits, hidden if len(hidden) == len(logits) else hidden[plan.logit_indices]], dim=1)

    def _forward(self, plan: ForwardPlan) -> torch.Tensor:
        options: dict[str, Any] = {"logits_to_keep": plan.logit_indices} if self._keeps_logits else {}
        with torch.inference_mode(), answer_layers(self._pass_type(plan, self._storage)):
            outputs = self.twin(
                input_ids=plan.input_ids,
                position_ids=plan.position_ids,
                use_cache=False,
                **options,
            )
            logits: torch.Tensor = outputs.logits[0]
            return logits if self._keeps_logits else logits[plan.logit_indices]


def _pass_type(attention: str, layout: KVLayout) -> type[TorchPass]:
    """The class that answers the layers. Raises ValueError for a name that is not known or can't run the layout."""
    if attention not in ("auto", "numba", "torch"):
        raise ValueError(f"attention is 'auto', 'numba' or 'torch', not {attention!r}")
    runs_in_numba = layout.device.type == "cpu" and layout.dtype == torch.float32
    if attention == "numba" and not runs_in_numba:
        raise ValueError(
            f"attention 'numba' is for keys and values in float32 on the CPU, not {layout.dtype} on {layout.device}"
        )
    if attention != "torch" and runs_in_numba:
        from .numba_attention import NumbaPass  # loads its kernels on import

        return NumbaPass
    return TorchPass
