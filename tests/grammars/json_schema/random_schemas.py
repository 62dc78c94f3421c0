"""Random nested schemas with every keyword, and random values that come near to satisfying them."""

from __future__ import annotations

import random
from typing import Any

KEYS = ["a", "b", "c", "ab", "x-1"]
STRINGS = ["", "a", "b", "ab", "abc", "zz", "é", "日本", 'q"', "a\nb", "2024-02-29", "1"]
NUMBERS: list[Any] = [0, 1, 2, 3, 5, 7, 10, -1, -4, 0.5, 1.5, 2.25, 100]
PATTERNS = ["^a", "b$", "^[a-c]*$", "a|z", "^.{2}$", "x-[0-9]", "^(?!a)", "^[^a]*(b|$)", "(?<=a)b", "^\\S+( \\S+)*$"]
FORMATS = ["date", "ipv4", "uuid", "date-time", "ipv6", "duration", "json-pointer"]
KEYWORDS = frozenset(
    {
        *("type", "enum", "const", "minLength", "maxLength", "pattern", "format", "minimum", "maximum"),
        *("exclusiveMinimum", "exclusiveMaximum", "multipleOf", "properties", "required", "additionalProperties"),
        *("patternProperties", "propertyNames", "minProperties", "maxProperties", "dependentRequired"),
        *("dependentSchemas", "unevaluatedProperties", "items", "prefixItems", "minItems", "maxItems", "uniqueItems"),
        *("contains", "minContains", "maxContains", "unevaluatedItems", "allOf", "anyOf", "oneOf", "not", "if"),
        *("then", "else", "$ref", "$defs", "$anchor", "$dynamicAnchor", "$dynamicRef"),
    }
)
"""Every keyword of 2020-12 that constrains, but `$id`, which would cut the references off."""


