"""The noise: the hash is MurmurHash3, the uniforms stay inside (0, 1), the draws have the right distribution."""

from __future__ import annotations

import math
import struct

import pytest
import torch

from guided.draws import gumbel_noise, hash_columns, to_uniform

MASK = 0xFFFFFFFF


def murmur3_32(data: bytes, seed: int) -> int:
    """MurmurHash3_x86_32 in plain integers, for lengths that are a multiple of four."""

    def rotate(value: int, bits: int) -> int:
        return (value << bits | value >> (32 - bits)) & MASK

    state = seed
    for (block,) in struct.iter_unpack("<I", data):
        state ^= rotate(block * 0xCC9E2D51 & MASK, 15) * 0x1B873593 & MASK
        state = (rotate(state, 13) * 5 + 0xE6546B64) & MASK
    state ^= len(data)
    state = (state ^ state >> 16) * 0x85EBCA6B & MASK
    state = (state ^ state >> 13) * 0xC2B2AE35 & MASK
    return state ^ state >> 16


@pytest.mark.parametrize(
    ("data", "seed", "expected"),
    [
        (b"", 1, 0x514E28B7),
        (b"\xff\xff\xff\xff", 0, 0x76293B50),
        (b"\x21\x43\x65\x87", 0, 0xF55B516B),
        (b"\x21\x43\x65\x87", 0x5082EDEE, 0x2362F9DE),
        (b"aaaa", 0x9747B28C, 0x5A97808A),
    ],
)
def test_the_plain_hash_gives_the_published_values(data: bytes, seed: int, expected: int) -> None:
    assert murmur3_32(data, seed) == expected


def test_hash_columns_is_that_hash_of_seed_position_and_column() -> None:  # A5.6
    cases = [(0, 0), (1, 0), (2**31, 5), (2**32, 2**31 - 1), (2**63 - 1, 2**32 - 1), (0x0123456789ABCDEF, 77)]
    seeds = torch.tensor([seed for seed, _ in cases])
    positions = torch.tensor([position for _, position in cases])
    hashes = hash_columns(seeds, positions, 70).tolist()
    for row, (seed, position) in enumerate(cases):
        for column in range(70):
            assert hashes[row][column] == murmur3_32(struct.pack("<QII", seed, position, column), 0)


def test_uniforms_stay_inside_at_the_ends() -> None:  # B9
    ends = torch.cat(
        [torch.arange(0, 5000), torch.arange(2**24 - 2500, 2**24 + 2500), torch.arange(2**32 - 5000, 2**32)]
    )
    uniform = to_uniform(ends)
    assert uniform.dtype == torch.float32
    assert uniform.min().item() == 2.0**-33
    assert uniform.max().item() == 1.0 - 2.0**-24
    assert torch.all(uniform.diff() >= 0)


def test_noise_is_finite_over_millions_and_looks_gumbel() -> None:  # B9
    total = square = below = count = 0.0
    for position in range(4):
        noise = gumbel_noise(torch.tensor([7]), torch.tensor([position]), 1_000_000).double()
        assert torch.isfinite(noise).all()
        total, square = total + noise.sum().item(), square + noise.square().sum().item()
        below, count = below + (noise < 0).sum().item(), count + noise.numel()
    mean = total / count
    assert mean == pytest.approx(0.5772157, abs=5 * 1.283 / math.sqrt(count))
    assert square / count - mean**2 == pytest.approx(math.pi**2 / 6, abs=0.01)
    assert below / count == pytest.approx(math.exp(-1), abs=5 * 0.5 / math.sqrt(count))


def test_seeds_positions_and_columns_give_unrelated_noise() -> None:
    by_seed = gumbel_noise(torch.arange(200), torch.zeros(200, dtype=torch.int64), 500)
    by_position = gumbel_noise(torch.zeros(200, dtype=torch.int64), torch.arange(200), 500)
    for noise in (by_seed, by_position):
        correlations = torch.corrcoef(noise) - torch.eye(200)
        assert correlations.abs().max() < 6 / math.sqrt(500)
        assert torch.corrcoef(noise.T[:100]).fill_diagonal_(0).abs().max() < 6 / math.sqrt(200)
