"""`GuidedLogitsProcessor` for llama.cpp, called as llama-cpp-python calls it. tests/llama_cpp runs llama.cpp itself."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import jsonschema
import numpy as np
import pytest

from guided.errors import TokenRefusedError
from guided.grammars.compile import compile_grammar
from guided.grammars.errors import InvalidInputError, LimitExceededError, VocabularyMismatchError
from guided.grammars.protocol import CompiledGrammar
from guided.integrations.llama_cpp import GuidedLogitsProcessor
from tests.guided.fixed_strings import EOS_ID, OTHER_EOS_ID, FixedStrings, FixedStringsMatcher, byte_vocabulary

WIDTH = 272  # wider than the vocabulary's 265
ENDS = {EOS_ID, OTHER_EOS_ID}
COLORS = FixedStrings(["red", "green", "blue", "redder"])
TAGS = {"type": "array", "items": {"enum": ["red", "green"]}, "minItems": 1}


@dataclass
class LoadedModel:
    """What the processor reads of llama-cpp-python's `Llama`, and a loop like that of its `generate`."""

    num_context_tokens: int = 200
    draft_model: Any = None
    buffer: np.ndarray = field(default_factory=lambda: np.zeros(300, np.intc))

    def n_vocab(self) -> int:
        return WIDTH

    def n_ctx(self) -> int:
        return self.num_context_tokens

    def generate(self, processor: GuidedLogitsProcessor, prompt: bytes, max_tokens: int, seed: int = 0) -> list[int]:
        """The new tokens, without the end. Scores are a view with gaps, and are changed in place."""
        random = np.random.default_rng(seed)
        self.buffer[: len(prompt)] = list(prompt)
        length, new = len(prompt), list[int]()
        while len(new) < min(max_tokens, self.num_context_tokens - len(prompt)):
            scores = np.zeros((WIDTH, 3), np.single)[:, 1]
            scores[:] = random.normal(size=WIDTH)
            scores[ord(",")] += 1  # arrays are long
            processor(self.buffer[:length], scores)
            token_id = int(scores.argmax())
            if token_id in ENDS:
                break
            new.append(token_id)
            self.buffer[length] = token_id
            length += 1
        return new


def allowed_by(processor: GuidedLogitsProcessor, tokens: bytes | list[int]) -> set[int]:
    scores = np.zeros(WIDTH, np.single)
    processor(np.array(list(tokens), np.intc), scores)
    return set(np.isfinite(scores).nonzero()[0].tolist())


@pytest.fixture(scope="module")
def tags() -> CompiledGrammar:
    return compile_grammar(byte_vocabulary(), json_schema=TAGS, whitespace="compact")


def test_texts_are_of_the_grammar_and_closed_in_the_budget(tags: CompiledGrammar) -> None:
    llama = LoadedModel()
    processor = GuidedLogitsProcessor(tags, llama, max_tokens=40)
    was_closed = set()
    for seed in range(12):
        ids = llama.generate(processor, b"tags?", 40, seed)
        processor.check()
        jsonschema.validate(json.loads(byte_vocabulary().join(ids)), TAGS)
        was_closed.add(processor.closed_in_budget)
    assert was_closed == {True, False}
    uncut = GuidedLogitsProcessor(tags, llama, max_tokens=40, close=False)
    assert any(llama.generate(uncut, b"tags?", 40, seed)[-1] != ord("]") for seed in range(12))


def test_the_context_is_a_budget_too(tags: CompiledGrammar) -> None:
    llama = LoadedModel(num_context_tokens=60)
    for seed in range(6):
        processor = GuidedLogitsProcessor(tags, llama, max_tokens=None if seed % 2 else 100)
        ids = llama.generate(processor, b"x" * 25, 100, seed)
        jsonschema.validate(json.loads(byte_vocabulary().join(ids)), TAGS)


def test_a_text_is_followed_by_its_tokens() -> None:
    processor = GuidedLogitsProcessor(COLORS, LoadedModel())
    r, e, d = b"red"
    assert allowed_by(processor, b"?") == set(b"rgb") | {257}
    assert allowed_by(processor, b"?r") == {e}
    assert allowed_by(processor, b"?re") == {d}
    assert allowed_by(processor, b"?red") == {d} | ENDS
    assert allowed_by(processor, [*b"?red", EOS_ID]) == ENDS
    assert allowed_by(processor, [*b"?red", EOS_ID, r]) == ENDS  # nothing follows an end
    assert allowed_by(processor, b"another prompt") == set(b"rgb") | {257}
    assert allowed_by(processor, b"another prompt, r") == set(b"rgb") | {257}  # several tokens more: a new prompt
    processor.reset()
    assert allowed_by(processor, b"another prompt, re") == set(b"rgb") | {257}


def test_a_banned_token_ends_the_text_with_its_error() -> None:
    processor = GuidedLogitsProcessor(COLORS, LoadedModel())
    allowed_by(processor, b"?")
    scores = np.zeros(WIDTH, np.single)
    for tokens in (b"?x", b"?xy"):  # llama-cpp-python goes on after an exception
        with pytest.raises(TokenRefusedError, match="refused token 120"):
            processor(np.array(list(tokens), np.intc), scores)
        assert set(np.isfinite(scores).nonzero()[0].tolist()) == ENDS
    with pytest.raises(TokenRefusedError):
        processor.check()
    assert allowed_by(processor, b"a new prompt") == set(b"rgb") | {257}
    processor.check()


def test_a_mask_that_fails_ends_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise LimitExceededError("max_mask_seconds", 1, "seconds")

    monkeypatch.setattr(FixedStringsMatcher, "fill_bitmask", fail)
    processor = GuidedLogitsProcessor(COLORS, LoadedModel())
    scores = np.zeros(WIDTH, np.single)
    with pytest.raises(LimitExceededError, match="max_mask_seconds"):
        processor(np.array([1], np.intc), scores)
    assert set(np.isfinite(scores).nonzero()[0].tolist()) == ENDS


def test_models_that_do_not_fit() -> None:
    with pytest.raises(VocabularyMismatchError, match="300 tokens, but the model's logits only 272"):
        GuidedLogitsProcessor(FixedStrings(["a"], byte_vocabulary(size=300)), LoadedModel())
    with pytest.raises(InvalidInputError, match="without draft_model"):
        GuidedLogitsProcessor(COLORS, LoadedModel(draft_model=object()))
