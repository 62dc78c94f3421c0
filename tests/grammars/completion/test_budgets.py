"""Closing in budget (A4): whatever is drawn, a text is complete and valid when its budget is used up.

GUIDED_RANDOM_SCHEMAS=1000 runs as many schemas instead of the few below.
"""

from __future__ import annotations

import json
import os
import random
from typing import Any

import pytest

from guided.grammar_state.state import GrammarState
from guided.grammars.bitset import allocate_bitmask
from guided.grammars.compile import compile_grammar
from guided.grammars.completion.base import Completer
from guided.grammars.errors import GrammarError, UnsupportedGrammarError
from guided.grammars.vocabulary import Vocabulary
from tests.cases.combination_cases import CASES
from tests.grammars.json_schema.random_schemas import SchemaMaker
from tests.grammars.json_schema.test_random_tokens import compiled, exact_value, validator_of
from tests.grammars.json_schema.token_walk import Unclear
from tests.grammars.machine.rules.brute_force import LETTERS
from tests.grammars.machine.rules.brute_force import compiled as compiled_graph
from tests.grammars.rules.oracle import accepts, random_graph
from tests.grammars.vocabularies import accept_bytes, byte_vocabulary, matches, vocabulary_of

from .budgets import Run, check_budgets, least_tokens

MORE = int(os.environ.get("GUIDED_RANDOM_SCHEMAS", "0"))
NUM_RANDOM = MORE or 40
BYTES = byte_vocabulary()

PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 2},
        "age": {"type": "integer", "minimum": 0},
        "email": {"type": "string", "format": "email"},
        "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1},
        "kind": {"enum": ["person", "company"]},
    },
    "required": ["name", "age", "tags", "kind"],
    "additionalProperties": False,
}
TREE = {
    "$ref": "#/$defs/tree",
    "$defs": {
        "tree": {
            "type": "object",
            "properties": {"value": {"type": "integer"}, "left": {"$ref": "#/$defs/tree"}},
            "required": ["value"],
        }
    },
}
CALLS = {
    "type": "structural_tag",
    "format": {
        "type": "triggered_tags",
        "triggers": ["<f"],
        "at_least_one": True,
        "tags": [
            {"begin": "<f1>", "content": {"type": "json_schema", "json_schema": PERSON}, "end": "</f1>"},
            {"begin": "<f2>", "content": {"type": "regex", "pattern": "[0-9]{9}"}, "end": "</f2>"},
        ],
    },
}
GRAMMARS: dict[str, dict[str, Any]] = {
    "regex": {"regex": r"[a-z]{3,5}-\d{4}(é|日本)+"},
    "regex with loops": {"regex": r"(foo|ba+r)*baz"},
    "regex of anything": {"regex": r"(.|\n)*"},
    "long regex": {"regex": r"(ab?){300}"},
    "arithmetic": {"ebnf": 'root ::= term ("+" term)*\nterm ::= [0-9]+ | "(" root ")"\n'},
    "brackets": {"ebnf": 'root ::= "[" (root ("," root)*)? "]"\n'},
    "far ends": {"ebnf": 'root ::= "begin" root "end" | "xabc12"\n'},
    "choice": {"choice": ["a", "abc", "abcd12", "true", "日本", "name"]},
    "tags": {"structural_tag": CALLS},
    "person": {"json_schema": PERSON},
    "person, spaced": {"json_schema": PERSON, "whitespace": "spaced"},
    "person, own whitespace": {"json_schema": PERSON, "whitespace": r"\n {2}"},
    "person, any order": {"json_schema": PERSON, "property_order": "any"},
    "tree": {"json_schema": TREE},
    "long text": {"json_schema": {"type": "string", "minLength": 40, "maxLength": 60}},
    "different items": {"json_schema": {"type": "array", "minItems": 3, "uniqueItems": True}},
    "different words": {
        "json_schema": {
            "type": "array",
            "items": {"enum": ["a", "b", "a long one"]},
            "minItems": 2,
            "uniqueItems": True,
        }
    },
    "different objects": {"json_schema": {"type": "array", "items": {"type": "object"}, "uniqueItems": True}},
    "open keys": {"json_schema": {"type": "object", "minProperties": 3}},
    "alternatives": {
        "json_schema": {
            "type": "object",
            "oneOf": [
                {"properties": {"k": {"const": "circle"}, "r": {"type": "number"}}, "required": ["k", "r"]},
                {"properties": {"k": {"const": "rectangle"}, "w": {}, "h": {}}, "required": ["k", "w", "h"]},
            ],
        }
    },
}


@pytest.mark.parametrize("name", GRAMMARS)
def test_all_kinds_of_grammars(name: str) -> None:
    grammar = compile_grammar(BYTES, cache=None, **GRAMMARS[name])
    for seed in range(2):
        for text in check_budgets(grammar, seed):
            assert matches(grammar.matcher(), text)


