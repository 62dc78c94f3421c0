"""`SamplingBatch`: tensors a row, flags, keep and append."""

from __future__ import annotations

import pytest
import torch

from guided.grammars.errors import InvalidInputError
from guided.params.sampling_params import SamplingParams
from guided.sampler import Sampler, SamplingBatch

PARAMS = [
    SamplingParams(temperature=0.0, top_k=3, top_p=0.5, min_p=0.1, seed=1),
    SamplingParams(temperature=0.7, top_k=50, seed=2**63 - 1),
    SamplingParams(top_p=0.9, seed=0, filter_order="joint"),
    SamplingParams(min_p=0.05, top_k=-1, seed=3),
]

COLUMNS = ("temperatures", "top_ks", "top_ps", "min_ps", "seeds", "is_greedy", "is_joint", "positions")


def as_lists(batch: SamplingBatch) -> dict[str, list[object]]:
    return {name: getattr(batch, name).tolist() for name in COLUMNS}


def test_one_value_a_row() -> None:
    batch = SamplingBatch.from_params(PARAMS, vocab_size=40)
    assert len(batch) == 4
    assert batch.temperatures.tolist() == pytest.approx([1.0, 0.7, 1.0, 1.0])
    assert batch.top_ks.tolist() == [3, 40, 40, 40]
    assert batch.top_ps.tolist() == pytest.approx([0.5, 1.0, 0.9, 1.0])
    assert batch.min_ps.tolist() == pytest.approx([0.1, 0.0, 0.0, 0.05])
    assert batch.seeds.tolist() == [1, 2**63 - 1, 0, 3]
    assert batch.is_greedy.tolist() == [True, False, False, False]
    assert batch.is_joint.tolist() == [False, False, True, False]
    assert (batch.temperatures.dtype, batch.top_ks.dtype, batch.seeds.dtype) == (
        torch.float32,
        torch.int32,
        torch.int64,
    )


@pytest.mark.parametrize(
    ("rows", "flags"),  # is_all_greedy, need_top_k, need_top_p, need_min_p
    [
        ([0], (True, False, False, False)),
        ([1], (False, True, False, False)),
        ([2], (False, False, True, False)),
        ([0, 3], (False, False, False, True)),
        ([0, 1, 2, 3], (False, True, True, True)),
        ([], (True, False, False, False)),
    ],
)
def test_flags_look_at_the_rows_that_draw(rows: list[int], flags: tuple[bool, ...]) -> None:
    batch = SamplingBatch.from_params([PARAMS[row] for row in rows], vocab_size=100)
    assert (batch.is_all_greedy, batch.need_top_k, batch.need_top_p, batch.need_min_p) == flags


def test_largest_top_k_in_use() -> None:
    params = [SamplingParams(top_k=k) for k in (5, 30, 100, 0)]
    assert SamplingBatch.from_params(params, vocab_size=100).max_top_k == 30
    assert SamplingBatch.from_params(params[2:], vocab_size=100).max_top_k == 100


def test_unseeded_rows_draw_fresh_seeds_and_keep_them() -> None:
    batch = SamplingBatch.from_params([SamplingParams()] * 50, vocab_size=10)
    seeds = batch.seeds.tolist()
    assert len(set(seeds)) == 50
    assert min(seeds) >= 0
    batch.keep([40, 2])
    assert batch.seeds.tolist() == [seeds[40], seeds[2]]


def test_keep_then_append() -> None:  # A5.2
    batch = SamplingBatch.from_params(PARAMS, vocab_size=100)
    greedy, merged = batch.select([0]), batch.select([3, 1, 2])
    assert greedy.is_all_greedy
    merged.append(greedy)
    order = [3, 1, 2, 0]
    assert merged.params == tuple(PARAMS[row] for row in order)
    assert as_lists(merged) == as_lists(SamplingBatch.from_params([PARAMS[row] for row in order], vocab_size=100))
    assert as_lists(batch) == as_lists(SamplingBatch.from_params(PARAMS, vocab_size=100))
    batch.keep([])
    assert len(batch) == 0
    for row in order:
        batch.append(SamplingBatch.from_params([PARAMS[row]], vocab_size=100))
    assert as_lists(batch) == as_lists(merged)


def test_rows_come_and_go_in_place() -> None:  # A5.2
    batch = SamplingBatch.from_params(PARAMS, vocab_size=100)
    seeds = batch.seeds.data_ptr()
    assert not batch.is_all_greedy
    batch.accept_tokens(torch.arange(4))
    batch.keep([0])
    assert batch.is_all_greedy
    batch.append(SamplingBatch.from_params([PARAMS[1]], vocab_size=100))
    assert batch.need_top_k
    assert batch.positions.tolist() == [1, 0]
    assert batch.seeds.data_ptr() == seeds
    for _ in range(3):
        batch.append(batch.select(range(len(batch))))
    assert len(batch) == 16
    assert batch.seeds.tolist() == [1, 2**63 - 1] * 8
    assert batch.positions.tolist() == [1, 0] * 8


def test_inference_mode_may_begin_and_end_at_any_time() -> None:
    params = SamplingParams(seed=1, repetition_penalty=1.5, logit_bias={1: 1.0})
    sampler, logits = Sampler("reference"), torch.zeros(1, 100)
    with torch.inference_mode():
        batch = SamplingBatch.from_params([params] * 9, 100, "cpu", [[1, 2]] * 9)
        batch.keep([0])
        part = batch.select([0])
        sampler.sample(logits, batch)
    for one in (batch, part):
        one.append(SamplingBatch.from_params([params], 100))
        one.accept_tokens(sampler.sample(torch.zeros(2, 100), one).token_ids)
        with torch.inference_mode():
            one.accept_tokens(sampler.sample(torch.zeros(2, 100), one).token_ids)
            one.append(batch.select([0]))
        assert one.positions.tolist() == [2, 2, one.positions[2]]


def test_refuses_what_does_not_fit() -> None:
    batch = SamplingBatch.from_params(PARAMS, vocab_size=100)
    with pytest.raises(InvalidInputError, match="row 4"):
        batch.keep([0, 4])
    with pytest.raises(InvalidInputError, match="row -1"):
        batch.keep([-1])
    with pytest.raises(InvalidInputError, match="101 columns"):
        batch.append(SamplingBatch.from_params(PARAMS, vocab_size=101))
    with pytest.raises(InvalidInputError, match="vocab_size"):
        SamplingBatch.from_params(PARAMS, vocab_size=0)
