"""n outputs from one seed, and bad words as token ids."""

from __future__ import annotations

import pytest

from guided.grammars.errors import InvalidInputError
from guided.params.sampling_params import MAX_SEED, SamplingParams
from guided.requests.expansion import expand, nth_seed, with_word_ids


def test_each_output_has_its_own_seed() -> None:  # B16
    params = expand(SamplingParams(n=5, seed=7, top_k=3))
    seeds = [one.seed for one in params]
    assert seeds[0] == 7
    assert len(set(seeds)) == 5
    assert all(one.n == 1 and one.top_k == 3 for one in params)
    assert [one.seed for one in expand(SamplingParams(n=3, seed=7))] == seeds[:3]
    assert [one.seed for one in expand(SamplingParams(n=3))] == [None] * 3
    single = SamplingParams(seed=7)
    assert expand(single) == [single]


def test_seeds_of_neighbours_share_no_stream() -> None:  # B16
    seeds = [nth_seed(seed, index) for seed in [*range(50), MAX_SEED] for index in range(50)]
    assert len(set(seeds)) == len(seeds)
    assert all(seed is not None and 0 <= seed <= MAX_SEED for seed in seeds)


def test_bad_words_become_ids() -> None:
    params = with_word_ids(SamplingParams(bad_words=["ab", [7, 8], " ab"]), lambda text: list(text.encode()))
    assert params.bad_words == ((97, 98), (32, 97, 98), (7, 8))
    ids_only = SamplingParams(bad_words=[[1]])
    assert with_word_ids(ids_only, lambda text: []) is ids_only
    with pytest.raises(InvalidInputError, match="no tokens for the bad word 'x'"):
        with_word_ids(SamplingParams(bad_words=["x"]), lambda text: [])
