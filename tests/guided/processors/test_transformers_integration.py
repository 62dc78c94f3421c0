"""Processors inside `model.generate`: against transformers' own, with beams, and beside a grammar."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, LogitsProcessorList

from guided.grammars.vocabulary import Vocabulary
from guided.integrations.transformers import GuidedLogitsProcessor
from guided.integrations.transformers_processors import CustomLogitsProcessor
from guided.processors import CustomLogitProcessor, LogitProcessorError, ProcessorRow
from tests.guided.fixed_strings import FixedStrings


@pytest.fixture(scope="module")
def model(tiny_model_folder: Path) -> Any:
    return AutoModelForCausalLM.from_pretrained(tiny_model_folder).eval()


@pytest.fixture(scope="module")
def vocabulary(tiny_model_folder: Path, model: Any) -> Vocabulary:
    tokenizer = AutoTokenizer.from_pretrained(tiny_model_folder)
    return Vocabulary.from_tokenizer(tokenizer, vocab_size=model.config.vocab_size)


PROMPTS = torch.tensor([[65, 66, 67, 65], [70, 71, 72, 73]])


def generate(model: Any, processors: Sequence[Any] = (), **options: Any) -> Any:
    options = {"max_new_tokens": 12, "min_new_tokens": 12, "do_sample": False} | options
    return model.generate(
        PROMPTS,
        attention_mask=torch.ones_like(PROMPTS),
        logits_processor=LogitsProcessorList(processors),
        **options,
    )


@pytest.mark.parametrize("options", [{}, {"num_beams": 3}, {"num_beams": 4, "num_return_sequences": 2}])
def test_no_repeat_ngram_is_that_of_transformers(model: Any, options: dict[str, Any]) -> None:
    ours = CustomLogitsProcessor([("no_repeat_ngram", {"ngram_size": 2})])
    for _ in range(2):  # one object serves several calls
        assert (
            generate(model, [ours], **options).tolist() == generate(model, no_repeat_ngram_size=2, **options).tolist()
        )


@pytest.mark.parametrize("num_beams", [1, 3])
def test_every_row_is_followed(model: Any, num_beams: int) -> None:
    """The history that a processor sees is the row's own, beams moved and copied or not."""
    calls: list[torch.Tensor] = []

    class Looking(CustomLogitProcessor):
        def __call__(self, logits: torch.Tensor, custom_param_list: Sequence[ProcessorRow]) -> torch.Tensor:
            calls.append(torch.stack([torch.tensor(row.token_ids.tolist()) for row in custom_param_list]))
            return logits

    custom = CustomLogitsProcessor([Looking])
    given: list[torch.Tensor] = []

    def note(input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        given.append(input_ids.clone())
        return scores

    generate(model, [custom, note], num_beams=num_beams)
    assert len(calls) == len(given) == 12
    for seen, expected in zip(calls, given, strict=True):
        assert seen.tolist() == expected.tolist()


def test_the_grammar_has_the_last_word(model: Any, vocabulary: Vocabulary) -> None:  # B10
    grammar = FixedStrings(["red", "blue"], vocabulary)
    insist = CustomLogitsProcessor([("allowed_tokens", {"token_ids": [vocabulary.tokens.index(b"r"), 80]})])
    processors = [insist, GuidedLogitsProcessor(grammar)]
    output = generate(model, processors, min_new_tokens=0, max_new_tokens=1)
    assert output[:, -1].tolist() == [vocabulary.tokens.index(b"r")] * 2


def test_padding_is_no_text(vocabulary: Vocabulary) -> None:
    custom = CustomLogitsProcessor([("no_repeat_ngram", {"ngram_size": 1})], pad_token_id=9)
    scores = torch.zeros(1, 12, dtype=torch.float16)
    got = custom(torch.tensor([[9, 9, 3, 4]]), scores)
    assert got.isneginf().nonzero()[:, 1].tolist() == [3, 4]
    assert got.dtype == torch.float16
    assert not scores.isneginf().any()


def test_failures_raise(model: Any) -> None:
    class Bad(CustomLogitProcessor):
        def __call__(self, logits: torch.Tensor, custom_param_list: Sequence[ProcessorRow]) -> torch.Tensor:
            return logits * torch.nan

    with pytest.raises(LogitProcessorError, match="'Bad' made a logit NaN"):
        generate(model, [CustomLogitsProcessor([Bad])])