@pytest.mark.parametrize("seed", range(NUM_RANDOM))
def test_random_schemas(seed: int) -> None:
    schema = SchemaMaker(random.Random(seed)).document()
    options: dict[str, Any] = {} if seed % 3 else {"property_order": "any", "whitespace": "compact"}
    grammar = compiled(schema, **options)
    for text in check_budgets(grammar, seed) if grammar else ():
        value = exact_value(text)
        if value is not Unclear:
            assert validator_of(schema).is_valid(value), (json.dumps(schema), text)


@pytest.mark.parametrize("seed", range(24))
def test_random_rules(seed: int) -> None:
    graph = random_graph(random.Random(seed), 1 + seed % 4)
    try:
        grammar = compiled_graph(graph, LETTERS)
    except GrammarError:  # a rule that never ends; test_random_grammars looks at these
        return
    for text in check_budgets(grammar, seed, (0, 1, 2, 4)):
        assert accepts(graph, text.decode())


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_combinations(case: Any) -> None:
    grammar = compile_grammar(BYTES, cache=None, **case.arguments)
    for text in check_budgets(grammar, 1, (0, 1, 3, 8)):
        assert matches(grammar.matcher(), text)


@pytest.mark.parametrize("backend", ["interegular", "llguidance", "outlines_core", "xgrammar"])
def test_backends_that_cant_tell(backend: str) -> None:
    """They say so; the budget then rules out nothing, and the row says why."""
    grammar = compile_grammar(BYTES, regex="[a-z]{3,5}", backend=backend, cache=None)
    row, bitmask = GrammarState(grammar), allocate_bitmask(1, BYTES.size)
    matcher = row.matcher
    with pytest.raises(UnsupportedGrammarError, match="native"):
        matcher.find_shortest_completion()
    matcher.fill_bitmask(bitmask)
    before = bitmask.copy()
    assert not row.restrict(bitmask, 0, 1)
    assert (bitmask == before).all()
    assert isinstance(row.budget_error, UnsupportedGrammarError)
    assert row.distance() == 0


@pytest.mark.parametrize("seed", range(2, 60, 4))
def test_least_budgets_are_nearly_always_the_true_ones(seed: int) -> None:
    """One token more at most, on a vocabulary of tokens such as `":"a`, which make other values shorter."""
    grammar = compiled(SchemaMaker(random.Random(seed)).document())
    if grammar is None or grammar.min_tokens > 6:
        return
    least = least_tokens(grammar, grammar.min_tokens)
    assert least is None or grammar.min_tokens - least in ((0,) if seed != 46 else (0, 1))


def test_below_the_least_budget_nothing_is_cleared() -> None:
    grammar = compile_grammar(BYTES, json_schema=PERSON, cache=None)
    run = Run(grammar, grammar.min_tokens - 1, random.Random(1))
    assert not run.was_restricted
    assert run.row.budget_error is None


def test_far_budgets_are_not_looked_into() -> None:
    """The bound holds for whatever the masks allow: no text needs more than it says, at any step."""
    for name in ("person", "arithmetic", "tags", "long regex"):
        grammar = compile_grammar(BYTES, cache=None, **GRAMMARS[name])
        rng, bitmask = random.Random(3), allocate_bitmask(1, BYTES.size)
        matcher = grammar.matcher()
        completion = matcher._completion()
        for _ in range(40):
            matcher.fill_bitmask(bitmask)
            bound = next(2**power for power in range(60) if completion.surely_fits(matcher._config, 2**power))
            assert bound < 2**12
            assert not matcher.restrict_to_budget(bitmask, 0, bound + 1)
            for token_id in rng.sample(range(BYTES.size), 60):
                if token_id not in BYTES.eos_token_ids and matcher.accept_token(token_id):
                    assert len(matcher.find_shortest_completion()) <= bound
                    matcher.rollback(1)
            token_ids = [i for i in range(BYTES.size) if bitmask[0, i >> 5] >> (i & 31) & 1]
            if not matcher.accept_token(rng.choice(token_ids)) or matcher.is_terminated():
                break


@pytest.mark.parametrize(("tokens_left", "times"), [(30, 4), (1 << 40, 1)])
def test_how_far_the_end_is_asked_once(monkeypatch: pytest.MonkeyPatch, tokens_left: int, times: int) -> None:
    """Once for each mask while the budget may be too small, and not again after the bound fitted a larger budget."""
    matcher = compile_grammar(BYTES, json_schema=PERSON, cache=None).matcher()
    assert all(map(matcher.accept_token, b'{"name":"'))
    completion, bitmask, asked = matcher._completion(), allocate_bitmask(1, BYTES.size), list[bool]()
    find = completion.surely_fits
    monkeypatch.setattr(completion, "surely_fits", lambda *where: asked.append(completion.knows_all) or find(*where))
    for _ in range(4):
        matcher.fill_bitmask(bitmask)
        matcher.restrict_to_budget(bitmask, 0, tokens_left)
    assert len(asked) == times
    assert not asked[0]
    assert asked[-1] == (times > 1)


