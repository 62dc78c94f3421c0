"""`RemoteLLM` at `transformers serve`, which passes over `response_format`: its answers are checked here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import pytest
from pydantic import BaseModel

from guided import RemoteLLM, SamplingParams
from guided.embedded import model_path
from guided.errors import EndpointAnswerError
from tests.ports import free_port
from tests.serve_peer import commands, serving

TEXT = "Ada Holm, 36 years old, lives in Oslo."


class Person(BaseModel):
    name: str
    key: Literal["ZX-99817-Q"]  # which no model writes that is not held to the schema


@pytest.fixture(scope="module")
def llm() -> Iterator[RemoteLLM]:
    port, model = free_port(), str(model_path())
    command = commands(model, port)["transformers serve"]
    with serving(command, port, 1) as (url, _), RemoteLLM(f"{url}/v1", model, max_retries=1) as llm:
        yield llm


@pytest.mark.parametrize("quotes", [False, True])
def test_what_leaves_the_schema_is_an_error_with_what_was_answered(llm: RemoteLLM, quotes: bool) -> None:
    params = SamplingParams(temperature=0, max_new_tokens=60)
    extraction = llm.extract_detailed(TEXT, Person, params=params, quotes=quotes)
    assert not isinstance(extraction, list)
    assert isinstance(extraction.error, EndpointAnswerError)
    assert extraction.value is None
    assert str(extraction.completion).startswith('{"')


def test_it_answers_free_text(llm: RemoteLLM) -> None:
    assert llm.chat([{"role": "user", "content": TEXT}], SamplingParams(temperature=0, max_new_tokens=8)).text
