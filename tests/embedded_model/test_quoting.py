"""What the evaluation of quotes counts, and the texts that it makes."""

from __future__ import annotations

import json
import random

from examples.embedded_model.corpus.tasks import Task
from examples.embedded_model.evaluate import make_tasks
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
    """Values of held-out texts are copied from them, but for a few that are named in other words."""
    wrong = sum(num_invented(task, json.loads(task.answer)) for task in TASKS)
    assert wrong <= sum(len(free_strings(task)) for task in TASKS) * 0.05


def test_what_no_text_has_is_counted_once() -> None:
    task = next(task for task in TASKS if len(free_strings(task)) > 1)
    first, second, *_ = free_strings(task)
    answer = json.loads(task.answer)
    before = num_invented(task, answer)
    assert num_invented(task, {**answer, first: "Xqzt"}) == before + 1
    assert num_invented(task, {**answer, first: "Xqzt", second: "Xqzt"}) == before + 2
    assert num_invented(task, {**answer, first: ""}) == before


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
