"""The vocabulary of a model that vLLM serves, and the small one that its grammars are checked with."""

from __future__ import annotations

from typing import Any

import pytest
from transformers import PreTrainedTokenizerFast

from guided.grammars import compile_grammar
from guided.grammars.errors import GuidedError
from guided.integrations.common import vocabularies
from guided.integrations.common.latest import Latest
from guided.integrations.vllm import vocabularies as vllm_vocabularies
from guided.integrations.vllm.vocabularies import check_vocabulary, model_vocabulary
from tests.guided.tiny_model import make_tokenizer

from .stand_ins import ModelConfig


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return PreTrainedTokenizerFast(tokenizer_object=make_tokenizer(), eos_token="<|im_end|>", pad_token="<|pad|>")


def test_ends_are_the_tokenizers_and_the_generation_configs(tokenizer: Any) -> None:
    end, other = tokenizer.convert_tokens_to_ids(["<|im_end|>", "<|endoftext|>"])
    assert model_vocabulary(ModelConfig(280), tokenizer).eos_token_ids == {end}
    assert model_vocabulary(ModelConfig(280, other), tokenizer).eos_token_ids == {end, other}
    vocabulary = model_vocabulary(ModelConfig(280, [end, other]), tokenizer)
    assert vocabulary.eos_token_ids == {end, other}
    assert vocabulary.size == 280


def test_one_vocabulary_for_all_tokenizers_of_the_same_tokens(tokenizer: Any) -> None:
    again = PreTrainedTokenizerFast(tokenizer_object=make_tokenizer(), eos_token="<|im_end|>", pad_token="<|pad|>")
    config = ModelConfig(280)
    assert model_vocabulary(config, tokenizer) is model_vocabulary(config, tokenizer)
    assert model_vocabulary(config, tokenizer) is model_vocabulary(config, again)


@pytest.fixture
def small_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (vocabularies, vllm_vocabularies):
        monkeypatch.setattr(module, "_KNOWN", Latest(2))


@pytest.mark.usefixtures("small_caches")
def test_caches_keep_few_tokenizers(tokenizer: Any) -> None:
    first = model_vocabulary(ModelConfig(280), tokenizer)
    for size in range(281, 285):
        assert model_vocabulary(ModelConfig(size), tokenizer).size == size
    assert len(vocabularies._KNOWN.values()) == len(vllm_vocabularies._KNOWN.values()) == 2
    assert model_vocabulary(ModelConfig(280), tokenizer) == first


@pytest.mark.usefixtures("small_caches")
def test_caches_keep_what_is_in_use(tokenizer: Any) -> None:
    """A hit makes a result the newest one of its cache: of vLLM's, and of the one behind it."""
    config = ModelConfig(290)
    first = model_vocabulary(config, tokenizer)
    for size in range(291, 295):
        model_vocabulary(ModelConfig(size), tokenizer)
        assert any(kept[0] is config for kept in vllm_vocabularies._KNOWN.values())
        assert model_vocabulary(config, tokenizer) is first
        assert vocabularies.find_vocabularies(tokenizer, 290, first.eos_token_ids).model is first


GRAMMARS: list[dict[str, Any]] = [
    {"json_schema": {"type": "object", "properties": {"a": {"type": "integer"}}}},
    {"json_schema": {"type": "objekt"}},
    {"json_schema": {"$ref": "http://elsewhere"}},
    {"regex": "a{2,3}(b|c)"},
    {"regex": "a("},
    {"ebnf": 'root ::= "<" [a-z]+ ">"'},
    {"ebnf": "root ::= unknown"},
    {"ebnf": 'start: "a" <|im_start|> "b"', "dialect": "lark"},
    {"ebnf": 'start: "a" <|unknown|> "b"', "dialect": "lark"},
    {"structural_tag": {"type": "structural_tag", "format": {"type": "token", "token": "<|im_start|>"}}},
    {"structural_tag": {"type": "structural_tag", "format": {"type": "token", "token": "<|unknown|>"}}},
]


@pytest.mark.parametrize("grammar", GRAMMARS, ids=str)
def test_the_small_vocabulary_says_of_grammars_what_the_models_says(tokenizer: Any, grammar: dict[str, Any]) -> None:
    config = ModelConfig(280)
    small, whole = check_vocabulary(config, tokenizer), model_vocabulary(config, tokenizer)
    assert small.size < 262
    assert message_of(small, grammar) == message_of(whole, grammar)


def message_of(vocabulary: Any, grammar: dict[str, Any]) -> str | None:
    try:
        compile_grammar(vocabulary, **grammar, cache=None)
    except GuidedError as error:
        return str(error)
    return None
