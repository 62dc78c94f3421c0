"""The same objects belong to a style here and for xgrammar itself, in random texts of both; whitespace left aside."""

from __future__ import annotations

import json
import random
import zlib
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import UnwritableValueError
from guided.grammars.json_schema.translate import compile_schema
from guided.grammars.json_schema.value_types import types_at
from guided.grammars.limits import Limits
from guided.grammars.style_texts import write_object
from guided.grammars.styles import STYLES
from guided.tools.styled_scanner import StyledScanner
from tests.fuzz.walks import VOCABULARY, allowed, takes, try_piece

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "n": {"type": "integer"},
        "flag": {"type": "boolean"},
        "none": {"type": "null"},
        "unit": {"enum": ["celsius", "x y", "\u00e9"]},
        "list": {"type": "array", "items": {"type": "integer"}},
        "inner": {
            "type": "object",
            "properties": {"a": {"type": "string"}, "b": {"type": "array", "items": {"type": "boolean"}}},
            "required": ["a"],
            "additionalProperties": False,
        },
    },
    "required": ["text", "n"],
    "additionalProperties": False,
}
MARKED: dict[str, Any] = {  # where marks tell types
    "type": "object",
    "properties": {"either": {"type": ["string", "integer"]}, "maybe": {"type": ["string", "null"]}, "any": {}},
    "required": ["either"],
    "additionalProperties": False,
}
NUM_TEXTS = 2
LONG = 40  # characters; then a text ends soon
END = "</function>"
PIECES = [
    b"ab",
    b" ",
    b"7",
    b"-12",
    b"true",
    b"null",
    b"celsius",
    b"x y",
    b"[1, 2]",
    b"[]",
    b"\n",
    b'"q',
    b"<",
    b"< parameters",
    b"<functional>",
    b'{"a": "x"}',
]


def cases() -> list[Any]:
    """Each style, in an order of its own."""
    found = []
    for index, (name, style) in enumerate(STYLES.items()):
        found.append(pytest.param(name, SCHEMA, index % 2 == 0 and "NAME" not in style.end, id=name))
        if style.tells_strings:
            found.append(pytest.param(name, MARKED, index % 2 == 1, id=f"{name}, several types"))
    return found


def format_of(style: str, schema: Any, *, any_order: bool) -> dict[str, Any]:
    return {
        "type": "json_schema",
        "json_schema": schema,
        "style": style,
        "any_order": any_order,
        "max_whitespace_cnt": 1,
    }


def tag_of(style: str, schema: Any, *, any_order: bool) -> dict[str, Any]:
    content = format_of(style, schema, any_order=any_order)
    return {"type": "structural_tag", "format": {"type": "tag", "begin": "<f>", "content": content, "end": END}}


