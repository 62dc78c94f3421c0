"""The generated documents: repeatable, truthful, of many schemas, and none of them a text of the tests."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from examples.embedded_model.corpus.tasks import Task
from examples.extraction_adapter import layouts
from examples.extraction_adapter.documents import (
    kinds,
    make_document_task,
    make_frame_task,
    make_party_task,
    make_table_task,
)
from examples.extraction_adapter.frames import frames
from examples.extraction_adapter.parties import TITLES as PARTY_TITLES
from examples.extraction_adapter.parties import parties
from examples.extraction_adapter.samples import RARE_FIELDS, RARE_PAIRS, is_quoted, make_rare_task, make_vain_task
from examples.extraction_adapter.tables import REMARKS, TOTALS, random_theme, themes
from examples.extraction_adapter.values import LANGUAGES, Value, Values, ways
from examples.quality.cases import read_cases
from examples.quality.types import TYPES

CASES = Path(__file__).parents[1] / "cases"
REALISTIC = ["realistic_texts.jsonl", "realistic_texts_2.jsonl"]
WORDS_IN_A_ROW = 5


def make_tasks(count: int, *, held_out: bool = False) -> list[Task]:
    return [make_document_task(random.Random(seed), held_out=held_out) for seed in range(count)]


def runs_of(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"[^\W\d_]+", text.lower())
    return {tuple(words[i : i + WORDS_IN_A_ROW]) for i in range(len(words) - WORDS_IN_A_ROW + 1)}


def texts_of_kinds() -> Iterator[str]:
    """All that a document says beside its values."""

    def strings(part: Any) -> Iterator[str]:
        if isinstance(part, dict):
            for inner in part.values():
                yield from strings(inner)
        elif isinstance(part, list):
            for inner in part:
                yield from strings(inner)
        elif isinstance(part, str):
            yield from (way for language in LANGUAGES for way in ways(part, language))

    yield from strings(kinds())
    yield from strings(kinds(held_out=True))
    yield from strings(themes())
    for frame in frames():
        yield from re.split(r"\{(?:\w+|rows:[^?]*?)\}|\{\w+\?|[|}]", frame["text"])
    yield from strings([*parties()["texts"], parties()["details"]])
    for source in (
        PARTY_TITLES,
        REMARKS,
        TOTALS,
        layouts.GREETINGS,
        layouts.ENDINGS,
        layouts.LINES,
        "|".join(layouts.SPANISH),
    ):
        yield from strings(source)


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


def test_nothing_is_taken_from_the_texts_of_the_tests() -> None:
    """Five words in a row that stand in a realistic text or a document of docs/quality.md stand nowhere here."""
    lines = [line for name in REALISTIC for line in (CASES / name).read_text(encoding="utf-8").splitlines()]
    texts = [json.loads(line)["text"] for line in lines]
    texts += [case.task.document.text for case in read_cases("documents")]
    known = set().union(*map(runs_of, texts))
    for text in texts_of_kinds():
        assert not runs_of(text) & known, text


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
