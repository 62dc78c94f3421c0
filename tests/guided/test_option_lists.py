"""Signatures and help of the methods that take `**options`."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from guided.extraction.options import ExtractionOptions
from guided.extraction.text_reader import TextReader
from guided.llm import LLM
from guided.loading import LoadOptions
from guided.option_lists import lists_options
from guided.requests.options import AnswerOptions, BatchOptions, RequestOptions

METHODS = [
    (LLM.__init__, LoadOptions),
    (LLM.generate, BatchOptions),
    (LLM.chat, BatchOptions),
    (LLM.start, RequestOptions),
    (LLM.stream, AnswerOptions),
    (LLM.stream_async, AnswerOptions),
    (LLM.complete_async, AnswerOptions),
    (LLM.extractor, ExtractionOptions),
    (TextReader.extract, ExtractionOptions),
    (TextReader.extract_detailed, ExtractionOptions),
    (TextReader.extract_each, ExtractionOptions),
    (TextReader.extract_document, ExtractionOptions),
    (TextReader.stream_extract, ExtractionOptions),
    (TextReader.extract_async, ExtractionOptions),
]


@pytest.mark.parametrize(("method", "options"), METHODS, ids=lambda one: getattr(one, "__name__", ""))
def test_every_option_is_listed_and_explained(method: Any, options: Any) -> None:
    parameters = inspect.signature(method).parameters
    assert not any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    help_lines = [line.strip() for line in inspect.getdoc(method).splitlines()]
    for name in options.__annotations__:
        assert parameters[name].kind is inspect.Parameter.KEYWORD_ONLY
        assert any(line.startswith(f"{name}: ") for line in help_lines), name


def test_defaults_are_those_of_the_functions_that_take_the_options() -> None:
    parameters = inspect.signature(TextReader.extract).parameters
    assert (parameters["max_new_tokens"].default, parameters["end_repetition"].default) == ("auto", True)
    assert inspect.signature(LLM).parameters["device"].default == "auto"


def test_a_parameter_of_the_method_itself_is_listed_once() -> None:
    class Options(AnswerOptions, total=False):
        """More.

        size: number of things.
        """

        size: int

    def source(*, size: int = 3) -> None: ...

    @lists_options((Options,), (source,))
    def method(self: Any, *, deadline_s: float = 1.0, **options: Any) -> None:
        """Do it."""

    assert str(inspect.signature(method).parameters["deadline_s"]) == "deadline_s: 'float' = 1.0"
    assert inspect.signature(method).parameters["size"].default == 3
    assert inspect.getdoc(method) == "Do it.\n\nOptions:\n    size: number of things."
