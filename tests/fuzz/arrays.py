"""Arrays whose items depend on each other: `python -m tests.fuzz.arrays --seconds 3600 --seed 1`.

Uniqueness, counts of matches, prefixes and bounds in all combinators. Of each schema: random walks through its masks,
every array up to length 4 over four values, a walk to the end from some of their beginnings, and at some places the
mask of a vocabulary with longer tokens, each of them tried out.
"""

from __future__ import annotations

import json
import random
from decimal import Decimal
from typing import Any

from guided.grammars.errors import UnsatisfiableError
from guided.grammars.protocol import CompiledGrammar, Matcher
from guided.grammars.vocabulary import Vocabulary

from .command import Fault, main, of_schemas
from .conditions import ConditionMaker, MakeCondition
from .oracles import Oracles
from .walks import DeadEndError, allowed, compiled, try_piece, walk

SCALARS: list[Any] = [None, True, 1, 2, "a", "b", ""]
CONTAINERS: list[Any] = [[], {}, [1], {"a": 1}, {"b": 2, "a": [1]}]
LENGTH = 4
NUM_VALUES = 4
NUM_WALKS = 4
CONTINUED = 0.05  # share of the beginnings of arrays from where a walk goes to the end
MASKED = 0.02  # share of those where the mask is tried out
LONGER = [b",1", b"1,", b"1]", b'"]', b'","', b'"a"', b'"a",', b'a","b"', b"null,", b"],[", b"[[", b"]]", b"{}", b"},"]
TOKENS = Vocabulary([bytes([byte]) for byte in range(256)] + [None, *LONGER], [256])


