"""Training batches for the embedded model: generated tasks as token ids, sorted into batches of similar length."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from transformers import PreTrainedTokenizerBase

from .corpus.conversations import lengthen
from .corpus.nested import make_nested_task
from .corpus.scene_tasks import make_scene_task
from .corpus.tasks import Task, make_task
from .corpus.token_words import letter_tokens, with_words_of_tokens
from .tokenizer import SECTIONS, TEXT_SECTION

BATCHES_PER_POOL = 16  # batches that are sorted by length together
SCHEMA_FREE_SHARE = 0.04  # tasks that name no fields: the answer holds every fact of the text
TOKEN_WORDS_SHARE = 0.2  # of the tasks: with words of random tokens in their values
IGNORED_LABEL = -100
MIN_ADDED_TOKENS = 100  # in front of a task that is made longer

Row = tuple[list[int], list[int]]  # token ids of a prompt and of its answer


@dataclass(frozen=True)
class Mixture:
    """Shares of the tasks. long: behind long instructions and earlier turns; scenes: on texts as people write them;
    nested: with nested answers. The rest are those of `make_task`."""

    long: float = 0.0
    scenes: float = 0.0
    nested: float = 0.0

    def make_task(self, rng: random.Random) -> tuple[Task, bool]:
        """A task, and whether its answer is flat."""
        roll = rng.random() if self.scenes or self.nested else 1.0
        if roll < self.scenes:
            return make_scene_task(rng), True
        if roll < self.scenes + self.nested:
            return make_nested_task(rng), False
        return make_task(rng), True


@dataclass(frozen=True)
class Batch:
    """input_ids: (B, T) int64, padded on the right; labels: (B, T) int64, -100 on the prompt and the padding;
    text_labels: (B, T) int64, -100 on all but the texts in the prompt."""

    input_ids: torch.Tensor
    labels: torch.Tensor
    text_labels: torch.Tensor


def encode_task(
    tokenizer: PreTrainedTokenizerBase, task: Task, with_schema: bool = True
) -> tuple[list[int], list[int]]:
    """The token ids of a task's prompt, and of its answer with the end token."""
    prompt = tokenizer.apply_chat_template(
        task.messages, response_schema=task.schema if with_schema else None, add_generation_prompt=True, tokenize=False
    )
    answer = task.answer if with_schema else "{" + ",".join(f'"{k}":{v}' for k, v in task.document.facts.items()) + "}"
    end = tokenizer.eos_token_id
    return tokenizer.encode(prompt, add_special_tokens=False), [
        *tokenizer.encode(answer, add_special_tokens=False),
        end,
    ]


def training_batches(
    tokenizer: PreTrainedTokenizerBase,
    seed: int,
    batch_size: int,
    max_tokens: int,
    first_step: int = 0,
    mixture: Mixture = Mixture(),
) -> Iterator[Batch]:
    """Batch number `first_step`, the next one, and so on without end; a batch depends on seed and number alone.

    batch_size: tasks in a batch on average; batches of long texts have fewer, so that all have about as many tokens.
    mixture: which kinds of tasks; the long ones have up to `max_tokens`.
    """
    pool_index, skip = divmod(first_step, BATCHES_PER_POOL)
    tokens = letter_tokens(tokenizer)
    while True:
        rng = random.Random(f"train:{seed}:{pool_index}")
        pool = _make_pool(tokenizer, tokens, rng, batch_size, max_tokens, mixture)
        yield from pool[skip:]
        pool_index, skip = pool_index + 1, 0


def _make_pool(
    tokenizer: PreTrainedTokenizerBase,
    tokens: Sequence[str],
    rng: random.Random,
    batch_size: int,
    max_tokens: int,
    mixture: Mixture,
) -> list[Batch]:
    def count_tokens(text: str) -> int:
        return len(tokenizer.encode(text, add_special_tokens=False))

    rows: list[Row] = []
    while len(rows) < BATCHES_PER_POOL * batch_size:
        task, is_flat = mixture.make_task(rng)
        if rng.random() < TOKEN_WORDS_SHARE:
            task = with_words_of_tokens(task, rng, tokens)
        if mixture.long and rng.random() < mixture.long:
            num_added = math.exp(rng.uniform(math.log(MIN_ADDED_TOKENS), math.log(max_tokens)))
            task = lengthen(task, rng, int(num_added), count_tokens)
        prompt, answer = encode_task(tokenizer, task, with_schema=not is_flat or rng.random() >= SCHEMA_FREE_SHARE)
        if len(prompt) + len(answer) <= max_tokens:
            rows.append((prompt, answer))
    batches = [_collate(part, tokenizer) for part in _split_evenly(rows)]
    rng.shuffle(batches)
    return batches


def _split_evenly(rows: list[Row]) -> list[list[Row]]:
    """The rows by length, in BATCHES_PER_POOL parts with about the same number of tokens, none of them empty."""
    rows.sort(key=_num_tokens)
    share = sum(map(_num_tokens, rows)) / BATCHES_PER_POOL
    parts: list[list[Row]] = [[]]
    num_tokens = 0
    for i, row in enumerate(rows):
        num_missing = BATCHES_PER_POOL - len(parts)
        is_full = num_tokens >= share * len(parts) or len(rows) - i == num_missing
        if parts[-1] and num_missing and is_full:
            parts.append([])
        parts[-1].append(row)
        num_tokens += _num_tokens(row)
    return parts


def _num_tokens(row: Row) -> int:
    return len(row[0]) + len(row[1])


def _collate(rows: list[Row], tokenizer: PreTrainedTokenizerBase) -> Batch:
    width = max(map(_num_tokens, rows))
    input_ids = torch.full((len(rows), width), tokenizer.pad_token_id)
    labels = torch.full((len(rows), width), IGNORED_LABEL)
    text_labels = torch.full((len(rows), width), IGNORED_LABEL)
    sections = {tokenizer.convert_tokens_to_ids(section) for section in SECTIONS}
    text_section = tokenizer.convert_tokens_to_ids(TEXT_SECTION)
    for i, (prompt, answer) in enumerate(rows):
        input_ids[i, : len(prompt) + len(answer)] = torch.tensor(prompt + answer)
        labels[i, len(prompt) : len(prompt) + len(answer)] = torch.tensor(answer)
        is_text = False
        for position, token in enumerate(prompt):
            if token in sections:
                is_text = token == text_section
            elif is_text:
                text_labels[i, position] = token
    return Batch(input_ids, labels, text_labels)
