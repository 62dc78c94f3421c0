"""Extraction tasks on realistic texts (`scenes.py`): the fields asked for, null for what a text does not say."""

from __future__ import annotations

import json
import random
from typing import Any

from . import tasks
from .scenes import SceneDocument, make_scene
from .tasks import Task
from .templates import KIND_FIELDS

NULLABLE_SHARE = 0.7
ALIAS_SHARE = 0.12
LURE_SHARE = 0.7  # of the fields that a text seems to state and does not: are asked for
NAME_PARTS = {"first_name", "last_name"}
LIKE_EACH_OTHER = [  # a field is asked for in vain only where nothing like it is in the text
    {"name", "customer", "organizer", "speakers", "first_name", "last_name"},
    {"company", "vendor", "brand", "organizer", "customer"},
    {"price", "amount", "salary", "tax", "shipping_cost"},
    {"date", "order_date", "delivery_date", "due_date", "birth_date"},
    {"event", "product", "items", "category"},
    {"address", "venue", "department", "online"},
    {"time", "end_time"},
    {"attendees", "quantity"},
    {"order_id", "invoice_number", "sku"},
    {"status", "paid", "in_stock"},
]


def make_scene_task(rng: random.Random, *, held_out: bool = False) -> Task:
    """A random task on a realistic text. held_out: of lines and words that training does not use."""
    document = make_scene(rng, held_out=held_out)
    properties: dict[str, Any] = {}
    answers: list[str] = []
    fields: dict[str, str] = {}
    for name in choose_fields(rng, document):
        key = rng.choice(tasks.ALIASES[name]) if name in tasks.ALIASES and rng.random() < ALIAS_SHARE else name
        if key in properties:
            continue
        properties[key], answer = ask(rng, name, document.facts.get(name), held_out)
        answers.append(f"{json.dumps(key)}:{answer}")
        fields[key] = name
    schema = {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
    return Task(tasks._messages(rng, document), schema, "{" + ",".join(answers) + "}", fields, document)


def choose_fields(rng: random.Random, document: SceneDocument) -> list[str]:
    """A random subset of the stated fields, with a few that the text does not state."""
    stated = sorted(name for name in document.facts if name not in NAME_PARTS or rng.random() < 0.15)
    stated = stated or sorted(document.facts)
    least = len(stated) if rng.random() < 0.5 else (len(stated) + 1) // 2
    chosen = rng.sample(stated, rng.randint(max(1, least), len(stated)))
    chosen += [name for name in sorted(document.lures) if rng.random() < LURE_SHARE]
    missing = missing_fields(document)
    for _ in range(rng.choice([0, 0, 0, 1, 1])):
        if missing:
            chosen.append(missing.pop(rng.randrange(len(missing))))
    rng.shuffle(chosen)
    return chosen


def missing_fields(document: SceneDocument) -> list[str]:
    """The fields of the text's kind that the text says nothing of, nor of any field like them."""
    mentioned = document.facts.keys() | document.unclear
    near = set(mentioned).union(*(group for group in LIKE_EACH_OTHER if group & mentioned))
    return sorted(name for name in {*KIND_FIELDS[document.kind], "currency"} - near if name not in tasks.BOOLEANS)


def ask(rng: random.Random, name: str, fact: str | None, held_out: bool) -> tuple[dict[str, Any], str]:
    """The schema of one field, mostly one that may be null, and the right answer to it."""
    schema, answer = tasks._typed(rng, name, fact, held_out)
    if fact is None or rng.random() < NULLABLE_SHARE:
        schema = tasks._nullable(rng, schema)
    return schema, "null" if answer is None else answer
