"""The vocabulary of a model that vLLM serves, and a small vocabulary for checking grammars."""

from __future__ import annotations

from typing import Any

from guided.grammars import Vocabulary

from ..common.latest import Latest
from ..common.vocabularies import MAX_KNOWN, Vocabularies, find_vocabularies


def model_vocabulary(model_config: Any, tokenizer: Any) -> Vocabulary:
    """The vocabulary of a model. model_config, tokenizer: from vLLM. Raises TokenizerError or InvalidInputError."""
    return _vocabularies(model_config, tokenizer).model


def check_vocabulary(model_config: Any, tokenizer: Any) -> Vocabulary:
    """The small vocabulary, see `Vocabularies`."""
    return _vocabularies(model_config, tokenizer).check


def end_token_ids(model_config: Any, tokenizer: Any) -> frozenset[int]:
    """Every token that ends a text of the model: the tokenizer's own, and those in the generation config."""
    ends = {tokenizer.eos_token_id} if tokenizer.eos_token_id is not None else set[int]()
    listed = model_config.try_get_generation_config().get("eos_token_id")
    if listed is not None:
        ends |= {listed} if isinstance(listed, int) else set(listed)
    return frozenset(ends)


_KNOWN = Latest[tuple[int, int], tuple[Any, Any, Vocabularies]](MAX_KNOWN)


def _vocabularies(model_config: Any, tokenizer: Any) -> Vocabularies:
    """The two vocabularies, cached, since the generation config is read from a file."""
    key = (id(model_config), id(tokenizer))
    kept = _KNOWN.get(key)
    if kept is not None:
        return kept[2]
    ends, size = end_token_ids(model_config, tokenizer), int(model_config.get_vocab_size())
    found = find_vocabularies(getattr(tokenizer, "mistral", tokenizer), size, ends)
    _KNOWN.put(key, (model_config, tokenizer, found))
    return found
