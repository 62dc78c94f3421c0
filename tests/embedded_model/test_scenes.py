"""The realistic texts and the nested tasks: repeatable, truthful, with values of their own."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import pytest

from examples.embedded_model.corpus import natural_words, pools
from examples.embedded_model.corpus.filler import FillerWriter
from examples.embedded_model.corpus.natural_values import CURRENCIES, NaturalMaker, natural_value
from examples.embedded_model.corpus.nested import make_nested_task
from examples.embedded_model.corpus.scattered import KINDS, MAX_CHARACTERS, ScatteredWriter, entry_lines, talk_lines
from examples.embedded_model.corpus.scene_tasks import LIKE_EACH_OTHER, choose_fields, make_scene_task, missing_fields
from examples.embedded_model.corpus.scenes import SceneDocument, SceneWriter, make_scene
from examples.embedded_model.corpus.tasks import BOOLEANS, ENUMS, INTEGERS, NUMBERS, Task
from examples.embedded_model.corpus.templates import KIND_FIELDS, LISTS
from examples.embedded_model.corpus.text_lines import read_lines, read_table, scene_lines
from examples.embedded_model.data import Mixture
from examples.embedded_model.evaluate import Score, leaves, make_other_tasks, read_tasks
from examples.embedded_model.quoting import quoting_schema

CASES = Path(__file__).parents[1] / "cases"
REALISTIC = ["realistic_texts.jsonl", "realistic_texts_2.jsonl"]
DERIVED = BOOLEANS | set(ENUMS)  # stated in other words than the value's own
MANY_LINES = 60  # of one kind in one language
SMALL_NUMBER = re.compile(  # a number up to twelve that is said in words has one of these
    r"\b(an?|one|single|first|both|twins?|pair|couple|two|half|three|tri|four|quart|five|six|seven|eight|nine|ten|tons?|eleven|twel|"
    r"dozen|decade|eins?|eine[nmr]?|zwei|drei|un|une|deux|trois)",
    re.IGNORECASE,
)
COUNTING = re.compile(  # and one above twelve one of these
    r"teen|twent|thirt|fort[yi]|fift|sixt|sevent|eight|ninet|hundred|thousand|million|dozen|score|decade|century|gross|ton|half|quarter|third|"
    r"zehn|zwanz|einund|dreißig|dreissig|vierz|fünfz|sechz|siebz|achtz|neunz|hundert|tausend|dutzend",
    re.IGNORECASE,
)
NOTHING = re.compile(  # zero that is said in words has one of these
    r"\b(free|frei|gratis|nothing|nobody|nil|no|not|none|exempt|included|on us|on me|paid|shipped|give away|throw in|"
    r"take it|take one|without|ohne|keine)\b",
    re.IGNORECASE,
)
SAID_IN_WORDS = {  # by the marks of lines, such as {quantity=12}
    (field, float(number))
    for name in ("en", "de", "fr", "entries")
    for field, number in re.findall(r"\{(\w+)=([\d.]+)\}", read_table(f"{name}.tsv"))
}
LINES = [(language, kind) for language in ("en", "de", "fr") for kind in read_lines(language)]


def read_cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]


def digits_of(text: str) -> str:
    return re.sub(r"\D", "", text)


def assert_stated(field: str, value: Any, text: str) -> None:
    """A value stands in the text, a number with any marks between its digits or in words."""
    if field in DERIVED or value in (None, "", []):
        return
    for part in value if isinstance(value, list) else [value]:
        if isinstance(part, str) and not part.isdigit():
            assert part in text, (field, part, text)
        elif (field, float(part)) in SAID_IN_WORDS:
            is_told = COUNTING if float(part) > 12 else SMALL_NUMBER if part else NOTHING
            assert digits_of(f"{part}".removesuffix(".0")) in digits_of(text) or is_told.search(text), (
                field,
                part,
                text,
            )
        elif field in NUMBERS or float(part) > 12:  # smaller numbers may be written as words
            assert digits_of(f"{part}".removesuffix(".0")) in digits_of(text), (field, part, text)


@pytest.mark.parametrize("make", [make_scene_task, make_nested_task])
def test_same_seed_makes_the_same_tasks(make: Any) -> None:
    first = [make(random.Random(f"a{i}")) for i in range(20)]
    assert first == [make(random.Random(f"a{i}")) for i in range(20)]
    assert make_other_tasks(5, 3, are_nested=True) == make_other_tasks(5, 3, are_nested=True)


@pytest.mark.parametrize("held_out", [False, True])
@pytest.mark.parametrize("make", [make_scene_task, make_nested_task])
def test_answers_are_valid_and_stated(make: Any, held_out: bool) -> None:
    rng = random.Random(17)
    for _ in range(150):
        task: Task = make(rng, held_out=held_out)
        answer = json.loads(task.answer)
        assert list(jsonschema.Draft202012Validator(task.schema).iter_errors(answer)) == []
        found = leaves(answer)
        assert found.keys() <= task.fields.keys()
        for path, value in found.items():
            assert_stated(task.fields[path], value, task.document.text)


@pytest.mark.parametrize(("language", "kind"), LINES)
def test_a_line_makes_a_text_that_states_its_facts(language: str, kind: str) -> None:
    rng = random.Random(3)
    for held_out in (False, True):
        lines = scene_lines(language, kind, held_out)
        for line in rng.sample(lines, min(len(lines), MANY_LINES)):
            documents = [SceneWriter(rng, language, held_out).write(line, kind) for _ in range(4)]
            assert any(document.facts for document in documents), line  # one may lack the sentence that states them
            document = documents[0]
            assert not re.search(r"[\[\]{}¶]|<\w+:", document.text), (line, document.text)
            for field, json_text in document.facts.items():
                value = json.loads(json_text)
                assert isinstance(value, list) == (field in LISTS), (line, field, value)
                assert_stated(field, value, document.text)


@pytest.mark.parametrize(("language", "kind"), LINES)
def test_lines_are_apart_and_name_known_values(language: str, kind: str) -> None:
    training, held_out = scene_lines(language, kind, False), scene_lines(language, kind, True)
    assert held_out
    assert not set(training) & set(held_out)
    assert len(training) > 4 * len(held_out)
    fields = {name for names in KIND_FIELDS.values() for name in names} | {"currency"}
    for line in training + held_out:
        assert line.count("[") == line.count("]"), line
        for name, value in re.findall(r"\{(\w+)=([^}]*)\}", line):
            assert name in fields
            if name in INTEGERS | NUMBERS and value != "null":
                assert float(value) == int(value) if name in INTEGERS else float(value) >= 0, line
            else:
                assert value in (*ENUMS.get(name, ["true", "false"]), "null") or name == "color", line
        for name in re.findall(r"<(?:NOT_)?(\w+):", line):
            assert name in fields - DERIVED - NUMBERS - INTEGERS, line


def test_no_phrase_or_marked_words_are_a_value_of_the_texts_of_the_test() -> None:
    values = [value for name in REALISTIC for case in read_cases(name) for value in case["answer"].values()]
    asked = {value for value in values if isinstance(value, str) and " " in value}
    lists = [value for value in vars(natural_words).values() if isinstance(value, list)]
    assert not asked & {phrase for phrases in lists for phrase in phrases}
    tables = [read_table(f"{name}.tsv") for name in ("en", "de", "fr", "entries")]
    marked = {words.lower() for table in tables for words in re.findall(r"<\w+:([^<>]*)>", table)}
    assert not {value.lower() for value in asked} & marked


@pytest.mark.parametrize("name", REALISTIC)
def test_answers_of_the_realistic_texts_are_quotes(name: str) -> None:
    cases = read_cases(name)
    assert len({case["text"] for case in cases}) == len(cases) >= 50
    for case in cases:
        assert next(iter(case["answer"].values())) is not None  # the first field is required
        for field, value in case["answer"].items():
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, str) and field not in DERIVED:
                    assert part in case["text"], (field, part)


def test_codes_of_currencies_are_no_quotes_in_realistic_texts() -> None:
    for task in read_tasks(CASES / REALISTIC[0]):
        if "currency" in task.fields:
            assert '"pattern"' in json.dumps(task.schema["properties"]["currency"])
            assert "x-quote" not in json.dumps(quoting_schema(task)["properties"]["currency"])
        assert list(jsonschema.Draft202012Validator(task.schema).iter_errors(json.loads(task.answer))) == []


def test_the_second_realistic_set_has_what_the_first_lacks() -> None:
    cases = read_cases("realistic_texts_2.jsonl")
    answers = [value for case in cases for value in case["answer"].values()]
    assert sum(value is None for value in answers) / len(answers) > 0.1
    kinds = Counter(case["kind"] for case in cases)
    assert all(kinds[kind] >= 10 for kind in ("German", "French", "everyday", "far behind"))
    assert all(len(case["text"].encode()) > 1700 for case in cases if case["kind"] == "far behind")


def test_every_task_on_a_scene_asks_for_what_its_text_states() -> None:
    for seed in range(600):
        task = make_scene_task(random.Random(seed))
        assert task.document.facts.keys() & set(task.fields.values())


def test_what_is_asked_in_vain_is_like_nothing_in_the_text() -> None:
    for seed in range(200):
        document = make_scene(random.Random(seed))
        mentioned = document.facts.keys() | document.unclear
        for field in missing_fields(document):
            assert field not in mentioned
            assert not any(field in group and group & mentioned for group in LIKE_EACH_OTHER)


def test_other_values_are_not_the_answer() -> None:
    for seed in range(100):
        document = SceneWriter(random.Random(seed), "en", held_out=False).write(
            "{price} {NOT_price} {NOT_date}", "product"
        )
        assert {"price", "currency"} >= document.facts.keys()
        assert document.unclear >= {"date"}
        assert not document.unclear & document.facts.keys()


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_numbers_are_written_as_the_language_does(language: str) -> None:
    names = {currency for _, currency, _ in CURRENCIES[language]}
    for seed in range(200):
        maker = NaturalMaker(random.Random(seed), False, language)
        value = maker.money(1, 90_000)
        assert value.currency is None or value.currency in names
        assert digits_of(value.surface) == value.json_text.replace(".", "")
        if "." in value.json_text:
            assert maker.decimal_mark in value.surface
        assert maker.decimal_mark != maker.group_mark
        assert float(natural_value(maker, "weight_kg").json_text) > 0


def test_filler_states_no_number_and_has_the_length_asked_for() -> None:
    for language in ("en", "de", "fr"):
        for held_out in (False, True):
            text = FillerWriter(random.Random(4), language, held_out).paragraphs(2000)
            assert 2000 <= len(text) < 2300
            assert not re.search(r"[\d\[\]|{}]", text)


def test_words_of_the_scenes_are_no_held_out_words_of_the_pools() -> None:
    lists = [value for value in vars(natural_words).values() if isinstance(value, list)]
    words = {word for phrases in lists for phrase in phrases for word in phrase.lower().replace("-", " ").split(" ")}
    assert len(words) > 900
    assert not words & pools.held_out_words()


def test_shares_of_a_mixture() -> None:
    rng = random.Random(2)
    tasks = [Mixture(scenes=0.5, nested=0.3).make_task(rng) for _ in range(300)]
    assert 60 <= sum(not is_flat for _, is_flat in tasks) <= 125
    assert all(not any("/" in path for path in task.fields) for task, is_flat in tasks if is_flat)


def test_fields_of_inner_objects_are_counted_one_by_one() -> None:
    answer = {"a": {"b": 1, "c": {"d": None}}, "e": [{"f": 1}, {"f": 2}], "g": ["x"], "h": []}
    assert leaves(answer) == {"a/b": 1, "a/c/d": None, "e/0/f": 1, "e/1/f": 2, "g": ["x"], "h": []}
    assert leaves([{"f": 1}, {"f": 2}]) == {"0/f": 1, "1/f": 2}


def test_some_answers_are_lists_and_nothing_else() -> None:
    lists = [task for task in make_other_tasks(80, 2, are_nested=True) if task.schema["type"] == "array"]
    assert 3 <= len(lists) <= 20
    for task in lists:
        answer = json.loads(task.answer)
        assert isinstance(answer, list)
        assert leaves(answer).keys() == task.fields.keys()
        jsonschema.Draft202012Validator(task.schema).validate(answer)


def test_objects_that_are_too_many_are_wrong() -> None:
    task = next(task for task in make_other_tasks(60, 1, are_nested=True) if any("/0/" in path for path in task.fields))
    answer = json.loads(task.answer)
    key = next(key for key, value in answer.items() if isinstance(value, list) and isinstance(value[0], dict))
    answer[key] += answer[key][:1]

    completion = SimpleNamespace(finish_reason="stop", text=json.dumps(answer), token_ids=[1], num_forced_tokens=0)
    score = Score(seconds=1.0)
    score.add(task, completion)  # type: ignore[arg-type]
    assert score.num_documents_right == 0
    assert score.asked["(too many)"] == len(answer[key][0])
    assert score.right.total() == score.asked.total() - len(answer[key][0])


def write(line: str, seed: int) -> SceneDocument:
    return SceneWriter(random.Random(seed), "en", held_out=False).write(line, "product")


def test_marked_words_are_the_answer_and_so_is_what_takes_their_place() -> None:
    products = set()
    for seed in range(60):
        document = write("My <product:oak wardrobe>, not the <NOT_product:lamp>, is yours.", seed)
        product = json.loads(document.facts["product"])
        assert f"{product.lower()}, not the" in document.text.lower()
        assert "product" not in document.unclear
        products.add(product)
    assert "oak wardrobe" in products
    assert len(products) > 10


def test_marked_words_of_a_list_are_its_members() -> None:
    for seed in range(60):
        document = write("She likes <hobbies:clocks>, said the man from {city}. And <hobbies:St. Moritz>.", seed)
        members = json.loads(document.facts["hobbies"])
        assert members == [part for part in ("clocks", "St. Moritz", "st. moritz") if part in document.text]


def test_what_only_looks_like_an_answer_is_asked_for_and_is_null() -> None:
    documents = [write("{name@first} has been with {company} for 22 years{age=null}.", seed) for seed in range(100)]
    assert all(document.lures == {"age"} <= document.unclear - document.facts.keys() for document in documents)
    asked = ["age" in choose_fields(random.Random(seed), document) for seed, document in enumerate(documents)]
    assert sum(asked) > 60


def test_numbers_said_in_words_are_numbers() -> None:
    documents = [write("A dozen{quantity=12} lamps, order 77{order_id=77}.", seed) for seed in range(10)]
    assert [document.facts for document in documents] == [{"quantity": "12", "order_id": '"77"'}] * 10


@pytest.mark.parametrize("kind", KINDS)
def test_entries_state_fields_of_their_kind_and_stand_in_their_text(kind: str) -> None:
    rng = random.Random(kind)
    numbers = set()
    for held_out in (False, True):
        for line in entry_lines(kind, held_out):
            writer = SceneWriter(rng, "en", held_out)
            text = writer.written(line)
            assert len(set(KINDS[kind].fields) & writer.facts.keys()) >= 2, line
            for field, fact in writer.facts.items():
                assert_stated(field, json.loads(fact), text)
        for _ in range(20):
            text, entries = ScatteredWriter(rng, held_out).write(kind)
            assert text
            assert len(text) < MAX_CHARACTERS + 100
            numbers.add(len(entries))
            for entry in entries:
                for field, fact in entry.items():
                    assert_stated(field, json.loads(fact), text)
    assert {0, 1} < numbers


def test_talk_states_nothing() -> None:
    for line in talk_lines(False) + talk_lines(True):
        assert not re.search(r"[\d\[\]{}<>|@]", line)
