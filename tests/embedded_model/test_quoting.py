"""What the evaluation of quotes counts, and the texts that it makes."""

from __future__ import annotations

import json
import random
from pathlib import Path

from examples.embedded_model.corpus.tasks import Task
from examples.embedded_model.evaluate import dates_of, make_tasks, read_tasks
from examples.embedded_model.quoting import num_invented, quoting_schema, with_rare_words
from guided.grammars.quotes import SourceText

TASKS = make_tasks(40, 0)


def free_strings(task: Task) -> dict[str, str]:
    found = {}
    for key, value in json.loads(task.answer).items():
        schema = task.schema["properties"][key]
        if isinstance(value, str) and value and not any("enum" in one for one in schema.get("anyOf", [schema])):
            found[key] = value
    return found


def test_the_right_answer_invents_little() -> None:
    """Values of held-out texts are copied from them, but for a few that are named in other words. Numbers all are."""
    counts = [num_invented(task, json.loads(task.answer)) for task in TASKS]
    assert sum(strings for strings, _ in counts) <= sum(len(free_strings(task)) for task in TASKS) * 0.05
    assert not any(numbers for _, numbers in counts)


def test_the_right_answers_of_realistic_texts_are_stated() -> None:
    tasks = read_tasks(Path(__file__).parents[1] / "cases" / "realistic_texts.jsonl")[:20]
    assert [num_invented(task, json.loads(task.answer)) for task in tasks] == [(0, 0)] * 20
    (task,) = dates_of([next(task for task in tasks if "14 March 2026" in task.answer)])
    assert json.loads(task.answer) == {"date": "2026-03-14"}
    assert num_invented(task, {"date": "2026-03-15"}) == (0, 1)


def test_what_no_text_has_is_counted_once() -> None:
    task = next(task for task in TASKS if len(free_strings(task)) > 1)
    first, second, *_ = free_strings(task)
    answer = json.loads(task.answer)
    before, no_number = num_invented(task, answer)
    assert num_invented(task, {**answer, first: "Xqzt"}) == (before + 1, no_number)
    assert num_invented(task, {**answer, first: "Xqzt", second: "Xqzt"}) == (before + 2, no_number)
    assert num_invented(task, {**answer, first: ""}) == (before, no_number)
    task = next(task for task in TASKS if any(type(one) is int for one in json.loads(task.answer).values()))
    answer = json.loads(task.answer)
    number = next(key for key, value in answer.items() if type(value) is int)
    assert num_invented(task, {**answer, number: 918273})[1] == 1


def test_schemas_keep_what_is_no_free_string() -> None:
    for task in TASKS:
        marked = quoting_schema(task)["properties"]
        for key, schema in task.schema["properties"].items():
            has_enum = "enum" in json.dumps(schema)
            assert ("x-quote" in json.dumps(marked[key])) == ('"string"' in json.dumps(schema) and not has_enum)


def test_rare_words_stand_in_text_and_answer() -> None:
    num_changed = 0
    for i, task in enumerate(TASKS):
        rare = with_rare_words(task, random.Random(i))
        source = SourceText(rare.document.text)
        before, after = free_strings(task), free_strings(rare)
        for key, value in after.items():
            assert bool(source.places(value)) >= bool(SourceText(task.document.text).places(before[key]))
        num_changed += sum(before[key] != after[key] for key in after)
        assert rare.messages[-1]["content"] == rare.document.text
        assert len(rare.document.text) == len(task.document.text)
    assert num_changed > 40
