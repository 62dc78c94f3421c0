r"""Patterns in all combinators: `python -m tests.fuzz.patterns --seconds 600 --seed 1`.

Random ECMA-262 patterns, with lookarounds and anchors anywhere, over a small alphabet that has characters of one to
four bytes, stand in `allOf`, `anyOf`, `oneOf`, `not` and beside bounds of the length; or name the open keys of an
object. Two oracles say which texts a pattern is found in: sets of places found by recursion over the pattern's tree,
and Python's `re` over the same tree printed for it. Short texts must be taken exactly where the oracles say so; along
random walks through the masks tokens are tried out; what a walk can't leave is a dead end.
"""

from __future__ import annotations

import itertools
import json
import random
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from guided.grammars.errors import LimitExceededError, UnsatisfiableError
from guided.grammars.protocol import Matcher
from guided.grammars.vocabulary import Vocabulary

from . import masks
from .command import Fault, main, of_schemas
from .walks import DeadEndError, compiled, takes, walk

ALPHABET = "ab1 é\u0416\u6f22\U0001f600"
NUM_TEXTS, MAX_LENGTH = 250, 7
SHORTEST = ["".join(chars) for length in range(3) for chars in itertools.product(ALPHABET, repeat=length)]
PIECES = ["ab", "ba", "aa", "1 ", "éé", "a\u0416", "\u6f22\u6f22", "\U0001f600a", "b1", "aaaa", "bbé"]
PARTS = [char.encode()[:end] for char in ALPHABET for end in range(1, len(char.encode()))]
TOKENS = sorted({*[piece.encode() for piece in PIECES], *[b"a" + part for part in PARTS if part], b'a"', b'"a', b'b":'})
VOCABULARY = Vocabulary([*masks.BYTES, None, *TOKENS], [256])
TRIED = [
    *sorted({byte for char in ALPHABET for byte in char.encode()} | set(b'"\\{}:,c')),
    *range(257, VOCABULARY.size),
]
WALK = masks.Walk(VOCABULARY, TRIED, lambda m, one, bit: bit == masks.is_taken(m, one), 10, 0.6, 40)

Places = frozenset[int]


class Node(ABC):
    """A part of a pattern."""

    @abstractmethod
    def printed(self, python: bool) -> str:
        """As a pattern; of Python's `re` where `python`, else of ECMA-262."""

    @abstractmethod
    def ends(self, text: str, place: int) -> Places:
        """Where it can end in a text when it begins at a place."""


@dataclass(frozen=True)
class Chars(Node):
    chars: str
    is_negated: bool = False

    def printed(self, python: bool) -> str:
        if len(self.chars) == 1 and not self.is_negated:
            return self.chars
        return f"[{'^' * self.is_negated}{self.chars}]"

    def ends(self, text: str, place: int) -> Places:
        is_there = place < len(text) and (text[place] in self.chars) != self.is_negated
        return frozenset({place + 1} if is_there else ())


@dataclass(frozen=True)
class Anchor(Node):
    sign: str

    def printed(self, python: bool) -> str:
        """Python's `\\B` is not found in the empty text before 3.14, though `\\b` is not either."""
        return {"^": r"\A", "$": r"\Z", r"\B": r"(?!\b)"}.get(self.sign, self.sign) if python else self.sign

    def ends(self, text: str, place: int) -> Places:
        if self.sign in "^$":
            holds = place == (0 if self.sign == "^" else len(text))
        else:
            before, after = (0 <= one < len(text) and _is_of_word(text[one]) for one in (place - 1, place))
            holds = (before != after) == (self.sign == r"\b")
        return frozenset({place} if holds else ())


def _is_of_word(char: str) -> bool:
    return char == "_" or (char.isalnum() and char.isascii())


@dataclass(frozen=True)
class Joined(Node):
    parts: tuple[Node, ...]
    is_choice: bool

    def printed(self, python: bool) -> str:
        return f"(?:{('|' if self.is_choice else '').join([part.printed(python) for part in self.parts])})"

    def ends(self, text: str, place: int) -> Places:
        if self.is_choice:
            return frozenset().union(*[part.ends(text, place) for part in self.parts])
        places = frozenset({place})
        for part in self.parts:
            places = frozenset().union(*[part.ends(text, one) for one in places])
        return places


