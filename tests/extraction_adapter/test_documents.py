"""The generated documents: repeatable, truthful, of many schemas."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from functools import partial

import jsonschema
import pytest

from examples.embedded_model.corpus.tasks import Task
from examples.extraction_adapter.documents import (
    kinds,
    make_document_task,
    make_frame_task,
    make_party_task,
    make_table_task,
)
from examples.extraction_adapter.frames import frames
from examples.extraction_adapter.samples import RARE_FIELDS, RARE_PAIRS, is_quoted, make_rare_task, make_vain_task
from examples.extraction_adapter.tables import random_theme, themes
from examples.extraction_adapter.values import LANGUAGES, Value, Values
from examples.quality.types import TYPES


def make_tasks(count: int, *, held_out: bool = False) -> list[Task]:
    return [make_document_task(random.Random(seed), held_out=held_out) for seed in range(count)]


@pytest.mark.parametrize(
    "make",
    [
        make_document_task,
        partial(make_document_task, held_out=True),
        make_frame_task,
        make_table_task,
        make_party_task,
        make_vain_task,
    ],
)
def test_answers_fit_their_schemas(make: Callable[[random.Random], Task]) -> None:
    for task in [make(random.Random(seed)) for seed in range(25)]:
        answer = json.loads(task.answer)
        assert list(jsonschema.Draft202012Validator(task.schema).iter_errors(answer)) == []
        assert list(answer) == list(task.schema["properties"])


def test_a_frame_says_what_it_lists() -> None:
    """Each slot stands in the text. Facts without one are those that the text says in its own words or lacks."""
    for frame in frames():
        known = frame.get("items", {}).get("columns", {})
        columns = {name for name, spec in known.items() if "gap" not in spec}
        said = {name for name, spec in frame["fields"].items() if "fixed" not in spec and "gap" not in spec}
        slots = set(re.findall(r"\{(\w+)[?}]", frame["text"]))
        table = set(re.findall(r"\w+", " ".join(re.findall(r"\{rows:([^{}]*)\}", frame["text"]))))
        assert said == slots - columns, frame["name"]
        assert columns <= slots | table, frame["name"]
        for spec in frame["fields"].values():
            assert spec["is"] != "enum" or spec.get("fixed", "") in {"", *spec["options"]}
    assert {frame["language"] for frame in frames()} == set(LANGUAGES)


def test_same_seed_makes_the_same_tasks() -> None:
    assert make_tasks(10) == make_tasks(10)


def test_answers_stand_in_their_texts() -> None:
    """All but few answers are quotes; a comma right behind a time makes it none."""
    tasks = [*make_tasks(10), *(make_frame_task(random.Random(seed)) for seed in range(10))]
    assert sum(is_quoted(task, json.loads(task.answer)) for task in tasks) > 16


def test_schemas_have_what_people_write() -> None:
    """Dates in ISO's form, decimals, literals, types told apart, titles, descriptions, nulls, empty lists."""
    tasks = make_tasks(250)
    schemas = " ".join(json.dumps(task.schema) for task in tasks)
    for part in ('"format": "date"', '"pattern"', '"const"', '"oneOf"', '"$ref"', '"title"', '"description"'):
        assert part in schemas
    assert '"default": null' in schemas
    assert '["string", "null"]' in schemas
    answers = " ".join(task.answer for task in tasks)
    assert ": null" in answers
    assert ": []" in answers
    assert len({tuple(task.schema["properties"]) for task in tasks}) > 240


def test_a_flag_follows_from_the_reference_range() -> None:
    values, columns = Values(random.Random(3), "de"), kinds()["laboratory"]["items"]["columns"]
    seen = set()
    for _ in range(60):
        row: dict[str, Value] = {}
        for name, spec in columns.items():
            row[name] = values.make(spec, row)
        low, high = (float(end.replace(",", ".")) for end in re.findall(r"[\d,.]*\d", row["range"].text))
        result = row["result"].data
        assert row["status"].data == ("low" if result < low else "high" if result > high else "normal")
        seen.add(row["status"].data)
    assert seen == {"low", "normal", "high"}


def test_no_kind_asks_for_the_fields_of_a_type_of_the_tests() -> None:
    for name, kind in {**kinds(), **kinds(held_out=True), **themes()}.items():
        own = [set(kind["fields"]), set(kind.get("items", {}).get("columns", {}))]
        for one in TYPES.values():
            assert all(len(names & set(one.model_fields)) <= 2 for names in own), (name, one)


def test_rare_tasks_give_what_they_are_drawn_for() -> None:
    for seed in range(20):
        task = make_rare_task(random.Random(seed))
        answer = json.loads(task.answer)
        given = {field for key, field in task.fields.items() if answer[key] is not None}
        assert given & RARE_FIELDS or any(pair <= given for pair in RARE_PAIRS)


def test_vain_tasks_ask_for_what_their_texts_lack() -> None:
    for seed in range(20):
        answer = json.loads(make_vain_task(random.Random(seed)).answer)
        assert sum(value is None for value in answer.values()) >= 2
        assert any(value is not None for value in answer.values())


def test_a_party_lacks_what_another_one_has() -> None:
    """And null stands where the text has a value of the same kind."""
    for seed in range(200):
        answer = json.loads(make_party_task(random.Random(seed)).answer)
        parties = [part for part in answer.values() if isinstance(part, dict)]
        if any(one.get(key, 0) is None and other.get(key) for one in parties for other in parties for key in one):
            return
    raise AssertionError("no such text")


def test_tables_have_alike_columns_and_lines_that_are_no_items() -> None:
    """Each cell that is asked for stands in the text; some tables have lines more than items."""
    has_total = False
    for seed in range(60):
        task = make_table_task(random.Random(seed))
        rows = next(part for part in json.loads(task.answer).values() if isinstance(part, list))
        texts = [value for row in rows for value in row.values() if isinstance(value, str) and len(value) < 9]
        assert all(text in task.document.text for text in texts)
        has_total |= bool(re.search(r"^\W*(Total|Sum|Mean)\b", task.document.text, re.MULTILINE))
    assert has_total
    columns = random_theme(random.Random(2))[1]["items"]["columns"]
    assert len({spec["is"].partition(":")[0] for spec in columns.values()}) < len(columns)


def test_lists_have_columns_that_nobody_asks_for() -> None:
    """And cells that are empty."""
    tasks = make_tasks(200)
    lists = [part for task in tasks for part in json.loads(task.answer).values() if isinstance(part, list)]
    rows = [row for part in lists for row in part if isinstance(row, dict)]
    assert any(value is None for row in rows for value in row.values())
    assert {len(row) for row in rows} >= {1, 2, 3, 4}
