"""SmolLM2 in llama.cpp under our grammars: whole texts, budgets, chats, errors."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema
import pytest
from llama_cpp import Llama, LogitsProcessorList

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import LimitExceededError
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.vocabulary import Vocabulary
from guided.integrations.llama_cpp import GuidedLogitsProcessor, llama_vocabulary
from guided.models.find import tokenizer_folder
from guided.models.known import fetched_file
from tests.real.schemas import SCHEMAS, closed

PERSON = closed(name={"type": "string", "maxLength": 12}, age={"type": "integer", "minimum": 0, "maximum": 99})
CODE = r"[a-c]{2,5}(x|éé)?"
WORDS = {"type": "array", "items": {"enum": ["red", "green"]}, "minItems": 1}
DRAWS: dict[str, dict[str, Any]] = {
    "greedy": {"temperature": 0},
    "sampling": {"temperature": 2.0, "top_k": 50, "min_p": 0.0, "seed": 3},
    "penalties": {"temperature": 0, "repeat_penalty": 2.0, "frequency_penalty": 1.0},
    "mirostat": {"temperature": 1.0, "mirostat_mode": 2, "seed": 3},
}


@pytest.fixture(scope="module")
def vocabulary(llama: Any) -> Vocabulary:
    return llama_vocabulary(llama)


def write(llama: Any, grammar: CompiledGrammar, prompt: str = "A person:", max_tokens: int = 60, **draws: Any) -> str:
    processor = GuidedLogitsProcessor(grammar, llama, max_tokens)
    answer = llama(
        prompt, max_tokens=max_tokens, logits_processor=LogitsProcessorList([processor]), **{"temperature": 0, **draws}
    )
    processor.check()
    text: str = answer["choices"][0]["text"]
    return text


def test_the_vocabulary_is_that_of_the_file(vocabulary: Vocabulary) -> None:
    from transformers import AutoTokenizer

    own = Vocabulary.from_tokenizer(AutoTokenizer.from_pretrained(tokenizer_folder("smollm2")))
    assert vocabulary.tokens == own.tokens
    assert vocabulary.special_tokens.items() >= own.special_tokens.items()
    assert vocabulary.eos_token_ids >= own.eos_token_ids


def test_the_vocabulary_without_the_weights(vocabulary: Vocabulary) -> None:
    alone = llama_vocabulary(Llama(str(fetched_file("smollm2")), vocab_only=True, verbose=False))
    assert (alone.tokens, alone.eos_token_ids) == (vocabulary.tokens, vocabulary.eos_token_ids)
    assert alone.special_tokens == vocabulary.special_tokens


@pytest.mark.parametrize("name", DRAWS)
def test_texts_fit(llama: Any, vocabulary: Vocabulary, name: str) -> None:
    text = write(llama, compile_grammar(vocabulary, json_schema=PERSON), **DRAWS[name])
    jsonschema.validate(json.loads(text), PERSON)
    assert re.fullmatch(CODE, write(llama, compile_grammar(vocabulary, regex=CODE), **DRAWS[name]))


def test_twenty_schemas(llama: Any, vocabulary: Vocabulary) -> None:
    for schema in SCHEMAS:
        text = write(llama, compile_grammar(vocabulary, json_schema=schema), max_tokens=40)
        jsonschema.validate(json.loads(text), schema)


def test_other_kinds_of_grammar(llama: Any, vocabulary: Vocabulary) -> None:
    assert write(llama, compile_grammar(vocabulary, choice=["red", "green", "redder"])) in ("red", "green", "redder")
    nested = write(llama, compile_grammar(vocabulary, ebnf='root ::= "(" root ")" | [0-9]{2}'), temperature=1.5)
    assert re.fullmatch(r"(\()*[0-9]{2}(\))*", nested)


def test_texts_are_closed_in_their_budget(llama: Any, vocabulary: Vocabulary) -> None:
    grammar = compile_grammar(vocabulary, json_schema={**WORDS, "minItems": 3})
    for max_tokens in (16, 20, 31):
        text = write(llama, grammar, "red " * 8, max_tokens, temperature=2.0, seed=max_tokens)
        jsonschema.validate(json.loads(text), WORDS)
    long_prompt = "red " * 470
    room = llama.n_ctx() - len(llama.tokenize(long_prompt.encode()))
    assert 10 < room < 60
    jsonschema.validate(json.loads(write(llama, grammar, long_prompt, 0, temperature=2.0)), WORDS)


def test_chats_and_streams_with_one_processor(llama: Any, vocabulary: Vocabulary) -> None:
    processor = GuidedLogitsProcessor(compile_grammar(vocabulary, json_schema=PERSON), llama, 60)
    options = {"max_tokens": 60, "temperature": 0, "logits_processor": LogitsProcessorList([processor])}
    messages = [{"role": "user", "content": "Ada is 36 years old."}]
    text = llama.create_chat_completion(messages, **options)["choices"][0]["message"]["content"]
    assert json.loads(text) == {"name": "Ada", "age": 36}
    chunks = llama.create_chat_completion(messages, stream=True, **options)
    assert "".join(chunk["choices"][0]["delta"].get("content") or "" for chunk in chunks) == text
    for prompt in ("Bob, 41", "Bob, 41 years"):
        jsonschema.validate(json.loads(llama(prompt, **options)["choices"][0]["text"]), PERSON)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_error_ends_the_text(llama: Any, vocabulary: Vocabulary, monkeypatch: pytest.MonkeyPatch) -> None:
    """llama.cpp goes on after an exception of its callback."""

    def fail(*_: object) -> None:
        raise LimitExceededError("max_mask_seconds", 1, "seconds")

    grammar = compile_grammar(vocabulary, json_schema=PERSON)
    monkeypatch.setattr(type(grammar.matcher()), "fill_bitmask", fail)
    processor = GuidedLogitsProcessor(grammar, llama, 20)
    answer = llama("A person:", max_tokens=20, logits_processor=LogitsProcessorList([processor]))
    assert answer["choices"][0]["finish_reason"] == "stop"
    with pytest.raises(LimitExceededError):
        processor.check()
