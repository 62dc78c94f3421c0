"""`draft=True`: the model answers freely first, and then writes the document with this answer in view."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from guided.errors import ContextLengthError
from guided.extraction.conversation import DRAFT_QUESTION, draft_turns
from guided.grammars.errors import InvalidInputError
from guided.llm import LLM
from guided.params.sampling_params import SamplingParams

SCHEMA = {"type": "object", "properties": {"n": {"enum": [1, 25, 250]}, "s": {"type": "string", "maxLength": 4}}}
SCHEMA |= {"required": ["n", "s"], "additionalProperties": False}
TEXTS = ["one lamp", "two lamps of glass", "three lamps", "four chairs of wood"]
OPTIONS: Any = {"draft": True, "params": SamplingParams(temperature=0, max_new_tokens=40)}


@pytest.fixture(scope="module")
def llm(tiny_model_folder: Path) -> Iterator[LLM]:
    with LLM(str(tiny_model_folder)) as llm:
        yield llm


def test_document_is_written_with_the_draft_in_view(llm: LLM) -> None:
    reader = llm.extractor(SCHEMA, **OPTIONS)
    draft = llm.submit(llm.read([reader.encode(TEXTS[0])], OPTIONS["params"])).result().text
    seen = reader.encode(TEXTS[0], draft_turns(draft))
    assert DRAFT_QUESTION in llm.tokenizer.decode(seen)
    assert reader.extract_one(TEXTS[0]).completion.num_prompt_tokens == len(seen)


def test_every_way_of_reading_gives_the_same(llm: LLM) -> None:
    expected = [llm.extract(text, SCHEMA, **OPTIONS) for text in TEXTS]
    assert llm.extract(TEXTS, SCHEMA, **OPTIONS) == expected
    assert [one.data for one in llm.extract_each(TEXTS, SCHEMA, **OPTIONS)] == expected
    assert asyncio.run(llm.extract_async(TEXTS, SCHEMA, **OPTIONS)) == expected
    with llm.stream_extract(TEXTS[1], SCHEMA, **OPTIONS) as stream:
        assert [*stream][-1].value == expected[1]


def test_a_text_that_is_too_long_has_its_own_error(llm: LLM) -> None:
    found = [*llm.extract_each(["word " * 2000, TEXTS[0], " "], SCHEMA, **OPTIONS)]
    assert isinstance(found[0].error, ContextLengthError)
    assert found[1].is_valid
    assert isinstance(found[2].error, InvalidInputError)
    again = llm.extract_detailed(["word " * 2000, TEXTS[0], " "], SCHEMA, **OPTIONS)
    assert [type(one.error) for one in again] == [type(one.error) for one in found]


def test_a_blank_draft_is_not_shown() -> None:
    assert draft_turns(" \n") == []


def test_draft_is_true_or_false(llm: LLM) -> None:
    with pytest.raises(InvalidInputError, match="draft"):
        llm.extractor(SCHEMA, draft="yes")  # type: ignore[typeddict-item]
