"""Tasks on documents of the kinds in kinds.toml: a text in one of several layouts, a schema, and the answer."""

from __future__ import annotations

import json
import random
import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from examples.embedded_model.corpus.documents import Document
from examples.embedded_model.corpus.tasks import Task
from examples.embedded_model.evaluate import leaves

from .frames import frames, written
from .layouts import Layout, Row
from .parties import PartyLayout, random_parties
from .schemas import LISTS, SchemaStyle
from .tables import TableLayout, random_theme
from .values import LANGUAGES, Value, Values

LANGUAGE_WEIGHTS = [55, 17, 14, 14]
ASKED_SHARE = 0.75  # of the fields that a text gives: are asked for
VAIN_SHARE = 0.4  # of the fields that it lacks
COLUMN_SHARE = 0.7  # of a list's columns: are asked for
TABLE_COLUMN_SHARE = 0.5  # of the columns of a wide table
PARTY_VAIN_SHARE = 0.65  # of what a text says of one party and not of the other: is asked for of the other
EMPTY_CELL_SHARE = 0.04  # of the cells of plain documents
MAY_BE_EMPTY = ("int", "money", "number", "date", "time", "code")
ITEMS_SHARE = 0.8  # of the texts of a kind with items: have them
FLAT_SHARE = 0.3  # of the inner objects: fields of the whole
LONG_SHARE = 0.12  # of the frames: before or behind paragraphs that state nothing
DISCRIMINATED_SHARE = 0.35  # of the lists with a boolean: objects of two types instead, told apart by a literal
NULLABLE_SHARE = 0.6  # of the fields that a text always gives: may be null, so that null stays rare where it is allowed


@cache
def kinds(*, held_out: bool = False) -> dict[str, Any]:
    """The kinds of documents by name: those of training or the others."""
    table = tomllib.loads(Path(__file__).with_name("kinds.toml").read_text(encoding="utf-8"))
    return {name: kind for name, kind in table.items() if kind.get("held_out", False) == held_out}


@dataclass
class Facts:
    """What a text says. fields: by name, None for those that it lacks; rows: of its list; None: no list."""

    fields: dict[str, Value | None] = field(default_factory=dict)
    rows: list[Row] | None = None


def make_document_task(rng: random.Random, *, held_out: bool = False) -> Task:
    """A random task. held_out: of a kind that training never sees."""
    table = kinds(held_out=held_out)
    name = rng.choice([*table])
    kind = table[name]
    language = rng.choices(LANGUAGES, LANGUAGE_WEIGHTS)[0]
    values = Values(rng, language)
    facts = _facts(rng, kind, values)
    text = Layout(rng, language, values).write(kind, facts.fields, facts.rows)
    return _task(name, text, *_asked(rng, kind, facts, SchemaStyle(rng), name))


def make_frame_task(rng: random.Random) -> Task:
    """A random task on a text of frames.txt."""
    frame = rng.choice(frames())
    values = Values(rng, frame["language"])
    facts = _facts(rng, frame, values)
    text = written(frame, facts.fields, facts.rows)
    if rng.random() < LONG_SHARE:
        talk = Layout(rng, frame["language"], values).talk(rng.randint(300, 3500))
        text = "\n\n".join([text, talk] if rng.random() < 0.5 else [talk, text])
    return _task(frame["name"], text, *_asked(rng, frame, facts, SchemaStyle(rng), frame["name"]))


def make_table_task(rng: random.Random) -> Task:
    """A random task on a wide table of columns.toml."""
    name, theme = random_theme(rng)
    language = rng.choices(LANGUAGES, LANGUAGE_WEIGHTS)[0]
    values = Values(rng, language)
    facts = _facts(rng, theme, values)
    text = TableLayout(rng, language, values).write(theme, facts.fields, facts.rows)
    return _task(name, text, *_asked(rng, theme, facts, SchemaStyle(rng), name, column_share=TABLE_COLUMN_SHARE))


def make_party_task(rng: random.Random) -> Task:
    """A random task on a text of two or three parties, some of whose addresses, mails and phones it lacks."""
    language = rng.choices(LANGUAGES, LANGUAGE_WEIGHTS)[0]
    values = Values(rng, language)
    name, kind = random_parties(rng)
    facts = _facts(rng, kind, values)
    text = PartyLayout(rng, language, values).write(kind, facts.fields, None)
    return _task(name, text, *_asked(rng, kind, facts, SchemaStyle(rng), name, vain_share=PARTY_VAIN_SHARE))


def _task(name: str, text: str, schema: dict[str, Any], answer: dict[str, Any]) -> Task:
    fields = {path: path for path in leaves(answer)}
    message = {"role": "user", "content": text}
    return Task([message], schema, json.dumps(answer, ensure_ascii=False), fields, Document(name, text, {}))


def _facts(rng: random.Random, kind: dict[str, Any], values: Values) -> Facts:
    facts = Facts()
    for name, spec in kind["fields"].items():
        if "fixed" in spec:  # the text says it in its own words
            facts.fields[name] = Value("", spec["fixed"])
            continue
        facts.fields[name] = None if rng.random() < spec.get("gap", 0.0) else values.make(spec, {})
        if spec.get("empty") and facts.fields[name] is None and rng.random() < 0.5:
            facts.fields[name] = Value("-", [])
    items = kind.get("items")
    if items and ("text" in kind or len(facts.fields) < 4 or rng.random() < ITEMS_SHARE):
        columns = {name: spec for name, spec in items["columns"].items() if rng.random() >= 0.1}
        if "text" in kind or "status" in items["columns"] or not columns:  # a status is told by the columns before it
            columns = items["columns"]
        least, most = items["count"]
        facts.rows = []
        for _ in range(rng.randint(least, most)):
            row: dict[str, Value | None] = {}
            for name, spec in columns.items():
                is_missing = rng.random() < spec.get("gap", 0.0 if "text" in kind else _gap(spec))
                known = {key: value for key, value in row.items() if value is not None}
                row[name] = None if is_missing else values.make(spec, known, is_bare=True)
            facts.rows.append(row)
    return facts


