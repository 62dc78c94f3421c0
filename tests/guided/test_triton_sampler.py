"""The Triton backend: its checks in a process of their own, how it is found, and what only a GPU can show."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from guided.grammars.errors import BackendNotInstalledError, InvalidInputError
from guided.params.sampling_params import SamplingParams
from guided.sampler import Sampler, SamplingBatch, load_sampler_backend, registry

ROOT = Path(__file__).parents[2]
HAS_TRITON = importlib.util.find_spec("triton") is not None
needs_triton = pytest.mark.skipif(not HAS_TRITON, reason="triton is not installed")
needs_gpu = pytest.mark.skipif(not (HAS_TRITON and torch.cuda.is_available()), reason="needs a CUDA device")

ROWS: tuple[dict[str, Any], ...] = (
    {"temperature": 0.0},
    {"temperature": 0.7},
    {"temperature": 0.7, "top_k": 50, "top_p": 0.9, "min_p": 0.05},
    {"top_k": 50, "top_p": 0.9, "filter_order": "joint"},
    {"top_p": 0.9},
    {"top_p": 0.999, "temperature": 3.0},
    {"min_p": 0.01},
    {"top_k": 20_000},
)


CHECKS = "tests/guided/triton_checks.py"


@pytest.mark.gpu
@needs_triton
def test_checks() -> None:
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    if not torch.cuda.is_available():
        environment["TRITON_INTERPRET"] = "1"
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", CHECKS]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr
    assert "skipped" not in done.stdout


@needs_triton
@pytest.mark.skipif(os.environ.get("TRITON_INTERPRET") == "1", reason="interpreted kernels are not compiled")
@pytest.mark.parametrize(
    "dtype", ["fp32", pytest.param("bf16", marks=pytest.mark.slow), pytest.param("fp64", marks=pytest.mark.slow)]
)
def test_kernels_compile_for_a_gpu(dtype: str) -> None:
    from .triton_compilation import KERNELS, compiled

    for name in KERNELS:
        assert compiled(name, dtype).asm["cubin"]


@needs_triton
@pytest.mark.skipif(os.environ.get("TRITON_INTERPRET") == "1", reason="interpreted kernels run on the CPU")
def test_refuses_the_cpu() -> None:
    batch = SamplingBatch.from_params([SamplingParams()], 8)
    with pytest.raises(InvalidInputError, match="works on CUDA, not on cpu; use backend='auto'"):
        Sampler("triton").sample(torch.zeros(1, 8), batch)


def test_auto_takes_it_on_cuda_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:  # A5.5
    assert registry.fastest_backend_name(torch.device("cuda")) == ("triton" if HAS_TRITON else "reference")
    monkeypatch.setattr(registry.importlib.util, "find_spec", lambda name: None)
    assert registry.fastest_backend_name(torch.device("cuda")) == "reference"
    with pytest.raises(BackendNotInstalledError, match="pip install triton"):
        load_sampler_backend("triton")


def gpu_step(num_rows: int, vocab_size: int, seed: int = 0) -> tuple[torch.Tensor, SamplingBatch, torch.Tensor]:
    """Logits, rows of all kinds and a mask that allows most tokens, on the GPU."""
    generator = torch.Generator().manual_seed(seed)
    logits = torch.randn(num_rows, vocab_size, generator=generator).mul(3).cuda()
    params = [SamplingParams(seed=row, **ROWS[row % len(ROWS)]) for row in range(num_rows)]
    words = torch.randint(-(2**31), 2**31, (num_rows, (vocab_size + 31) // 32), generator=generator)
    return logits, SamplingBatch.from_params(params, vocab_size, "cuda"), words.to(torch.int32).cuda()


@pytest.mark.gpu
@needs_gpu
@pytest.mark.parametrize("vocab_size", [128_256, 151_936])
def test_wide_rows_on_a_gpu(vocab_size: int) -> None:
    logits, batch, bitmask = gpu_step(32, vocab_size)
    bitmask[:, vocab_size // 32 :] = 0
    expected = Sampler("reference").sample(logits, batch, bitmask).token_ids
    assert torch.equal(Sampler("triton").sample(logits, batch, bitmask).token_ids, expected)
    on_cpu = SamplingBatch.from_params(batch.params, vocab_size)
    assert torch.equal(Sampler("numba").sample(logits.cpu(), on_cpu, bitmask.cpu()).token_ids, expected.cpu())


@pytest.mark.gpu
@needs_gpu
def test_nothing_waits_for_the_device() -> None:
    logits, batch, bitmask = gpu_step(16, 5_000)
    bitmask[:, 156:] = 0
    sampler = Sampler("triton")
    sampler.sample(logits, batch, bitmask)  # compiles
    torch.cuda.set_sync_debug_mode("error")
    try:
        sampler.sample(logits, batch, bitmask)
    finally:
        torch.cuda.set_sync_debug_mode("default")


@pytest.mark.gpu
@needs_gpu
def test_a_step_can_be_captured_in_a_cuda_graph() -> None:
    logits, batch, bitmask = gpu_step(16, 5_000)
    bitmask[:, 156:] = 0
    sampler = Sampler("triton")
    sampler.sample(logits, batch, bitmask)  # compiles
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        output = sampler.sample(logits, batch, bitmask)
        batch.positions.add_(1)
    batch.positions = torch.zeros(16, dtype=torch.int64, device="cuda")
    for step in range(5):
        logits.copy_(gpu_step(16, 5_000, seed=step)[0])
        batch_now = SamplingBatch.from_params(batch.params, 5_000, "cuda")
        batch_now.positions = batch.positions.clone()
        expected = Sampler("reference").sample(logits, batch_now, bitmask).token_ids
        graph.replay()
        assert torch.equal(output.token_ids, expected)
