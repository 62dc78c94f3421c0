"""Long texts read by a model: in pieces that fit, side by side, halved where an answer does not fit; nothing hidden."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import AfterValidator, BaseModel, BeforeValidator, model_validator

from guided.documents.pieces import Cut, Piece
from guided.errors import (
    ContextLengthError,
    IncompleteOutputError,
    MissingQuoteError,
    OutputCutError,
    OutputValidationError,
    PiecesFailedError,
    SchemaMismatchError,
)
from guided.extraction.confidence import FieldConfidence
from guided.extraction.document import DocumentReader, LongText, read_documents
from guided.extraction.extraction import Extraction
from guided.extraction.quote import Quote
from guided.grammars.errors import InvalidInputError
from guided.llm import LLM
from guided.output.completion import Completion
from guided.params.sampling_params import SamplingParams

SCHEMA = {
    "type": "object",
    "properties": {"words": {"type": "array", "items": {"type": "string", "maxLength": 12}, "maxItems": 2}},
    "required": ["words"],
    "additionalProperties": False,
}
TEXT = "\n\n".join(f"Part {i} has a word or two. It says {i * i} things." for i in range(24))


def completion_of(text: str) -> Completion:
    return Completion(text, (), "stop", None, 0, 0, 0.0)


@pytest.fixture(scope="module")
def llm(tiny_model_folder: Path) -> Iterator[LLM]:
    with LLM(str(tiny_model_folder)) as llm:
        yield llm


def test_places_are_those_of_the_whole_text(llm: LLM) -> None:
    schema: Any = SCHEMA | {"properties": {"words": SCHEMA["properties"]["words"] | {"maxItems": 2}}}  # type: ignore[index]
    found = llm.extract_document(TEXT, schema, cut=Cut(max_tokens=60, overlap_tokens=10), quotes=True)
    assert found.num_pieces > 5
    assert found.places
    for pointer, places in found.places.items():
        assert places.quote == found.data["words"][int(pointer.rpartition("/")[2])]
        assert places.likely in places.spans
        assert all(" ".join(TEXT[start:end].split()) == places.quote for start, end in places.spans)
    assert found.is_valid is (len(found.data["words"]) <= 2)
    assert found.attempts == found.num_pieces
    assert found.completion.num_tokens > 0
    assert found.completion.num_prompt_tokens > llm.count_tokens(TEXT)


def test_a_short_text_is_read_as_it_is(llm: LLM) -> None:
    text = "Only a line."
    assert llm.extract_document(text, SCHEMA).data == llm.extract(text, SCHEMA)
    detailed: Any = llm.extract_detailed(text, SCHEMA, confidence=True)
    found = llm.extract_document(text, SCHEMA)
    assert found.completion.token_ids == detailed.completion.token_ids
    assert (found.num_pieces, found.conflicts) == (1, {})
    assert set(found.confidence or ()) == set(detailed.confidence)
    with pytest.raises(InvalidInputError, match="is empty"):
        raise llm.extract_document(" \n", SCHEMA).error or AssertionError


def test_pieces_are_what_each_gives_alone(llm: LLM) -> None:
    """And many texts, with short, empty and wrong ones between, come in order."""
    schema: Any = {"enum": ["a", "b", "c"]}
    extractor = llm.extractor(schema, confidence=True)
    reader = DocumentReader(extractor, Cut(max_tokens=60, overlap_tokens=0))
    told: list[int] = []
    texts: list[Any] = [TEXT, "short", "", None, TEXT[:300]]
    found = list(reader.read_each(iter(texts), on_piece=told.append))
    assert sum(told) == len(TEXT) + 5 + 300
    pieces = [one.text for one in reader.pieces(TEXT)]
    alone = [llm.extract(piece, schema) for piece in pieces]
    assert found[0].num_pieces == len(pieces)
    values = [found[0].data, *(one.value for one in found[0].conflicts.get("", ()))]
    assert sorted(values) == sorted(set(alone))
    assert found[1].data == llm.extract("short", schema)
    assert [type(one.error) for one in found[2:4]] == [InvalidInputError] * 2
    assert found[4].error is None


def test_a_piece_whose_answer_does_not_fit_is_halved(llm: LLM) -> None:
    """Here the answer never fits, however short the piece is: all failures are told, with their places."""
    schema = {"type": "string", "minLength": 100}
    params = SamplingParams(temperature=0, max_new_tokens=8)
    found = llm.extract_document(TEXT[:200], schema, cut=Cut(max_tokens=100), params=params)
    assert isinstance(found.error, PiecesFailedError)
    assert found.value is None
    failures = found.error.failures
    assert len(failures) == found.error.num_pieces > 2
    assert all(isinstance(one.error, IncompleteOutputError) for one in failures)
    assert (failures[0].start, failures[-1].end) == (0, 200)
    assert all(len(TEXT[one.start : one.end]) < 100 for one in failures)
    assert "pieces of the text could not be read, the first at characters 0 to" in str(found.error)


def test_a_piece_that_never_fits_is_given_up_after_some_requests(llm: LLM) -> None:
    """One for the piece, and thirty for halves: all its sixteenths are tried, none smaller."""
    schema = {"type": "string", "minLength": 300}
    params = SamplingParams(temperature=0, max_new_tokens=2)
    found = llm.extract_document(TEXT + TEXT, schema, cut=Cut(max_tokens=5000), params=params)
    assert isinstance(found.error, PiecesFailedError)
    assert (found.attempts, found.error.num_pieces) == (31, 16)
    places = [(one.start, one.end) for one in found.error.failures]
    assert (places[0][0], places[-1][1]) == (0, 2 * len(TEXT))
    assert all(after[0] <= before[1] for before, after in pairwise(places))
    assert max(end - start for start, end in places) < 2 * len(TEXT) / 5


@pytest.mark.parametrize(("kind", "is_read_again"), [("string", False), ("array", True)])
def test_a_cut_document_without_lists_is_not_read_again(llm: LLM, kind: str, is_read_again: bool) -> None:
    """It was cut at three times its text's length."""
    schema = {"type": "object", "properties": {"note": {"type": kind}}, "additionalProperties": False}
    extractor = llm.extractor(schema, allow_cut=True)
    found = extractor.read(replace(completion_of("{}"), closed_in_budget=True), TEXT[:100])
    assert found.is_shortened
    started: list[str] = []
    reader = DocumentReader(extractor)
    reader.start = lambda text, **_: started.append(text) or found  # type: ignore[method-assign,func-returns-value]
    reader.take(reader.new_document(), Piece(0, TEXT[:100]), found)
    assert bool(started) == is_read_again


