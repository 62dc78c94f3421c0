"""Random schemas of every draft: the formula holds of random values exactly where `jsonschema` finds them valid."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest

from guided.grammars.errors import InvalidSchemaError
from guided.grammars.json_schema.drafts import DRAFT_4, DRAFT_6, DRAFT_7, DRAFT_2020, Draft
from guided.grammars.json_schema.specialise import number_language, specialise, string_language
from guided.grammars.json_schema.translate import compile_schema
from guided.grammars.limits import Limits
from guided.grammars.regex import algebra as lang

from .evaluate import evaluate, kind_of, number_text

_KEYS = ["a", "b", "ab", "c"]
_PATTERNS = ["^a", "b", "^.$"]
_SCALARS: list[Any] = [None, True, False, 0, 1, 2, 1.0, 1.5, -1, 3, "a", "b", "ab", "", "ba", 10]
_TYPES = ["null", "boolean", "integer", "number", "string", "object", "array"]
_VALIDATORS = {
    DRAFT_4: jsonschema.Draft4Validator,
    DRAFT_6: jsonschema.Draft6Validator,
    DRAFT_7: jsonschema.Draft7Validator,
    DRAFT_2020: jsonschema.Draft202012Validator,
}  # the one of 2019-09 has other ideas of what is evaluated


class _Schemas:
    """Makes schemas of one draft."""

    def __init__(self, chance: random.Random, draft: Draft) -> None:
        self.chance = chance
        self.draft = draft
        self.makers = _makers(self)

    def value(self, depth: int) -> Any:
        """A JSON value."""
        kind = self.chance.random()
        if depth and kind < 0.25:
            return [self.value(depth - 1) for _ in range(self.chance.randrange(4))]
        if depth and kind < 0.55:
            return {key: self.value(depth - 1) for key in self.chance.sample(_KEYS, self.chance.randrange(4))}
        return self.chance.choice(_SCALARS)

    def schema(self, depth: int) -> Any:
        """A schema."""
        if self.draft is not DRAFT_4 and self.chance.random() < 0.08:
            return self.chance.random() < 0.5
        if not depth:
            keyword = self.chance.choice(["type", "enum", "minimum", "minLength", "required", "maxItems"])
            return {keyword: self.makers[keyword](0)}
        chosen = self.chance.sample(sorted(self.makers), self.chance.choice([1, 1, 2, 2, 3, 4]))
        return {keyword: self.makers[keyword](depth - 1) for keyword in chosen}

    def root(self) -> dict[str, Any]:
        """A schema with the definitions that its references may name."""
        schema = self.schema(3)
        definitions = {"x": self.schema(2), "y": self.schema(1)}
        return {**(schema if isinstance(schema, dict) else {}), "$schema": self.draft.uri, "definitions": definitions}

    def map(self, keys: list[str], depth: int) -> dict[str, Any]:
        """Schemas under some of the keys."""
        return {key: self.schema(depth) for key in self.some_keys(keys)}

    def many(self, depth: int) -> list[Any]:
        """Some schemas."""
        return [self.schema(depth) for _ in range(self.chance.randrange(1, 4))]

    def some_keys(self, keys: list[str] = _KEYS) -> list[str]:
        """Some of the keys."""
        return self.chance.sample(keys, self.chance.randrange(1, 3))

    def often_false(self, depth: int) -> Any:
        """A schema; where booleans are schemas, half of the time `false`."""
        return self.schema(depth) if self.draft is DRAFT_4 or self.chance.random() < 0.5 else False

    def dependencies(self, depth: int) -> dict[str, Any]:
        """Of both sorts."""
        return {key: self.chance.choice([self.schema(depth), self.some_keys()]) for key in self.some_keys()}


def _makers(schemas: _Schemas) -> dict[str, Callable[[int], Any]]:
    """Keyword -> what makes a value for it, of schemas of at most some depth."""
    chance, number = schemas.chance, schemas.draft.number
    counts = ["minLength", "maxLength", "minProperties", "maxProperties", "minItems", "maxItems"]
    if number == 2020:
        counts += ["minContains", "maxContains"]
    makers: dict[str, Callable[[int], Any]] = {
        **dict.fromkeys(counts, lambda _: chance.randrange(4)),
        "type": lambda _: chance.choice([chance.choice(_TYPES), chance.sample(_TYPES, chance.randrange(1, 4))]),
        "enum": lambda _: chance.choice([["a", 1, None], [True, "b", [1]], [{"a": 1}, 0, "ab"]]),
        "minimum": lambda _: chance.choice([0, 1, 1.5, -1]),
        "maximum": lambda _: chance.choice([0, 1, 1.5, 2]),
        "multipleOf": lambda _: chance.choice([1, 2, 0.5, 3]),
        "pattern": lambda _: chance.choice(_PATTERNS),
        "properties": lambda depth: schemas.map(_KEYS, depth),
        "patternProperties": lambda depth: schemas.map(_PATTERNS, depth),
        "additionalProperties": schemas.often_false,
        "required": lambda _: schemas.some_keys(),
        "items": schemas.schema if number == 2020 else lambda depth: chance.choice([{}, schemas.many(depth)]),
        "uniqueItems": lambda _: chance.random() < 0.8,
        **dict.fromkeys(["allOf", "anyOf", "oneOf"], schemas.many),
        "not": schemas.schema,
        "$ref": lambda _: chance.choice(["#", "#/definitions/x", "#/definitions/y"]),
    }
    if number <= 7:
        makers |= {"dependencies": schemas.dependencies, "additionalItems": schemas.often_false}
    if number == 4:
        makers["exclusiveMinimum"] = lambda _: chance.random() < 0.7
    if number >= 6:
        makers |= {"const": lambda _: schemas.value(1), "exclusiveMinimum": lambda _: chance.choice([0, 1, 1.5])}
        makers |= dict.fromkeys(["contains", "propertyNames"], schemas.schema)
    if number >= 7:
        makers |= dict.fromkeys(["if", "then", "else"], schemas.schema)
    if number == 2020:
        makers |= dict.fromkeys(["unevaluatedProperties", "unevaluatedItems"], schemas.often_false)
        makers |= {"prefixItems": schemas.many, "dependentSchemas": lambda depth: schemas.map(_KEYS, depth)}
        makers |= {"dependentRequired": lambda _: {key: schemas.some_keys() for key in schemas.some_keys()}}
    return makers


@pytest.mark.parametrize("draft", _VALIDATORS, ids=lambda draft: str(draft.number))
def test_formulas_mean_what_jsonschema_finds(draft: Draft) -> None:
    num_compared = 0
    for seed in range(250):
        schemas = _Schemas(random.Random(f"{draft} {seed}"), draft)
        schema = schemas.root()
        try:
            formula = compile_schema(schema, resources=None, limits=Limits()).formula
        except InvalidSchemaError as error:
            if "leads back" in error.reason:
                continue
            raise
        validator = _VALIDATORS[draft](schema)
        for _ in range(10):
            value = schemas.value(3)
            expected = validator.is_valid(value)
            assert evaluate(formula, value) == expected, (schema, value)
            special = specialise(formula, kind_of(value))
            assert evaluate(special, value) == expected, (schema, value)
            if isinstance(value, str):
                assert lang.matches(string_language(formula), value) == expected, (schema, value)
            elif isinstance(value, int | float) and not isinstance(value, bool):
                text = number_text(value, is_plain=True)
                assert lang.matches(number_language(formula), text) == expected, (schema, value)
            num_compared += 1
    assert num_compared > 2000
