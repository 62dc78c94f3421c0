"""`BatchProcessors`: this project's logit processors, for the rows of vLLM's batch that ask for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from guided.grammars import Vocabulary
from guided.grammars.errors import GuidedError

from ...processors.pipeline import ProcessorPipeline
from .failures import note_failure
from .options import VllmOptions
from .processor_checks import bind


@dataclass
class _Row:
    """index: place in vLLM's batch. params: vLLM's parameters. outputs: output tokens, a list that vLLM appends to.
    num_seen: number of outputs already processed.
    """

    index: int
    params: Any
    outputs: list[int]
    num_seen: int = 0


class BatchProcessors:
    """The processors of a batch.

    vocabulary: creates the model's vocabulary when a request first needs it.
    vllm_config: the engine's configuration, for its settings.
    vLLM applies a grammar's mask first. Logits that are -inf therefore stay -inf, whatever a processor does.
    """

    def __init__(self, vocabulary: Callable[[], Vocabulary], vllm_config: Any = None) -> None:
        self._config = vllm_config
        self._make_vocabulary = vocabulary
        self._rows: list[_Row] = []  # same order as the pipeline's rows
        self._pipeline = ProcessorPipeline()

    @property
    def is_empty(self) -> bool:
        """True if no row has a processor."""
        return not self._rows

    def add(self, index: int, params: Any, prompt_token_ids: list[int] | None, outputs: list[int]) -> None:
        """Add a request at this place of the batch. A request that comes back may have outputs already."""
        self.remove(index)
        try:
            options = VllmOptions.read(params.extra_args)
            if not options.logit_processors:
                return
            vocabulary = self._make_vocabulary()
            bound = bind(options, vocabulary, self._config)
        except GuidedError as error:
            note_failure(params, str(error))
            return
        ends = vocabulary.eos_token_ids | frozenset(params.all_stop_token_ids)
        prompt = prompt_token_ids or ()
        row = ProcessorPipeline.of_row(bound, prompt, seed=params.seed, vocabulary=vocabulary, end_token_ids=ends)
        self._pipeline.append(row)
        self._rows.append(_Row(index, params, outputs))

    def remove(self, index: int) -> None:
        """Remove the request at this place."""
        keep = [i for i, row in enumerate(self._rows) if row.index != index]
        if len(keep) < len(self._rows):
            self._rows = [self._rows[i] for i in keep]
            self._pipeline.keep(keep)

    def move(self, source: int, target: int, *, is_swap: bool) -> None:
        """Move a request to another place. is_swap: the other request moves back in exchange; otherwise it is
        removed.
        """
        if not is_swap:
            self.remove(target)
        for row in self._rows:
            if row.index in (source, target):
                row.index = target if row.index == source else source

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        """Run the processors. logits: (B, V) float32, masked; changed in place and returned."""
        if not self._rows:
            return logits
        self._tell_failures()
        self._catch_up()
        indices = [row.index for row in self._rows]
        work = logits[indices]
        banned = torch.isneginf(work)
        self._pipeline.apply(work)
        logits[indices] = work.masked_fill_(banned, -torch.inf)
        return logits

    def _catch_up(self) -> None:
        """Pass the pipeline the tokens that came since the last step."""
        while True:
            tokens = [_next_token(row) for row in self._rows]
            if all(token < 0 for token in tokens):
                return
            self._pipeline.accept_tokens(tokens)
            for row, token in zip(self._rows, tokens, strict=True):
                row.num_seen += token >= 0

    def _tell_failures(self) -> None:
        for i, error in self._pipeline.errors.items():
            note_failure(self._rows[i].params, str(error))


def _next_token(row: _Row) -> int:
    """The row's first unseen output; -1 if there is none, which is also vLLM's mark for tokens not known yet."""
    return row.outputs[row.num_seen] if row.num_seen < len(row.outputs) else -1
