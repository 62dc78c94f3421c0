"""Training samples: generated tasks under the prompt of `LLM.extract`, as token ids."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from examples.embedded_model.corpus.nested import make_nested_task
from examples.embedded_model.corpus.scene_tasks import make_scene_task
from examples.embedded_model.corpus.tasks import INSTRUCTIONS, Task, make_task
from examples.embedded_model.quoting import num_invented
from guided.extraction.conversation import extraction_messages
from guided.extraction.quote_marks import has_quotes, with_quotes
from guided.grammars.errors import InvalidInputError
from guided.requests.prompting import PromptEncoder

from .documents import make_document_task, make_frame_task

RARE_FIELDS = {"email", "phone", "postal_code", "website", "speakers", "skills", "hobbies", "languages", "items"}
RARE_PAIRS = [{"vendor", "customer"}, {"organizer", "speakers"}, {"name", "organizer"}, {"price", "amount"}]


def make_rare_task(rng: random.Random) -> Task:
    """A scene's task that asks for a mail, a list or the like which the text gives, or for two of one kind."""
    while True:
        task = make_scene_task(rng)
        answer = json.loads(task.answer)
        given = {field for key, field in task.fields.items() if answer[key] is not None}
        if given & RARE_FIELDS or any(pair <= given for pair in RARE_PAIRS):
            return task


MAKERS: dict[str, Callable[[random.Random], Task]] = {
    "scenes": make_scene_task,
    "rare": make_rare_task,
    "nested": make_nested_task,
    "plain": make_task,
    "documents": make_document_task,
    "frames": make_frame_task,
}
QUOTES_SHARE = 0.5  # of the samples: with the sentence that asks for quotes, where the answer keeps to it
INSTRUCTIONS_SHARE = 0.1  # of the samples: with other instructions than extraction's own


@dataclass(frozen=True)
class Sample:
    """Token ids of a prompt, and of its answer with the end token."""

    prompt: list[int]
    answer: list[int]

    @property
    def num_tokens(self) -> int:
        """Of both."""
        return len(self.prompt) + len(self.answer)


class Sampler:
    """Makes samples. weights: of the kinds of tasks in MAKERS; max_tokens: longer samples are left out."""

    def __init__(self, encoder: PromptEncoder, weights: Mapping[str, float], max_tokens: int) -> None:
        self._encoder = encoder
        self._kinds = [*weights]
        self._weights = [*weights.values()]
        self._max_tokens = max_tokens

    def batch(self, seed: int, step: int, size: int) -> list[Sample]:
        """The samples of a step. They depend on the weights, the seed and the step alone."""
        rng = random.Random(f"adapter:{seed}:{step}")
        found: list[Sample] = []
        while len(found) < size:
            kind = rng.choices(self._kinds, self._weights)[0]
            sample = encode(self._encoder, MAKERS[kind](rng), rng)
            if sample.num_tokens <= self._max_tokens:
                found.append(sample)
        return found


def encode(encoder: PromptEncoder, task: Task, rng: random.Random) -> Sample:
    """A task under the prompt of `LLM.extract`, half of them with quotes."""
    answer = json.loads(task.answer)
    asks_for_quotes = rng.random() < QUOTES_SHARE and is_quoted(task, answer)
    told = rng.choice(INSTRUCTIONS).format(kind=task.document.kind) if rng.random() < INSTRUCTIONS_SHARE else None
    messages = extraction_messages(
        task.document.text, told, task.schema, shows_schema=encoder.shows_schema, has_quotes=asks_for_quotes
    )
    written = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    end: int = encoder.tokenizer.eos_token_id
    return Sample(encoder.encode_chat(messages, task.schema), [*encoder.encode_part(written), end])


def is_quoted(task: Task, answer: Any) -> bool:
    """Whether `quotes=True` takes the schema, asks for a quote anywhere, and would allow the answer."""
    try:
        schema = with_quotes(task.schema, True)
    except InvalidInputError:  # a schema that it can't be said for as a whole
        return False
    return has_quotes(schema) and not sum(num_invented(task, answer))
