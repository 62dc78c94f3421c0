"""`DecodeBatch`: the rows that get a token in every step, with their sampling state; they join, leave, are parked."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import torch

from guided.grammars.vocabulary import Vocabulary

from ..processors.resolve import needs_processors
from ..processors.settings import ProcessorSettings
from ..sampler import SamplingBatch
from .engine_request import EngineRequest

if TYPE_CHECKING:
    from ..processors.pipeline import ProcessorPipeline


class DecodeBatch:
    """rows: in the order of `sampling`, their state. settings: what requests may send as processors."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        device: torch.device,
        eos_token_ids: Collection[int],
        settings: ProcessorSettings | None,
    ) -> None:
        self.rows: list[EngineRequest] = []
        self.sampling = SamplingBatch(vocabulary.size, device, eos_token_ids)
        self._vocabulary = vocabulary
        self._eos_token_ids = eos_token_ids
        self._settings = settings

    def join(self, rows: Sequence[EngineRequest]) -> None:
        """Rows join after these, as they are: with their parked state, or with a new one that has seen their output."""
        for parked, group in groupby(rows, key=_parked):
            some = list(group)
            if parked is None:
                self._join(some)
            else:
                self._rejoin(some, parked)
            for row in some:
                row.is_drawing = True
            self.rows += some

    def accept_forced(self, token_ids: Sequence[Sequence[int]]) -> None:
        """Each row took these tokens without a draw."""
        if any(token_ids):
            self.sampling.accept_forced(token_ids)

    def park(self, rows: Sequence[EngineRequest]) -> None:
        """Rows leave to come back: they take their state with them, in one piece."""
        places = {id(row): place for place, row in enumerate(self.rows)}
        indices = [places[id(row)] for row in rows]
        parked = self.sampling.select(indices)
        pipeline = self._pipeline
        if pipeline is not None:
            parked.processors = pipeline.select(indices)
        for place, row in enumerate(rows):
            row.parked, row.parked_at = parked, place
            row.is_drawing = False
        gone = set(indices)
        self.keep([i for i in range(len(self.rows)) if i not in gone])

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
        processors = self.sampling.processors
        return None if processors is None else _pipeline_of(processors)

    def _join(self, rows: Sequence[EngineRequest]) -> None:
        all_params = [row.request.params for row in rows]
        if self.sampling.processors is None and any(map(needs_processors, all_params)):
            self.sampling.processors = self._blank_pipeline(len(self.rows))
        self.sampling.add_all(all_params, [row.request.prompt_token_ids for row in rows])
        if any(row.num_new_tokens for row in rows):
            none: list[list[int]] = [[] for _ in self.rows]
            self.sampling.accept_forced(none + [row.token_ids[row.num_prompt_tokens :] for row in rows])

    def _rejoin(self, rows: Sequence[EngineRequest], parked: SamplingBatch) -> None:
        indices = [row.parked_at for row in rows]
        if indices != list(range(len(parked))):
            pipeline = parked.processors
            parked = parked.select(indices)
            parked.processors = None if pipeline is None else _pipeline_of(pipeline).select(indices)
        if parked.processors is not None and self.sampling.processors is None:
            self.sampling.processors = self._blank_pipeline(len(self.rows))
        if parked.processors is None and self.sampling.processors is not None:
            parked.processors = self._blank_pipeline(len(rows))
        self.sampling.merge(parked)
        for row in rows:
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


def _parked(row: EngineRequest) -> SamplingBatch | None:
    return row.parked


def _pipeline_of(processors: object) -> ProcessorPipeline:
    from ..processors.pipeline import ProcessorPipeline

    assert isinstance(processors, ProcessorPipeline)
    return processors