class SchemaMaker:
    """Schemas of a draft (2020-12), nested up to a depth. definitions: names that `$ref` may use."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.definitions = ["d0", "d1"]

    def document(self) -> dict[str, Any]:
        """A whole schema, definitions included."""
        schema = self.schema(3)
        root = schema if isinstance(schema, dict) else {"allOf": [schema]}
        definitions = {name: self.schema(2) for name in self.definitions}
        for name, anchor in (("d0", "$dynamicAnchor"), ("d1", "$anchor")):
            definition = definitions[name]
            definitions[name] = {**(definition if isinstance(definition, dict) else {}), anchor: name}
        root["$defs"] = definitions
        return root

    def schema(self, depth: int) -> dict[str, Any] | bool:
        """One schema."""
        rng = self.rng
        if rng.random() < 0.04:
            return rng.random() < 0.8
        makers = [self._string, self._number, self._plain, self._enum]
        if depth > 0:
            makers += [self._object] * 4 + [self._array] * 2 + [self._combined] * 3 + [self._reference]
        schema: dict[str, Any] = rng.choice(makers)(depth - 1)
        if depth > 0 and rng.random() < 0.15:
            schema.setdefault("not", self.schema(0))
        return schema

    def _plain(self, depth: int) -> dict[str, Any]:
        del depth
        names = ["null", "boolean", "integer", "number", "string", "array", "object"]
        return {"type": self.rng.choice([self.rng.choice(names), self.rng.sample(names, 2)])}

    def _enum(self, depth: int) -> dict[str, Any]:
        del depth
        values = [None, True, 1, "a", "ab", 2.5, [], {}, {"a": 1}, ["a"], "b"]
        if self.rng.random() < 0.3:
            return {"const": self.rng.choice(values)}
        return {"enum": self.rng.sample(values, self.rng.randint(1, 4))}

    def _string(self, depth: int) -> dict[str, Any]:
        del depth
        schema: dict[str, Any] = {"type": "string"} if self.rng.random() < 0.8 else {}
        self._maybe(schema, "minLength", lambda: self.rng.randint(0, 2))
        self._maybe(schema, "maxLength", lambda: self.rng.choice([2, 3, 4, 5, 6, 12, 40]))
        self._maybe(schema, "pattern", lambda: self.rng.choice(PATTERNS))
        if self.rng.random() < 0.1:
            schema["format"] = self.rng.choice(FORMATS)
        return schema

    def _number(self, depth: int) -> dict[str, Any]:
        del depth
        schema: dict[str, Any] = {"type": self.rng.choice(["integer", "number"])} if self.rng.random() < 0.8 else {}
        self._maybe(schema, "minimum", lambda: self.rng.choice([-5, 0, 0.5, 1]))
        self._maybe(schema, "maximum", lambda: self.rng.choice([2, 3.5, 10, 100]))
        self._maybe(schema, "exclusiveMinimum", lambda: self.rng.choice([-3, 0]), 0.2)
        self._maybe(schema, "exclusiveMaximum", lambda: self.rng.choice([7, 12.5]), 0.2)
        self._maybe(schema, "multipleOf", lambda: self.rng.choice([1, 2, 3, 0.5, 0.25, 1.5]), 0.2)
        return schema

    def _object(self, depth: int) -> dict[str, Any]:
        rng = self.rng
        schema: dict[str, Any] = {"type": "object"} if rng.random() < 0.8 else {}
        self._maybe(
            schema, "properties", lambda: {key: self.schema(depth) for key in rng.sample(KEYS, rng.randint(1, 3))}
        )
        self._maybe(schema, "required", lambda: rng.sample(KEYS, rng.randint(1, 2)))
        self._maybe(schema, "additionalProperties", lambda: rng.choice([False, self.schema(depth)]))
        patterns = rng.sample(PATTERNS, rng.randint(1, 2))
        self._maybe(schema, "patternProperties", lambda: {one: self.schema(depth) for one in patterns}, 0.2)
        self._maybe(schema, "propertyNames", lambda: rng.choice([self._string(0), {"enum": KEYS[:3]}]), 0.1)
        self._maybe(schema, "minProperties", lambda: rng.randint(0, 2), 0.15)
        self._maybe(schema, "maxProperties", lambda: rng.randint(1, 4), 0.15)
        self._maybe(schema, "dependentRequired", lambda: {rng.choice(KEYS): rng.sample(KEYS, rng.randint(1, 2))}, 0.1)
        self._maybe(schema, "dependentSchemas", lambda: {rng.choice(KEYS): self.schema(depth)}, 0.1)
        self._maybe(schema, "unevaluatedProperties", lambda: rng.choice([False, self.schema(0)]), 0.1)
        return schema

    def _array(self, depth: int) -> dict[str, Any]:
        rng = self.rng
        schema: dict[str, Any] = {"type": "array"} if rng.random() < 0.8 else {}
        self._maybe(schema, "items", lambda: self.schema(depth))
        self._maybe(schema, "prefixItems", lambda: [self.schema(depth) for _ in range(rng.randint(1, 2))], 0.2)
        self._maybe(schema, "minItems", lambda: rng.randint(0, 2), 0.3)
        self._maybe(schema, "maxItems", lambda: rng.randint(1, 4), 0.3)
        self._maybe(schema, "uniqueItems", lambda: True, 0.25)
        if rng.random() < 0.2:
            schema["contains"] = self.schema(0)
            self._maybe(schema, "minContains", lambda: rng.randint(0, 2), 0.3)
            self._maybe(schema, "maxContains", lambda: rng.randint(1, 3), 0.3)
        self._maybe(schema, "unevaluatedItems", lambda: rng.choice([False, self.schema(0)]), 0.1)
        return schema

    def _combined(self, depth: int) -> dict[str, Any]:
        rng = self.rng
        keyword = rng.choice(["allOf", "anyOf", "oneOf", "not", "if"])
        if keyword == "not":
            return {"not": self.schema(depth)}
        if rng.random() < 0.1:
            return {"allOf": [self.schema(depth)], "anyOf": [self.schema(depth), self.schema(0)], "not": self.schema(0)}
        if keyword == "if":
            schema: dict[str, Any] = {"if": self.schema(depth)}
            self._maybe(schema, "then", lambda: self.schema(depth), 0.8)
            self._maybe(schema, "else", lambda: self.schema(depth), 0.6)
            return schema
        combined: dict[str, Any] = self._object(depth) if rng.random() < 0.4 else {}
        combined[keyword] = [self.schema(depth) for _ in range(rng.randint(2, 3))]
        return combined

    def _reference(self, depth: int) -> dict[str, Any]:
        rng = self.rng
        reference = {"$ref": f"#/$defs/{rng.choice(self.definitions)}"}
        if rng.random() < 0.4:
            reference = rng.choice([{"$dynamicRef": "#d0"}, {"$ref": "#d1"}])
        beside = rng.choice([self._string, self._object, self._array])(depth - 1) if rng.random() < 0.2 else {}
        return {**reference, **beside}

    def _maybe(self, schema: dict[str, Any], keyword: str, make: Any, share: float = 0.5) -> None:
        if self.rng.random() < share:
            schema[keyword] = make()


def random_value(rng: random.Random, depth: int = 3) -> Any:
    """A JSON value made of what the schemas speak of."""
    kind = rng.randint(0, 9 if depth > 0 else 5)
    if kind == 0:
        return rng.choice([None, True, False])
    if kind <= 3:
        return rng.choice(STRINGS)
    if kind <= 5:
        return rng.choice(NUMBERS)
    if kind <= 7:
        return [random_value(rng, depth - 1) for _ in range(rng.randint(0, 3))]
    return {key: random_value(rng, depth - 1) for key in rng.sample(KEYS, rng.randint(0, 4))}


def mutated(rng: random.Random, value: Any) -> Any:
    """The value with one part of it replaced, removed or added."""
    if isinstance(value, dict) and rng.random() < 0.8:
        changed = dict(value)
        key = rng.choice([*changed, *KEYS])
        if key in changed and rng.random() < 0.3:
            del changed[key]
        else:
            changed[key] = mutated(rng, changed[key]) if key in changed else random_value(rng, 1)
        return changed
    if isinstance(value, list) and value and rng.random() < 0.8:
        place = rng.randrange(len(value))
        rest = [*value[:place], *value[place + 1 :]]
        return rest if rng.random() < 0.3 else [*value[:place], mutated(rng, value[place]), *value[place + 1 :]]
    return random_value(rng, 1)
