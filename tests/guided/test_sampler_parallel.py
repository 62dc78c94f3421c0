"""Ranks of a tensor-parallel model agree on their tokens. Two processes with `gloo`, as real ranks would have them."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest
import torch
from torch import distributed, multiprocessing

from guided.grammars.bitset import allocate_bitmask, pack_token_ids
from guided.grammars.errors import InvalidInputError
from guided.params.sampling_params import SamplingParams
from guided.sampler import NO_TOKEN_ID, Sampler, SamplingBatch
from guided.sampler.sampler import SYNC_VARIABLE, syncs_every_step

VOCAB_SIZE = 40
NUM_RANKS = 2


def _logits(rank: int) -> torch.Tensor:
    """Four rows. In the first two the ranks differ in a last bit, which decides; the third is the same on both."""
    logits = torch.full((4, VOCAB_SIZE), -5.0)
    logits[0, 7], logits[0, 30] = 1.0, 1.0 + (2 * rank - 1) * 2.0**-23
    logits[1, 7], logits[1, 30] = 1.0 + (2 * rank - 1) * 2.0**-23, 1.0
    logits[2, 9] = 3.0
    if rank == 1:
        logits[3] = -torch.inf
    return logits


def _sample(rank: int, folder: str) -> None:
    store = f"file://{folder}/store"
    distributed.init_process_group("gloo", store, timedelta(seconds=60), NUM_RANKS, rank)
    group = distributed.group.WORLD
    batch = SamplingBatch.from_params([SamplingParams(temperature=0.0)] * 4, VOCAB_SIZE)
    bitmask = allocate_bitmask(4, VOCAB_SIZE)
    bitmask[:] = pack_token_ids(list(range(VOCAB_SIZE)), VOCAB_SIZE)
    constrained = Sampler("reference", process_group=group).sample(_logits(rank), batch, bitmask)
    free = Sampler("reference", process_group=group).sample(_logits(rank), batch)
    os.environ["SYNC_TOKEN_IDS_ACROSS_TP"] = "true"
    synced = Sampler("reference", process_group=group).sample(_logits(rank), batch)
    torch.save((constrained.token_ids, constrained.no_allowed, free.token_ids, synced.token_ids), f"{folder}/{rank}.pt")
    distributed.destroy_process_group()


def test_ranks_take_the_same_tokens_under_a_grammar(tmp_path: Path) -> None:  # A5.7
    multiprocessing.spawn(_sample, (str(tmp_path),), nprocs=NUM_RANKS)
    ranks = [torch.load(tmp_path / f"{rank}.pt", weights_only=True) for rank in range(NUM_RANKS)]
    for token_ids, no_allowed, _, _ in ranks:
        assert token_ids.tolist() == [7, 7, 9, NO_TOKEN_ID]
        assert no_allowed.tolist() == [False, False, False, True]
        assert token_ids.dtype == torch.int32
    assert [synced.tolist()[:2] for *_, synced in ranks] == [[7, 7]] * NUM_RANKS, "SYNC_TOKEN_IDS_ACROSS_TP"
    assert [free.tolist()[:2] for _, _, free, _ in ranks] == [[7, 30], [30, 7]], (
        "without a grammar nothing is exchanged"
    )


def test_the_switch_is_read_strictly(monkeypatch: pytest.MonkeyPatch) -> None:  # A5.7
    for value, expected in (("1", True), ("True", True), ("0", False), ("", False)):
        monkeypatch.setenv(SYNC_VARIABLE, value)
        assert syncs_every_step() is expected
    monkeypatch.setenv(SYNC_VARIABLE, "maybe")
    with pytest.raises(InvalidInputError, match="SYNC_TOKEN_IDS_ACROSS_TP must be 1, true, 0 or false, not 'maybe'"):
        syncs_every_step()