class ArrayMaker(ConditionMaker):
    """Schemas of arrays. values: those that they speak of, and more."""

    SHARE_OF_EMPTY = 0.1

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.values = rng.sample(SCALARS, NUM_VALUES - 1) + [rng.choice(SCALARS + CONTAINERS)]

    def document(self) -> dict[str, Any]:
        """A whole schema."""
        schema: dict[str, Any] = {"type": "array"}
        for _ in range(self.rng.randint(1, 3)):
            schema |= self.condition(2)
        if self.rng.random() < 0.4:
            schema |= {"uniqueItems": True}
        if self.rng.random() < 0.3:
            schema |= {"maxItems": self.rng.randint(0, LENGTH)}
        return schema

    def plain(self) -> list[MakeCondition]:
        """Keywords that speak of an array."""
        return [self._unique, self._unique, self._contains, self._items, self._prefix, self._count]

    def nested(self) -> list[MakeCondition]:
        """Combinators, and what depends on them."""
        return [self._combined, self._combined, self._if, self._not, self._not_unique, self._unevaluated]

    def item(self, depth: int) -> Any:
        """A schema of an item."""
        rng = self.rng
        chosen = rng.random()
        if chosen < 0.2:
            return rng.choice([{}, True])
        if chosen < 0.4:
            return {"const": rng.choice(self.values)}
        if chosen < 0.65:
            return {"enum": rng.sample(self.values, rng.randint(1, 3))}
        if chosen < 0.78:
            return {"type": rng.choice(["null", "boolean", "string", "integer", "number", "array", "object"])}
        if chosen < 0.81:
            return False
        if chosen < 0.9:
            return {"not": {"enum": rng.sample(self.values, rng.randint(1, 3))}}
        if chosen < 0.94:
            return rng.choice(
                [{"type": "integer", "minimum": 0, "maximum": 2}, {"type": "string", "pattern": "^[ab]?$"}]
            )
        return {"type": "array", **self.condition(0)} if depth >= 0 else {}

    def _unique(self, depth: int) -> dict[str, Any]:
        del depth
        return {"uniqueItems": True}

    def _contains(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {"contains": self.item(depth)}
        low, high = sorted((self.rng.randint(0, 3), self.rng.randint(0, 3)))
        if self.rng.random() < 0.5:
            found["minContains"] = low
        if self.rng.random() < 0.4:
            found["maxContains"] = high
        return found

    def _items(self, depth: int) -> dict[str, Any]:
        return {"items": self.item(depth)}

    def _prefix(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {"prefixItems": [self.item(depth) for _ in range(self.rng.randint(1, 3))]}
        return found | (self._items(depth) if self.rng.random() < 0.3 else {})

    def _count(self, depth: int) -> dict[str, Any]:
        del depth
        low, high = sorted((self.rng.randint(0, LENGTH), self.rng.randint(0, LENGTH)))
        return self.rng.choice([{"minItems": low}, {"maxItems": high}, {"minItems": low, "maxItems": high}])

    def _unevaluated(self, depth: int) -> dict[str, Any]:
        return {**self.condition(depth), "unevaluatedItems": self.rng.choice([False, self.item(0)])}

    def _not_unique(self, depth: int) -> dict[str, Any]:
        del depth
        return {"not": {"uniqueItems": True}}


def make(rng: random.Random) -> dict[str, Any]:
    """A random schema."""
    return ArrayMaker(rng).document()


def find(schema: Any, rng: random.Random) -> Fault | None:
    """The first fault of a schema. Raises UnsupportedSchemaError where it is refused."""
    return _Case(schema, rng).fault()


class _Case:
    """One schema, with the values that its arrays are made of."""

    def __init__(self, schema: Any, rng: random.Random) -> None:
        self.schema = schema
        self.rng = rng
        self.oracles = Oracles(schema)
        spoken_of = _constants(schema)
        others = [one for one in SCALARS + CONTAINERS if not any(_is_same(one, known) for known in spoken_of)]
        values = rng.sample(spoken_of, min(len(spoken_of), NUM_VALUES)) + rng.sample(others, NUM_VALUES)
        self.values = values[:NUM_VALUES]
        texts = [json.dumps(value, separators=(",", ":")).encode() for value in self.values]
        self.pieces = [*texts, *[b"," + text for text in texts], b"[", b"]", b"]"]

    def fault(self) -> Fault | None:
        """The first fault."""
        try:
            grammar = compiled(self.schema)
        except UnsatisfiableError:
            return self._below([], lambda array: Fault("wrongly unsatisfiable", "", json.dumps(array)))
        self.longer = compiled(self.schema, vocabulary=TOKENS).matcher()
        return self._walks(grammar) or self._arrays(grammar.matcher())

    def _walks(self, grammar: CompiledGrammar) -> Fault | None:
        return next((fault for _ in range(NUM_WALKS) if (fault := self._walk(grammar.matcher(), b""))), None)

    def _walk(self, matcher: Matcher, before: bytes) -> Fault | None:
        try:
            text = before + walk(matcher, self.pieces, self.rng)
        except DeadEndError as error:
            return Fault("dead end" if error.is_empty else "no end", "", before.decode() + str(error))
        is_wrong = not _is_unclear(text) and self.oracles.contradict(json.loads(text), True)
        return Fault("wrong accept", "", text.decode()) if is_wrong else None

    def _arrays(self, matcher: Matcher) -> Fault | None:
        """Every array of the values, the longer ones by way of the shorter ones."""
        if not matcher.accept_token(ord("[")):
            return self._below([], lambda array: Fault("wrong rejection", "", json.dumps(array)))
        return self._from(matcher, [])

    def _from(self, matcher: Matcher, array: list[Any]) -> Fault | None:
        """Arrays with this beginning. matcher: behind it."""
        is_taken = self._ends(matcher)
        if self.oracles.contradict(array, is_taken):
            return Fault("wrong accept" if is_taken else "wrong rejection", "", json.dumps(array))
        if self.rng.random() < CONTINUED:
            written = json.dumps(array, separators=(",", ":")).encode()[:-1]
            fault = self._walk(matcher.fork(), written)
            if fault is not None:
                return fault
        if self.rng.random() < MASKED:
            fault = self._mask(json.dumps(array, separators=(",", ":")).encode()[:-1])
            if fault is not None:
                return fault
        for value in self.values if len(array) < LENGTH else ():
            text = (b"," if array else b"") + json.dumps(value, separators=(",", ":")).encode()
            longer = [*array, value]
            if try_piece(matcher, text):
                fault = self._from(matcher, longer)
                matcher.rollback(len(text))
            else:
                fault = self._below(longer, lambda one: Fault("wrong rejection", "", json.dumps(one)))
            if fault is not None:
                return fault
        return None

    def _ends(self, matcher: Matcher) -> bool:
        if not matcher.accept_token(ord("]")):
            return False
        is_whole = matcher.is_accepting()
        matcher.rollback(1)
        return is_whole

    def _mask(self, written: bytes) -> Fault | None:
        """Whether the mask after some text is what is accepted, token by token."""
        matcher = self.longer
        matcher.reset()
        beginning = written + self.rng.choice([b"", b"", b",", b",1", b',"', b',"a'])
        if not try_piece(matcher, beginning):
            return None
        tokens = set(range(256)) | set(range(257, TOKENS.size))
        taken = {token_id for token_id in tokens if self._is_taken(matcher, token_id)}
        wrong = taken.symmetric_difference(allowed(matcher, TOKENS))
        if wrong:
            return Fault("wrong mask", "", f"{beginning.decode()} {[TOKENS.tokens[one] for one in sorted(wrong)]}")
        return None

    def _is_taken(self, matcher: Matcher, token_id: int) -> bool:
        if not matcher.accept_token(token_id):
            return False
        matcher.rollback(1)
        return True

    def _below(self, array: list[Any], fault: Any) -> Fault | None:
        """What is wrong with refusing all arrays with this beginning; None when none of them is valid."""
        if self.oracles.contradict(array, False):
            found: Fault = fault(array)
            return found
        for value in self.values if len(array) < LENGTH else ():
            found_below = self._below([*array, value], fault)
            if found_below is not None:
                return found_below
        return None


def _constants(schema: Any) -> list[Any]:
    """The values of `const` and `enum` anywhere in a schema, equal ones once."""
    found: list[Any] = []
    pending = [schema]
    while pending:
        part = pending.pop()
        if isinstance(part, dict):
            found += [part["const"]] if "const" in part else []
            found += part.get("enum", [])
            pending += [one for key, one in part.items() if key not in ("const", "enum")]
        elif isinstance(part, list):
            pending += part
    different: list[Any] = []
    for one in found:
        if not any(_is_same(one, other) for other in different):
            different.append(one)
    return different


def _is_unclear(text: bytes) -> bool:
    """Whether a document has a number that floats can't hold, so that validators see another one."""
    numerals: list[str] = []
    json.loads(text, parse_float=numerals.append)
    return any(Decimal(one) != Decimal(repr(float(one))) for one in numerals)


def _is_same(one: Any, other: Any) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


if __name__ == "__main__":
    main(of_schemas(make, find), __doc__ or "")
