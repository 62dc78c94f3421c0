"""Hostile schemas: `python -m tests.fuzz.hostile --seconds 3600 --seed 1`.

Keywords nested and multiplied at random sizes. Compiling, masks, tokens and distances to the end must be over within
their limits, which are short here, or end in a typed error.
"""

from __future__ import annotations

import gc
import json
import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from guided.grammars.bitset import allocate_bitmask, allowed_token_ids
from guided.grammars.compile import compile_grammar
from guided.grammars.errors import GuidedError
from guided.grammars.limits import Limits
from tests.grammars.vocabularies import byte_vocabulary

from .command import Case, main

VOCABULARY = byte_vocabulary()
LIMIT_S = 0.3
SLACK_S = 0.4  # of processor time past a limit: 0.2 s, and what the clock is off on a busy machine
LIMITS = Limits(max_compile_seconds=LIMIT_S, max_mask_seconds=LIMIT_S, max_text_seconds=4 * LIMIT_S)
MAX_COMPILE_S = 1.0  # reading and checking the schema come first; they are bounded by its size
SIZES = (1, 2, 3, 5, 8, 13, 40, 200, 1_000, 5_000)
NUM_TOKENS = 12
ENOUGH = 20_000  # parts of a schema, so that its text stays below the limit on it

Schema = dict[str, Any]


class Maker:
    """Random schemas of about `ENOUGH` parts at most."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.left = ENOUGH
        self.bombs = 0
        self.definitions: dict[str, Schema] = {}

    def document(self) -> Schema:
        """A whole schema."""
        made = self.schema(3)
        return {**made, "$defs": self.definitions} if self.definitions else made

    def schema(self, depth: int) -> Schema:
        """A schema in which keywords nest up to a depth."""
        makers: list[Callable[[int], Schema]] = [self._scalar, self._numbers, self._pattern, self._counts]
        if depth > 0 and self.left > 0:
            makers += [self._object, self._object, self._array, self._combined, self._combined, self._bomb, self._same]
        made = self.rng.choice(makers)(depth - 1)
        if depth > 0 and self.rng.random() < 0.3:
            made = self.rng.choice(makers)(depth - 1) | made
        return made

    def _size(self) -> int:
        size = min(self.rng.choice(SIZES), max(1, self.left))
        self.left -= size
        return size

    def _parts(self, depth: int) -> list[Schema]:
        """As many schemas: a few different ones, the same again with a number changed."""
        return [self._numbered(self.schema(depth), i) for i in range(self._size())]

    def _numbered(self, schema: Schema, number: int) -> Schema:
        return schema | {"title": f"{number}"}

    def _scalar(self, _: int) -> Schema:
        rng = self.rng
        enum = [rng.choice([i, f"{i}", [i], {"a": i}, i * 0.1]) for i in range(self._size())]
        return rng.choice([{"type": rng.choice(["string", "integer", "number", "boolean"])}, {"enum": enum}, {}])

    def _numbers(self, _: int) -> Schema:
        rng = self.rng
        value = rng.choice([1, 7, 1e300, 1e-300, 2147483647, 999983, 0.001, 1.2345678912345e-5, 10**30 + 7, 3.3])
        bound = rng.choice([1, 1e300, -1e-300, 10**25, 0.1])
        keyword, number = rng.choice([("multipleOf", value), ("minimum", bound), ("exclusiveMaximum", bound)])
        return {"type": "number", keyword: number}

    def _pattern(self, _: int) -> Schema:
        rng, size = self.rng, self._size()
        patterns = [f"^(a|b)*a(a|b){{{size}}}$", f"^[a-m]{{{size}}}$", "^" + "(?=.*[a-c])" * min(size, 30), "(x+x+)+y"]
        return {"type": "string", "pattern": rng.choice(patterns)}

    def _counts(self, _: int) -> Schema:
        rng, many = self.rng, self.rng.choice([3, 50, 1_000, 10**6, 10**9, 10**18])
        keyword = rng.choice(["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"])
        unique = {"uniqueItems": True} if rng.random() < 0.3 else {}
        return {keyword: many, **unique}

    def _object(self, depth: int) -> Schema:
        rng = self.rng
        keys = [f"{rng.choice(['k', 'key', ''])}{i}" for i in range(self._size())]
        shared = [self._shared(depth) for _ in range(3)]
        made: Schema = {"type": "object", "properties": {key: rng.choice(shared) for key in keys}}
        if rng.random() < 0.6:
            made["required"] = keys if rng.random() < 0.5 else sorted(set(rng.choices(keys, k=3)))
        if rng.random() < 0.3:
            made["dependentRequired"] = {key: [rng.choice(keys)] for key in keys}
        if rng.random() < 0.3:
            made[rng.choice(["additionalProperties", "unevaluatedProperties"])] = rng.choice([False, shared[0]])
        if rng.random() < 0.2:
            made["patternProperties"] = {f"{key[-1:]}.*{i}": shared[1] for i, key in enumerate(keys[:200])}
        return made

    def _shared(self, depth: int) -> Schema:
        """A reference, so that many places share a schema."""
        self.bombs += 1
        name = f"shared{self.bombs}"
        self.definitions[name] = self.schema(depth)
        return {"$ref": f"#/$defs/{name}"}

    def _array(self, depth: int) -> Schema:
        rng = self.rng
        made: Schema = {"type": "array", rng.choice(["items", "contains"]): self.schema(depth)}
        if rng.random() < 0.3:
            made["prefixItems"] = self._parts(depth)
        if rng.random() < 0.3:
            made |= {"uniqueItems": True, "minItems": self._size()}
        if rng.random() < 0.2:
            made |= {"contains": self.schema(depth), "minContains": self._size()}
        return made

    def _combined(self, depth: int) -> Schema:
        keyword = self.rng.choice(["anyOf", "oneOf", "allOf", "not", "if"])
        if keyword == "not":
            return {"not": self.schema(depth)}
        if keyword == "if":
            return {"if": self.schema(depth), "then": self.schema(depth), "else": self.schema(depth)}
        return {keyword: self._parts(depth)}

    def _same(self, depth: int) -> Schema:
        """Alternatives that differ in one key's value or in its presence."""
        key, keyword = self.rng.choice(["k", "v"]), self.rng.choice(["anyOf", "oneOf"])
        parts = [{"properties": {key: self.schema(depth)}, "required": [f"r{i % 7}"]} for i in range(self._size())]
        return {"type": "object", keyword: parts}

    def _bomb(self, depth: int) -> Schema:
        """References to references, each of them twice."""
        keyword, length = self.rng.choice(["anyOf", "oneOf", "allOf"]), self.rng.randint(2, 60)
        self.left -= length
        wraps: list[Callable[[Schema], Schema]] = [
            lambda one: {keyword: [one, one]},
            lambda one: {keyword: [one, {"not": one}]},
            lambda one: {keyword: [one, {"properties": {"p": one}}]},
            lambda one: {"type": "array", "items": one, "contains": one},
        ]
        wrap = self.rng.choice(wraps)
        self.bombs += 1
        bomb = f"bomb{self.bombs}"
        links = {f"{bomb}_{i}": wrap({"$ref": f"#/$defs/{bomb}_{i + 1}"}) for i in range(length)}
        self.definitions |= {**links, f"{bomb}_{length}": self.schema(min(depth, 1))}
        return {"$ref": f"#/$defs/{bomb}_0"}


