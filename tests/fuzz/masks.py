"""Masks of long tokens: `python -m tests.fuzz.masks --seconds 3600 --seed 1`.

Arrays and objects with conditions, nested in arrays and objects with conditions, beside a vocabulary whose tokens end
and begin several values at once. Some of them share a beginning with many others, some with few: masks go other ways
there. Along random walks tokens are tried out: the mask must have those that are taken, and no others.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from guided.grammars.errors import UnsatisfiableError
from guided.grammars.protocol import Matcher
from guided.grammars.vocabulary import Vocabulary

from . import arrays, objects
from .command import Fault, main, of_schemas
from .walks import allowed, compiled

BYTES = [bytes([byte]) for byte in range(256)]
TRIED_BYTES = [byte[0] for byte in BYTES if byte in b'ab12 -nt{}[],:"']
MANY = [b"1", b'a"', b'"b"', b"null"]  # values that many tokens begin with
FEW = [b"2", b"3", b"12", b'b"', b'"c"', b"ue", b"[]", b"{}", b'{"a":1']
ENDS = [b"]", b"]]", b"}", b"}}", b"]}", b"}]"]
BEGINNINGS = [b",1", b",2", b',"', b',"a', b',"b":', b",[", b",{", b",[1", b",[[", b',{"', b',{"b":1']
LONGER = [
    *[b"".join(parts) for parts in itertools.product(MANY, [b"", *ENDS], [b"", *BEGINNINGS]) if any(parts[1:])],
    *[b"".join(parts) for parts in itertools.product(FEW, [*ENDS, b",", b",2", b"],["])],
    *[b"".join(parts) for parts in itertools.product([b'":', b'"a":'], FEW, [b"", b"]", b"}", b',"', b',"a'])],
    *[b"".join(parts) for parts in itertools.product(ENDS, BEGINNINGS)],
    *[b"[[", b"[[1", b'[{"', b'{"a":[', b"[1,", b"[1,1]", b"[1,2]", b"[[1,", b"[[]", b"[1],[1]", b'{"a":1}', b"[{}"],
]
VOCABULARY = Vocabulary([*BYTES, None, *sorted(set(LONGER))], [256])
TRIED = [*TRIED_BYTES, *range(257, VOCABULARY.size)]
NUM_WALKS = 3


def make(rng: random.Random) -> Any:
    """A random schema."""
    return _nested(rng, 2)


def _nested(rng: random.Random, depth: int) -> Any:
    chosen = rng.random()
    if depth == 0 or chosen < 0.2:
        return _leaf(rng)
    if chosen < 0.6:
        schema = {"type": "array", "items": _nested(rng, depth - 1)}
        if rng.random() < 0.3:
            schema["prefixItems"] = [_nested(rng, depth - 1)]
        schema |= rng.choice([{}, {"uniqueItems": True}, {"uniqueItems": True}, {"not": {"uniqueItems": True}}])
        return schema | (_if_unique("items", "minItems", "maxItems", rng) if rng.random() < 0.3 else {})
    members = {key: _nested(rng, depth - 1) for key in rng.sample(objects.KEYS, rng.randint(0, 2))}
    schema = {"type": "object", "properties": members}
    schema |= rng.choice([{}, {"additionalProperties": _nested(rng, depth - 1)}, {"maxProperties": 2}])
    schema |= rng.choice([{}, {"required": list(members)}, {"propertyNames": {"not": {"const": "b"}}}])
    return schema | (
        _if_unique("additionalProperties", "minProperties", "maxProperties", rng) if rng.random() < 0.3 else {}
    )


def _if_unique(parts: str, low: str, high: str, rng: random.Random) -> Any:
    """A bound on the number of parts, which depends on whether the items in them are unique."""
    bounds = rng.sample([{low: 2}, {high: 1}], 2)
    return {"if": {parts: {"uniqueItems": True}}, "then": bounds[0], "else": bounds[1]}


def _leaf(rng: random.Random) -> Any:
    if rng.random() < 0.3:
        return rng.choice([arrays.make, objects.make])(rng)
    return rng.choice([{"type": ["integer", "string"]}, {"type": "integer"}, {"enum": [1, 2, "a", "b"]}, {}])


def find(schema: Any, rng: random.Random) -> Fault | None:
    """The first fault of a schema. Raises UnsupportedSchemaError where it is refused."""
    order = rng.choice(["schema", "any"])
    try:
        grammar = compiled(schema, order, VOCABULARY)
    except UnsatisfiableError:
        return None
    for _ in range(NUM_WALKS):
        wrong = WALK.find(grammar.matcher(), rng)
        if wrong is not None:
            return Fault("wrong mask", order, wrong)
    return None


class Walk(NamedTuple):
    """Random walks through masks, along which tokens are tried out.

    tried: these tokens. is_right: whether a token's bit in the mask is. checked: share of the places of a walk where
    tokens are tried. num_tried: of those that are not allowed.
    """

    vocabulary: Vocabulary
    tried: Sequence[int]
    is_right: Callable[[Matcher, int, bool], bool]
    num_tokens: int
    checked: float
    num_tried: int

    def find(self, matcher: Matcher, rng: random.Random) -> str | None:
        """A text after which the mask is wrong, with the tokens that are."""
        text, tokens = b"", self.vocabulary.tokens
        for _ in range(self.num_tokens):
            mask = set(allowed(matcher, self.vocabulary))
            if rng.random() < self.checked:
                tried = set(rng.sample(self.tried, self.num_tried)) | mask.intersection(self.tried)
                wrong = [one for one in sorted(tried) if not self.is_right(matcher, one, one in mask)]
                if wrong:
                    return f"{text!r} {[(tokens[one], one in mask) for one in wrong]}"
            token_id = chosen(mask, rng)
            if token_id is None:
                return None
            if not matcher.accept_token(token_id):
                return f"{text!r} {tokens[token_id]!r} is refused"
            text += tokens[token_id] or b"\x00"
        return None


def chosen(mask: set[int], rng: random.Random) -> int | None:
    """A token to go on with, a long one rather than a byte; None where only the end is left."""
    longer = sorted(token_id for token_id in mask if token_id > 256)
    few_bytes = [byte for byte in TRIED_BYTES if byte in mask]
    if longer and (not few_bytes or rng.random() < 0.7):
        return rng.choice(longer)
    others = few_bytes or sorted(token_id for token_id in mask if token_id < 256)
    return rng.choice(others) if others else None


def is_taken(matcher: Matcher, token_id: int) -> bool:
    """Whether a matcher, which stays as it is, takes a token."""
    if not matcher.accept_token(token_id):
        return False
    matcher.rollback(1)
    return True


def _is_right(matcher: Matcher, token_id: int, is_allowed: bool) -> bool:
    return is_allowed == is_taken(matcher, token_id)


WALK = Walk(VOCABULARY, TRIED, _is_right, num_tokens=12, checked=0.5, num_tried=250)


if __name__ == "__main__":
    main(of_schemas(make, find), __doc__ or "")
