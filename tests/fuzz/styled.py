"""Objects in the styles of calls: `python -m tests.fuzz.styled --seconds 3600 --seed 1`.

Random schemas with conditions on four members, of all types and of several; strings that look like other values, and
like marks. In a random style and order: what random walks through the masks write, read as `StyledScanner` reads it,
must be valid; and each valid object that the style can write must be taken as it is written, an invalid one not.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import NoCompletionError, UnsatisfiableError, UnsupportedSchemaError, UnwritableValueError
from guided.grammars.json_schema.translate import compile_schema
from guided.grammars.json_schema.value_types import types_at
from guided.grammars.protocol import CompiledGrammar, Matcher
from guided.grammars.style_texts import TypesAt, any_type, write_object
from guided.grammars.styles import STYLES, Layout, Style
from guided.tools.styled_scanner import StyledScanner

from .command import Case, Fault, Find, main, of_schemas
from .objects import KEYS, ObjectMaker
from .oracles import Oracles
from .walks import LIMITS, VOCABULARY, allowed, takes, try_piece

STRINGS = [
    "",
    "x",
    "1",
    "-2.5",
    "true",
    "null",
    "nul",
    "[1]",
    "{",
    " x ",
    "\n",
    "x\n",
    "</",
    "</parameter",
    "i < parameters",
    "<functional>",
    "]<]",
    "<|",
    "é",
]
VALUES: list[Any] = [None, True, False, 0, 1, -2.5, [], [1], ["x", None], {}, {"a": 1}, {"item": "x"}, *STRINGS]
NAMES = [*KEYS, "e f", "item"]
TYPES = ["null", "boolean", "string", "integer", "number", "object", "array"]
ENDS = {"minimax_m3_xml": "]<]minimax[>[</invoke>", "kimi_k3_xml": "<|close|>call<|sep|>", "gemma": "<tool_call|>"}
BEGIN, END = "<f>", "</function>"
NUM_WALKS, NUM_DOCUMENTS, NUM_ORDERS = 4, 40, 3
MAX_BYTES = (0, 20, 60, 150, 300)
_END_TOKEN = 256


class StyledMaker(ObjectMaker):
    """Schemas of objects whose members are strings, other values, or both."""

    def document(self) -> dict[str, Any]:
        """See the base; sometimes kinds of objects, told by a constant, that leave each other's members open."""
        rng = self.rng
        if rng.random() > 0.12:
            return super().document()
        told_by, *names = rng.sample(KEYS, 3)
        kinds: list[dict[str, Any]] = [
            {"properties": {told_by: {"const": kind}, name: {"enum": rng.sample(STRINGS, 3)}}, "required": [told_by]}
            for kind, name in zip(("x", "1", True), [*names, names[0]], strict=True)
        ]
        for one in kinds:
            one["required"] += rng.sample(names, rng.randint(0, 2))
        return {"type": "object", rng.choice(("oneOf", "anyOf")): kinds}

    def value(self, depth: int) -> Any:
        """See the base."""
        rng, chosen = self.rng, self.rng.random()
        if chosen < 0.3:
            return {"type": rng.sample(TYPES, rng.randint(1, 3))}
        if chosen < 0.45:
            return {"enum": rng.sample(VALUES, rng.randint(1, 4))}
        if chosen < 0.6:
            return {**self._strings(), **({"type": "string"} if rng.random() < 0.6 else {})}
        if chosen < 0.7:
            return {"anyOf": [self.value(0), self.value(0)]}
        if chosen < 0.75:
            return {"type": "array", "items": self.value(0)}
        return super().value(depth)

    def _strings(self) -> dict[str, Any]:
        rng = self.rng
        low = rng.randint(0, 2)
        return rng.choice(
            [
                {"minLength": low, "maxLength": low + rng.randint(0, 2)},
                {"pattern": rng.choice(["^[0-9x]*$", "x", "^<"])},
            ]
        )


def make(rng: random.Random) -> Any:
    """A random schema."""
    return StyledMaker(rng).document()


@dataclass(frozen=True)
class Styled:
    """One style of a schema's objects."""

    name: str
    schema: Any
    any_order: bool

    @property
    def style(self) -> Style:
        """Its marks."""
        return STYLES[self.name]

    @cached_property
    def types_at(self) -> TypesAt:
        """What the schema permits."""
        if self.style.tells_strings:
            return any_type
        formula = compile_schema(self.schema, resources=None, limits=LIMITS).formula
        return lambda path: types_at(formula, path)

    @property
    def end(self) -> str:
        """What stands behind the object."""
        return ENDS.get(self.name, END)

    @property
    def tag(self) -> dict[str, Any]:
        """The structural tag of its texts, between two marks."""
        content = {
            "type": "json_schema",
            "json_schema": self.schema,
            "style": self.name,
            "any_order": self.any_order,
            "max_whitespace_cnt": 3,
        }
        tag = {"type": "tag", "begin": BEGIN, "content": content, "end": self.end}
        return {"type": "structural_tag", "format": tag}

    def compile(self) -> CompiledGrammar:
        """Its texts."""
        return compile_grammar(VOCABULARY, structural_tag=self.tag, cache=None, limits=LIMITS)

    def write(self, value: dict[str, Any], layout: Layout) -> bytes:
        """A whole text. Raises UnwritableValueError."""
        return f"{BEGIN}{write_object(self.style, value, self.types_at, layout)}{self.end}".encode()

    def read(self, text: bytes) -> Any:
        """The object of a whole text."""
        reader, rest = StyledScanner(self.style, self.types_at), text.decode()[len(BEGIN) :]
        scanned = reader.push(rest)
        left = rest[scanned.num_read :]
        assert scanned.is_done, f"the text does not end: {scanned}"
        assert left == self.end, f"{left!r} is left"
        return json.loads(scanned.arguments)

    def pieces(self) -> list[bytes]:
        """What brings a text on."""
        found = ["\n", " ", "1", "x", "true", "null", "[", "{", "]", "}", '"a": 1', self.end, self.style.separator]
        for name, value in itertools.product(NAMES, ("x", 1, None, {}, [])):
            try:
                found.append(write_object(self.style, {name: value}).removeprefix("{").removesuffix("}"))
            except UnwritableValueError:
                continue
            kind = "string" if value == "x" else "number"
            found += ["".join(self.style.begin_of(name, kind)), self.style.end_of(name)]
        return [one.encode() for one in dict.fromkeys(found) if one]


