"""Extraction of quotes with the embedded model: values that stand in the text, whatever the model would write."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
from collections.abc import AsyncIterator, Iterator
from typing import Annotated, Any, TypedDict

import pytest
from pydantic import BaseModel, field_validator

from guided import LLM, Quote, SamplingParams
from guided.errors import ContextLengthError, MissingQuoteError, OutputValidationError
from guided.extraction.conversation import QUOTE_INSTRUCTIONS, extraction_messages
from guided.extraction.extraction import Extraction
from guided.grammars.errors import GuidedError, InvalidInputError, UnsatisfiableError
from guided.grammars.quotes import SourceText

TEXT = "Ada Hölm-Ågren is 36 and lives in Gdańsk."


class Person(BaseModel):
    """Somebody."""

    name: str
    age: int | None
    city: str | None


class Order(BaseModel):
    """An order."""

    order_id: str
    product: str


@pytest.fixture(scope="module")
def llm() -> Iterator[LLM]:
    with LLM() as llm:
        yield llm


def check(extraction: Extraction[Any], text: str) -> None:
    """Every string of the document is a quote, with exactly its places."""
    assert extraction.error is None
    assert extraction.is_valid
    strings = {f"/{key}": value for key, value in extraction.data.items() if isinstance(value, str)}
    assert extraction.quotes == strings
    assert extraction.spans == {key: SourceText(text).places(value) for key, value in strings.items()}
    assert all(extraction.spans.values())


@pytest.mark.parametrize("end", ["\r\n", "\r", "\f", "\x85", "\u2029"])
def test_other_line_ends_are_read_as_lines_and_places_are_those_of_the_text(llm: LLM, end: str) -> None:
    text = "\ufeffAda\u00a0Holm is 36 and lives in Oslo.\nDelivery on Monday.\n".replace("\n", end)
    found = llm.extract_detailed(text, Person, quotes=["city"])
    assert found.value == Person(name="Ada Holm", age=36, city="Oslo")  # type: ignore[union-attr]
    assert found.spans == {"/city": [(text.index("Oslo"), text.index("."))]}
    (one,) = llm.extract([text], Person)
    assert one == found.value
    params = SamplingParams(temperature=0, json_schema=Person)
    messages = [{"role": "system", "content": f"Read{end}it."}, {"role": "user", "content": text}]
    assert json.loads(llm.chat(messages, params).text)["city"] == "Oslo"


def test_rare_words_are_read_as_they_stand(llm: LLM) -> None:
    found = llm.extract_detailed(TEXT, Person, quotes=True)
    check(found, TEXT)  # type: ignore[arg-type]
    assert found.value == Person(name="Ada Hölm-Ågren", age=36, city="Gdańsk")  # type: ignore[union-attr]


@pytest.mark.parametrize("seed", range(6))
def test_sampled_values_stand_in_the_text(llm: LLM, seed: int) -> None:
    params = SamplingParams(temperature=1.5, seed=seed, max_new_tokens=200)
    for extraction in llm.extract_each(
        [TEXT, "a\0b c 5", "שלום עולם", "👩‍💻 Ada 🇩🇪🇫🇷\n\n x"], Person, quotes=True, params=params
    ):
        text = extraction.completion.text
        document = json.loads(text)
        assert extraction.error is None, text
        assert set(extraction.spans) == {f"/{key}" for key in ("name", "city") if document[key] is not None}


@pytest.mark.parametrize("is_async", [False, True])
def test_what_is_wrong_with_one_text_keeps_the_others(llm: LLM, is_async: bool) -> None:
    dated = {"type": "object", "properties": {"d": {"type": "string", "pattern": r"^\d{4}$", "x-quote": "text"}}}
    dated |= {"required": ["d"]}
    texts: list[Any] = ["none here", "in 1999.", "", "in 2001.", None]
    found = asyncio.run(llm.extract_detailed_async(texts, dated)) if is_async else llm.extract_detailed(texts, dated)
    assert [one.data for one in found] == [None, {"d": "1999"}, None, {"d": "2001"}, None]  # type: ignore[union-attr]
    assert [type(one.error).__name__ for one in found if one.error] == [  # type: ignore[union-attr]
        *("UnsatisfiableError", "InvalidInputError", "InvalidInputError")
    ]
    with pytest.raises(InvalidInputError) as raised:
        asyncio.run(llm.extract_async(texts[1:], dated)) if is_async else llm.extract(texts[1:], dated)
    assert raised.value.__notes__ == ["texts[1]"]


@pytest.mark.parametrize("option", ["instructions", "bounds", "cut"])
def test_options_of_another_type_are_refused(llm: LLM, option: str) -> None:
    options: Any = {option: 5}
    with pytest.raises(InvalidInputError, match=f"{option} must be a [A-Za-z]+ or None, not 5"):
        llm.extract_document(TEXT, Person, **options)


def test_only_those_that_are_named(llm: LLM) -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"enum": ["x", "y"]}, "b": {"type": "string"}},
        "required": ["a", "b"],
    }
    found = llm.extract_detailed("one two", schema, quotes=["b"])
    assert set(found.spans) == {"/b"}  # type: ignore[union-attr]
    with pytest.raises(
        InvalidInputError, match=r"quotes names 'c', where the schema has no string; its strings: /a, /b"
    ):
        llm.extract("one two", schema, quotes=["c"])


def test_several_types_at_once(llm: LLM) -> None:
    params = SamplingParams(temperature=1, seed=5, max_new_tokens=300)
    text = "Ada Holm is 36 and lives in Oslo. Order AX-17: a lamp."
    found = llm.extract_detailed(text, list[Person | Order], quotes=True, params=params)
    assert isinstance(found, Extraction)
    assert found.error is None
    assert all(isinstance(one, Person | Order) for one in found.value)
    assert all(text[start:end] == found.quotes[key] for key, spans in found.spans.items() for start, end in spans)


def test_a_text_without_such_a_quote_is_its_own_failure(llm: LLM) -> None:
    dated = {"type": "object", "properties": {"d": {"type": "string", "format": "date", "x-quote": "text"}}}
    dated |= {"required": ["d"], "additionalProperties": False}
    none, some = llm.extract_each(["no day", "on 2026-05-03"], dated)
    assert isinstance(none.error, UnsatisfiableError)
    assert "the source 'text' has no quote that fits '/properties/d'" in str(none.error)
    assert some.data == {"d": "2026-05-03"}
    with pytest.raises(UnsatisfiableError):
        llm.extract("no day", dated)
    optional = {**dated, "properties": {"d": {"anyOf": [dated["properties"]["d"], {"type": "null"}]}}}  # type: ignore[index]
    assert llm.extract("no day", optional) == {"d": None}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the text to extract from is empty"),
        (" \n", "the text to extract from is empty"),
        ("Ada \ud800", "not valid Unicode: it holds the lone surrogate"),
        (None, "must be a string, not NoneType"),
        ("x" * 1_000_000, "the prompt has at least"),
    ],
)
def test_texts_that_can_not_be_read(llm: LLM, text: Any, reason: str) -> None:
    with pytest.raises(GuidedError, match=reason):
        llm.extract([text], Person, quotes=True)
    (found,) = llm.extract_each([text], Person, quotes=True)
    assert reason in str(found.error)


def test_other_sources(llm: LLM) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "x-quote": "list"}}, "required": ["a"]}
    found = llm.extract_detailed("one", schema, params=SamplingParams(temperature=0, sources={"list": "lamp, chair"}))
    assert found.places["/a"].source == "list"  # type: ignore[union-attr]
    with pytest.raises(GuidedError, match="there is no source 'list'; the sources are 'text'"):
        llm.extract("one", schema)
    with pytest.raises(InvalidInputError, match="sources can't have 'text'"):
        llm.extract("one", schema, params=SamplingParams(sources={"text": "a"}))
    with pytest.raises(InvalidInputError, match="sources need a grammar"):
        llm.generate("one", SamplingParams(sources={"text": "a"}))
    with pytest.raises(InvalidInputError, match=r"sources\['text'\] must be a text, not 5"):
        SamplingParams(sources={"text": 5})  # type: ignore[dict-item]


def test_places_come_while_values_end(llm: LLM) -> None:
    with llm.stream_extract(TEXT, Person, quotes=True) as stream:
        assert stream.partial is None
        events, partials = [], []
        for event in stream:
            events.append(event)
            partials.append(stream.partial)
    done = {event.pointer: event.spans for event in events if event.kind == "done"}
    assert done == {"/name": ((0, 14),), "/age": None, "/city": ((34, 40),), "": None}
    assert partials[-1] == stream.extraction.value == stream.partial
    assert {type(one) for one in partials} == {Person}
    with pytest.raises(InvalidInputError, match="leave max_retries out"):
        llm.stream_extract(TEXT, Person, max_retries=1)


class Adult(BaseModel):
    """Somebody whose name the model must find in a second try."""

    name: Annotated[str, Quote()]

    @field_validator("name")
    @classmethod
    def _whole(cls, value: str) -> str:
        seen.append(value)
        if len(seen) < 3:
            raise ValueError(f"{value} is not a whole name")
        return value


seen: list[str] = []


def test_what_a_type_refuses_is_asked_for_again_with_the_reason(llm: LLM) -> None:
    seen.clear()
    found = llm.extract_detailed([TEXT], Adult, max_retries=3)[0]  # type: ignore[index]
    assert found.error is None
    assert found.attempts == len(seen) == 3
    seen.clear()
    found = next(iter(llm.extract_each([TEXT], Adult, max_retries=1)))
    assert isinstance(found.error, OutputValidationError)
    assert found.attempts == 2
    seen.clear()
    assert asyncio.run(llm.extract_async(TEXT, Adult, max_retries=2)).name == seen[-1]
    seen.clear()
    prompt = llm.extractor(Adult)
    again = prompt.correction(replace_attempts(prompt, TEXT))
    assert again is None  # without max_retries nothing is asked again
    with pytest.raises(InvalidInputError, match="max_retries must be an integer >= 0"):
        llm.extractor(Person, max_retries=-1)


def replace_attempts(extractor: Any, text: str) -> Extraction[Any]:
    """An extraction that its type has refused."""
    return extractor.start(text).result()  # type: ignore[no-any-return]


def test_a_retry_that_has_no_room_leaves_the_first_failure(llm: LLM) -> None:
    seen.clear()
    text = "word " * 900
    with pytest.raises(ContextLengthError):
        llm.extract(text * 2, Adult)
    found = llm.extract_detailed(text, Adult, max_retries=1)
    assert found.attempts in (1, 2)  # type: ignore[union-attr]
    assert isinstance(found.error, OutputValidationError)  # type: ignore[union-attr]


def test_examples_are_earlier_turns_and_must_fit(llm: LLM) -> None:
    example = ("Bo Dahl is 5, in Rome.", Person(name="Bo Dahl", age=5, city="Rome"))
    extractor = llm.extractor(Person, quotes=True, examples=[example])
    prompt = llm.tokenizer.decode(extractor.encode(TEXT))
    assert prompt.index("Bo Dahl is 5") < prompt.index('{"name":"Bo Dahl","age":5,"city":"Rome"}') < prompt.index("Ada")
    assert extractor.start(TEXT).result().error is None
    for wrong, reason in (
        (("Bo is 5.", Person(name="Bob", age=5, city=None)), r"\$.name: 'Bob' is no quote of the source 'text'"),
        (("Bo is 5.", {"name": "Bo"}), "'age' is a required property"),
        ("Bo is 5.", r"examples\[0\] must be a pair of a text and an object"),
        ((5, {}), r"examples\[0\] must be a pair of a text and an object"),
    ):
        with pytest.raises(InvalidInputError, match=reason):
            llm.extractor(Person, quotes=True, examples=[wrong])  # type: ignore[list-item]


class Dated(TypedDict):
    """A day."""

    day: dt.date


def test_examples_of_lists_and_typed_dicts(llm: LLM) -> None:
    people = [("Bo Dahl is 5.", [Person(name="Bo Dahl", age=5, city=None)])]
    prompt = llm.tokenizer.decode(llm.extractor(list[Person], examples=people).encode(TEXT))
    assert '[{"name":"Bo Dahl","age":5,"city":null}]' in prompt
    dated: list[Any] = [("On 2026-05-03.", {"day": dt.date(2026, 5, 3)})]
    assert '{"day":"2026-05-03"}' in llm.tokenizer.decode(llm.extractor(Dated, examples=dated).encode(TEXT))


def test_a_type_of_which_all_strings_are_quotes_already(llm: LLM) -> None:
    class Named(BaseModel):
        name: Annotated[str, Quote()]
        age: int | None

    found = llm.extract_detailed(TEXT, Named, quotes=True)
    assert found.places["/name"].quote == found.data["name"]  # type: ignore[union-attr]


def test_a_document_that_is_a_string_by_its_pointer(llm: LLM) -> None:
    found: Any = llm.extract_detailed(TEXT, {"type": "string"}, quotes=[""])
    assert found.places[""].quote == found.data


def test_one_text_is_not_several(llm: LLM) -> None:
    with pytest.raises(InvalidInputError, match="texts is a single str; give a list of texts, or use extract"):
        list(llm.extract_each(TEXT, Person))

    async def run() -> None:
        async for _ in llm.extract_each_async(TEXT, Person):
            pass

    with pytest.raises(InvalidInputError, match="texts is a single str"):
        asyncio.run(run())


def test_a_model_that_is_shown_no_schema_is_told_to_copy() -> None:
    told = extraction_messages(TEXT, None, {}, shows_schema=False, has_quotes=True)
    assert QUOTE_INSTRUCTIONS in told[0]["content"]
    assert QUOTE_INSTRUCTIONS not in extraction_messages(TEXT, None, {}, shows_schema=False)[0]["content"]


def test_coroutines(llm: LLM) -> None:
    async def texts() -> AsyncIterator[str]:
        for text in (TEXT, " ", TEXT):
            yield text

    async def run() -> None:
        person = await llm.extract_async(TEXT, Person, quotes=True)
        assert person.city == "Gdańsk"
        two = await llm.extract_async([TEXT, TEXT], Person, quotes=True)
        assert two == [person, person]
        with pytest.raises(InvalidInputError, match="is empty"):
            await llm.extract_async([TEXT, ""], Person)
        found = [one async for one in llm.extract_each_async(texts(), Person, quotes=True, confidence=True)]
        assert [one.value for one in found] == [person, None, person]
        assert "is empty" in str(found[1].error)
        check(found[2], TEXT)
        assert [one.data async for one in llm.extract_each_async([TEXT], Person)] != []
        with pytest.raises(InvalidInputError, match="max_in_flight"):
            _ = [one async for one in llm.extractor(Person).extract_each_async([], max_in_flight=0)]
        async with await llm.stream_extract_async(TEXT, Person, quotes=True) as stream:
            kinds = [event.kind async for event in stream]
        assert kinds.count("done") == 4
        assert (await stream.wait()).value == stream.partial == person
        async with await llm.stream_extract_async(TEXT, Person) as left:
            async for _ in left:
                break
        with pytest.raises(InvalidInputError, match="closed before its end"):
            _ = left.extraction

    asyncio.run(run())


def test_missing_quotes_are_errors_of_their_own() -> None:
    assert issubclass(MissingQuoteError, OutputValidationError)
