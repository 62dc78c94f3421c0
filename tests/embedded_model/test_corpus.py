"""The generator of training texts: repeatable, truthful, and with a held-out part that training can't see."""

from __future__ import annotations

import hashlib
import json
import random
import re

import jsonschema
import pytest

from examples.embedded_model.corpus import pools, training_templates, training_words
from examples.embedded_model.corpus.documents import DocumentWriter, make_document
from examples.embedded_model.corpus.tasks import (
    ALIASES,
    BOOLEANS,
    ENUMS,
    INTEGERS,
    LISTS,
    NUMBERS,
    OPEN_ENUMS,
    make_task,
)
from examples.embedded_model.corpus.template_lines import Template, load_templates, load_training_templates
from examples.embedded_model.corpus.templates import KIND_FIELDS, LABELS, SMALL_TALK, TEMPLATES
from examples.embedded_model.corpus.training_templates import TRAINING_LABELS, TRAINING_TEMPLATES
from examples.embedded_model.corpus.values import MAKERS, ValueMaker
from examples.embedded_model.evaluate import make_tasks

DERIVED = BOOLEANS | set(ENUMS)  # stated in other words than the value's own
BLOCKS = [block for pair in TEMPLATES.values() for block in pair] + [SMALL_TALK]
TRAINING_BLOCKS = [block for pair in TRAINING_TEMPLATES.values() for block in pair] + [training_templates.SMALL_TALK]


def test_same_seed_makes_the_same_tasks() -> None:
    first = [make_task(random.Random(5)) for _ in range(20)]
    assert first == [make_task(random.Random(5)) for _ in range(20)]


@pytest.mark.parametrize("held_out", [False, True])
def test_answers_are_valid_and_right(held_out: bool) -> None:
    rng = random.Random(7)
    for _ in range(120):
        task = make_task(rng, held_out_templates=held_out, held_out_values=held_out)
        answer = json.loads(task.answer)
        jsonschema.validate(answer, task.schema, cls=jsonschema.Draft202012Validator)
        assert list(answer) == list(task.schema["properties"])
        for key, value in answer.items():
            field = task.fields[key]
            assert (value in (None, "", [])) == (field not in task.document.facts) or value is False
            if isinstance(value, str) and value and field not in DERIVED | INTEGERS:
                assert value in task.document.text


def test_training_tasks_hold_no_held_out_words() -> None:
    """Nor does any list of options: a whole word of a training task is never from the held-out part of its pool."""
    rng = random.Random(13)
    held_out = {field: {pools.pick(rng, pool, held_out=True) for _ in range(500)} for field, pool in OPEN_ENUMS.items()}
    for _ in range(1500):
        task = make_task(rng)
        for key, schema in task.schema["properties"].items():
            options = schema.get("enum") or schema.get("anyOf", [{}])[0].get("enum", [])
            assert not held_out.get(task.fields[key], set()) & set(options)


def test_copied_values_stand_in_the_text() -> None:
    rng = random.Random(11)
    for _ in range(300):
        document = make_document(rng)
        for field, json_text in document.facts.items():
            value = json.loads(json_text)
            if field in DERIVED:
                continue
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, str):
                    assert part in document.text, (field, part, document.text)
                elif part > 12:  # smaller numbers may be written as words
                    assert json_text in document.text.replace(",", ""), (field, json_text, document.text)


@pytest.mark.parametrize("block", BLOCKS)
def test_training_and_held_out_templates_are_apart(block: str) -> None:
    training, held_out = set(load_templates(block, False)), set(load_templates(block, True))
    assert training
    assert held_out
    assert not training & held_out
    assert len(training) + len(held_out) == len(set(block.strip().splitlines()))


def test_texts_of_the_model_card_stay_as_they_are() -> None:
    """The test texts that the figures of the model card are of; measure anew when this has to change."""
    tasks = [(task.messages, task.schema, task.answer) for seed in (0, 1, 2) for task in make_tasks(100, seed)]
    assert (
        hashlib.sha256(repr(tasks).encode()).hexdigest()
        == "53ad600ae4d84f4869c1ce38d904d9ed74790c897e66e20a95cceb4486b1c648"
    )
    held_out = [[template.pattern for template in load_templates(block, True)] for block in BLOCKS]
    assert (
        hashlib.sha256(repr(held_out).encode()).hexdigest()
        == "b4a76e4687cbe8228e950c065f9db17ad998d7da6507eb4e349e7ceb6babd133"
    )


def sentences(template: Template) -> set[str]:
    """All that a template can become, without case and punctuation."""
    patterns, finished = {template.pattern}, set()
    while patterns:
        pattern = patterns.pop()
        choice = re.search(r"\[([^\[\]]*)\]", pattern)
        if choice is None:
            finished.add(" ".join(re.findall(r"[a-z{}_]+", pattern.lower())))
        else:
            start, end = choice.span()
            patterns |= {pattern[:start] + option + pattern[end:] for option in choice[1].split("|")}
    return finished


def test_lines_for_training_alone_never_become_held_out_sentences() -> None:
    held_out = set().union(*(sentences(template) for block in BLOCKS for template in load_templates(block, True)))
    lines = [template for block in TRAINING_BLOCKS for template in load_training_templates(block)]
    assert [line.pattern for line in lines if sentences(line) & held_out] == []


