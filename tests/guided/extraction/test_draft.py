"""`draft=True`: the model answers freely first, and then writes the document with this answer in view."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel, field_validator

from guided import CustomLogitProcessor
from guided.errors import ContextLengthError, PiecesFailedError
from guided.extraction.conversation import DRAFT_QUESTION, draft_turns
from guided.extraction.extraction import Extraction
from guided.extraction.extractor import Extractor
from guided.grammars.errors import GuidedError, InvalidInputError
from guided.llm import LLM
from guided.params.limits import RequestLimitExceededError
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


def test_quotes_are_compiled_once_for_a_text(llm: LLM, monkeypatch: pytest.MonkeyPatch) -> None:
    """For all requests of a text: its draft, its document, and further attempts after a refusal."""
    compiled: list[Any] = []
    compile_one = llm._reader.grammars.get
    monkeypatch.setattr(
        llm._reader.grammars,
        "get",
        lambda params, cancel=None: compiled.append(params.json_schema) or compile_one(params, cancel),
    )
    quoted = {"draft": True, "quotes": ["s"], "params": replace(OPTIONS["params"], return_enforcement=True)}

    def num_compiled() -> int:
        found = sum(schema is not None for schema in compiled)
        compiled.clear()
        return found

    assert llm.extract_detailed(TEXTS[0], SCHEMA, **quoted).completion.enforcement is not None
    assert num_compiled() == 1
    assert len(llm.extract_detailed(TEXTS, SCHEMA, **quoted)) == num_compiled()
    assert len(asyncio.run(llm.extractor(SCHEMA, **quoted).extract_all_async(TEXTS))) == num_compiled()

    class Refused(BaseModel):
        s: str

        @field_validator("s")
        @classmethod
        def refuse(cls, s: str) -> str:
            raise ValueError("never")

    found = llm.extract_detailed(TEXTS[0], Refused, max_retries=2, **quoted)
    assert found.attempts == 3
    assert num_compiled() == 1


def test_too_many_bad_words_are_an_error_of_each_text(llm: LLM) -> None:
    """In a list as one by one."""
    params = replace(OPTIONS["params"], bad_words=[f"w{number}" for number in range(3000)])
    every: list[dict[str, Any]] = [{}, {"quotes": ["s"]}]
    for options in every:
        for found in (
            llm.extract_detailed(TEXTS, SCHEMA, params=params, **options),
            [*llm.extract_each(TEXTS, SCHEMA, params=params, **options)],
        ):
            assert all(isinstance(one.error, RequestLimitExceededError) for one in found)


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


class FailsOnce(CustomLogitProcessor):
    """Raises in the first step that it sees: a step of the draft."""

    def __init__(self) -> None:
        self.num_steps = 0

    def __call__(self, logits: Any, params: Any = None) -> Any:
        self.num_steps += 1
        if self.num_steps == 1:
            raise ValueError("no such draft")
        return logits


def ways(llm: LLM, schema: Any, options: Any) -> Iterator[Extraction[Any]]:
    """The extraction of a text, by each way to read it."""
    yield llm.extractor(schema, **options()).extract_one(TEXTS[1])
    yield llm.extractor(schema, **options()).extract_all([TEXTS[1]])[0]
    yield llm.extractor(schema, **options()).start(TEXTS[1]).result()
    yield asyncio.run(llm.extractor(schema, **options()).extract_async(TEXTS[1]))


def failing(**options: Any) -> Any:
    return OPTIONS | {"params": replace(OPTIONS["params"], logit_processors=[FailsOnce()])} | options


def test_an_error_of_the_draft_is_the_error_of_the_text(llm: LLM) -> None:
    for found in ways(llm, SCHEMA, lambda: failing(max_retries=1)):
        assert found.value is None
        assert "no such draft" in str(found.error)
        assert found.draft is not None
        assert found.draft.error is found.error
    with pytest.raises(GuidedError, match="no such draft"):
        llm.stream_extract(TEXTS[1], SCHEMA, **failing())


class Refused(BaseModel):
    n: Literal[1, 25, 250]

    @field_validator("n")
    @classmethod
    def refuse(cls, _: int) -> int:
        raise ValueError("not this one")


def test_the_next_try_sees_the_draft(llm: LLM, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[Any]] = []
    encode = Extractor.encode

    def spy(self: Extractor[Any], text: str, turns: Any = ()) -> list[int]:
        seen.append([*turns])
        return encode(self, text, turns)

    monkeypatch.setattr(Extractor, "encode", spy)
    for found in ways(llm, Refused, lambda: OPTIONS | {"max_retries": 1}):
        assert found.attempts == 2
        assert found.draft is not None
        shown = draft_turns(found.draft.text)
        assert seen[-2] == shown
        assert seen[-1][:2] == shown
        assert "not this one" in seen[-1][-1]["content"]
        assert len(seen[-1]) == 4


def long_text(llm: LLM, num_left: int) -> str:
    """A text whose prompt, with the question after a draft, leaves so many tokens of the context."""
    reader = llm.extractor(SCHEMA, draft=True)
    assert reader.max_context_tokens is not None
    told = [len(reader.encode("a" + " a" * num, draft_turns("a"))) for num in (100, 101)]
    text = "a" + " a" * (100 + (reader.max_context_tokens - num_left - told[0]) // (told[1] - told[0]))
    assert reader.max_context_tokens - len(reader.encode(text, draft_turns("a"))) in (num_left, num_left + 1)
    return text


def test_a_draft_leaves_the_document_half_of_the_room(llm: LLM) -> None:
    (found,) = llm.extract_detailed([long_text(llm, 120)], SCHEMA, draft=True, confidence=True)
    assert found.draft is not None
    assert found.confidence is not None
    assert found.draft.num_tokens <= 60
    assert found.error is None


def test_a_text_without_room_for_a_draft_says_so(llm: LLM) -> None:
    text = long_text(llm, -2)
    assert [one.draft for one in llm.extract_detailed([text], SCHEMA, draft=False)] == [None]
    with pytest.raises(ContextLengthError, match=r"the prompt with a draft \(draft=True\) has"):
        llm.extract(text, SCHEMA, draft=True)
    pieces = llm.extract_document(text, SCHEMA, draft=True)
    assert pieces.num_pieces > 2
    assert not isinstance(pieces.error, PiecesFailedError)
