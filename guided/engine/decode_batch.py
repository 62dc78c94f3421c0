"""`DecodeBatch`: the rows that get a token in every step, with their sampling state; they join, leave, are parked."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby

import torch

from guided.grammars.vocabulary import Vocabulary

from ..processors.pipeline import ProcessorPipeline
from ..processors.registry import needs_processors
from ..processors.settings import ProcessorSettings
from ..sampler import SamplingBatch
from .engine_request import EngineRequest


class DecodeBatch:
    """rows: in the order of `sampling`, their state. vocabulary: of the model. settings: what requests may send as
    processors."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        device: torch.device,
        eos_token_ids: Collection[int],
        settings: ProcessorSettings | None,
    ) -> None:
        self.rows: list[EngineRequest] = []
        self.sampling = SamplingBatch(vocabulary.size, device)
        self.vocabulary = vocabulary
        self._eos_token_ids = eos_token_ids
        self._settings = settings

    def __contains__(self, row: EngineRequest) -> bool:
        return any(one is row for one in self.rows)

    def join(self, rows: Sequence[EngineRequest]) -> None:
        """Rows join after these, as they are: with their parked state, or with a new one that has seen their output."""
        for parked, group in groupby(rows, key=_parked):
            some = list(group)
            self.sampling.append(self._fresh(some) if parked is None else _part(parked, some))
            for row in some:
                row.parked = None
            self.rows += some

    def parameters_of(self, rows: Sequence[EngineRequest]) -> SamplingBatch:
        """The parameters of these rows, of this batch or not, one of them as often as it is named; not their state."""
        places = {id(row): place for place, row in enumerate(self.rows)}
        sampling = self.sampling
        if not all(id(row) in places for row in rows):
            named = {id(row): row.request.params for row in rows}
            places = {key: place for place, key in enumerate(named)}
            sampling = SamplingBatch.from_params(list(named.values()), self.vocabulary.size, sampling.device)
        return sampling.parameters_of([places[id(row)] for row in rows])

    def accept_forced(self, token_ids: Sequence[Sequence[int]]) -> None:
        """Each row took these tokens without a draw."""
        if any(token_ids):
            self.sampling.accept_forced(token_ids)

    def park(self, rows: Sequence[EngineRequest]) -> None:
        """Rows leave to come back: they take their state with them, in one piece."""
        places = {id(row): place for place, row in enumerate(self.rows)}
        indices = [places[id(row)] for row in rows]
        parked = self.sampling.take(indices)
        for place, row in enumerate(rows):
            row.parked, row.parked_at = parked, place
        gone = set(indices)
        self.keep([i for i in range(len(self.rows)) if i not in gone])

    def fork(self, rows: Sequence[EngineRequest], sources: Sequence[EngineRequest]) -> None:
        """Rows that are out of the batch go on with the state of their sources, in one piece.

        A row that is not its own source has a copy, which goes on in a random stream of its own.
        """
        state, order = SamplingBatch(self.vocabulary.size, self.sampling.device), []
        forks = [place for place, row in enumerate(rows) if row is not sources[place]]
        own = [place for place, row in enumerate(rows) if row is sources[place]]
        for places, take in ((forks, SamplingBatch.select), (own, SamplingBatch.take)):
            by_state = sorted(places, key=lambda place: id(sources[place].parked))
            for parked, group in groupby(by_state, key=lambda place: sources[place].parked):
                some = list(group)
                assert parked is not None, "only rows that have drawn are forked"
                state.append(take(parked, [sources[place].parked_at for place in some]))
                order += some
        state.keep(sorted(range(len(order)), key=order.__getitem__))
        state.reseed({place: rows[place].request.params for place in forks})
        for place, row in enumerate(rows):
            row.parked, row.parked_at = state, place

    def drop_finished(self) -> None:
        """Rows that need no more tokens leave."""
        keep = [i for i, row in enumerate(self.rows) if not row.is_finished and not row.request.ended.is_set()]
        if len(keep) < len(self.rows):
            self.keep(keep)

    def keep(self, indices: Sequence[int]) -> None:
        """Only these rows stay."""
        self.rows = [self.rows[i] for i in indices]
        self.sampling.keep(indices)

    def _fresh(self, rows: Sequence[EngineRequest]) -> SamplingBatch:
        """The state of rows that come for the first time, or again without theirs."""
        params, prompts = [row.request.params for row in rows], [row.request.prompt_token_ids for row in rows]
        size, device = self.vocabulary.size, self.sampling.device
        fresh = SamplingBatch.from_params(params, size, device, prompts, self._eos_token_ids)
        if any(map(needs_processors, params)):
            fresh.processors = ProcessorPipeline.from_params(
                params,
                prompts,
                vocabulary=self.vocabulary,
                end_token_ids=self._eos_token_ids,
                settings=self._settings,
            )
        if any(row.num_new_tokens for row in rows):
            outputs = [row.token_ids[row.num_prompt_tokens :] for row in rows]
            fresh.accept_forced(outputs, [row.request.written_forced for row in rows])
        return fresh


def _parked(row: EngineRequest) -> SamplingBatch | None:
    return row.parked


def _part(parked: SamplingBatch, rows: Sequence[EngineRequest]) -> SamplingBatch:
    """The state of these rows, which may have been parked together with others."""
    indices = [row.parked_at for row in rows]
    return parked if indices == list(range(len(parked))) else parked.take(indices)