def find_in(name: str) -> Find:
    """A search for the first fault of a schema in one style."""

    def find(schema: Any, rng: random.Random) -> Fault | None:
        oracles, styled = Oracles(schema), Styled(name, schema, rng.random() < 0.3)
        kind = f"{name}{' in any order' if styled.any_order else ''}"
        try:
            grammar = styled.compile()
        except (UnsatisfiableError, UnsupportedSchemaError):
            return _written(None, styled, oracles, kind, rng)
        return _walks(grammar, styled, oracles, kind, rng) or _written(grammar, styled, oracles, kind, rng)

    return find


def _walks(grammar: CompiledGrammar, styled: Styled, oracles: Oracles, kind: str, rng: random.Random) -> Fault | None:
    pieces = styled.pieces()
    for _ in range(NUM_WALKS):
        matcher = grammar.matcher()
        text, is_whole = _walk(matcher, pieces, rng)
        if not is_whole:
            return Fault("dead end", kind, text.decode(errors="replace"))
        try:
            value = styled.read(text)
        except (AssertionError, ValueError) as error:
            return Fault("unreadable", kind, f"{text.decode(errors='replace')}: {error}")
        if oracles.contradict(value, True):
            return Fault("wrong accept", kind, f"{text.decode()}: {json.dumps(value)}")
    return None


def _walk(matcher: Matcher, pieces: list[bytes], rng: random.Random) -> tuple[bytes, bool]:
    """The text of a random walk, and whether it came to an end."""
    text, max_bytes = bytearray(), rng.choice(MAX_BYTES)
    while len(text) < max_bytes:
        tried = rng.sample(pieces, 4) if rng.random() < 0.7 else []
        piece = next((one for one in tried if try_piece(matcher, one)), None)
        if piece is None:
            token_ids = allowed(matcher)
            token_ids = [one for one in token_ids if one == _END_TOKEN or one < 128] or token_ids
            if not token_ids or not matcher.accept_token(token_id := rng.choice(token_ids)):
                return bytes(text), False
            if token_id == _END_TOKEN:
                return bytes(text), True
            piece = bytes([token_id])
        text += piece
    try:
        completion = bytes(matcher.find_shortest_completion(thorough=True))
    except NoCompletionError:
        return bytes(text), False
    return bytes(text) + completion, try_piece(matcher, completion) and matcher.is_accepting()


def _written(
    grammar: CompiledGrammar | None, styled: Styled, oracles: Oracles, kind: str, rng: random.Random
) -> Fault | None:
    """Objects as the style writes them: the valid ones are taken, in some order or in all, the others are not."""
    matcher = None if grammar is None else grammar.matcher()
    wrapped = Layout(around="\n" if styled.style.is_wrapped else "", between="\n", behind="\n")
    for value in _objects(rng):
        orders = [dict(pairs) for pairs in itertools.permutations(value.items())]
        rng.shuffle(orders)
        try:
            texts = [styled.write(one, rng.choice((Layout(), wrapped))) for one in orders]
            told = styled.read(texts[0])
        except UnwritableValueError:
            continue
        if told != value:
            return Fault("read otherwise", kind, f"{texts[0].decode()}: {json.dumps(told)}")
        taken = [matcher is not None and takes(matcher, one) for one in texts]
        is_taken = all(taken) if styled.any_order else any(taken)
        if any(taken) and oracles.contradict(value, True):
            return Fault("wrong accept", kind, texts[taken.index(True)].decode())
        if not is_taken and oracles.contradict(value, False):
            return Fault("wrong rejection", kind, texts[taken.index(False)].decode())
    return None


def _objects(rng: random.Random) -> Iterator[dict[str, Any]]:
    for _ in range(NUM_DOCUMENTS):
        names = rng.sample(KEYS if rng.random() < 0.8 else NAMES, rng.choice((0, 1, 1, 2, 2, 3)))
        yield {name: rng.choice(VALUES) for name in names}


def look(case: Case) -> list[str]:
    """What is wrong with a random schema in a random style."""
    name = case.rng.choice(list(STYLES))
    case.counts[name] += 1
    return list(of_schemas(make, find_in(name))(case))


if __name__ == "__main__":
    main(look, __doc__ or "")
