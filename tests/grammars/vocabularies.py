"""Small vocabularies for grammar tests, and ways to walk a matcher."""

from __future__ import annotations

import random

from guided.grammars.bitset import allocate_bitmask, allowed_token_ids
from guided.grammars.protocol import Matcher
from guided.grammars.vocabulary import Vocabulary

BYTES = tuple(bytes([byte]) for byte in range(256))
WORDS = (
    *(b'{"', b'":', b'": ', b'",', b'", "', b'"}', b'"]', b"[", b"]", b"},", b"null", b"true", b"false", b"ab", b"abc"),
    *(
        b"12",
        b"123",
        b"-1",
        b".5",
        b"e+",
        b"name",
        b'"name"',
        b"\\n",
        b"\\u00",
        b"  ",
        b" \n",
        "é".encode(),
        "日本".encode(),
    ),
    *(b"\xe6\x97", b"\xa5", b'\xac"', b"\xf0\x9f\x98", b"\x80x", b"\xff\xfe", b"2024-", b"-02-29", b"@", b"a@b"),
)


def byte_vocabulary(num_eos: int = 1, size: int | None = None) -> Vocabulary:
    """All 256 bytes (id = byte), some longer tokens with one of them twice, a special token, then `num_eos` end ids."""
    tokens: list[bytes | None] = [*BYTES, *WORDS, b"abc", None]
    eos_token_ids = range(len(tokens), len(tokens) + num_eos)
    return Vocabulary(tokens + [None] * num_eos, eos_token_ids, size=size)


def vocabulary_of(*tokens: bytes) -> Vocabulary:
    """Just these tokens and, last, an end id: for vocabularies that can't spell every byte."""
    return Vocabulary([*tokens, None], [len(tokens)])


def mask_of(matcher: Matcher, vocabulary: Vocabulary) -> list[int]:
    """The ids that the matcher's mask allows."""
    bitmask = allocate_bitmask(1, vocabulary.size)
    matcher.fill_bitmask(bitmask)
    return [int(token_id) for token_id in allowed_token_ids(bitmask[0], vocabulary.size)]


def accepted_ids(matcher: Matcher, vocabulary: Vocabulary) -> list[int]:
    """The ids that a fork of the matcher accepts, tried one by one: the slow oracle of a mask."""
    return [token_id for token_id in range(vocabulary.size) if matcher.fork().accept_token(token_id)]


def accept_bytes(matcher: Matcher, text: bytes) -> bool:
    """Feed a text byte by byte (ids 0..255 of `byte_vocabulary`); False at the first byte that is not allowed."""
    return all(matcher.accept_token(byte) for byte in text)


def matches(matcher: Matcher, text: bytes | str) -> bool:
    """True if the matcher takes exactly this text, from its start."""
    matcher = matcher.fork()
    matcher.reset()
    data = text.encode() if isinstance(text, str) else text
    return accept_bytes(matcher, data) and matcher.is_accepting()


def random_walk(matcher: Matcher, vocabulary: Vocabulary, seed: int, max_tokens: int = 400) -> bytes | None:
    """A text drawn through the masks until an end token; None when it got longer than `max_tokens`."""
    rng = random.Random(seed)
    token_ids: list[int] = []
    while not matcher.is_terminated():
        allowed = mask_of(matcher, vocabulary)
        assert allowed, f"dead end after {vocabulary.join(token_ids)!r}"
        ends = [token_id for token_id in allowed if token_id in vocabulary.eos_token_ids]
        token_id = rng.choice(ends) if ends and rng.random() < 0.5 else rng.choice(_closing(allowed, vocabulary, rng))
        assert matcher.accept_token(token_id)
        token_ids.append(token_id)
        if len(token_ids) > max_tokens:
            return None
    return vocabulary.join(token_ids)


def _closing(allowed: list[int], vocabulary: Vocabulary, rng: random.Random) -> list[int]:
    """Now and then only tokens that end a string, number, array or object, so that walks come to an end."""
    closing = [
        token_id for token_id in allowed if (vocabulary.tokens[token_id] or b"").startswith((b'"', b"]", b"}", b","))
    ]
    return closing if closing and rng.random() < 0.3 else allowed
