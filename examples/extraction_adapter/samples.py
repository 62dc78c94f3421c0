"""Training samples: generated tasks under the prompt of `LLM.extract`, as token ids."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from examples.embedded_model.corpus.nested import make_nested_task
from examples.embedded_model.corpus.scene_tasks import NAME_PARTS, ask, make_scene_task
from examples.embedded_model.corpus.scenes import SceneDocument, make_scene
from examples.embedded_model.corpus.tasks import ALIASES, INSTRUCTIONS, Task, make_task
from examples.embedded_model.corpus.templates import KIND_FIELDS
from examples.embedded_model.quoting import num_invented
from guided.extraction.conversation import extraction_messages
from guided.extraction.quote_marks import has_quotes, with_quotes
from guided.grammars.errors import InvalidInputError
from guided.requests.prompting import PromptEncoder

from .documents import make_document_task, make_frame_task, make_party_task, make_table_task

RARE_FIELDS = {"email", "phone", "postal_code", "website", "speakers", "skills", "hobbies", "languages", "items"}
ALIKE = [  # fields that can have the same value: if a text gives one of a set, the others are not asked for in vain
    {"name", "first_name", "last_name", "customer"},
    {"name", "organizer"},
    {"name", "vendor"},
    {"name", "speakers"},
    {"company", "vendor", "brand"},
    {"company", "customer"},
    {"price", "amount", "currency"},
    {"price", "shipping_cost", "currency"},
    {"salary", "currency"},
    {"tax", "currency"},
    {"date", "order_date"},
    {"event", "product", "items", "category"},
    {"address", "venue"},
    {"status", "paid", "in_stock"},
    {"product", "material", "color", "weight_kg"},
]
RARE_PAIRS = [{"vendor", "customer"}, {"organizer", "speakers"}, {"name", "organizer"}, {"price", "amount"}]


def make_rare_task(rng: random.Random) -> Task:
    """A scene's task that asks for a mail, a list or the like which the text gives, or for two of one kind."""
    while True:
        task = make_scene_task(rng)
        answer = json.loads(task.answer)
        given = {field for key, field in task.fields.items() if answer[key] is not None}
        if given & RARE_FIELDS or any(pair <= given for pair in RARE_PAIRS):
            return task


def make_vain_task(rng: random.Random) -> Task:
    """A scene's task that also asks for two to four fields that the text lacks."""
    while True:
        document = make_scene(rng)
        vain = vain_fields(document)
        if len(vain) >= 2:
            break
    stated = sorted(name for name in document.facts if name not in NAME_PARTS or rng.random() < ALIAS_SHARE)
    names = rng.sample(stated, rng.randint((len(stated) + 1) // 2, len(stated)))
    names += rng.sample(vain, min(len(vain), rng.randint(2, 4)))
    if rng.random() < 0.6:
        rng.shuffle(names)
    else:  # as a type has them
        names.sort(key=[*KIND_FIELDS[document.kind], *names].index)
    properties, answers, fields = {}, [], {}
    for name in names:
        key = rng.choice(ALIASES[name]) if name in ALIASES and rng.random() < ALIAS_SHARE else name
        if key not in properties:
            properties[key], answer = ask(rng, name, document.facts.get(name), False)
            answers.append(f"{json.dumps(key)}:{answer}")
            fields[key] = name
    schema = {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
    message = {"role": "user", "content": document.text}
    return Task([message], schema, "{" + ",".join(answers) + "}", fields, document)


def vain_fields(document: SceneDocument) -> list[str]:
    """Fields of the text's kind that it lacks and that no value in it could be read for."""
    mentioned = document.facts.keys() | document.unclear
    near = set(mentioned).union(*(group for group in ALIKE if group & mentioned))
    return [name for name in dict.fromkeys([*KIND_FIELDS[document.kind], "currency"]) if name not in near]


MAKERS: dict[str, Callable[[random.Random], Task]] = {
    "scenes": make_scene_task,
    "rare": make_rare_task,
    "vain": make_vain_task,
    "tables": make_table_task,
    "parties": make_party_task,
    "nested": make_nested_task,
    "plain": make_task,
    "documents": make_document_task,
    "frames": make_frame_task,
}
ALIAS_SHARE = 0.12  # of the names of fields in `make_vain_task`
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