@pytest.mark.parametrize(("has_repeated", "is_read_again"), [(False, True), (True, False)])
def test_a_document_that_the_context_cut_is_read_again(llm: LLM, has_repeated: bool, is_read_again: bool) -> None:
    schema = {"type": "object", "properties": {"note": {"type": "string"}}, "additionalProperties": False}
    extractor = llm.extractor(schema, allow_cut=True)
    assert extractor.max_context_tokens is not None
    cut = replace(completion_of("{}"), closed_in_budget=True, ended_repetition=has_repeated)
    cut = replace(cut, num_prompt_tokens=extractor.max_context_tokens - 12)
    found = extractor.read(cut, TEXT)
    started: list[str] = []
    reader = DocumentReader(extractor)
    whole = extractor.read(completion_of("{}"), TEXT)
    reader.start = lambda text, **_: started.append(text) or whole  # type: ignore[method-assign,func-returns-value]
    reader.take(reader.new_document(), Piece(0, TEXT), found)
    assert len(started) == (2 if is_read_again else 0)


class Few(BaseModel):
    """What its own rule refuses in a piece may be right in the whole, and the other way round."""

    words: list[str]

    @model_validator(mode="after")
    def check(self) -> Few:
        """Raise for few words."""
        if len(self.words) < 3:
            raise ValueError("too few words")
        return self


def test_the_whole_is_checked_by_the_type(llm: LLM) -> None:
    cut = Cut(max_tokens=60, overlap_tokens=0)
    params = SamplingParams(temperature=1, seed=5, max_new_tokens=30)
    found = llm.extract_document(TEXT[:400], Few, cut=cut, params=params)
    if found.error is None:
        assert len(found.value.words) >= 3
    else:
        assert isinstance(found.error, OutputValidationError | OutputCutError | PiecesFailedError)
    too_many = llm.extract_document(TEXT, SCHEMA, cut=cut)
    assert too_many.is_valid is (len(too_many.data["words"]) <= 2)


def _positive(number: int) -> int:
    if number <= 0:
        raise ValueError("not positive")
    return number


class Bill(BaseModel):
    """A field with a rule that the schema does not state, also in a union and in a list."""

    total: Annotated[float, BeforeValidator(float, json_schema_input_type=str), Quote()]
    lines: list[Annotated[int, AfterValidator(_positive)] | str] = []


