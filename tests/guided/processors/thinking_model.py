"""A tiny model that thinks as a script says: `TransformersEngine` with its forward pass replaced."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from weakref import WeakKeyDictionary

import torch

from guided.engine.batch import RunningBatch
from guided.engine.loading import load_transformers_engine
from guided.engine.row import RunningRow
from guided.engine.transformers import TransformersEngine
from guided.grammars.vocabulary import Vocabulary

THINK, END_THINK = 275, 276  # ids of the model's padding, named for these tests
Policy = Callable[[Sequence[int]], int]


def thinking_vocabulary(vocabulary: Vocabulary) -> Vocabulary:
    """The same with `<think>` and `</think>` as special tokens."""
    names = vocabulary.special_tokens | {"<think>": THINK, "</think>": END_THINK}
    return Vocabulary(vocabulary.tokens, vocabulary.eos_token_ids, names, size=vocabulary.size)


class ScriptedEngine(TransformersEngine):
    """Wants what its policy says after each row's output; anything else, in the order of the ids, is far behind."""

    policy: Policy

    def _forward(self, batch: RunningBatch) -> torch.Tensor:
        batch.cache = _NoCache()
        logits = torch.zeros(len(batch), self.vocabulary.size)
        for i, row in enumerate(batch.rows):
            if row in self._outputs:
                self._outputs[row].append(int(batch.input_ids[i, -1]))
            else:
                self._outputs[row] = []
            logits[i, self.policy(self._outputs[row])] = 20.0
        return logits

    @cached_property
    def _outputs(self) -> WeakKeyDictionary[RunningRow, list[int]]:
        return WeakKeyDictionary()


class _NoCache:
    def batch_select_indices(self, indices: torch.Tensor) -> None:
        """Nothing is kept."""


def scripted_engine(folder: Path, policy: Policy, *, has_thinking_tokens: bool = True) -> ScriptedEngine:
    loaded = load_transformers_engine(str(folder), tokenizer=None, device="cpu", dtype="auto")
    assert isinstance(loaded.engine, TransformersEngine)
    plain = loaded.engine.vocabulary
    vocabulary = thinking_vocabulary(plain) if has_thinking_tokens else plain
    engine = ScriptedEngine(loaded.engine._model, vocabulary, model_name="scripted", sampler="reference")
    engine.policy = policy
    return engine
