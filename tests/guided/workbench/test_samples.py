"""Random texts: each is one of the grammar's by an oracle that is not ours, and structure is drawn evenly."""

from __future__ import annotations

import ast
import json
import re
import time
from collections import Counter
from typing import Any

import jsonschema
import pytest

from guided import compile_grammar
from guided.grammars import library
from guided.grammars.errors import InvalidInputError, LimitExceededError, UnsupportedGrammarError
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.watch import Watch
from guided.workbench.inspection.match import Acceptor
from guided.workbench.inspection.samples import TextSampler, sample_texts
from tests.cases.combination_cases import CASES as COMBINATIONS
from tests.cases.ebnf_cases import EBNF_CASES
from tests.cases.grammar_cases import CHOICE_CASES, REGEX_CASES, STRUCTURAL_TAG_CASES
from tests.cases.json_schema_cases import CASES
from tests.grammars.vocabularies import byte_vocabulary

VOCABULARY = byte_vocabulary()
NUM = 8


def texts(num: int = NUM, *, seed: int = 0, max_bytes: int = 120, **grammar: Any) -> list[str]:
    return sample_texts(compile_grammar(VOCABULARY, **grammar), num, seed=seed, max_bytes=max_bytes)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_documents_validate(case: Any) -> None:
    """The oracle is `jsonschema`, which has formats for annotations unless it is asked to check them."""
    validator = jsonschema.validators.validator_for(case.schema, default=jsonschema.Draft202012Validator)(case.schema)
    for text in texts(json_schema=case.schema):
        validator.validate(json.loads(text))


@pytest.mark.parametrize("property_order", ["schema", "any"])
@pytest.mark.parametrize("whitespace", ["compact", "spaced", "flexible", "[ ]?"])
def test_ways_to_write(whitespace: str, property_order: str) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "array"}}, "required": ["b"]}
    grammar = compile_grammar(VOCABULARY, json_schema=schema, whitespace=whitespace, property_order=property_order)
    acceptor = Acceptor(grammar)
    for text in sample_texts(grammar, NUM):
        jsonschema.validate(json.loads(text), schema)
        assert acceptor.allows(text.encode())


@pytest.mark.parametrize("case", REGEX_CASES, ids=lambda case: case.name)
def test_regexes_match(case: Any) -> None:
    is_ours = r"\p{" in case.source
    acceptor = Acceptor(compile_grammar(VOCABULARY, regex=case.source))
    for text in texts(regex=case.source):
        assert acceptor.allows(text.encode()) if is_ours else re.fullmatch(case.source, text) is not None


@pytest.mark.parametrize("case", CHOICE_CASES, ids=lambda case: case.name)
def test_choices(case: Any) -> None:
    assert set(texts(choice=case.source)) <= set(case.source)


@pytest.mark.parametrize("case", EBNF_CASES, ids=lambda case: case.name)
def test_rules_accept(case: Any) -> None:
    """Of a grammar that names tokens the texts have their names, which the acceptor reads as these tokens."""
    names = sorted(set(re.findall(r"<\|?[a-z_]+\|?>", case.grammar)))
    tokens = [*VOCABULARY.tokens, *[None] * len(names)]
    special = {name: place for place, name in enumerate(names, len(VOCABULARY.tokens))}
    vocabulary = type(VOCABULARY)(tokens, VOCABULARY.eos_token_ids, special)
    accepts_all(compile_grammar(vocabulary, ebnf=case.grammar, dialect=case.dialect))


@pytest.mark.parametrize("case", STRUCTURAL_TAG_CASES, ids=lambda case: case.name)
def test_tags_accept(case: Any) -> None:
    accepts_all(compile_grammar(VOCABULARY, **case.arguments))


def accepts_all(grammar: CompiledGrammar) -> None:
    acceptor = Acceptor(grammar)
    for text in sample_texts(grammar, 4, max_bytes=60):
        assert acceptor.allows(text.encode())


