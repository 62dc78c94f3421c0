"""Tasks whose answers have objects in them and lists of objects: a person with an address, an order with its items.

Some are texts of the other generators, asked for with their fields in groups. Others list things of one kind, in prose,
in lines or in tables: the items of an order, the people of a team, the parts of a programme; or they tell of such
things far apart, among talk (`scattered.py`).
"""

from __future__ import annotations

import json
import random
from typing import Any

from . import tasks
from .documents import Document, make_document
from .natural_values import NaturalMaker, natural_value, plain_number
from .nested_shapes import GROUPS, LISTINGS, Listing
from .scattered import KINDS, ScatteredWriter
from .scene_tasks import NAME_PARTS, ask, missing_fields
from .scenes import SceneDocument, make_scene
from .tasks import Task
from .values import Value

LISTING_SHARE = 0.35  # of the nested tasks: a list of objects
SCATTERED_SHARE = 0.25  # of them: a list of objects that are told of far apart
SCENE_SHARE = 0.5  # of the others: on a realistic text
DEFINITION_SHARE = 0.4  # of the tasks: with inner objects behind "$ref", as pydantic writes them
BARE_LIST_SHARE = 0.25  # of the listings: the answer is the list itself
HELD_OUT_EVERY = 5  # every 5th intro and shape of a listing is held out


def make_nested_task(rng: random.Random, *, held_out: bool = False) -> Task:
    """A random task with a nested answer. held_out: of lines and words that training does not use."""
    roll = rng.random()
    if roll < LISTING_SHARE:
        return ListingWriter(rng, rng.choice(LISTINGS), held_out).task()
    if roll < LISTING_SHARE + SCATTERED_SHARE:
        return scattered_task(rng, held_out)
    while True:
        document: Document
        if rng.random() < SCENE_SHARE:
            document = make_scene(rng, held_out=held_out)
        else:
            document = make_document(rng, held_out_templates=held_out, held_out_values=held_out)
        task = grouped_task(rng, document, held_out)
        if task is not None:
            return task


def scattered_task(rng: random.Random, held_out: bool) -> Task:
    """A task that asks for all things of one kind that a text tells of, none of them too."""
    kind = rng.choice(list(KINDS))
    text, entries = ScatteredWriter(rng, held_out).write(kind)
    document = Document("listing", text, {})
    asked = list(KINDS[kind].fields)
    rng.shuffle(asked)
    keys = {rng.choice(tasks.ALIASES[n]) if n in tasks.ALIASES and rng.random() < 0.15 else n: n for n in asked}
    builder, name = _TaskBuilder(rng, held_out), rng.choice(KINDS[kind].names)
    found = [{key: facts[field] for key, field in keys.items()} for facts in entries]
    if rng.random() < BARE_LIST_SHARE:
        return builder.finish_list(name, found, keys, document)
    builder.add_list(name, found, keys)
    return builder.finish(document, tasks._messages(rng, document))


def grouped_task(rng: random.Random, document: Document, held_out: bool) -> Task | None:
    """A task that asks for some of the text's facts in objects; None when no two facts go into one object."""
    fitting = [group for group in GROUPS if sum(name in document.facts for name in group[1].values()) >= 2]
    if not fitting:
        return None
    task = _TaskBuilder(rng, held_out)
    missing = missing_fields(document) if isinstance(document, SceneDocument) else None
    used: set[str] = set()
    groups = rng.sample(fitting, min(len(fitting), rng.choice([1, 1, 2])))
    parts: list[tuple[str, dict[str, str]]] = []
    for names, members in groups:
        stated = {key: name for key, name in members.items() if name in document.facts and name not in used}
        if missing is not None:
            absent = {key: name for key, name in members.items() if name in missing and name not in used}
        else:
            absent = {key: name for key, name in members.items() if name not in document.facts and name not in used}
        kept = {k: n for k, n in members.items() if (k in stated or (k in absent and rng.random() < 0.4))}
        key = rng.choice(names.split("|"))
        if len(stated) >= 2 and key not in dict(parts):
            parts.append((key, kept))
            used |= set(kept.values())
    flat = [n for n in sorted(document.facts) if n not in used | NAME_PARTS and n not in dict(parts)]
    flat = rng.sample(flat, rng.randint(0, min(4, len(flat))))
    order: list[tuple[str, dict[str, str] | None]] = [*parts, *((name, None) for name in flat)]
    rng.shuffle(order)
    for key, group in order:
        if group is None:
            task.add_field(key, key, document.facts.get(key))
        else:
            task.add_object(key, group, document.facts)
    return task.finish(document, tasks._messages(rng, document)) if parts else None


