"""The vocabulary of a model that vLLM serves, one for each process; and a small one to check grammars with."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any

from guided.grammars import Vocabulary

_LOCK = threading.Lock()
_KNOWN: dict[tuple[int, int, frozenset[int]], tuple[Any, Vocabulary, Vocabulary]] = {}


def model_vocabulary(model_config: Any, tokenizer: Any) -> Vocabulary:
    """The vocabulary of a model. model_config, tokenizer: vLLM's. Raises TokenizerError, InvalidInputError."""
    return _vocabularies(model_config, tokenizer)[0]


def check_vocabulary(model_config: Any, tokenizer: Any) -> Vocabulary:
    """Of one byte a token, and the model's special tokens: enough to see whether a grammar is right, at once.

    Whether a grammar compiles depends on nothing else of a vocabulary: not on tokens of several bytes.
    """
    return _vocabularies(model_config, tokenizer)[1]


def end_token_ids(model_config: Any, tokenizer: Any) -> frozenset[int]:
    """Every token that ends a text of the model: the tokenizer's own, and those of its generation config."""
    ends = {tokenizer.eos_token_id} if tokenizer.eos_token_id is not None else set[int]()
    listed = model_config.try_get_generation_config().get("eos_token_id")
    if listed is not None:
        ends |= {listed} if isinstance(listed, int) else set(listed)
    return frozenset(ends)


def _vocabularies(model_config: Any, tokenizer: Any) -> tuple[Vocabulary, Vocabulary]:
    """Both, made once; tokenizers of the same tokens share them."""
    size, ends = int(model_config.get_vocab_size()), _ends(model_config, tokenizer)
    key = (id(tokenizer), size, ends)
    with _LOCK:
        if key not in _KNOWN:
            vocabulary = Vocabulary.from_tokenizer(getattr(tokenizer, "mistral", tokenizer), size, ends or None)
            same = next((one for _, one, _ in _KNOWN.values() if one == vocabulary), vocabulary)
            _KNOWN[key] = (tokenizer, same, _small(same))
        return _KNOWN[key][1:]


_ENDS: dict[tuple[int, int], tuple[Any, Any, frozenset[int]]] = {}


def _ends(model_config: Any, tokenizer: Any) -> frozenset[int]:
    """As `end_token_ids`, read once: the generation config is a file."""
    key = (id(model_config), id(tokenizer))
    if key not in _ENDS:
        _ENDS[key] = (model_config, tokenizer, end_token_ids(model_config, tokenizer))
    return _ENDS[key][2]


def _small(vocabulary: Vocabulary) -> Vocabulary:
    """The special tokens keep their names, their order and their being ends; each gets a new id."""
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
