"""Grammars over bytes, and walks through their masks."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from guided.grammars.bitset import allocate_bitmask, allowed_token_ids
from guided.grammars.compile import compile_grammar
from guided.grammars.errors import NoCompletionError
from guided.grammars.limits import Limits
from guided.grammars.protocol import CompiledGrammar, Matcher
from guided.grammars.vocabulary import Vocabulary

VOCABULARY = Vocabulary([bytes([byte]) for byte in range(256)] + [None], [256])
LIMITS = Limits(max_compile_seconds=1e6)  # or a busy machine would decide what is found
_BITMASK = allocate_bitmask(1, VOCABULARY.size)
_END = 256
_MAX_BYTES = 100


class DeadEndError(Exception):
    """A walk came to a place that allows nothing, or did not come to an end. text: what it had written."""

    def __init__(self, text: bytes, is_empty: bool) -> None:
        super().__init__(text.decode(errors="replace"))
        self.text = text
        self.is_empty = is_empty


def compiled(schema: Any, property_order: str = "schema", vocabulary: Vocabulary = VOCABULARY) -> CompiledGrammar:
    """The grammar of compact documents. Raises what `compile_grammar` raises."""
    return compile_grammar(
        vocabulary,
        json_schema=schema,
        cache=None,
        limits=LIMITS,
        whitespace="compact",
        property_order=property_order,
    )


def allowed(matcher: Matcher, vocabulary: Vocabulary = VOCABULARY) -> list[int]:
    """The ids that the mask allows; ids below 256 are bytes, 256 is the end."""
    bitmask = _BITMASK if vocabulary is VOCABULARY else allocate_bitmask(1, vocabulary.size)
    matcher.fill_bitmask(bitmask)
    return [int(one) for one in allowed_token_ids(bitmask[0], vocabulary.size)]


def takes(matcher: Matcher, text: bytes) -> bool:
    """Whether the text is a whole document; resets the matcher."""
    matcher.reset()
    return all(matcher.accept_token(byte) for byte in text) and matcher.is_accepting()


def try_piece(matcher: Matcher, piece: bytes) -> bool:
    """Accept a piece of text, or nothing of it."""
    for place, byte in enumerate(piece):
        if not matcher.accept_token(byte):
            matcher.rollback(place)
            return False
    return True


def walk(matcher: Matcher, pieces: Sequence[bytes], rng: random.Random, max_bytes: int = _MAX_BYTES) -> bytes:
    """The text of a random walk from where the matcher is to the end.

    pieces: texts that bring a document on (`"a":`, `null`); tried outside of strings, so that walks get to interesting
        places. After `max_bytes` a walk ends by the shortest completion. Raises DeadEndError where a mask is empty,
        where the matcher refuses what its mask allows, and where there is no completion.
    """
    text = bytearray()
    while len(text) < max_bytes:
        is_in_string = (text.count(b'"') - text.count(b'\\"')) % 2
        tried = [] if is_in_string else rng.sample(pieces, 3)
        piece = next((one for one in tried if try_piece(matcher, one)), None)
        if piece is None:
            token_id = _chosen(matcher, rng, b'"' if is_in_string else b"}]")
            if token_id is None or not matcher.accept_token(token_id):
                raise DeadEndError(bytes(text), is_empty=True)
            if token_id == _END:
                return bytes(text)
            piece = bytes([token_id])
        text += piece
    try:
        completion = bytes(matcher.find_shortest_completion(thorough=True))
    except NoCompletionError as error:
        raise DeadEndError(bytes(text), is_empty=False) from error
    if not try_piece(matcher, completion) or not matcher.is_accepting():
        raise DeadEndError(bytes(text), is_empty=False)
    return bytes(text) + completion


def _chosen(matcher: Matcher, rng: random.Random, closing: bytes) -> int | None:
    """One of the allowed ids, often the end or a closing byte; None where none is allowed."""
    token_ids = allowed(matcher)
    ending = sorted({_END, *closing}.intersection(token_ids))
    return rng.choice(ending if ending and rng.random() < 0.5 else token_ids) if token_ids else None
