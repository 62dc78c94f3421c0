"""The vocabulary of a model that an engine serves, one for each process; and a small vocabulary for checking grammars.

`warm_up` prepares what all grammars of a vocabulary need.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from guided.grammars import Vocabulary, allocate_bitmask, compile_grammar

from .latest import Latest
from .options import WARMUP_SCHEMA

log = logging.getLogger(__name__)
_LOCK = threading.Lock()  # a vocabulary is made once, not by several threads


@dataclass(frozen=True)
class Vocabularies:
    """model: all tokens of the model. check: one token for each byte, and the model's special tokens.

    The small vocabulary shows quickly whether a grammar is valid: compiling depends on nothing else in a vocabulary,
    such as tokens of several bytes.
    """

    model: Vocabulary
    check: Vocabulary


MAX_KNOWN = 8  # maximum number of cached results, each with a tokenizer
_KNOWN = Latest[tuple[int, int, frozenset[int]], tuple[Any, Vocabularies]](MAX_KNOWN)


def find_vocabularies(tokenizer: Any, size: int, end_token_ids: frozenset[int]) -> Vocabularies:
    """The two vocabularies, created once. Tokenizers with the same tokens share them. Raises TokenizerError or
    InvalidInputError.

    size: columns of the model's logits.
    end_token_ids: every token that ends a text; empty: the ends that the tokenizer names.
    """
    key = (id(tokenizer), size, end_token_ids)
    with _LOCK:
        kept = _KNOWN.get(key)
        if kept is not None:
            return kept[1]
        vocabulary = Vocabulary.from_tokenizer(tokenizer, size, end_token_ids or None)
        same = (one for _, one in _KNOWN.values() if one.model == vocabulary)
        found = next(same, None) or Vocabularies(vocabulary, _small(vocabulary))
        _KNOWN.put(key, (tokenizer, found))  # with the tokenizer, so that its id stays taken
        return found


def _small(vocabulary: Vocabulary) -> Vocabulary:
    """The small vocabulary. Special tokens get new ids but keep their names, their order, and whether they are ends."""
    tokens: list[bytes | None] = [bytes([byte]) for byte in range(256) if byte not in vocabulary.missing_bytes]
    names = sorted(vocabulary.special_tokens.items(), key=lambda item: item[1])
    new_ids = {token_id: len(tokens) + i for i, token_id in enumerate(sorted({i for _, i in names}))}
    tokens += [None] * len(new_ids)
    ends = [new_ids[i] for i in vocabulary.eos_token_ids if i in new_ids]
    if len(ends) < len(vocabulary.eos_token_ids):  # an end without a name
        tokens.append(None)
        ends.append(len(tokens) - 1)
    return Vocabulary(tokens, ends, _renamed(names, new_ids))


def _renamed(names: Iterable[tuple[str, int]], new_ids: dict[int, int]) -> dict[str, int]:
    return {name: new_ids[token_id] for name, token_id in names}


def warm_up(vocabulary: Vocabulary) -> None:
    """Prepare what every grammar needs, before the first request. Raises GuidedError."""
    start_s = time.perf_counter()
    matcher = compile_grammar(vocabulary, json_schema=WARMUP_SCHEMA, cache=None).matcher()
    bitmask = allocate_bitmask(1, vocabulary.size)
    for token_id in matcher.find_shortest_completion():
        matcher.fill_bitmask(bitmask)
        matcher.accept_token(token_id)
    log.info("guided read a vocabulary of %d in %.2f s", vocabulary.size, time.perf_counter() - start_s)
