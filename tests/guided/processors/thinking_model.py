"""A tiny model that thinks as a script says: `TransformersEngine` with the logits of its forward pass replaced."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import torch
from transformers import AutoModelForCausalLM

from guided.engines.factory import EngineOptions
from guided.engines.local.loading import load_transformers_engine
from guided.engines.local.paged import Chunk, PagedModel, PagedSequence
from guided.engines.local.transformers import TransformersEngine
from guided.engines.settings import EngineSettings
from guided.grammars.vocabulary import Vocabulary

THINK, END_THINK = 275, 276  # ids of the model's padding, named for these tests
Policy = Callable[[Sequence[int]], int]


def thinking_vocabulary(vocabulary: Vocabulary) -> Vocabulary:
    """The same with `<think>` and `</think>` as special tokens."""
    names = vocabulary.special_tokens | {"<think>": THINK, "</think>": END_THINK}
    return Vocabulary(vocabulary.tokens, vocabulary.eos_token_ids, names, size=vocabulary.size)


class ScriptedModel(PagedModel):
    """Wants what its policy says after each sequence's output; anything else, in the order of the ids, is far behind.

    A sequence's first chunk is its prompt, the others are its output.
    """

    policy: Policy

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._outputs: WeakKeyDictionary[PagedSequence, list[int]] = WeakKeyDictionary()

    def forward(self, chunks: Sequence[Chunk]) -> torch.Tensor:
        logits = torch.zeros_like(super().forward(chunks))
        for row, chunk in zip(logits, chunks, strict=True):
            if chunk.sequence in self._outputs:
                self._outputs[chunk.sequence] += chunk.token_ids
            else:
                self._outputs[chunk.sequence] = []
            row[self.policy(self._outputs[chunk.sequence])] = 20.0
        return logits


class ScriptedEngine(TransformersEngine):
    """Runs a ScriptedModel."""

    @property
    def policy(self) -> Policy:
        """What the model wants."""
        assert isinstance(self.paged_model, ScriptedModel)
        return self.paged_model.policy

    @policy.setter
    def policy(self, policy: Policy) -> None:
        assert isinstance(self.paged_model, ScriptedModel)
        self.paged_model.policy = policy

    def _paged_model(self, model: Any) -> PagedModel:
        return ScriptedModel(model, num_pages=self.num_pages, page_size=self.settings.page_size)


def plain_model(folder: Path) -> Any:
    """A folder's model as `transformers` loads it: an engine keeps another form of its weights."""
    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)


def scripted_engine(folder: Path, policy: Policy, *, has_thinking_tokens: bool = True) -> ScriptedEngine:
    loaded = load_transformers_engine(str(folder), EngineOptions(device="cpu"))
    assert isinstance(loaded.engine, TransformersEngine)
    plain = loaded.engine.vocabulary
    vocabulary = thinking_vocabulary(plain) if has_thinking_tokens else plain
    settings = EngineSettings(max_draft_tokens=0)  # the script sees one token after the other
    engine = ScriptedEngine(
        plain_model(folder), vocabulary, model_name="scripted", sampler="reference", settings=settings
    )
    engine.policy = policy
    return engine