def test_a_value_that_the_type_takes_beats_a_surer_one_that_it_refuses(llm: LLM) -> None:
    text = "Total: 99.00\n\nBest regards, Ada Holm."
    extractor = llm.extractor(Bill)
    document = DocumentReader(extractor).new_document()
    for start, quote, raw in ((0, "99.00", 0.1), (14, "Ada Holm", 0.9)):
        found = extractor.read(completion_of(json.dumps({"total": quote})), text[start:])
        found = replace(found, confidence={"/total": FieldConfidence(raw, raw, 0, 1)})
        document.take(Piece(start, text[start:]), found)
    merged = document.extraction()
    assert merged.value == Bill(total="99.00")  # type: ignore[arg-type]  # as the quote is read
    assert [one.value for one in merged.conflicts["/total"]] == ["Ada Holm"]


def test_the_text_of_a_merged_document_has_the_digits_that_were_written(llm: LLM) -> None:
    class Prices(BaseModel):
        prices: list[Decimal]

    extractor = llm.extractor(Prices)
    document = DocumentReader(extractor).new_document()
    for start, price in ((0, "12.50"), (5, "0.10")):
        document.take(Piece(start, "One."), extractor.read(completion_of(f'{{"prices": [{price}]}}'), "One."))
    found = document.extraction()
    assert found.completion.text == '{"prices": [12.50, 0.10]}'
    assert [str(price) for price in found.value.prices] == ["12.50", "0.10"]


def test_the_error_of_a_document_names_the_values_that_are_refused(llm: LLM) -> None:
    read = llm.extractor(Bill).read
    error = read(completion_of('{"total": "Ada", "lines": [1, "a", -1]}'), "Ada").error
    assert isinstance(error, OutputValidationError)
    assert set(error.pointers) == {"/total", "/lines/2"}
    error = read(completion_of('{"total": "Ada", "lines": [1.5], "a/b": 1}'), "Ada").error
    assert isinstance(error, SchemaMismatchError)
    assert set(error.pointers) == {"", "/lines/0"}


def test_a_text_of_which_no_piece_has_a_quote(llm: LLM) -> None:
    schema = {"type": "string", "pattern": "^ZZZ[0-9]{4}$", "x-quote": "text"}
    found = llm.extract_document(TEXT, schema, cut=Cut(max_tokens=60))
    assert found.data is None
    assert found.error is not None
    text = TEXT[:700] + " The code is ZZZ1234. " + TEXT[700:]
    found = llm.extract_document(text, schema, cut=Cut(max_tokens=60))
    assert (found.value, found.error) == ("ZZZ1234", None)
    start = text.index("ZZZ1234")
    assert found.spans == {"": [(start, start + 7)]}


def test_settings_that_make_no_sense(llm: LLM) -> None:
    long = " ".join(["word"] * 5000)
    with pytest.raises(ContextLengthError):
        llm.extract_document(TEXT, SCHEMA, instructions=long)
    with pytest.raises(InvalidInputError, match="max_in_flight"):
        list(DocumentReader(llm.extractor(SCHEMA, confidence=True)).read_each([TEXT], max_in_flight=0))


@pytest.mark.parametrize("sentence", ["abc " * 4000, "x" * 8000])
def test_a_sentence_longer_than_the_context_is_cut(llm: LLM, sentence: str) -> None:
    """And it keeps no other text from being read."""
    schema: Any = {"enum": ["a", "b"]}
    reader = DocumentReader(llm.extractor(schema, confidence=True), Cut(max_tokens=1000))
    found = list(reader.read_each(["Ada is here.", sentence, "Bo is."]))
    assert [one.error for one in found] == [None, None, None]
    assert found[1].num_pieces > 1
    assert found[0].data == llm.extract("Ada is here.", schema)


def test_texts_that_cannot_be_read_are_errors_of_their_own(llm: LLM) -> None:
    reader = DocumentReader(llm.extractor({"enum": ["a", "b"]}, confidence=True), Cut(max_tokens=60))
    texts: list[Any] = ["Ada is here.", "bad \ud800 text", 5, "Bo is."]
    told: list[int] = []
    found = list(reader.read_each(texts, on_piece=told.append))
    assert [type(one.error) for one in found] == [type(None), InvalidInputError, InvalidInputError, type(None)]
    assert str(found[1].error) == str(next(reader._extractor.extract_each([texts[1]])).error)
    assert "must be a string, not int" in str(reader.read(5).error)  # type: ignore[arg-type]
    assert sum(told) == 12 + 10 + 6


