"""Our engine writes what `transformers` writes, with real weights."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from guided.engines.local.folder_tokenizer import FolderTokenizer
from guided.engines.local.llama_folder import load_plain_tokenizer
from guided.engines.local.paged import Chunk, PagedModel
from guided.params.sampling_params import SamplingParams
from tests.guided.engines.local.test_llama_folder import check_tokenizer

from .conftest import RealModel

NUM_TOKENS = 12
LONG = "The ship left the harbour at dawn, and the crew counted the barrels once more. " * 40  # 700 tokens
SUBJECTS = (
    *(
        "The capital of Norway is",
        "def add(a, b):\n    ",
        "Water boils at",
        "In 1969, people first",
        "Once upon a time",
    ),
    *(
        "The opposite of hot is",
        "1, 2, 3, 4,",
        "Die Hauptstadt von Frankreich ist",
        "A list of fruits:\n- ",
        '{"name": "',
    ),
    *("The sun rises in the", "import numpy as", "Dear Sir or Madam,\n", "Roses are red,", "E = m"),
    *("Bread is made of", "The largest planet is", "To be, or not to be,", "SELECT * FROM"),
)
PROMPTS = [*SUBJECTS, LONG]


def test_the_tokenizer_is_that_of_transformers(real_model: RealModel) -> None:
    ours = load_plain_tokenizer(Path(real_model.reference.name_or_path))
    if real_model.name == "gemma3-270m":
        assert ours is None  # its tokenizer is left to transformers
        return
    assert isinstance(ours, FolderTokenizer)
    check_tokenizer(ours, real_model.tokenizer, [*PROMPTS, "<|im_end|> \u65e5\u672c \U0001f600\n\n", ""])


def test_greedy_texts_are_those_of_transformers(real_model: RealModel) -> None:
    """20 prompts, one of them longer than a sliding window of 512 tokens; in batches of 8, and one by one."""
    params = SamplingParams(temperature=0, max_new_tokens=NUM_TOKENS)
    together = [
        list(one.token_ids)
        for begin in range(0, len(PROMPTS), 8)
        for one in real_model.llm.generate(PROMPTS[begin : begin + 8], params)
    ]
    assert together == [real_model.greedy(prompt, NUM_TOKENS) for prompt in PROMPTS]
    alone = [list(real_model.llm.generate(prompt, params).token_ids) for prompt in PROMPTS]
    assert alone == together


@pytest.mark.parametrize("size", [1000, 7])
def test_logits_are_those_of_transformers(real_model: RealModel, size: int) -> None:
    """After each token of a long text, read in chunks of `size` tokens."""
    token_ids = real_model.tokenizer(LONG)["input_ids"]
    if size < 100:
        token_ids = token_ids[:560]
    with torch.inference_mode():
        expected = real_model.reference(torch.tensor([token_ids])).logits[0]
    paged = PagedModel(real_model.reference, num_pages=64)
    sequence = paged.open([])
    for begin in range(0, len(token_ids), size):
        chunk = token_ids[begin : begin + size]
        assert paged.reserve(sequence, len(chunk))
        logits = paged.forward([Chunk(sequence, chunk, list(range(len(chunk))))])
        assert (logits - expected[begin : begin + len(chunk)]).abs().max() < 1e-4


def test_all_end_tokens_end_a_text(real_model: RealModel) -> None:
    vocabulary = real_model.llm.vocabulary
    ends = set(real_model.reference.generation_config.eos_token_id)
    assert vocabulary.eos_token_ids == ends
    assert len(ends) == 2
    for token_id in ends:
        params = SamplingParams(logit_bias={token_id: 100.0}, max_new_tokens=4, temperature=0)
        assert real_model.llm.generate("A", params).finish_reason == "stop"