@dataclass(frozen=True)
class Repeated(Node):
    part: Node
    low: int
    high: int | None

    def printed(self, python: bool) -> str:
        quantifier = {(0, None): "*", (1, None): "+", (0, 1): "?"}.get((self.low, self.high))
        bounds = f"{{{self.low},{'' if self.high is None else self.high}}}"
        return f"(?:{self.part.printed(python)}){quantifier or bounds}"

    def ends(self, text: str, place: int) -> Places:
        """ECMA-262 and Python differ in optional repeats of the empty text, which change no set of places."""
        places = frozenset({place})
        for _ in range(self.low):
            places = frozenset().union(*[self.part.ends(text, one) for one in places])
        found, count = places, self.low
        while places and (self.high is None or count < self.high):
            places = frozenset().union(*[self.part.ends(text, one) for one in places]) - found
            found, count = found | places, count + 1
        return found


@dataclass(frozen=True)
class Look(Node):
    part: Node
    is_behind: bool
    is_negated: bool

    def printed(self, python: bool) -> str:
        return f"(?{'<' * self.is_behind}{'!' if self.is_negated else '='}{self.part.printed(python)})"

    def ends(self, text: str, place: int) -> Places:
        if self.is_behind:
            holds = any(place in self.part.ends(text, begin) for begin in range(place + 1))
        else:
            holds = bool(self.part.ends(text, place))
        return frozenset({place} if holds != self.is_negated else ())


def node(rng: random.Random, depth: int, *, looks: bool = True) -> Node:
    """A random part of a pattern. looks: anchors and lookarounds may be in it."""
    chosen = rng.random()
    if depth == 0 or chosen < 0.2:
        return Chars("".join(rng.sample(ALPHABET, rng.choice([1, 1, 2, 3]))), rng.random() < 0.15)
    if looks and chosen < 0.27:
        return Anchor(rng.choice(["^", "$", "^", "$", r"\b", r"\B"]))
    if looks and chosen < 0.35:
        is_behind = rng.random() < 0.4
        # Python looks behind for texts of one length, ECMA-262 for any; lookaheads inside are refused
        part = _plain_run(rng) if is_behind else node(rng, depth - 1)
        return Look(part, is_behind, rng.random() < 0.5)
    if chosen < 0.6:
        low = rng.choice([0, 0, 1, 2, 3])
        high = rng.choice([None, None, low + 1, low + rng.randint(0, 9)])
        return Repeated(node(rng, depth - 1, looks=False), low, high or None)
    return Joined(tuple(node(rng, depth - 1, looks=looks) for _ in range(rng.randint(2, 3))), chosen < 0.75)


def _plain_run(rng: random.Random) -> Node:
    return Joined(tuple(node(rng, 0) for _ in range(rng.randint(1, 2))), is_choice=False)


def wide(rng: random.Random) -> Node:
    """A pattern of many sets of positions: "anything, x, exactly n", or counts in counts with lookaheads over all."""
    start, end, mark = Anchor("^"), Anchor("$"), Chars(rng.choice(ALPHABET))
    any_char = Chars("".join(rng.sample(ALPHABET, rng.randint(4, 7)))) if rng.random() < 0.4 else Chars("a", True)
    anything, count = Repeated(any_char, 0, None), rng.choice([1, 2, 5, 30, 130])
    if rng.random() < 0.5:
        low = rng.choice([0, count])
        return _in_a_row(start, anything, mark, Repeated(any_char, low, count), end)
    looks = [
        Look(_in_a_row(Repeated(any_char, 1, rng.choice([4, 9, 150])), end), False, False),
        Look(_in_a_row(anything, mark, node(rng, 0)), False, True),
        Look(_in_a_row(anything, node(rng, 0)), False, False),
    ]
    inner = _in_a_row(Repeated(any_char, 1, rng.choice([2, 3, 40])), mark)
    last = _in_a_row(
        Look(_in_a_row(Repeated(node(rng, 0), 0, None), end), False, True), Repeated(node(rng, 0), 1, None)
    )
    chosen = rng.sample(looks, rng.randint(1, 3))
    return _in_a_row(start, *chosen, Repeated(inner, rng.choice([0, 1, 2]), rng.choice([2, 5, 60])), last, end)


def _in_a_row(*parts: Node) -> Node:
    return Joined(parts, is_choice=False)


PATTERNS: dict[str, Node] = {}
"""The trees of the patterns in the schemas that were made."""


def make(rng: random.Random) -> Any:
    """A random schema of strings, or of an object of whose keys it speaks."""
    return _condition(rng, rng.randint(0, 2)) | {"type": "string"} if rng.random() < 0.8 else _names(rng)


def _names(rng: random.Random) -> dict[str, Any]:
    patterns = {_pattern(rng): rng.choice([True, {"const": 1}, {"type": "integer"}]) for _ in range(rng.randint(1, 3))}
    schema: dict[str, Any] = {"type": "object", "patternProperties": patterns, "maxProperties": 2}
    return schema | rng.choice([{}, {"additionalProperties": False}, {"propertyNames": _condition(rng, 1)}])


