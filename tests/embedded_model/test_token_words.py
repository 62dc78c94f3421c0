"""Words of random tokens: every token is copied now and then, and a task stays true."""

from __future__ import annotations

import json
import random
import re

import jsonschema
import pytest
from transformers import PreTrainedTokenizerFast

from examples.embedded_model.corpus.token_words import letter_tokens, with_words_of_tokens
from examples.embedded_model.data import Mixture
from guided.embedded import model_path

TOKENIZER = PreTrainedTokenizerFast.from_pretrained(model_path())
TOKENS = letter_tokens(TOKENIZER)
MIXTURE = Mixture(scenes=0.4, nested=0.3)


def strings(value: object) -> list[str]:
    if isinstance(value, dict):
        return [one for member in value.values() for one in strings(member)]
    if isinstance(value, list):
        return [one for item in value for one in strings(item)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize("seed", range(60))
def test_a_task_stays_true(seed: int) -> None:
    rng = random.Random(seed)
    task, _ = MIXTURE.make_task(rng)
    other = with_words_of_tokens(task, rng, TOKENS)
    before, after = json.loads(task.answer), json.loads(other.answer)
    jsonschema.validate(after, other.schema)
    text, new_text = task.messages[-1]["content"], other.messages[-1]["content"]
    assert re.sub(r"[^\W_]+", "", text) == re.sub(r"[^\W_]+", "", new_text)  # nothing but words has changed
    for old, new in zip(strings(before), strings(after), strict=True):
        assert (old in text) == (new in new_text)


def test_every_token_occurs() -> None:
    rng = random.Random(1)
    left = set(TOKENS)
    for _ in range(700):
        answer = with_words_of_tokens(MIXTURE.make_task(rng)[0], rng, TOKENS).answer
        left -= {TOKENIZER.decode([i]) for i in TOKENIZER.encode(answer, add_special_tokens=False)}
    assert len(left) < len(TOKENS) / 10
