"""Tasks whose values are written with other words, made of random tokens, so that every token is copied now and then.

Words of ordinary language alone leave a quarter of the tokens without an answer in which they occur: a value that
begins with one of them is then misread wherever it stands (such tokens are rarely trained: Land and Bartolo 2024).
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from dataclasses import replace

from transformers import PreTrainedTokenizerBase

from .tasks import Task

EXCHANGED_SHARE = 0.6  # of the words in a task's values
MOST_TOKENS = 3  # in a word

_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"(:?)')  # and whether it is a key
_WORD = re.compile(r"[^\W\d_]{2,}")


def letter_tokens(tokenizer: PreTrainedTokenizerBase) -> list[str]:
    """The tokens that are two letters or more and nothing else."""
    texts = {tokenizer.convert_tokens_to_string([token]) for token in tokenizer.get_vocab()}
    return sorted(text for text in texts if len(text) > 1 and text.isalpha())


def with_words_of_tokens(task: Task, rng: random.Random, tokens: Sequence[str]) -> Task:
    """The task with other words in its text and, everywhere alike, in its answer.

    Words of values with digits stay (dates), and words that the schema has: an enum's, a pattern's.
    """
    text = task.messages[-1]["content"]
    schema_words = set(_WORD.findall(json.dumps(task.schema, ensure_ascii=False)))
    values = [json.loads(f'"{value}"') for value, is_key in _STRING.findall(task.answer) if not is_key]
    words = {word for value in values if not re.search(r"\d", value) for word in _WORD.findall(value)} - schema_words
    words &= set(_WORD.findall(text))
    others = {
        word: "".join(rng.choices(tokens, k=rng.choice([1, 1, 2, 2, MOST_TOKENS])))
        for word in sorted(words)
        if rng.random() < EXCHANGED_SHARE
    }

    def exchanged(part: str) -> str:
        return _WORD.sub(lambda match: others.get(match[0], match[0]), part)

    def exchanged_values(answer: str) -> str:
        return _STRING.sub(lambda match: match[0] if match[2] else f'"{exchanged(match[1])}"', answer)

    facts = {name: exchanged_values(fact) for name, fact in task.document.facts.items()}
    messages = [*task.messages[:-1], {**task.messages[-1], "content": exchanged(text)}]
    document = replace(task.document, text=exchanged(task.document.text), facts=facts)
    return replace(task, messages=messages, answer=exchanged_values(task.answer), document=document)
