"""The entry point of `vllm.logits_processors`: a class that both of vLLM's model runners can load."""

from __future__ import annotations

from typing import Any

import torch
from vllm.v1.sample.logits_processor.interface import BatchUpdate, LogitsProcessor, MoveDirectionality

from guided.grammars import Vocabulary

from ..common.engines import VLLM
from ..common.options import BACKEND
from ..common.settings import takes_logprobs_before_mask
from .batch_processors import BatchProcessors
from .vocabularies import model_vocabulary

try:
    from vllm.v1.worker.gpu.sample.logits_processor.interface import LogitsProcessor as OtherLogitsProcessor
except ImportError:  # a vLLM with one model runner
    OtherLogitsProcessor = LogitsProcessor


class RunnerLogitsProcessor(LogitsProcessor):
    """The processor for the first model runner. vllm_config: the engine's configuration. Raises
    EngineInternalsError.
    """

    def __init__(self, vllm_config: Any, device: torch.device, is_pin_memory: bool) -> None:
        self._config = vllm_config.model_config
        self.takes_logprobs_before_mask = takes_logprobs_before_mask(vllm_config)
        self.is_backend_ours = vllm_config.structured_outputs_config.backend == BACKEND
        if self.is_backend_ours:
            VLLM.require_hooks()  # hooks of this process, which may differ from the front end's and the scheduler's
        self.rows = BatchProcessors(self._vocabulary, vllm_config)

    def is_argmax_invariant(self) -> bool:
        """False, since greedy requests are changed too."""
        return False

    def update_state(self, batch_update: BatchUpdate | None) -> None:
        """Follow changes of the batch: removed, added and moved rows, in this order."""
        if batch_update is None:
            return
        for index in batch_update.removed:
            self.rows.remove(index)
        for index, params, prompt_token_ids, outputs in batch_update.added:
            self.rows.add(index, params, prompt_token_ids, outputs)
        for source, target, direction in batch_update.moved:
            self.rows.move(source, target, is_swap=direction == MoveDirectionality.SWAP)

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        """Run the processors of the rows that have some. logits: (B, V) float32."""
        return self.rows.apply(logits)

    def _vocabulary(self) -> Vocabulary:
        from vllm.tokenizers import cached_tokenizer_from_config

        return model_vocabulary(self._config, cached_tokenizer_from_config(model_config=self._config))


class _NoLogitsProcessor(OtherLogitsProcessor):
    """For the second model runner. Nothing is changed, since requests that name processors are refused before."""

    def __init__(self, vllm_config: Any, req_states: Any) -> None:
        super().__init__(vllm_config, req_states)

    def add_request(self, req_idx: int, sampling_params: Any) -> bool:
        """False: the request is not changed."""
        return False

    def apply(self, logits: torch.Tensor, ctx: Any) -> torch.Tensor:
        """The logits, unchanged."""
        return logits


class GuidedLogitsProcessor(*dict.fromkeys((LogitsProcessor, OtherLogitsProcessor))):  # type: ignore[misc]
    """Creates the class that the runner needs.

    Each runner loads every installed class, and stops the engine if one does not have the runner's own interface. This
    class therefore has both interfaces. The number of arguments tells which runner creates it.
    """

    def __new__(cls, vllm_config: Any, *rest: Any) -> Any:
        """The processor for one engine."""
        return RunnerLogitsProcessor(vllm_config, *rest) if len(rest) == 2 else _NoLogitsProcessor(vllm_config, *rest)
