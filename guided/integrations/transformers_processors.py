"""`CustomLogitsProcessor`: this project's logit processors in plain `model.generate(...)` of Hugging Face transformers.

    custom = CustomLogitsProcessor([("top_n_sigma", {"n": 1}), ("min_words", {"min_words": 9})], vocabulary=vocabulary)
    model.generate(**inputs, logits_processor=LogitsProcessorList([custom, GuidedLogitsProcessor(grammar)]))

Put it before a `GuidedLogitsProcessor`, so that the grammar comes last. Greedy search, sampling, beam search and
num_return_sequences work; rows are identified by their tokens. Processors get the logits as `generate` passes them,
before its temperature and filters. A failing processor raises, since `generate` can't end one row with an error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import LogitsProcessor

from guided.grammars.vocabulary import Vocabulary

from ..processors.pipeline import SEED_BITS, ProcessorPipeline
from ..processors.registry import resolve_processors
from ..processors.settings import ProcessorSettings


class CustomLogitsProcessor(LogitsProcessor):
    """Runs the same processors on every row.

    processors, custom_params, settings: see `resolve_processors`.
    vocabulary: the model's vocabulary; None: processors that read token bytes are refused.
    end_token_ids: tokens that end a text, in addition to the vocabulary's own.
    pad_token_id: leading ones in a row are no text.
    seed: row i of a generation has the random stream seed + i; None: random streams.
    An object serves several `generate` calls in turn, but not at the same time. A call continues the last one if its
    rows are rows of that call with one more token. Any other call, or the first after `reset()`, starts a new
    generation.
    """

    supports_continuous_batching = False

    def __init__(
        self,
        processors: Sequence[Any],
        custom_params: Mapping[str, Any] | None = None,
        *,
        vocabulary: Vocabulary | None = None,
        end_token_ids: Sequence[int] = (),
        pad_token_id: int | None = None,
        seed: int | None = None,
        settings: ProcessorSettings | None = None,
    ) -> None:
        self._bound = resolve_processors(processors, custom_params, settings=settings, vocabulary=vocabulary)
        self._vocabulary = vocabulary
        self._end_token_ids = tuple(end_token_ids)
        self._pad_token_id = pad_token_id
        self._seed = seed
        self.reset()

    def reset(self) -> None:
        """Forget the running generation, so that the next call starts a new one."""
        self._rows: NDArray[np.int64] | None = None
        self._pipeline = ProcessorPipeline()

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """The processed scores, a new tensor of the same dtype.

        input_ids: (R, L) integer, any device.
        scores: (R, V) float.
        Raises LogitProcessorError if a processor fails.
        """
        rows = np.ascontiguousarray(input_ids.to("cpu", torch.int64).numpy())
        parents = self._parents(rows)
        if parents is None:
            self._start(rows)
        else:
            if parents != list(range(len(self._pipeline))):
                self._pipeline = self._pipeline.select(parents)
            self._pipeline.accept_tokens(rows[:, -1].tolist())
        self._rows = rows
        work = scores.to(torch.promote_types(scores.dtype, torch.float32), copy=True)
        self._pipeline.apply(work)
        for error in self._pipeline.errors.values():
            raise error
        return work.to(scores.dtype)

    def _parents(self, rows: NDArray[np.int64]) -> list[int] | None:
        """For each row, the row of the last call that it continues; None if some row continues none."""
        if self._rows is None or rows.shape[1] != self._rows.shape[1] + 1:
            return None
        places: dict[bytes, list[int]] = {}
        for i, row in enumerate(self._rows):
            places.setdefault(row.tobytes(), []).append(i)
        parents = []
        for i, row in enumerate(rows):
            found = places.get(row[:-1].tobytes())
            if found is None:
                return None
            parents.append(i if i in found else found[0])
        return parents

    def _start(self, rows: NDArray[np.int64]) -> None:
        named = frozenset() if self._vocabulary is None else self._vocabulary.eos_token_ids
        ends = named.union(self._end_token_ids)
        self._pipeline = ProcessorPipeline()
        for i, row in enumerate(rows):
            is_text = row != self._pad_token_id
            first = int(np.argmax(is_text)) if is_text.any() else len(row)
            seed = None if self._seed is None else (self._seed + i) % 2**SEED_BITS
            text = row[first:].tolist()
            self._pipeline.append(
                ProcessorPipeline.of_row(self._bound, text, seed=seed, vocabulary=self._vocabulary, end_token_ids=ends)
            )