def test_labels_for_training_alone_are_new() -> None:
    for name, labels in TRAINING_LABELS.items():
        assert labels
        assert not set(labels.lower().split("|")) & set(LABELS[name].lower().split("|")), name


def test_words_for_training_alone_are_no_held_out_words() -> None:
    lists = [training_words.WORDS, training_words.JUDGEMENTS, training_words.SHADES, training_words.PHRASES]
    phrases = " ".join(sum(lists, training_words.EVENT_SHAPES + training_words.VENUE_SHAPES))
    assert not set(re.findall(r"[a-z]{4,}", phrases.lower())) & pools.held_out_words()


def test_values_for_training_come_in_words_and_lengths_that_no_pool_has() -> None:
    maker = ValueMaker(random.Random(5), held_out=False)
    held_out = ValueMaker(random.Random(5), held_out=True)
    for field, pool in (("color", pools.COLORS), ("hobbies", pools.HOBBIES), ("items", pools.ITEMS)):
        values = [json.loads(maker.make(field).json_text) for _ in range(300)]
        words = [word for value in values for word in (value if isinstance(value, list) else [value])]
        assert 0.4 < sum(word not in pool for word in words) / len(words) < 0.9, field
        assert max(len(word.split(" ")) for word in words) >= 2
        kept = json.loads(held_out.make(field).json_text)
        assert set(kept if isinstance(kept, list) else [kept]) <= set(pool)
    venues = [maker.venue() for _ in range(300)]
    assert sum(venue.split(" ")[-1] not in pools.VENUE_KINDS for venue in venues) / 300 > 0.1
    assert all(held_out.venue().endswith(tuple(pools.VENUE_KINDS)) for _ in range(100))


def test_a_color_before_a_product_is_stated() -> None:
    texts = []
    for seed in range(400):
        writer = DocumentWriter(random.Random(seed), "product", held_out_templates=False, held_out_values=False)
        text = writer._render("{product}", may_roughen=False)
        assert set(writer.facts) <= {"product", "color"}
        assert text.endswith(json.loads(writer.facts["product"]))
        if "color" in writer.facts:
            texts.append(text)
            assert f"{json.loads(writer.facts['color'])} {json.loads(writer.facts['product'])}" in text
    assert 5 <= len(texts) <= 50
    writer = DocumentWriter(random.Random(1), "product", held_out_templates=True, held_out_values=True)
    for _ in range(100):
        assert writer._described("mug") == "mug"


def test_other_values_are_not_the_stated_one() -> None:
    """`{NOT_field}` is a value of the field in the document's currency, and never counts as stated."""
    for seed in range(300):
        writer = DocumentWriter(random.Random(seed), "order", held_out_templates=False, held_out_values=False)
        text = writer._render("{status} {NOT_status} {NOT_price} {price} {NOT_product}")
        stated, other = text.split(" ")[:2]
        assert stated != other
        assert set(writer.facts) <= {"status", "price", "currency"}


def test_training_and_held_out_words_are_apart() -> None:
    rng = random.Random(3)
    training = {pools.pick(rng, pools.CITIES, held_out=False) for _ in range(2000)}
    held_out = {pools.pick(rng, pools.CITIES, held_out=True) for _ in range(2000)}
    assert training | held_out == set(pools.CITIES)
    assert not training & held_out


def test_templates_name_known_fields_and_have_paired_brackets() -> None:
    words = {"S", "s", "P", "p", "FIRST", "LAST", "OTHER", "NUMBER"}
    unstated = {f"NOT_{name}" for name in MAKERS}
    both = [template for block in BLOCKS for held_out in (False, True) for template in load_templates(block, held_out)]
    training = [template for block in TRAINING_BLOCKS for template in load_training_templates(block)]
    for template in random.Random(1).sample(both + training, 2_000):
        known = words | set(LABELS) | (unstated if template in training else set())
        assert set(re.findall(r"\{(\w+)\}", template.pattern)) <= known, template
        assert template.pattern.count("[") == template.pattern.count("]"), template
        if template.condition:
            name, value = template.condition
            assert value in ENUMS.get(name, ["true", "false"]), template


def test_rendered_texts_have_no_template_syntax_left() -> None:
    rng = random.Random(2)
    for kind in TEMPLATES:
        for _ in range(60):
            assert not re.search(r"[\[\]{}]", DocumentWriter(rng, kind, False, False).write().text)


def test_tables_agree() -> None:
    """Every field of a kind has a maker, labels and a type; every alias is of a known field."""
    fields = {field for kind in KIND_FIELDS.values() for field in kind}
    assert fields <= set(MAKERS)
    assert fields <= set(LABELS)
    assert len(fields) >= 40
    assert set(ALIASES) <= fields | {"currency"}
    assert fields >= INTEGERS | NUMBERS | BOOLEANS | LISTS


def test_money_knows_its_currency() -> None:
    for seed in range(200):
        maker = ValueMaker(random.Random(seed), held_out=False)
        value = maker.make("amount")
        assert float(value.json_text) == float(re.sub(r"[^\d.]", "", value.surface.replace(",", "")) or 0)
        assert (value.currency is None) == (maker.money_style == "{}")