def _condition(rng: random.Random, depth: int) -> dict[str, Any]:
    chosen = rng.random()
    if depth == 0 or chosen < 0.4:
        schema: dict[str, Any] = {"pattern": _pattern(rng)}
        if rng.random() < 0.3:
            schema["maxLength"] = rng.choice([2, 4, 9, 40])
        if rng.random() < 0.3:
            schema["minLength"] = rng.choice([1, 3, 12])
        return schema
    if chosen < 0.55:
        return {"not": _condition(rng, depth - 1)}
    combinator = rng.choice(["allOf", "allOf", "anyOf", "oneOf"])
    return {combinator: [_condition(rng, depth - 1) for _ in range(rng.randint(2, 3))]}


def _pattern(rng: random.Random) -> str:
    tree = wide(rng) if rng.random() < 0.25 else node(rng, 3)
    printed = tree.printed(python=False)
    PATTERNS[printed] = tree
    return printed


def holds(schema: Any, value: Any) -> bool:
    """What the oracles say of a value: a string; or an object with integers, for a schema of names."""
    if isinstance(schema, bool):
        return schema
    if isinstance(value, int):
        return value == schema.get("const", value)
    if isinstance(value, dict):
        return all(_member_holds(schema, key, one) for key, one in value.items())
    parts: dict[str, Callable[[Any], bool]] = {
        "pattern": lambda one: is_found(one, value),
        "minLength": lambda one: len(value) >= one,
        "maxLength": lambda one: len(value) <= one,
        "not": lambda one: not holds(one, value),
        "allOf": lambda some: all(holds(one, value) for one in some),
        "anyOf": lambda some: any(holds(one, value) for one in some),
        "oneOf": lambda some: sum(holds(one, value) for one in some) == 1,
    }
    return all(parts[keyword](given) for keyword, given in schema.items() if keyword != "type")


def _member_holds(schema: dict[str, Any], key: str, value: int) -> bool:
    named = [one for pattern, one in schema.get("patternProperties", {}).items() if is_found(pattern, key)]
    if not named and schema.get("additionalProperties") is False:
        return False
    return all(holds(one, value) for one in named) and holds(schema.get("propertyNames", True), key)


def is_found(pattern: str, text: str) -> bool:
    """Whether a pattern is found in a text. Raises AssertionError where the oracles differ."""
    tree = PATTERNS[pattern]
    found = any(tree.ends(text, place) for place in range(len(text) + 1))
    by_re = re.search(tree.printed(python=True), text, re.ASCII) is not None
    assert found == by_re, f"the oracles differ about {pattern!r} in {text!r}"
    return found


def find(schema: Any, rng: random.Random) -> Fault | None:
    """The first fault of a schema."""
    if not isinstance(schema, dict) or "type" not in schema:
        return None  # of what is left of a schema that is made smaller, only this is understood
    of_names = schema["type"] == "object"
    values = [{text: rng.randint(0, 1)} if of_names else text for text in _texts(rng)]
    try:
        grammar, of_bytes = compiled(schema, vocabulary=VOCABULARY), compiled(schema)
    except UnsatisfiableError:
        valid = next((value for value in values if holds(schema, value)), None)
        return None if valid is None else Fault("wrongly unsatisfiable", "", json.dumps(valid, ensure_ascii=False))
    except LimitExceededError:
        return None
    matcher = grammar.matcher()
    try:
        for value in values:
            text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
            is_valid = holds(schema, value)
            if takes(matcher, text.encode()) != is_valid:
                return Fault("wrong rejection" if is_valid else "wrong accept", "", text)
        for _ in range(3):
            wrong = WALK.find(grammar.matcher(), rng) or _walked(of_bytes.matcher(), schema, rng)
            if wrong is not None:
                return Fault("wrong mask or dead end", "", wrong)
    except LimitExceededError:
        return None
    return None


def _walked(matcher: Matcher, schema: Any, rng: random.Random) -> str | None:
    """A text that a walk wrote and that is not valid, or after which nothing can come."""
    try:
        text = walk(matcher, [b'"' + piece.encode() for piece in PIECES], rng).decode()
    except DeadEndError as error:
        return repr(error.text)
    value = json.loads(text)
    is_known = isinstance(value, str) or all(type(one) is int for one in value.values())
    return text if is_known and not holds(schema, value) else None


def _texts(rng: random.Random) -> Iterator[str]:
    yield from SHORTEST
    for _ in range(NUM_TEXTS):
        yield "".join(rng.choices([*ALPHABET, *PIECES], k=rng.randint(2, MAX_LENGTH)))


if __name__ == "__main__":
    main(of_schemas(make, find), __doc__ or "")