def _gap(spec: dict[str, Any]) -> float:
    """The share of empty cells in a column from which no other one follows."""
    return EMPTY_CELL_SHARE if spec["is"].partition(":")[0] in MAY_BE_EMPTY else 0.0


def _asked(
    rng: random.Random,
    kind: dict[str, Any],
    facts: Facts,
    style: SchemaStyle,
    name: str,
    *,
    vain_share: float = VAIN_SHARE,
    column_share: float = COLUMN_SHARE,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """A schema for some of the facts, and the answer."""
    properties: dict[str, Any] = {}
    answer: dict[str, Any] = {}
    groups: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {}
    optional: list[str] = []
    names = [one for one, value in facts.fields.items() if rng.random() < (ASKED_SHARE if value else vain_share)]
    flat = {group for group in dict.fromkeys(one.rpartition(".")[0] for one in names) if rng.random() < FLAT_SHARE}
    if rng.random() < 0.5:
        rng.shuffle(names)
    parts: list[str] = [*names, *([""] if facts.rows is not None else [])]
    if rng.random() < 0.3:
        rng.shuffle(parts)
    for one in parts:
        if not one:
            key, schema, data = _list_of(rng, kind["items"], facts.rows or [], style, column_share)
            properties[key], answer[key] = schema, data
            continue
        spec, value = kind["fields"][one], facts.fields[one]
        group, _, _ = one.rpartition(".")
        key = style.key(spec)
        is_list = spec["is"].partition(":")[0] in LISTS
        is_nullable = value is None and not (is_list and rng.random() < 0.5)
        is_nullable = is_nullable or (rng.random() < (0.7 if spec.get("gap") else NULLABLE_SHARE) and not is_list)
        data = _data(spec, value, style, is_nullable=is_nullable)
        schema = style.field(spec, key, is_nullable=is_nullable)
        if group and group not in flat:
            inner = groups.setdefault(group, ({}, {}))
            inner[0][key], inner[1][key] = schema, data
            properties.setdefault(group, {})
            answer[group] = inner[1]
        else:
            key = style.joined(group, key) if group else key
            if key in properties:
                continue
            properties[key], answer[key] = schema, data
            optional += [key] if is_nullable and style.is_pydantic and rng.random() < 0.15 else []
    for group, (fields, _) in groups.items():
        properties[group] = style.inner(fields, group)
    for key in optional:
        properties[key]["default"] = None
    required = [key for key in properties if key not in optional]
    return style.whole(style.object(properties, name, required=required)), {key: answer[key] for key in properties}


def _data(spec: dict[str, Any], value: Value | None, style: SchemaStyle, *, is_nullable: bool) -> Any:
    """A fact as the schema wants it: a date in ISO's form or as the text has it."""
    if value is None:
        return None if is_nullable else []
    is_text = spec["is"].startswith("date") and style.date == "text"
    return value.text if is_text else value.data


def _list_of(
    rng: random.Random, items: dict[str, Any], rows: list[Row], style: SchemaStyle, column_share: float
) -> tuple[str, dict[str, Any], list[Any]]:
    """The name, the schema and the answer of a list of objects."""
    known = [*(rows[0] if rows else items["columns"])]
    columns = [name for name in known if rng.random() < column_share] or known
    if rng.random() < 0.3:
        rng.shuffle(columns)
    keys = {name: style.key(items["columns"][name]) for name in columns}
    properties = {
        keys[name]: style.field(
            items["columns"][name],
            keys[name],
            is_nullable=any(row[name] is None for row in rows)
            or rng.random() < (0.5 if "gap" in items["columns"][name] else 0.1),
        )
        for name in columns
    }
    data = [
        {keys[name]: _data(items["columns"][name], row[name], style, is_nullable=True) for name in columns}
        for row in rows
    ]
    key = style.key(items)
    flag = next((name for name in columns if items["columns"][name]["is"] == "bool"), None)
    if flag and rng.random() < DISCRIMINATED_SHARE:
        schema, data = _told_apart(style, keys[flag], properties, data, key)
    else:
        schema = style.inner(properties, key.rstrip("s"))
    return key, style.told({"type": "array", "items": schema}, key), data


def _told_apart(
    style: SchemaStyle, flag: str, properties: dict[str, Any], data: list[Any], name: str
) -> tuple[dict[str, Any], list[Any]]:
    """Two types instead of a boolean, told apart by a literal: {"kind": "done", ...} or {"kind": "not_done", ...}."""
    others = {key: schema for key, schema in properties.items() if key != flag}
    labels = {True: flag, False: f"not_{flag}"}
    options = [
        style.inner({"kind": {"const": label, "type": "string"}, **others}, f"{label}_{name}")
        for label in labels.values()
    ]
    changed = [{"kind": labels[row[flag]], **{key: value for key, value in row.items() if key != flag}} for row in data]
    return {"oneOf" if style.is_pydantic else "anyOf": options}, changed