def test_completions_follow_the_text() -> None:
    """Its own tokens need no new search; rollback, fork and reset are seen."""
    matcher = compile_grammar(BYTES, json_schema=PERSON, cache=None).matcher()
    whole = matcher.find_shortest_completion()
    assert matcher.accept_token(whole[0])
    assert matcher.find_shortest_completion() == whole[1:]
    twin = matcher.fork()
    for token_id in whole[1:]:
        assert twin.accept_token(token_id)
    assert twin.is_accepting()
    assert twin.find_shortest_completion() == []
    matcher.rollback(1)
    assert matcher.accept_token(ord("{"))
    other = matcher.find_shortest_completion()
    assert matches(matcher, BYTES.join([ord("{"), *other]))
    matcher.reset()
    assert matcher.find_shortest_completion() == whole


def test_a_vocabulary_that_lacks_bytes() -> None:
    letters = [bytes([code]) for code in b'{}[]",:0123456789abcdeflnorstu-.'] + [b'":', b'{"', b"true"]
    vocabulary = vocabulary_of(*letters)
    grammar = compile_grammar(vocabulary, json_schema={"type": "object", "minProperties": 2}, cache=None)
    for seed in range(6):
        for text in check_budgets(grammar, seed):
            assert len(json.loads(text)) >= 2


def test_a_real_vocabulary(deepseek: Any, deepseek_vocabulary: Vocabulary) -> None:
    vocabulary = deepseek_vocabulary
    for arguments in (GRAMMARS["person"], GRAMMARS["open keys"], GRAMMARS["tags"], GRAMMARS["arithmetic"]):
        grammar = compile_grammar(vocabulary, cache=None, **arguments)
        for text in check_budgets(grammar, 1, (0, 1, 6)):
            matcher = grammar.matcher()
            assert all(map(matcher.accept_token, deepseek.encode(text.decode(), add_special_tokens=False)))
            assert matcher.is_accepting()


def test_special_tokens_count(deepseek: Any) -> None:
    """A token that a tag names by its id is one token of the budget."""
    tokens: list[bytes | None] = [*BYTES.tokens, None]
    vocabulary = Vocabulary(tokens, BYTES.eos_token_ids, {"<|call|>": len(tokens) - 1})
    tag = {"type": "tag", "begin": "<|call|>", "content": {"type": "regex", "pattern": "[0-9]{3}"}, "end": "<|call|>"}
    grammar = compile_grammar(vocabulary, structural_tag={"type": "structural_tag", "format": tag}, cache=None)
    assert grammar.min_tokens == 3
    for text in check_budgets(grammar, 1, (0, 1, 2)):
        assert len(text) == 3


def test_a_budget_too_small_for_any_text_costs_at_most_as_many_steps_as_it_has_tokens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps: list[int] = []
    nearest = Completer.nearest

    def counted(self: Completer, config: int) -> tuple[int, int] | None:
        steps.append(config)
        return nearest(self, config)

    monkeypatch.setattr(Completer, "nearest", counted)
    bitmask = allocate_bitmask(1, BYTES.size)
    for budget in (1, 3):
        matcher = compile_grammar(BYTES, json_schema=PERSON, cache=None).matcher()
        matcher.fill_bitmask(bitmask)
        steps.clear()
        before = bitmask.copy()
        assert not matcher.restrict_to_budget(bitmask, 0, budget)
        assert (bitmask == before).all()
        assert len(steps) <= budget


def test_keys_that_must_come_are_completed_in_either_order() -> None:
    """That of `properties` and that of `required`; one key is behind what has come in both."""
    names = ["b", "d", "a", "c"]
    schema = {"type": "object", "properties": {name: {"const": 1} for name in sorted(names)}, "required": names}
    validator = validator_of(schema)
    for text in ("{", '{"a":1', '{"b":1', '{"b":1,"d":1', '{"a":1,"b":1', '{"b":1,"d":1,"a":1', '{"a":1,"b":1,"c":1'):
        matcher = compile_grammar(BYTES, json_schema=schema, cache=None).matcher()
        assert accept_bytes(matcher, text.encode())
        whole = text.encode() + BYTES.join(matcher.find_shortest_completion())
        assert validator.is_valid(json.loads(whole)), whole


def test_texts_share_what_was_found_for_the_empty_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search for each limit, and none for another text. An answer does not depend on the limits asked before."""
    searches: list[int | None] = []
    search = Completer.fewer_token_ids

    def counted(self: Completer, config: int, tail: Any, most: int | None = None) -> list[int] | None:
        searches.append(most)
        return search(self, config, tail, most)

    monkeypatch.setattr(Completer, "fewer_token_ids", counted)
    first = compile_grammar(BYTES, json_schema=PERSON, cache=None).matcher().find_shortest_completion()
    searches.clear()
    grammar = compile_grammar(BYTES, json_schema=PERSON, cache=None)
    bitmask = allocate_bitmask(1, BYTES.size)
    for tokens_left in (5, 30, 5, 30):
        matcher = grammar.matcher()
        matcher.fill_bitmask(bitmask)
        assert not matcher.restrict_to_budget(bitmask, 0, tokens_left)
        assert grammar.matcher().find_shortest_completion() == first
    assert searches == [0, 5, 30]
