"""The vocabulary of a model that vLLM serves; and a small one to check grammars with."""

from __future__ import annotations

from typing import Any

from guided.grammars import Vocabulary

from ..common.vocabularies import Vocabularies, find_vocabularies


def model_vocabulary(model_config: Any, tokenizer: Any) -> Vocabulary:
    """The vocabulary of a model. model_config, tokenizer: vLLM's. Raises TokenizerError, InvalidInputError."""
    return _vocabularies(model_config, tokenizer).model


def check_vocabulary(model_config: Any, tokenizer: Any) -> Vocabulary:
    """The small one, see `Vocabularies`."""
    return _vocabularies(model_config, tokenizer).check


def end_token_ids(model_config: Any, tokenizer: Any) -> frozenset[int]:
    """Every token that ends a text of the model: the tokenizer's own, and those of its generation config."""
    ends = {tokenizer.eos_token_id} if tokenizer.eos_token_id is not None else set[int]()
    listed = model_config.try_get_generation_config().get("eos_token_id")
    if listed is not None:
        ends |= {listed} if isinstance(listed, int) else set(listed)
    return frozenset(ends)


def _vocabularies(model_config: Any, tokenizer: Any) -> Vocabularies:
    ends = _ends(model_config, tokenizer)
    return find_vocabularies(getattr(tokenizer, "mistral", tokenizer), int(model_config.get_vocab_size()), ends)


_ENDS: dict[tuple[int, int], tuple[Any, Any, frozenset[int]]] = {}


def _ends(model_config: Any, tokenizer: Any) -> frozenset[int]:
    """As `end_token_ids`, read once: the generation config is a file."""
    key = (id(model_config), id(tokenizer))
    if key not in _ENDS:
        _ENDS[key] = (model_config, tokenizer, end_token_ids(model_config, tokenizer))
    return _ENDS[key][2]
