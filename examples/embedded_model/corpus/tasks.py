"""Extraction tasks: a text, a JSON Schema for some of its fields, and the JSON that is right."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from typing import Any

from . import pools
from .documents import Document, make_document
from .templates import KIND_FIELDS, LISTS
from .values import CURRENCY_STYLES

INTEGERS = {"age", "quantity", "attendees", "warranty_years", "years_experience", "discount"}
NUMBERS = {"price", "amount", "tax", "shipping_cost", "salary", "weight_kg", "rating"}
BOOLEANS = {"paid", "in_stock", "online", "gift", "married"}
UNSTATED_BOOLEAN_SHARE = 0.25  # of the training tasks that ask for booleans that the text does not state
ENUMS = {
    "status": ["pending", "shipped", "delivered", "cancelled"],
    "payment_method": ["card", "cash", "transfer", "paypal"],
    "priority": ["low", "medium", "high"],
    "category": ["conference", "concert", "workshop", "meeting", "party"],
    "currency": list(CURRENCY_STYLES),
}
OPEN_ENUMS = {"color": pools.COLORS, "country": pools.COUNTRIES, "department": pools.DEPARTMENTS, "city": pools.CITIES}
ALIASES = {  # other names under which a field may be asked for
    "name": ["full_name", "contact_name", "person"],
    "email": ["email_address", "mail"],
    "phone": ["phone_number", "telephone"],
    "postal_code": ["zip_code", "zip"],
    "address": ["street", "street_address"],
    "company": ["employer", "organization"],
    "job_title": ["job", "occupation", "position"],
    "birth_date": ["date_of_birth", "birthday"],
    "order_id": ["order_number", "order"],
    "customer": ["customer_name", "client", "buyer"],
    "product": ["item", "product_name", "article"],
    "price": ["unit_price", "cost"],
    "amount": ["total", "total_amount"],
    "invoice_number": ["invoice", "invoice_id"],
    "vendor": ["seller", "supplier"],
    "event": ["title", "event_name"],
    "time": ["start_time", "start"],
    "venue": ["location", "place"],
    "organizer": ["host"],
    "attendees": ["num_attendees", "participants"],
    "currency": ["currency_code"],
    "weight_kg": ["weight"],
    "date": ["day"],
}
CURRENCY_CODE = "^[A-Z]{3}$"
INSTRUCTIONS = [
    "Extract the fields as JSON.",
    "Extract the information from the text.",
    "You are a helpful assistant.",
    "You extract data from texts. Answer in JSON.",
    "Return the requested fields. Use null where the text does not say.",
    "Read the message and fill in the fields.",
    "You are an information extraction system.",
    "Extract the details of the {kind}.",
    "Answer with JSON that follows the schema.",
]


@dataclass(frozen=True)
class Task:
    """One example. messages: chat messages; schema: JSON Schema of the answer; answer: the right JSON text, compact;
    fields: key in the answer -> field of the generator."""

    messages: list[dict[str, str]]
    schema: dict[str, Any]
    answer: str
    fields: dict[str, str]
    document: Document


def make_task(rng: random.Random, *, held_out_templates: bool = False, held_out_values: bool = False) -> Task:
    """A random task. held_out_*: see `make_document`."""
    document = make_document(rng, held_out_templates=held_out_templates, held_out_values=held_out_values)
    properties: dict[str, Any] = {}
    answers: list[str] = []
    fields: dict[str, str] = {}
    chosen = _choose_fields(rng, document)
    if not held_out_templates and not held_out_values:
        chosen += _unstated_booleans(rng, document, chosen)
    for field in chosen:
        key = rng.choice(ALIASES[field]) if field in ALIASES and rng.random() < 0.2 else field
        if key in properties:
            continue
        schema, answer = _ask(rng, field, document.facts.get(field), held_out_values)
        properties[key] = schema
        answers.append(f"{json.dumps(key)}:{answer}")
        fields[key] = field
    schema = {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
    return Task(_messages(rng, document), schema, "{" + ",".join(answers) + "}", fields, document)


def field_schema(name: str, *, is_nullable: bool) -> dict[str, Any]:
    """The schema of a field of that name, as tasks usually ask for it."""
    schema: dict[str, Any] = {"type": "string"}
    if name in BOOLEANS:
        schema = {"type": "boolean"}
    elif name in LISTS:
        schema = {"type": "array", "items": {"type": "string"}}
    elif name in ENUMS and name != "currency":
        schema = {"type": "string", "enum": ENUMS[name]}
    elif name in INTEGERS or name in NUMBERS:
        schema = {"type": "integer" if name in INTEGERS else "number"}
    elif name == "currency":
        schema["pattern"] = CURRENCY_CODE  # also where strings are quotes: the text says "€"
    return {"anyOf": [schema, {"type": "null"}]} if is_nullable else schema


def _messages(rng: random.Random, document: Document) -> list[dict[str, str]]:
    user = {"role": "user", "content": document.text}
    if rng.random() < 0.6:
        return [user]
    return [{"role": "system", "content": rng.choice(INSTRUCTIONS).format(kind=document.kind)}, user]


def _choose_fields(rng: random.Random, document: Document) -> list[str]:
    """A random subset, in random order, of the stated fields, with a few that the text does not state."""
    stated = sorted(document.facts)
    chosen = rng.sample(stated, rng.randint(max(1, len(stated) // 2), len(stated)))
    everywhere = sorted({name for fields in KIND_FIELDS.values() for name in fields} | {"currency"})
    own = [*KIND_FIELDS[document.kind], "currency"]
    for _ in range(rng.choice([0, 0, 1, 1, 2, 3])):
        name = rng.choice(own if rng.random() < 0.85 else everywhere)
        if name not in document.facts and name not in chosen:
            chosen.append(name)
    rng.shuffle(chosen)
    return chosen


def _unstated_booleans(rng: random.Random, document: Document, chosen: list[str]) -> list[str]:
    """Now and then the booleans of the text's kind that it says nothing of: they can't be copied, and are guessed."""
    if rng.random() >= UNSTATED_BOOLEAN_SHARE:
        return []
    return [name for name in KIND_FIELDS[document.kind] if name in BOOLEANS - document.facts.keys() - set(chosen)]


def _ask(rng: random.Random, field: str, fact: str | None, held_out: bool) -> tuple[dict[str, Any], str]:
    """The schema of one field and the right answer to it."""
    schema, answer = _typed(rng, field, fact, held_out)
    if fact is None and (schema.get("type") in ("string", "array")) and "enum" not in schema and rng.random() < 0.1:
        return schema, '""' if schema["type"] == "string" else "[]"
    if fact is None or rng.random() < 0.4:
        schema = _nullable(rng, schema)
    return schema, "null" if answer is None else answer


def _nullable(rng: random.Random, schema: dict[str, Any]) -> dict[str, Any]:
    if "enum" not in schema and rng.random() < 0.3:
        return {**schema, "type": [schema["type"], "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


def _typed(rng: random.Random, field: str, fact: str | None, held_out: bool) -> tuple[dict[str, Any], str | None]:
    if field in BOOLEANS:
        return {"type": "boolean"}, fact
    if field in LISTS:
        return {"type": "array", "items": {"type": "string"}}, fact
    if field in ENUMS and not (field == "currency" and rng.random() < 0.4):
        return {"type": "string", "enum": _options(rng, ENUMS[field], fact)}, fact
    if field in INTEGERS:
        if fact is not None and rng.random() < 0.04:
            return {"type": "string"}, f'"{fact}"'
        return {"type": "number" if rng.random() < 0.1 else "integer"}, fact
    if field in NUMBERS:
        is_whole = fact is not None and "." not in fact
        return {"type": "integer" if is_whole and rng.random() < 0.15 else "number"}, fact
    if field in OPEN_ENUMS and rng.random() < 0.12:
        words = dict.fromkeys(pools.pick(rng, OPEN_ENUMS[field], held_out) for _ in range(3))
        return {"type": "string", "enum": _options(rng, list(words), fact)}, fact
    return {"type": "string"}, fact


def _options(rng: random.Random, options: list[str], fact: str | None) -> list[str]:
    """The options in random order, now and then without some of them, always with the right one."""
    right = [] if fact is None else [json.loads(fact)]
    others = [option for option in options if option not in right]
    chosen = (
        rng.sample(others, len(others) if rng.random() < 0.7 else rng.randint(min(1, len(others)), len(others))) + right
    )
    rng.shuffle(chosen)
    return chosen
