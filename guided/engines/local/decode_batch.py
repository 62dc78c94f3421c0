"""`DecodeBatch`: the rows that get a token in every step, with their sampling state."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby

import torch

from guided.grammars.vocabulary import Vocabulary

from ...processors.pipeline import ProcessorPipeline
from ...processors.settings import ProcessorSettings
from ...sampler import SamplingBatch
from .engine_request import EngineRequest


class DecodeBatch:
    """The decode batch.

    rows: attribute; the rows, in the order of `sampling`.
    sampling: attribute; the sampling state of the rows.
    vocabulary: the model's tokens.
    device: device of the sampling state.
    eos_token_ids: the end-of-sequence tokens.
    settings: the custom processors that requests may send.
    """

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
        """Append rows. A parked row comes back with its state; any other row gets a new state that has seen its
        output.
        """
        for parked, group in groupby(rows, key=_parked):
            some = list(group)
            self.sampling.append(self._fresh(some) if parked is None else _part(parked, some))
            for row in some:
                row.parked = None
            self.rows += some

    def parameters_of(self, rows: Sequence[EngineRequest]) -> SamplingBatch:
        """Sampling parameters of the given rows. Rows need not be in the batch and may repeat. Penalty counts are not
        copied.
        """
        places = {id(row): place for place, row in enumerate(self.rows)}
        sampling = self.sampling
        if not all(id(row) in places for row in rows):
            named = {id(row): row.request.params for row in rows}
            places = {key: place for place, key in enumerate(named)}
            sampling = SamplingBatch.from_params(list(named.values()), self.vocabulary.size, sampling.device)
        return sampling.parameters_of([places[id(row)] for row in rows])

    def accept_forced(self, token_ids: Sequence[Sequence[int]]) -> None:
        """Count tokens that the rows took without a draw. token_ids: the tokens of each row."""
        if any(token_ids):
            self.sampling.accept_forced(token_ids)

    def park(self, rows: Sequence[EngineRequest]) -> None:
        """Remove rows that will come back. The rows keep their sampling state, as parts of one `SamplingBatch`."""
        places = {id(row): place for place, row in enumerate(self.rows)}
        indices = [places[id(row)] for row in rows]
        parked = self.sampling.take(indices)
        for place, row in enumerate(rows):
            row.parked, row.parked_at = parked, place
        gone = set(indices)
        self.keep([i for i in range(len(self.rows)) if i not in gone])

    def fork(self, rows: Sequence[EngineRequest], sources: Sequence[EngineRequest]) -> None:
        """Give parked rows the sampling states of their sources, as parts of one `SamplingBatch`.

        rows: the rows, outside of the batch.
        sources: the source of each row. If it is not the row itself, the row gets a copy with its own random stream.
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

    def drop(self, rows: Sequence[EngineRequest]) -> None:
        """Remove rows for good. Rows that are not in the batch are ignored."""
        gone = {id(row) for row in rows}
        keep = [i for i, row in enumerate(self.rows) if id(row) not in gone]
        if len(keep) < len(self.rows):
            self.keep(keep)

    def keep(self, indices: Sequence[int]) -> None:
        """Keep only the rows at these indices."""
        self.rows = [self.rows[i] for i in indices]
        self.sampling.keep(indices)

    def _fresh(self, rows: Sequence[EngineRequest]) -> SamplingBatch:
        """A new sampling state for rows that have none."""
        params, prompts = [row.request.params for row in rows], [row.request.prompt_token_ids for row in rows]
        size, device = self.vocabulary.size, self.sampling.device
        fresh = SamplingBatch.from_params(params, size, device, prompts, self._eos_token_ids)
        if any(one.logit_processors for one in params):
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
    """The sampling state of these rows. parked: state of the rows that were parked together."""
    indices = [row.parked_at for row in rows]
    return parked if indices == list(range(len(parked))) else parked.take(indices)
