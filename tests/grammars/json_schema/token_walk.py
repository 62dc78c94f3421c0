"""Random walks through the real masks of a grammar, token by token, to the end of a document."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np

from guided.grammars.bitset import allocate_bitmask, allowed_token_ids
from guided.grammars.protocol import Matcher
from guided.grammars.vocabulary import Vocabulary

_OTHER_IN_PYTHON = re.compile("[\r\x1c-\x1f\x85\u2028\u2029\ufeff]|\n\\Z")
_CLOSING = frozenset(b'"}], ')


class Walker:
    """Walks over one vocabulary. The further a walk goes, the more it likes tokens that close what is open."""

    def __init__(self, vocabulary: Vocabulary, max_tokens: int = 300) -> None:
        self.vocabulary = vocabulary
        self.max_tokens = max_tokens
        self._bitmask = allocate_bitmask(1, vocabulary.size)
        closing = [
            token_id
            for token_id, token in enumerate(vocabulary.tokens)
            if token is not None and len(token) <= 3 and _CLOSING.issuperset(token) and token.strip(b" ,")
        ]
        self._closing = np.array(sorted({*closing, *vocabulary.eos_token_ids}))

    def allowed(self, matcher: Matcher) -> Any:
        """The ids that the matcher's mask allows, ascending."""
        matcher.fill_bitmask(self._bitmask)
        return allowed_token_ids(self._bitmask[0], self.vocabulary.size)

    def walk(self, matcher: Matcher, rng: random.Random) -> bytes | None:
        """The text of a walk to an end token; None when it got too long. Fails at a dead end, and where a mask lies."""
        token_ids: list[int] = []
        while len(token_ids) < self.max_tokens:
            allowed = self.allowed(matcher)
            assert len(allowed), f"dead end after {self.vocabulary.join(token_ids)!r}"
            token_id = self.choose(allowed, rng, len(token_ids))
            assert matcher.accept_token(token_id), (self.vocabulary.join(token_ids), self.vocabulary.tokens[token_id])
            if matcher.is_terminated():
                return self.vocabulary.join(token_ids)
            token_ids.append(token_id)
        return None

    def choose(self, allowed: Any, rng: random.Random, num_tokens: int) -> int:
        """One of the allowed ids. num_tokens: how far the walk is."""
        closing = np.intersect1d(allowed, self._closing, assume_unique=True)
        share = 0.3 if num_tokens < 30 else 0.8 if num_tokens < self.max_tokens // 2 else 1.0
        chosen = closing if len(closing) and rng.random() < share else allowed
        return int(chosen[rng.randrange(len(chosen))])


class Unclear(Exception):
    """A document that `jsonschema` reads otherwise: with a number that Python's floats can't hold, or a string of which
    Python's `re` may say something else than ECMA-262 (`$` before a newline at the end, `.`, `\\s`)."""


def read_document(text: bytes) -> Any:
    """The value of a document. Fails on what is no JSON in UTF-8, and on a key that comes twice. Raises Unclear."""
    value = json.loads(text.decode(), object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_float)
    if any(_OTHER_IN_PYTHON.search(one) for one in _strings(value)):
        raise Unclear(text)
    return value


def written(value: Any) -> bytes:
    """The canonical compact text of a value."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    assert len(dict(pairs)) == len(pairs), pairs
    return dict(pairs)


def _strings(value: Any) -> Iterator[str]:
    """All strings and keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        yield from value if isinstance(value, dict) else ()
        for one in value.values() if isinstance(value, dict) else value:
            yield from _strings(one)


def _float(text: str) -> float:
    value = float(text)
    try:
        is_same = Decimal(text) == Decimal(repr(value))
    except InvalidOperation:  # an exponent that not even Decimal can hold
        is_same = False
    if not is_same:
        raise Unclear(text)
    return value


def _refuse(name: str) -> Any:
    raise AssertionError(f"{name} is not JSON")
