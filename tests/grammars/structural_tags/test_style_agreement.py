"""The same objects belong to a style here and for xgrammar itself, in random texts of both; whitespace left aside."""

from __future__ import annotations

import json
import random
import zlib
from typing import Any

import pytest

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import UnwritableValueError
from guided.grammars.json_schema.translate import compile_schema
from guided.grammars.json_schema.value_types import types_at
from guided.grammars.limits import Limits
from guided.grammars.style_texts import write_object
from guided.grammars.styles import STYLES
from guided.tools.styled_reader import StyledReader
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
NUM_TEXTS = 8
LONG = 80  # characters; then a text ends soon
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
    b'{"a": "x"}',
]


def cases() -> list[tuple[str, Any]]:
    return [
        (name, schema)
        for name, style in STYLES.items()
        for schema in (SCHEMA, MARKED)
        if schema is SCHEMA or style.kinds
    ]


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
        while not text.endswith(END.encode()):
            tried = rng.sample(pieces, 5) if len(text) < LONG else pieces
            assert len(text) < 20 * LONG, text
            piece = next((one for one in tried if _try_theirs(matcher, one)), None)
            if piece is None:
                matcher.fill_next_token_bitmask(bitmask)
                ids = [i for i in range(128) if bitmask[0, i // 32] >> (i % 32) & 1]
                piece = bytes([rng.choice(ids)])
                assert matcher.accept_token(piece[0])
            text += piece
        return text.decode()


def _try_theirs(matcher: Any, piece: bytes) -> bool:
    for place, byte in enumerate(piece):
        if not matcher.accept_token(byte):
            if place:
                matcher.rollback(place)
            return False
    return True


def our_text(matcher: Any, pieces: list[bytes], rng: random.Random) -> str:
    text = bytearray()
    while not text.endswith(END.encode()):
        tried = rng.sample(pieces, 5) if len(text) < LONG else pieces
        assert len(text) < 20 * LONG, text
        piece = next((one for one in tried if try_piece(matcher, one)), None)
        if piece is None:
            ids = [one for one in allowed(matcher) if one < 128]
            piece = bytes([rng.choice(ids)])
            assert try_piece(matcher, piece)
        text += piece
    return text.decode()


@pytest.mark.parametrize("any_order", [False, True], ids=["in order", "any order"])
@pytest.mark.parametrize(
    ("style", "schema"), cases(), ids=lambda one: one if isinstance(one, str) else f"{len(one['properties'])}"
)
def test_texts_of_one_are_texts_of_the_other(style: str, schema: Any, any_order: bool) -> None:
    tag = tag_of(style, schema, any_order=any_order)
    try:
        theirs = Theirs(tag)
    except RuntimeError as error:
        pytest.skip(f"this xgrammar has no {style}: {error}")
    ours = compile_grammar(VOCABULARY, structural_tag=tag).matcher()
    formula = compile_schema(schema, resources=None, limits=Limits()).formula
    marks = STYLES[style]
    names = [*schema["properties"], "a", "b"]
    pieces = [END.encode(), *[marks.end_of(name).encode() for name in names], marks.quote.encode(), b"}", b"]"]
    pieces += [*PIECES, marks.separator.encode()]
    for name in names:
        pieces += [
            "".join(marks.begin_of(name, kind)).encode() for kind in ("string", "number", "null", "array", "object")
        ]
    pieces = [one for one in dict.fromkeys(pieces) if one]
    rng = random.Random(zlib.crc32(f"{style} {any_order}".encode()))

    def normal(text: str) -> str | None:
        """The text as our writer has it; None where it can't be written."""
        scanned = StyledReader(marks, lambda path: types_at(formula, path)).push(text.removeprefix("<f>"))
        try:
            written = write_object(marks, json.loads(scanned.arguments), lambda path: types_at(formula, path))
        except UnwritableValueError:
            return None
        return f"<f>{written}{END}"

    for _ in range(NUM_TEXTS):
        ours.reset()
        text = normal(our_text(ours, pieces, rng))
        assert text is not None
        assert theirs.takes(text), text
    for _ in range(NUM_TEXTS):
        text = normal(theirs.random_text(pieces, rng))
        if text is not None:
            assert takes(ours, text.encode()), text