class _TaskBuilder:
    """Collects the properties of a nested schema beside the right answer."""

    def __init__(self, rng: random.Random, held_out: bool) -> None:
        self.rng = rng
        self.held_out = held_out
        self.properties: dict[str, Any] = {}
        self.answers: list[str] = []
        self.fields: dict[str, str] = {}
        self.definitions: dict[str, Any] | None = {} if rng.random() < DEFINITION_SHARE else None

    def add_field(self, key: str, name: str, fact: str | None) -> None:
        self.properties[key], answer = ask(self.rng, name, fact, self.held_out)
        self.answers.append(f"{json.dumps(key)}:{answer}")
        self.fields[key] = name

    def add_object(self, key: str, group: dict[str, str], facts: dict[str, str]) -> None:
        inner = _TaskBuilder(self.rng, self.held_out)
        for inner_key, name in group.items():
            inner.add_field(inner_key, name, facts.get(name))
            self.fields[f"{key}/{inner_key}"] = name
        self.properties[key] = self._placed(key, inner.schema())
        self.answers.append(f"{json.dumps(key)}:{inner.answer()}")

    def add_list(self, key: str, entries: list[dict[str, str]], keys: dict[str, str]) -> None:
        """A list of objects, see `_list`."""
        self.properties[key], answer = self._list(key, entries, keys)
        self.answers.append(f"{json.dumps(key)}:{answer}")
        self.fields |= (
            {f"{key}/{path}": name for path, name in _paths(entries, keys).items()} if entries else {key: key}
        )

    def _list(self, key: str, entries: list[dict[str, str]], keys: dict[str, str]) -> tuple[dict[str, Any], str]:
        """The schema of a list of objects with the keys of `keys`, and its JSON text; entries: key -> JSON text of its
        value. key: what its definition is called by."""
        schema = {"type": "object", "properties": {}, "required": list(keys), "additionalProperties": False}
        for inner_key, name in keys.items():
            is_nullable = self.rng.random() < 0.2 or any(entry[inner_key] == "null" for entry in entries)
            schema["properties"][inner_key] = tasks.field_schema(name, is_nullable=is_nullable)  # type: ignore[index]
        texts = ["{" + ",".join(f"{json.dumps(k)}:{entry[k]}" for k in keys) + "}" for entry in entries]
        return {"type": "array", "items": self._placed(key, schema)}, f"[{','.join(texts)}]"

    def _placed(self, key: str, schema: dict[str, Any]) -> dict[str, Any]:
        """The schema itself, or a reference to its definition."""
        if self.definitions is None:
            return schema
        name = key.title().replace("_", "")
        self.definitions[name] = schema
        return {"$ref": f"#/$defs/{name}"}

    def schema(self) -> dict[str, Any]:
        properties = self.properties
        schema = {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }
        return {"$defs": self.definitions, **schema} if self.definitions else schema

    def answer(self) -> str:
        return "{" + ",".join(self.answers) + "}"

    def finish_list(self, key: str, entries: list[dict[str, str]], keys: dict[str, str], document: Document) -> Task:
        """The task whose answer is a list of objects, with nothing around it."""
        schema, answer = self._list(key, entries, keys)
        if self.definitions:
            schema = {"$defs": self.definitions, **schema}
        return Task(tasks._messages(self.rng, document), schema, answer, _paths(entries, keys), document)

    def finish(self, document: Document, messages: list[dict[str, str]]) -> Task:
        return Task(messages, self.schema(), self.answer(), self.fields, document)


def _paths(entries: list[dict[str, str]], keys: dict[str, str]) -> dict[str, str]:
    """The fields of a list of objects, by path."""
    return {f"{i}/{key}": name for i in range(len(entries)) for key, name in keys.items()}


