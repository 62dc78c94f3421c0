"""`DrawingRows`: the rows that get a token in every step, with their sampling state; they join, leave, are parked."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import torch

from guided.grammars.vocabulary import Vocabulary

from ..processors.resolve import needs_processors
from ..processors.settings import ProcessorSettings
from ..sampler import SamplingBatch
from .row import Row

if TYPE_CHECKING:
    from ..processors.pipeline import ProcessorPipeline


class DrawingRows:
    """rows: in the order of `sampling`, their state. settings: what requests may send as processors."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        device: torch.device,
        eos_token_ids: Collection[int],
        settings: ProcessorSettings | None,
    ) -> None:
        self.rows: list[Row] = []
        self.sampling = SamplingBatch(vocabulary.size, device, eos_token_ids)
        self._vocabulary = vocabulary
        self._eos_token_ids = eos_token_ids
        self._settings = settings

    def join(self, rows: Sequence[Row]) -> None:
        """Rows join after these, as they are: with their parked state, or with a new one that has seen their output."""
        for row in rows:
            if row.parked is not None:
                self._rejoin(row, row.parked)
            else:
                self._join(row)
            row.is_drawing = True
            self.rows.append(row)

    def accept_forced(self, token_ids: Sequence[Sequence[int]]) -> None:
        """Each row took these tokens without a draw."""
        if any(token_ids):
            self.sampling.accept_forced(token_ids)

    def park(self, row: Row) -> None:
        """A row leaves to come back: it takes its state with it."""
        index = self.rows.index(row)
        row.parked = self.sampling.select([index])
        pipeline = self._pipeline
        if pipeline is not None:
            row.parked.processors = pipeline.select([index])
        row.is_drawing = False
        self.keep([i for i in range(len(self.rows)) if i != index])

    def drop_finished(self) -> None:
        """Rows that need no more tokens leave."""
        keep = [i for i, row in enumerate(self.rows) if not row.is_finished and not row.request.ended.is_set()]
        if len(keep) < len(self.rows):
            self.keep(keep)

    def keep(self, indices: Sequence[int]) -> None:
        """Only these rows stay."""
        for row in self.rows:
            row.is_drawing = False
        self.rows = [self.rows[i] for i in indices]
        for row in self.rows:
            row.is_drawing = True
        self.sampling.filter(indices)
        if self.sampling.processors is not None and not self.sampling.has_processors:
            self.sampling.processors = None

    @property
    def _pipeline(self) -> ProcessorPipeline | None:
        from ..processors.pipeline import ProcessorPipeline

        pipeline = self.sampling.processors
        assert pipeline is None or isinstance(pipeline, ProcessorPipeline)
        return pipeline

    def _join(self, row: Row) -> None:
        params = row.request.params
        if needs_processors(params) and self.sampling.processors is None:
            self.sampling.processors = self._blank_pipeline(len(self.rows))
        self.sampling.add(params, row.request.prompt_token_ids)
        if row.num_new_tokens:
            forced = row.token_ids[row.num_prompt_tokens :]
            self.sampling.accept_forced([[]] * len(self.rows) + [forced])

    def _rejoin(self, row: Row, parked: SamplingBatch) -> None:
        if parked.processors is not None and self.sampling.processors is None:
            self.sampling.processors = self._blank_pipeline(len(self.rows))
        if parked.processors is None and self.sampling.processors is not None:
            parked.processors = self._blank_pipeline(1)
        self.sampling.merge(parked)
        row.parked = None

    def _blank_pipeline(self, num_rows: int) -> ProcessorPipeline:
        """For rows without processors."""
        from ..processors.pipeline import ProcessorPipeline

        pipeline = ProcessorPipeline(
            vocabulary=self._vocabulary, end_token_ids=self._eos_token_ids, settings=self._settings
        )
        for _ in range(num_rows):
            pipeline.add_row([])
        return pipeline
