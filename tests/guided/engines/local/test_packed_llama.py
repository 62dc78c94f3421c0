"""`PackedLlama` against `LlamaNetwork` with the same weights, and its kernels against plain torch."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional

from guided.engines.local.paged import Chunk, PagedModel
from guided.engines.local.paged.llama_kernels import add_norm_rows, gate_rows, rotate_rows
from guided.engines.local.paged.packed_llama import PackedLlama
from guided.engines.local.paged.packed_weights import PackedLinear, packed_types
from guided.engines.local.paged.support import own_network
from guided.engines.local.threads import running_in
from guided.kernels import rows as kernel_rows
from tests.examples import examples

from .tiny_models import make_model, random_tokens, recompute

YARN = {"rope_type": "yarn", "rope_theta": 10_000.0, "factor": 4.0, "original_max_position_embeddings": 64}
SIZES = st.integers(1, 40)


def skip_without(dtype: torch.dtype) -> None:
    if dtype not in packed_types():
        pytest.skip(f"oneDNN packs no {dtype} on this CPU")


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize(
    "changes", [{}, {"rope_parameters": YARN}, {"tie_word_embeddings": True}, {"num_key_value_heads": 6}]
)
def test_logits_are_those_of_the_plain_network(dtype: torch.dtype, changes: dict[str, Any]) -> None:
    skip_without(dtype)
    model = make_model("llama", dtype, **changes)
    network, paged = own_network(model), PagedModel(model, num_pages=40, page_size=4)
    assert network is not None
    assert type(paged._runner.twin) is PackedLlama
    tokens = random_tokens(80)
    expected, sequence = recompute(network, tokens), paged.open(tokens)
    parts = []
    for size in (40, 1, 1, 5, 33):
        paged.reserve(sequence, size)
        start = sequence.num_tokens
        parts.append(paged.forward([Chunk(sequence, tokens[start : start + size], list(range(size)))]).float())
    error = (torch.cat(parts) - expected).abs()
    largest = expected.abs().max()
    assert error.max() < (1e-5 if dtype == torch.float32 else 0.1) * largest
    assert error.mean() < (1e-6 if dtype == torch.float32 else 0.01) * largest


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    tokens, found = random_tokens(50), []
    for num_threads in (1, 2):
        monkeypatch.setattr(kernel_rows, "_MIN_COLUMNS", 1 if num_threads > 1 else 1 << 40)
        paged = PagedModel(make_model("llama"), num_pages=20, page_size=4)
        sequence = paged.open(tokens)
        paged.reserve(sequence, len(tokens))
        with running_in(num_threads):
            found.append(paged.forward([Chunk(sequence, tokens, [0, 30, 49])]))
    torch.testing.assert_close(found[1], found[0], atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_packed_layers_give_the_same(dtype: torch.dtype) -> None:
    skip_without(dtype)
    weight, rows = torch.randn(24, 40, dtype=dtype), torch.randn(2, 5, 40, dtype=dtype)
    expected, tolerance = rows @ weight.T, 1e-5 if dtype == torch.float32 else 0.1
    torch.testing.assert_close(PackedLinear(weight)(rows), expected, rtol=0.02, atol=tolerance)


def random(*shape: int, scale: float = 1.0) -> torch.Tensor:
    return torch.randn(*shape) * scale


@settings(max_examples=examples(30), deadline=None)
@given(num_tokens=SIZES, size=SIZES, scale=st.sampled_from([1e-3, 1.0, 1e3]), eps=st.sampled_from([1e-6, 1e-3]))
def test_add_norm(num_tokens: int, size: int, scale: float, eps: float) -> None:
    hidden, added, weight = random(num_tokens, size, scale=scale), random(num_tokens, size), random(size)
    rows, normed = hidden.clone(), torch.empty_like(hidden)
    add_norm_rows(rows.numpy(), added.numpy(), weight.numpy(), np.float32(eps), normed.numpy(), 0, 1)
    torch.testing.assert_close(rows, hidden + added)
    expected = functional.rms_norm(hidden + added, (size,), weight, eps)
    torch.testing.assert_close(normed, expected, atol=1e-5, rtol=1e-5)


@settings(max_examples=examples(30), deadline=None)
@given(num_tokens=SIZES, size=SIZES, scale=st.sampled_from([1.0, 30.0, 1e4]))
def test_gate(num_tokens: int, size: int, scale: float) -> None:
    both, gated = random(num_tokens, 2 * size, scale=scale), torch.empty(num_tokens, size)
    for start in range(3):
        gate_rows(both.numpy(), gated.numpy(), start, 3)
    expected = functional.silu(both[:, :size]) * both[:, size:]
    torch.testing.assert_close(gated, expected, atol=1e-5, rtol=1e-5)


@settings(max_examples=examples(30), deadline=None)
@given(num_tokens=SIZES, heads=st.sampled_from([(1, 1), (6, 2), (9, 3)]), half=st.integers(1, 32))
def test_rotation(num_tokens: int, heads: tuple[int, int], half: int) -> None:
    num_heads, num_kv_heads, size = *heads, 2 * half
    projected, angles = random(num_tokens, (num_heads + 2 * num_kv_heads) * size), random(num_tokens, half, scale=100.0)
    found = [torch.empty(num_tokens, number, size) for number in (num_heads, num_kv_heads, num_kv_heads)]
    cos, sin = angles.cos(), angles.sin()
    run = partial(rotate_rows, projected.numpy(), cos.numpy(), sin.numpy(), *(one.numpy() for one in found))
    run(0, 2)
    run(1, 2)
    parts = projected.view(num_tokens, -1, size).split([num_heads, num_kv_heads, num_kv_heads], dim=1)
    turned = torch.complex(cos, sin)[:, None]
    for part, one in zip(parts[:2], found[:2], strict=True):
        rotated = torch.complex(part[..., :half].contiguous(), part[..., half:].contiguous()) * turned
        torch.testing.assert_close(one, torch.cat((rotated.real, rotated.imag), dim=-1), atol=1e-5, rtol=1e-5)
    assert torch.equal(found[2], parts[2])
