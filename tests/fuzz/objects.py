"""Objects with nested conditions: `python -m tests.fuzz.objects --seconds 3600 --seed 1`.

Conditions on the presence and the values of four keys, in all combinators; some values are such objects again. Of each
schema: random walks through its masks, some of which end early by the shortest completion, and documents of every
subset and order of the keys, in both orders of properties.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from typing import Any

from guided.grammars.errors import UnsatisfiableError
from guided.grammars.protocol import CompiledGrammar
from tests.grammars.json_schema.token_walk import Unclear, read_document

from .command import Fault, main, of_schemas
from .conditions import ConditionMaker, MakeCondition
from .oracles import Oracles
from .walks import DeadEndError, compiled, takes, walk

KEYS = ["a", "b", "c", "d"]
VALUES: list[Any] = [None, False, "", 1, {}, {"a": 1}, {"a": 1, "b": None}]
PIECES = [f'"{key}":'.encode() for key in KEYS] + [f',"{key}":'.encode() for key in KEYS]
PIECES += [json.dumps(value, separators=(",", ":")).encode() for value in VALUES] + [b"{", b"}", b"}"]
NUM_WALKS = 6
MAX_BYTES = (0, 3, 9, 30, 100, 100)  # of walks, then they end by the shortest completion
NUM_VALUES = 3  # choices of values for each set of keys
NUM_ORDERS = 8  # of the keys of one document, where it is accepted in all or in none


class ObjectMaker(ConditionMaker):
    """Schemas of objects over `KEYS`."""

    SHARE_OF_EMPTY = 0.08

    def document(self) -> dict[str, Any]:
        """A whole schema."""
        schema: dict[str, Any] = {"type": "object"} if self.rng.random() < 0.9 else {}
        for _ in range(self.rng.randint(1, 3)):
            schema |= self.condition(2)
        if self.rng.random() < 0.7:
            schema |= self._properties(1)
        if self.rng.random() < 0.4:
            schema |= {"required": self._keys(1, 2)}
        if "properties" in schema and self.rng.random() < 0.25:
            schema["properties"][self.rng.choice(KEYS)] = {"$ref": "#"}
        return schema

    def plain(self) -> list[MakeCondition]:
        """Keywords that speak of an object."""
        return [self._required, self._properties_of, self._closed, self._count, self._names, self._patterns]

    def nested(self) -> list[MakeCondition]:
        """Combinators, and what depends on them."""
        combinators = [self._combined, self._combined, self._if, self._not]
        return [*combinators, self._dependent, self._dependent_schemas, self._unevaluated]

    def value(self, depth: int) -> Any:
        """A schema of a member."""
        rng = self.rng
        chosen = rng.random()
        if chosen < 0.3:
            return {}
        if chosen < 0.45:
            return {"const": rng.choice(VALUES)}
        if chosen < 0.6:
            return {"enum": rng.sample(VALUES, rng.randint(1, 3))}
        if chosen < 0.7:
            return {"type": rng.choice(["null", "boolean", "string", "integer", "object"])}
        if chosen < 0.8:
            return rng.choice([True, False, {"not": {}}])
        if chosen < 0.88:
            return {"not": {"enum": rng.sample(VALUES, rng.randint(1, 3))}}
        return {"type": "object", **self.condition(0)} if depth >= 0 else {}

    def _keys(self, low: int, high: int) -> list[str]:
        return self.rng.sample(KEYS, self.rng.randint(low, high))

    def _required(self, depth: int) -> dict[str, Any]:
        del depth
        return {"required": self._keys(1, 2)}

    def _properties(self, depth: int) -> dict[str, Any]:
        return {"properties": {key: self.value(depth) for key in self._keys(1, 4)}}

    def _properties_of(self, depth: int) -> dict[str, Any]:
        return {"properties": {key: self.value(depth) for key in self._keys(1, 2)}}

    def _closed(self, depth: int) -> dict[str, Any]:
        more = self.rng.choice([False, self.value(depth)])
        return {**(self._properties(depth) if self.rng.random() < 0.8 else {}), "additionalProperties": more}

    def _unevaluated(self, depth: int) -> dict[str, Any]:
        return {**self.condition(depth), "unevaluatedProperties": self.rng.choice([False, self.value(0)])}

    def _count(self, depth: int) -> dict[str, Any]:
        del depth
        low, high = sorted((self.rng.randint(0, 4), self.rng.randint(0, 4)))
        return self.rng.choice(
            [{"minProperties": low}, {"maxProperties": high}, {"minProperties": low, "maxProperties": high}]
        )

    def _names(self, depth: int) -> dict[str, Any]:
        del depth
        return {"propertyNames": self.rng.choice([{"enum": self._keys(1, 3)}, {"not": {"enum": self._keys(1, 2)}}])}

    def _patterns(self, depth: int) -> dict[str, Any]:
        patterns = self.rng.sample(["^[ab]$", "^[bc]", "d", "^[^a]$"], self.rng.randint(1, 2))
        return {"patternProperties": {one: self.value(depth) for one in patterns}}

    def _dependent(self, depth: int) -> dict[str, Any]:
        del depth
        return {"dependentRequired": {key: self._keys(1, 2) for key in self._keys(1, 2)}}

    def _dependent_schemas(self, depth: int) -> dict[str, Any]:
        return {"dependentSchemas": {key: self.schema(depth) for key in self._keys(1, 2)}}


def make(rng: random.Random) -> dict[str, Any]:
    """A random schema."""
    return ObjectMaker(rng).document()


def documents(rng: random.Random) -> Iterator[dict[str, Any]]:
    """Objects of every set of keys, with a few choices of values for each."""
    for size in range(len(KEYS) + 1):
        for keys in itertools.combinations(KEYS, size):
            for _ in range(NUM_VALUES if keys else 1):
                yield {key: rng.choice(VALUES) for key in keys}


def find(schema: Any, rng: random.Random) -> Fault | None:
    """The first fault of a schema. Raises UnsupportedSchemaError where it is refused."""
    oracles = Oracles(schema)
    for property_order in ("schema", "any"):
        try:
            grammar = compiled(schema, property_order)
        except UnsatisfiableError:
            return _valid_document(oracles, property_order, rng)
        fault = _walks(grammar, oracles, property_order, rng) or _every_order(grammar, oracles, property_order, rng)
        if fault is not None:
            return fault
    return None


def _valid_document(oracles: Oracles, property_order: str, rng: random.Random) -> Fault | None:
    """A valid document of a schema that was called unsatisfiable."""
    valid = (document for document in documents(rng) if oracles.contradict(document, False))
    return next((Fault("wrongly unsatisfiable", property_order, json.dumps(one)) for one in valid), None)


def _walks(grammar: CompiledGrammar, oracles: Oracles, property_order: str, rng: random.Random) -> Fault | None:
    for _ in range(NUM_WALKS):
        matcher = grammar.matcher()
        try:
            text = walk(matcher, PIECES, rng, rng.choice(MAX_BYTES))
        except DeadEndError as error:
            return Fault("dead end" if error.is_empty else "no end", property_order, str(error))
        try:
            is_wrong = oracles.contradict(read_document(text), True)
        except Unclear:
            continue
        if is_wrong:
            return Fault("wrong accept", property_order, text.decode())
    return None


def _every_order(grammar: CompiledGrammar, oracles: Oracles, property_order: str, rng: random.Random) -> Fault | None:
    """In any order, each valid document must be taken in every order of its keys; in that of the schema, in one."""
    matcher = grammar.matcher()
    for document in documents(rng):
        texts = [text for pairs in itertools.permutations(document.items()) for text in _texts(pairs)]
        rng.shuffle(texts)
        some = [takes(matcher, text.encode()) for text in texts[:NUM_ORDERS]]
        if any(some) and oracles.contradict(document, True):
            return Fault("wrong accept", property_order, json.dumps(document))
        is_taken = all(some) if property_order == "any" else any(some)
        if is_taken or not oracles.contradict(document, False):
            continue
        if property_order == "any" or not any(takes(matcher, text.encode()) for text in texts[NUM_ORDERS:]):
            return Fault("wrong rejection", property_order, json.dumps(document))
    return None


def _texts(pairs: tuple[tuple[str, Any], ...]) -> list[str]:
    """The object with its keys in this order, and those of its members in every order."""
    texts = [""]
    for key, value in pairs:
        orders = itertools.permutations(value.items()) if isinstance(value, dict) else [None]
        values = [json.dumps(value if one is None else dict(one), separators=(",", ":")) for one in orders]
        texts = [f'{text}{"," if text else ""}"{key}":{value}' for text in texts for value in values]
    return [f"{{{text}}}" for text in texts]


if __name__ == "__main__":
    main(of_schemas(make, find), __doc__ or "")