class ListingWriter:
    """Writes a text that lists things of one kind, and the task that asks for them."""

    def __init__(self, rng: random.Random, listing: Listing, held_out: bool) -> None:
        self.rng = rng
        self.listing = listing
        self.held_out = held_out
        self.facts: dict[str, str] = {}
        self.maker = self._maker()

    def task(self) -> Task:
        """A text of two to five entries, and the question for all of them, with some of what stands around them."""
        intro = self._one_of(self.listing.intros.splitlines())
        shape = self._one_of(self._shapes())
        entries = [self._entry(shape) for _ in range(self.rng.choice([1, 2, 2, 3, 3, 4, 5]))]
        text = intro.replace("{list}", self._joined(intro, [line for line, _ in entries]))
        for key, name in self.listing.outer.items():
            if f"{{{key}}}" in text:
                value = self._value(self.maker, name)
                self.facts[key] = value.json_text
                text = text.replace(f"{{{key}}}", value.surface)
        document = Document("listing", text.replace("¶", "\n"), self.facts)
        builder = _TaskBuilder(self.rng, self.held_out)
        names = self.listing.names.split("|")
        if self.rng.random() < BARE_LIST_SHARE:
            return builder.finish_list(self.rng.choice(names), [f for _, f in entries], self._keys_asked(), document)
        order = [*self.rng.sample(sorted(self.facts), self.rng.randint(0, len(self.facts))), ""]
        self.rng.shuffle(order)
        keys = self._keys_asked()
        for key in order:
            if key:
                builder.add_field(key, self.listing.outer[key], self.facts[key])
            else:
                builder.add_list(self.rng.choice(names), [facts for _, facts in entries], keys)
        return builder.finish(document, tasks._messages(self.rng, document))

    def _shapes(self) -> list[str]:
        """The shapes of entries; a bar with spaces around it stands in a table."""
        marked = self.listing.shapes.replace("\n", "|").replace(" | ", "\0")
        return [shape.replace("\0", " | ") for shape in marked.split("|")]

    def _one_of(self, lines: list[str]) -> str:
        kept = [line for i, line in enumerate(lines) if (i % HELD_OUT_EVERY == HELD_OUT_EVERY - 1) == self.held_out]
        return self.rng.choice(kept or lines)

    def _maker(self) -> NaturalMaker:
        maker = NaturalMaker(self.rng, self.held_out)
        if hasattr(self, "maker"):  # all money of a text is written alike
            for attribute in ("currency", "money_style", "group_mark", "decimal_mark", "has_cents", "date_style"):
                setattr(maker, attribute, getattr(self.maker, attribute))
        return maker

    def _value(self, maker: NaturalMaker, name: str) -> Value:
        if name in ("name", "customer"):
            return Value(text := maker.name(), json.dumps(text, ensure_ascii=False))
        return natural_value(maker, name)

    def _entry(self, shape: str) -> tuple[str, dict[str, str]]:
        """One entry's line, and its facts by key."""
        maker, facts = self._maker(), {}
        line = shape
        for key, name in self.listing.keys.items():
            value = self._value(maker, name)
            facts[key] = value.json_text
            for slot in (key, name):
                if f"{{{slot}#}}" in line:
                    line = line.replace(f"{{{slot}#}}", plain_number(value, maker))
                line = line.replace(f"{{{slot}}}x ", f"{value.json_text}x ")  # "2x", never "twox"
                line = line.replace(f"{{{slot}}}", value.surface)
        return line, facts

    def _joined(self, intro: str, lines: list[str]) -> str:
        if "¶{list}" in intro:
            mark = self.rng.choice(["", "", "- ", "* ", "• "])
            return "¶".join(mark + line for line in lines)
        joint, last = self.rng.choice([(", ", " and "), ("; ", "; "), ("; ", " and "), (", ", ", ")])
        return lines[0] if len(lines) == 1 else joint.join(lines[:-1]) + last + lines[-1]

    def _keys_asked(self) -> dict[str, str]:
        """All keys of an entry, or all but one, in any order."""
        keys = list(self.listing.keys)
        self.rng.shuffle(keys)
        kept = keys if self.rng.random() < 0.75 or len(keys) < 3 else keys[:-1]
        return {key: self.listing.keys[key] for key in kept}