@pytest.mark.parametrize("case", COMBINATIONS, ids=lambda case: case.name)
def test_combinations_accept(case: Any) -> None:
    grammar = compile_grammar(VOCABULARY, **case.arguments)
    acceptor = Acceptor(grammar)
    for text in sample_texts(grammar, 3, max_bytes=40):
        assert acceptor.allows(text.encode())


@pytest.mark.parametrize("name", ["json", "python_expression", "csv_row", "iso_date"])
def test_ready_grammars(name: str) -> None:
    for text in texts(**library.get(name).arguments):
        if name == "json":
            json.loads(text)
        if name == "python_expression":
            ast.parse(text.strip(), mode="eval")


def test_seeds() -> None:
    grammar = compile_grammar(VOCABULARY, json_schema={})
    assert sample_texts(grammar, 20, seed=1) == sample_texts(grammar, 20, seed=1)
    assert sample_texts(grammar, 20, seed=1) != sample_texts(grammar, 20, seed=2)
    assert sample_texts(grammar, 20, seed=1)[:5] == sample_texts(grammar, 5, seed=1)


def test_sizes_are_bounded() -> None:
    """A grammar in which every choice doubles what must come: it stops growing, and is closed."""
    pairs = 'root ::= "(" root root ")" | "x"'
    assert max(map(len, texts(50, ebnf=pairs, dialect="gbnf", max_bytes=100))) < 220
    nested = {
        "$defs": {"t": {"type": "object", "properties": {"a": {"$ref": "#/$defs/t"}, "b": {"$ref": "#/$defs/t"}}}}
    }
    found = texts(50, json_schema={**nested, "$ref": "#/$defs/t"}, max_bytes=80)
    assert max(map(len, found)) < 200
    assert len(texts(1, regex="a{500}", max_bytes=10)[0]) == 500  # it can't be shorter


def shares(found: list[Any]) -> dict[Any, float]:
    return {key: count / len(found) for key, count in Counter(found).items()}


def test_structure_is_drawn_evenly() -> None:
    """No part is rare. With 300 texts the standard deviation of a share of 1/2 is 0.029: four of them are allowed."""
    properties = {"a": {"type": "string"}, "b": {"enum": ["x", "y", "z"]}, "c": {"type": ["string", "null"]}}
    schema = {"type": "object", "properties": properties, "required": ["b"], "additionalProperties": False}
    found = [json.loads(text) for text in texts(300, json_schema=schema, max_bytes=400)]
    for key in ("a", "c"):
        assert 0.25 < sum(key in one for one in found) / 300 < 0.9
    assert all(share == pytest.approx(1 / 3, abs=0.12) for share in shares([one["b"] for one in found]).values())
    nulls = [one["c"] is None for one in found if "c" in one]
    assert sum(nulls) / len(nulls) == pytest.approx(0.5, abs=0.16)


def test_short_texts_are_not_rare() -> None:
    """Nearly all texts of `[a-z]{1,30}` have 30 letters."""
    lengths = list(map(len, texts(200, regex="cat|[a-z]{1,30}")))
    assert sum(length <= 3 for length in lengths) > 100
    assert sum(length == 30 for length in lengths) < 10


def test_wrong_requests() -> None:
    grammar = compile_grammar(VOCABULARY, regex="a")
    with pytest.raises(InvalidInputError, match="max_bytes must be at least 1, not 0"):
        TextSampler(grammar, max_bytes=0)
    with pytest.raises(UnsupportedGrammarError, match="the native backend's can"):
        sample_texts(compile_grammar(VOCABULARY, regex="a", backend="interegular"))


def test_a_list_of_many_items_ends_with_its_time() -> None:
    """What each of the first `low` items must satisfy takes quadratic time where a schema names them one by one."""
    compiled = compile_grammar(VOCABULARY, json_schema={"enum": [[1] * 60_000]})
    start_s = time.process_time()
    with Watch("max_check_seconds", 0.1), pytest.raises(LimitExceededError):
        sample_texts(compiled, 1)
    assert time.process_time() - start_s < 2
