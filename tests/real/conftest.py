"""The real models, each loaded once, in float32."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from guided.llm import LLM
from guided.models.find import NamedModel
from guided.models.known import fetched_file
from guided.processors import ProcessorSettings, write_key_file


@dataclass(frozen=True)
class RealModel:
    """A model in our engine, and the same weights in `transformers`. key_file: of signed processors."""

    name: str
    llm: LLM
    reference: Any
    tokenizer: Any
    key_file: Path

    def greedy(self, text: str, num_tokens: int, **options: Any) -> list[int]:
        """The token ids that `transformers.generate` writes."""
        return self.continued(self.tokenizer(text)["input_ids"], num_tokens, **options)

    def continued(self, token_ids: Sequence[int], num_tokens: int, **options: Any) -> list[int]:
        """The same for a prompt that is given as token ids."""
        inputs = torch.tensor([list(token_ids)])
        options = {"max_new_tokens": num_tokens, "do_sample": False, **options}
        with torch.inference_mode():
            ids = self.reference.generate(inputs, attention_mask=torch.ones_like(inputs), **options)
        found: list[int] = ids[0, len(token_ids) :].tolist()
        return found

    def logits(self, token_ids: Sequence[int], num_last: int) -> torch.Tensor:
        """(num_last, V) float32: the logits after each of the last token ids."""
        with torch.inference_mode():
            found: torch.Tensor = self.reference(torch.tensor([list(token_ids)]), logits_to_keep=num_last).logits[0]
        return found


@pytest.fixture(scope="session")
def load_real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], RealModel]]:
    """Loads a known model by its name, once. A test skips if the model is not in the cache."""
    key_file = tmp_path_factory.mktemp("key") / "key"
    write_key_file(key_file)
    opened = ExitStack()

    @cache
    def load(name: str) -> RealModel:
        if not fetched_file(name).is_file():
            pytest.skip(f"{name} is not in the cache: guided model {name}")
        folder = NamedModel(name).found(dtype="float32").name
        reference = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
        llm = LLM(name, dtype="float32", processor_settings=ProcessorSettings(key_file=key_file))
        return RealModel(name, opened.enter_context(llm), reference, AutoTokenizer.from_pretrained(folder), key_file)

    with opened:
        yield load


@pytest.fixture(scope="session", params=["smollm2", "gemma3-270m"])
def real_model(request: pytest.FixtureRequest, load_real: Callable[[str], RealModel]) -> RealModel:
    """Each of the known models."""
    return load_real(request.param)


@pytest.fixture(scope="session")
def smollm2(load_real: Callable[[str], RealModel]) -> RealModel:
    """The model for chats."""
    return load_real("smollm2")