def test_what_keeps_a_text_from_being_cut_is_its_error(llm: LLM) -> None:
    """Also where some of it was cut before, or a reason is there already."""
    reader = DocumentReader(llm.extractor({"enum": ["a", "b"]}, confidence=True), Cut(max_tokens=60))
    cut, problem = reader.pieces, InvalidInputError("no more of it")

    def broken(text: str) -> Iterator[Piece]:
        yield next(cut(text))
        raise problem

    reader.pieces = broken  # type: ignore[method-assign]
    given = [LongText(reader, TEXT), LongText(reader, TEXT, InvalidInputError("no such file"))]
    first, second = read_documents(iter(given))
    assert isinstance(first.error, PiecesFailedError)
    (failure,) = first.error.failures
    assert (failure.start, failure.end, failure.error) == (next(cut(TEXT)).end, len(TEXT), problem)
    assert first.data in ("a", "b")
    assert str(second.error) == "no such file"


@pytest.mark.parametrize(("text", "is_failure"), [("1e999", True), ("null", False), (" null ", False), ("[" * 9, True)])
def test_a_piece_without_a_document_is_a_failure(llm: LLM, text: str, is_failure: bool) -> None:
    document = DocumentReader(llm.extractor(True, confidence=True)).new_document()

    def read(text: str, data: Any, error: Exception | None) -> Extraction[Any]:
        return Extraction(data, data, error is None, completion_of(text), error)

    refused = read(text, None, None)
    document.take(Piece(0, "One."), read("5", 5, None))
    document.take(Piece(4, "Two."), read(text, None, OutputValidationError("it is so", None, refused.completion)))
    found = document.extraction()
    assert found.data == 5
    if not is_failure:
        assert found.error is None
        return
    assert isinstance(found.error, PiecesFailedError)
    assert [(one.start, one.end) for one in found.error.failures] == [(4, 8)]


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("e\u0301" * 60, "\u0301e\u0301"),  # begins within a grapheme
        ("x" + "👨\u200d👩\u200d👧" * 20, "👧"),
        ("A" * 30 + "Holm" * 60, "HolmHolm"),  # within a word that is longer than a piece
    ],
)
def test_a_quote_that_only_a_cut_has_made_is_none(llm: LLM, text: str, quote: str) -> None:
    schema: Any = {"type": "string", "x-quote": "text"}
    reader = DocumentReader(llm.extractor(schema), Cut(max_tokens=20, overlap_tokens=0))
    document = reader.new_document()
    place = text.index(quote, 40)
    around = {"before": text[place - 30 : place], "after": text[place + len(quote) :][:30]}
    piece = Piece(place, quote, **around)
    document.take(piece, llm.extractor(schema).read(completion_of(f'"{quote}"'), quote))
    found = document.extraction()
    assert not found.is_valid
    assert isinstance(found.error, PiecesFailedError)
    assert isinstance(found.error.failures[0].error, MissingQuoteError)
    for one in reader.pieces(text):
        assert text.startswith(one.before + one.text + one.after, one.start - len(one.before))


def test_a_quote_at_a_cut_between_words_is_one(llm: LLM) -> None:
    schema: Any = {"type": "string", "x-quote": "text"}
    reader = DocumentReader(llm.extractor(schema))
    document = reader.new_document()
    piece = Piece(8, "Ada Holm", before="signed: ", after=", Oslo")
    document.take(piece, llm.extractor(schema).read(completion_of('"Ada Holm"'), piece.text))
    found = document.extraction()
    assert found.data == "Ada Holm"
    assert found.places[""].spans == ((8, 16),)


def test_the_time_of_a_long_text_is_that_of_all_its_pieces(llm: LLM) -> None:
    start = time.monotonic()
    found = llm.extract_document(TEXT, SCHEMA, cut=Cut(max_tokens=60, overlap_tokens=10))
    spent = time.monotonic() - start
    assert found.num_pieces > 5
    assert 0.5 * spent < found.completion.elapsed_s <= spent


def test_pieces_stay_within_the_context_before_it_was_stretched() -> None:
    with LLM() as embedded:
        assert embedded.extractor(SCHEMA).unstretched_context_tokens == 640
        found = embedded.extract_document("It was so. " * 400, SCHEMA)
        assert found.num_pieces > 4
        assert found.completion.num_prompt_tokens / found.num_pieces < 640
