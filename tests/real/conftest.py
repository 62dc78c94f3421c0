"""The real models, each loaded once, in float32."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from guided.llm import LLM
from guided.models.find import find_model
from guided.models.known import fetched_file


@dataclass(frozen=True)
class RealModel:
    """A model in our engine, and the same weights in `transformers`."""

    name: str
    llm: LLM
    reference: Any
    tokenizer: Any

    def greedy(self, text: str, num_tokens: int) -> list[int]:
        """The token ids that `transformers.generate` writes."""
        inputs = self.tokenizer(text, return_tensors="pt")
        with torch.inference_mode():
            ids = self.reference.generate(**inputs, max_new_tokens=num_tokens, do_sample=False)
        found: list[int] = ids[0, inputs["input_ids"].shape[1] :].tolist()
        return found


@pytest.fixture(scope="session", params=["smollm2", "gemma3-270m"])
def real_model(request: pytest.FixtureRequest) -> Iterator[RealModel]:
    """Each of the known models."""
    name: str = request.param
    if not fetched_file(name).is_file():
        pytest.skip(f"{name} is not in the cache: guided model {name}")
    folder = find_model(name, dtype="float32").name
    reference = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    with LLM(name, dtype="float32") as llm:
        yield RealModel(name, llm, reference, AutoTokenizer.from_pretrained(folder))