class Theirs:
    """xgrammar's matcher over the same vocabulary. Raises RuntimeError for a style that it does not have."""

    def __init__(self, tag: dict[str, Any]) -> None:
        xgrammar = pytest.importorskip("xgrammar")
        tokens = [b"<end>" if token is None else token for token in VOCABULARY.tokens]
        info = xgrammar.TokenizerInfo(tokens, vocab_type=xgrammar.VocabType.RAW, stop_token_ids=[256])
        self._grammar = xgrammar.GrammarCompiler(info).compile_structural_tag(tag)
        self._new = lambda: xgrammar.GrammarMatcher(self._grammar)
        self._xgrammar = xgrammar

    def takes(self, text: str) -> bool:
        matcher = self._new()
        return all(matcher.accept_token(byte) for byte in text.encode()) and matcher.accept_token(256)

    def random_text(self, pieces: list[bytes], rng: random.Random) -> str:
        """One text, by pieces where they fit, else byte by byte."""
        matcher, text, bitmask = self._new(), bytearray(), self._xgrammar.allocate_token_bitmask(1, 257)
        while True:
            matcher.fill_next_token_bitmask(bitmask)
            ids = [i for i in range(257) if bitmask[0, i // 32] >> (i % 32) & 1]
            if 256 in ids:
                return text.decode()
            tried = rng.sample(pieces, 5) if len(text) < LONG else ending(pieces, rng)
            assert len(text) < 20 * LONG, text
            piece = next((one for one in tried if _try_theirs(matcher, one)), None)
            if piece is None:
                piece = bytes([rng.choice([one for one in ids if one < 128] or ids)])
                assert matcher.accept_token(piece[0])
            text += piece


def _try_theirs(matcher: Any, piece: bytes) -> bool:
    for place, byte in enumerate(piece):
        if not matcher.accept_token(byte):
            if place:
                matcher.rollback(place)
            return False
    return True


def ending(pieces: list[bytes], rng: random.Random) -> list[bytes]:
    """The pieces, those first that end something."""
    first = pieces[: pieces.index(END.encode())]
    return [*rng.sample(first, len(first)), *pieces[len(first) :]]


def in_order(value: Any, schema: Any) -> Any:
    """A value with its names as the schema has them, and whole numbers as integers."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [in_order(item, schema.get("items", {})) for item in value]
    if not isinstance(value, dict):
        return value
    parts = schema.get("properties", {})
    names = [*[name for name in parts if name in value], *[name for name in value if name not in parts]]
    return {name: in_order(value[name], parts.get(name, {})) for name in names}


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object. Raises ValueError where a name stands twice."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a name stands twice")
    return dict(pairs)


def our_text(matcher: Any, pieces: list[bytes], rng: random.Random) -> str:
    text = bytearray()
    while not matcher.is_accepting():
        tried = rng.sample(pieces, 5) if len(text) < LONG else ending(pieces, rng)
        assert len(text) < 20 * LONG, text
        piece = next((one for one in tried if try_piece(matcher, one)), None)
        if piece is None:
            ids = allowed(matcher)
            piece = bytes([rng.choice([one for one in ids if one < 128] or ids)])
            assert try_piece(matcher, piece)
        text += piece
    return text.decode()


@pytest.mark.parametrize(("style", "schema", "any_order"), cases())
def test_texts_of_one_are_texts_of_the_other(style: str, schema: Any, any_order: bool) -> None:
    tag = tag_of(style, schema, any_order=any_order)
    try:
        theirs = Theirs(tag)
    except RuntimeError as error:
        pytest.skip(f"this xgrammar has no {style}: {error}")
    ours = compile_grammar(VOCABULARY, structural_tag=tag).matcher()
    formula = compile_schema(schema, resources=None, limits=Limits()).formula
    marks, validator = STYLES[style], Draft202012Validator(schema)
    names = [*schema["properties"], "a", "b"]
    pieces = [marks.quote.encode(), *[marks.end_of(name).encode() for name in names]]
    pieces += [b'"', b"}", b"]", END.encode(), *PIECES]
    for name in names:
        pieces += [
            "".join(marks.begin_of(name, kind)).encode() for kind in ("string", "number", "null", "array", "object")
        ]
    pieces = [one for one in dict.fromkeys(pieces) if one]
    rng = random.Random(zlib.crc32(f"{style} {any_order}".encode()))

    def normal(text: str) -> str | None:
        """The text as our writer has it; None where it is none of the schema, or can't be written.

        So are some of theirs: in any order they lack required names, their enums have whitespace around, of a value
        that may be of several types the marks say anything, and strings hold other marks than that of their end.
        """
        scanned = StyledScanner(marks, lambda path: types_at(formula, path)).push(text.removeprefix("<f>"))
        try:
            value = json.loads(scanned.arguments, object_pairs_hook=once)
        except ValueError:
            return None
        if not validator.is_valid(value):
            return None
        try:
            written = write_object(marks, in_order(value, schema), lambda path: types_at(formula, path))
        except UnwritableValueError:
            return None
        return f"<f>{written}{END}"

    for _ in range(NUM_TEXTS):
        ours.reset()
        text = normal(our_text(ours, pieces, rng))
        assert text is not None
        assert theirs.takes(text), text
    found = [text for _ in range(NUM_TEXTS) if (text := normal(theirs.random_text(pieces, rng))) is not None]
    assert [text for text in found if not takes(ours, text.encode())] == []
