"""What only a GPU can show of the engine: nothing waits in a step, answers are those of a CPU."""

from __future__ import annotations

import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from guided import LLM
from guided.engines.local.paged import Chunk, PagedModel
from guided.params.sampling_params import SamplingParams

from .tiny_models import make_model, random_tokens, recompute

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")]
ROWS, LENGTH = 5, 60


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_nothing_waits_for_the_device(dtype: torch.dtype) -> None:
    """Prompts in chunks beside rows that draw, and steps of single tokens."""
    model = make_model("llama", dtype)
    paged: Any = PagedModel(copy.deepcopy(model).cuda(), num_pages=64, page_size=16)
    texts = [random_tokens(LENGTH, seed) for seed in range(ROWS)]
    sequences = [paged.open(text) for text in texts]
    cuts = [(0, 7), (7, 8), (8, 30), (30, 31), (31, 32), (32, 50), *((i, i + 1) for i in range(50, LENGTH))]
    logits = []
    for start, stop in cuts:
        assert all(paged.reserve(sequence, stop - start) for sequence in sequences)
        chunks = [
            Chunk(sequence, text[start:stop], [stop - start - 1])
            for sequence, text in zip(sequences, texts, strict=True)
        ]
        torch.cuda.set_sync_debug_mode("error" if start >= 8 else "default")  # the first steps compile
        try:
            logits.append(paged.forward(chunks))
        finally:
            torch.cuda.set_sync_debug_mode("default")
    expected = torch.stack([recompute(model, text)[[stop - 1 for _, stop in cuts]] for text in texts], dim=1)
    difference = (torch.stack(logits).float().cpu() - expected).norm() / expected.norm()
    assert difference < (1e-4 if dtype == torch.float32 else 5e-2)


def test_answers_are_those_of_a_cpu(tiny_model_folder: Path) -> None:
    params = SamplingParams(temperature=0, max_new_tokens=40)
    answers = []
    for device in ("cpu", "cuda"):
        llm = LLM(tiny_model_folder, device=device, dtype="float32")
        prompts = ["the first", "another", "12 and 12", '{"a":']
        free = [one.token_ids for one in llm.generate(prompts, params)]
        chosen = [one.text for one in llm.generate(prompts, replace(params, choice=["the thin", "12", "and then"]))]
        answers.append((free, chosen))
        llm.shutdown()
    assert answers[0] == answers[1]