def time_of(work: Callable[[], Any]) -> tuple[float, Any]:
    """The processor time that it takes, and what it gives; None after a typed error."""
    start = time.thread_time()
    try:
        found = work()
    except GuidedError:
        found = None
    return time.thread_time() - start, found


def faults_of(schema: Schema, rng: random.Random, *, num_tokens: int = NUM_TOKENS, **options: str) -> list[str]:
    """What took longer than its limit allows."""
    faults = []

    def check(what: str, work: Callable[[], Any], maximum_s: float = LIMIT_S) -> Any:
        seconds, found = time_of(work)
        if seconds > maximum_s + SLACK_S:
            faults.append(f"{what} took {seconds:.2f} s")
        return found

    def compiled() -> Any:
        return compile_grammar(VOCABULARY, json_schema=schema, limits=LIMITS, cache=None, **options)  # type: ignore[arg-type]

    grammar = check("compiling", compiled, MAX_COMPILE_S)
    if grammar is None:
        return faults
    matcher = grammar.matcher()
    bitmask = allocate_bitmask(1, VOCABULARY.size)
    for _ in range(num_tokens):
        check("a mask", lambda: matcher.fill_bitmask(bitmask))
        check("a distance", matcher.find_shortest_completion)
        check("a budget", lambda: matcher.restrict_to_budget(bitmask, 0, rng.choice([1, 9, 300])))
        allowed = allowed_token_ids(bitmask[0], VOCABULARY.size)
        token_id = int(rng.choice(allowed.tolist())) if len(allowed) else -1
        if not check("a token", partial(matcher.accept_token, token_id)):
            break
    check("a jump", matcher.find_jump_forward_bytes)
    return faults


def look(case: Case) -> list[str]:
    """The faults of a random schema. The collector rests: what it takes depends on all that the process holds."""
    schema = Maker(case.rng).document()
    gc.collect()
    gc.disable()
    try:
        found = faults_of(schema, case.rng, property_order=case.rng.choice(["schema", "any"]))
    finally:
        gc.enable()
    text = json.dumps(schema) if found else ""
    return [f"{fault}: {text[:300]} ({len(text)} characters)" for fault in found]


if __name__ == "__main__":
    main(look, __doc__ or "")
