"""`RemoteLLM`: extraction at any server in OpenAI's protocol, what it answers checked, what fails asked for again."""

from __future__ import annotations

import asyncio
import datetime
import json
from collections.abc import Iterator
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, BeforeValidator, Field

import guided
from guided.documents.pieces import Cut
from guided.errors import (
    EndpointAccessError,
    EndpointAnswerError,
    EndpointBusyError,
    EndpointError,
    EndpointRefusedError,
    EndpointTimeoutError,
    MissingQuoteError,
    ModelNotFoundError,
    NoLogprobsError,
    OutputValidationError,
    PiecesFailedError,
)
from guided.grammars.errors import InvalidInputError
from guided.llm import LLM
from guided.server import create_app
from tests.guided.engines.openai.fake_endpoint import (
    Answer,
    FakeEndpoint,
    by_text,
    failing,
    one_by_one,
    stream_of,
    text,
)
from tests.server.live_server import serving

TEXT = "Ada Holm, 36,\nlives in  Tromsø."


class Person(BaseModel):
    """A person, whose name the text must have."""

    name: Annotated[str, guided.Quote()]
    age: int = Field(le=150)


ADA = {"name": "Ada Holm", "age": 36}


def answer(value: Any) -> Answer:
    return stream_of(text(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)))


@pytest.fixture(scope="module")
def remote(_endpoint: FakeEndpoint) -> Iterator[guided.RemoteLLM]:
    """On the scripted endpoint."""
    with guided.RemoteLLM(_endpoint.url, api_key="secret") as found:
        yield found


def turns(endpoint: FakeEndpoint, request: int) -> list[tuple[str, str]]:
    """What a request says after the instructions."""
    return [(message["role"], message["content"]) for message in endpoint.bodies[request]["messages"][1:]]


def test_the_same_results_class(endpoint: FakeEndpoint, remote: guided.RemoteLLM) -> None:
    endpoint.answer = answer(ADA)
    found: Any = remote.extract_detailed(TEXT, Person)
    assert isinstance(found, guided.Extraction)
    assert (found.value, found.is_valid, found.attempts) == (Person(**ADA), True, 1)
    assert found.spans == {"/name": [(0, 8)]}
    (body,) = endpoint.bodies
    schema = body["response_format"]["json_schema"]["schema"]
    assert "x-quote" not in json.dumps(body), "which is ours, and nobody else's"
    assert "sources" not in body
    assert schema["properties"]["age"]["maximum"] == 150
    assert endpoint.headers[0]["authorization"] == "Bearer secret"


def test_quotes_are_aligned_with_the_text(endpoint: FakeEndpoint, remote: guided.RemoteLLM) -> None:
    schema = {"type": "object", "properties": {"where": {"type": "string"}}, "required": ["where"]}
    endpoint.answer = answer({"where": "lives in Tromsø"})
    found: Any = remote.extract_detailed(TEXT, schema, quotes=True)
    assert found.error is None
    ((start, end),) = found.spans["/where"]
    assert TEXT[start:end] == "lives in  Tromsø"


def test_a_value_that_is_no_quote_is_asked_for_again(endpoint: FakeEndpoint, remote: guided.RemoteLLM) -> None:
    endpoint.answer = one_by_one(answer(ADA | {"name": "Ada Holms"}), answer(ADA))
    found: Any = remote.extract_detailed(TEXT, Person)
    assert (found.value, found.attempts) == (Person(**ADA), 2)
    assert turns(endpoint, 0) == [("user", TEXT)]
    (_, (assistant, said), (user, reason)) = turns(endpoint, 1)
    assert (assistant, user) == ("assistant", "user")
    assert json.loads(said)["name"] == "Ada Holms"
    assert "'Ada Holms' is no quote of the source 'text'" in reason


def test_what_stays_wrong_is_an_error_with_the_document(endpoint: FakeEndpoint, remote: guided.RemoteLLM) -> None:
    endpoint.answer = answer(ADA | {"name": "Bo"})
    found: Any = remote.extract_detailed(TEXT, Person)
    assert (found.value, found.attempts, len(endpoint.bodies)) == (None, 3, 3)
    assert isinstance(found.error, MissingQuoteError)
    assert found.data == found.error.data == ADA | {"name": "Bo"}
    with pytest.raises(MissingQuoteError, match="/name: 'Bo' is no quote"):
        remote.extract(TEXT, Person)
    endpoint.bodies.clear()
    with pytest.raises(MissingQuoteError):
        remote.extract(TEXT, Person, max_retries=0)
    assert len(endpoint.bodies) == 1


def test_another_server_is_asked_again_by_default(endpoint: FakeEndpoint) -> None:
    """Of `LLM(engine="openai")` the texts have the same two retries."""
    endpoint.answer = answer(ADA | {"name": "Bo"})
    with guided.LLM(engine="openai", base_url=endpoint.url) as llm:
        found: Any = llm.extract_detailed(TEXT, Person)
    assert (type(found.error), found.attempts, len(endpoint.bodies)) == (MissingQuoteError, 3, 3)


@pytest.mark.parametrize(
    "wrong",
    [
        "Sure! Here is the JSON:",
        '{"name": "Ada Holm", "age": 36',
        '{"name": "Ada Holm", "age": "36"}',
        '{"name": "Ada Holm", "age": 999}',
        '{"name": "Ada Holm"}',
        "",
        "[]",
    ],
)
def test_json_that_does_not_fit(endpoint: FakeEndpoint, remote: guided.RemoteLLM, wrong: str) -> None:
    """A server may pass over `response_format`, or enforce less of it than it says."""
    endpoint.answer = one_by_one(answer(wrong), answer(wrong), answer(ADA))
    assert remote.extract(TEXT, Person) == Person(**ADA)
    assert turns(endpoint, 1)[-1][0] == "user"
    assert "This document is refused" in turns(endpoint, 1)[-1][1]
    endpoint.answer = answer(wrong)
    found: Any = remote.extract_detailed(TEXT, Person)
    assert isinstance(found.error, EndpointAnswerError)
    assert found.attempts == 3
    assert wrong.startswith(found.completion.text)


def test_a_busy_server_is_left_alone_for_as_long_as_it_says(endpoint: FakeEndpoint, remote: guided.RemoteLLM) -> None:
    endpoint.answer = one_by_one(failing(429, headers={"retry-after": "0.2"}), failing(503), answer(ADA))
    assert remote.extract(TEXT, Person) == Person(**ADA)
    assert len(endpoint.bodies) == 3
    endpoint.answer = failing(429, headers={"retry-after": "3600"})
    found: Any = remote.extract_detailed(TEXT, Person, max_retries=0)
    assert isinstance(found.error, EndpointBusyError)
    assert found.error.retry_after_s == 3600
    endpoint.bodies.clear()
    found = remote.extract_detailed(TEXT, Person, max_retries=2)
    assert (type(found.error), found.attempts, len(endpoint.bodies)) == (EndpointBusyError, 1, 1)
    with pytest.raises(EndpointBusyError):
        asyncio.run(remote.extract_async(TEXT, Person, max_retries=2))
    assert len(endpoint.bodies) == 2


def test_a_server_that_failed_is_asked_again_by_the_sdk_alone(endpoint: FakeEndpoint, remote: guided.RemoteLLM) -> None:
    endpoint.answer = one_by_one(failing(500), answer(ADA))
    found: Any = remote.extract_detailed(TEXT, Person)
    assert (found.value, found.attempts, len(endpoint.bodies)) == (Person(**ADA), 1, 2)
    endpoint.bodies.clear()
    endpoint.answer = failing(500, headers={"x-should-retry": "false"})
    found = remote.extract_detailed(TEXT, Person)
    assert (type(found.error), found.attempts, len(endpoint.bodies)) == (EndpointError, 1, 1)


def _is_silent(handler: Any) -> None:
    handler.endpoint.left.wait(20)


def _hangs_up(handler: Any) -> None:
    handler.close_connection = True


@pytest.mark.parametrize(("fault", "kind"), [(_is_silent, EndpointTimeoutError), (_hangs_up, EndpointError)])
def test_a_server_that_says_nothing_is_asked_by_the_sdk_alone(
    endpoint: FakeEndpoint, fault: Answer, kind: type[EndpointError]
) -> None:
    endpoint.answer = fault
    settings = {"timeout_s": 0.1, "max_retries": 0}
    with guided.RemoteLLM(endpoint.url, endpoint=settings) as remote:
        found: Any = remote.extract_detailed(TEXT, Person, max_retries=2)
    endpoint.left.set()
    assert (type(found.error), found.attempts, len(endpoint.bodies)) == (kind, 1, 1)


@pytest.mark.parametrize(
    "fault",
    [
        stream_of(text('{"name": "Ada'), is_cut=True),
        stream_of(text('{"name": "Ada', finish_reason=None), has_done=False),
    ],
)
def test_cut_streams_are_asked_for_again(endpoint: FakeEndpoint, remote: guided.RemoteLLM, fault: Answer) -> None:
    endpoint.answer = one_by_one(fault, answer(ADA))
    found: Any = remote.extract_detailed(TEXT, Person)
    assert (found.value, found.attempts) == (Person(**ADA), 2)
    endpoint.answer = fault
    found = remote.extract_detailed(TEXT, Person)
    assert isinstance(found.error, EndpointError)
    assert (found.value, found.attempts) == (None, 3)


def test_what_no_retry_can_mend_is_asked_once(endpoint: FakeEndpoint, remote: guided.RemoteLLM) -> None:
    endpoint.answer = failing(401)
    found: Any = remote.extract_detailed(TEXT, Person)
    assert isinstance(found.error, EndpointAccessError)
    assert len(endpoint.bodies) == 1


def test_many_texts_coroutines_and_streams(endpoint: FakeEndpoint, remote: guided.RemoteLLM) -> None:
    endpoint.answer = answer(ADA)
    assert [one.value for one in remote.extract_each([TEXT] * 5, Person)] == [Person(**ADA)] * 5
    assert asyncio.run(remote.extract_async(TEXT, Person)) == Person(**ADA)
    stream = remote.stream_extract(TEXT, Person)
    assert [event.value for event in stream if event.kind == "done"][-1] == ADA
    assert stream.extraction.spans == {"/name": [(0, 8)]}
    stream = remote.extractor(Person).stream(TEXT)
    assert [event.value for event in stream if event.kind == "done"][-1] == ADA


def _day(quote: str | datetime.date) -> datetime.date:
    if isinstance(quote, datetime.date):
        return quote
    return datetime.datetime.strptime(quote, "%d %B %Y").date()


class Meeting(BaseModel):
    """With a date that is parsed from the quote."""

    day: Annotated[datetime.date, BeforeValidator(_day, json_schema_input_type=str), guided.Quote()]


def test_parsed_quotes(endpoint: FakeEndpoint, remote: guided.RemoteLLM) -> None:
    endpoint.answer = answer({"day": "3 May 2026"})
    found: Any = remote.extract_detailed("We meet on 3 May 2026.", Meeting)
    assert found.value == Meeting(day=datetime.date(2026, 5, 3))
    assert found.quotes == {"/day": "3 May 2026"}
    endpoint.answer = answer({"day": "on"})
    found = remote.extract_detailed("We meet on 3 May 2026.", Meeting)
    assert isinstance(found.error, OutputValidationError)


def test_long_texts(endpoint: FakeEndpoint, remote: guided.RemoteLLM) -> None:
    """Without a tokenizer here, tokens are reckoned from bytes."""
    endpoint.answer = answer({"words": ["word"]})
    schema = {"type": "object", "properties": {"words": {"type": "array", "items": {"type": "string"}}}}
    long = "A word or two.\n\n" * 40
    cut = Cut(max_tokens=40, overlap_tokens=0)
    found = remote.extract_document(long, schema, cut=cut, quotes=True, confidence=False)
    assert found.num_pieces == len(endpoint.bodies) > 5
    assert found.error is None
    assert all(long[start:end] == "word" for spans in found.spans.values() for start, end in spans)
    endpoint.answer = one_by_one(answer({"words": ["word"]}), *[answer({"words": ["none"]})] * 200)
    found = remote.extract_document(long, schema, cut=cut, quotes=True, confidence=False, max_retries=0)
    assert isinstance(found.error, PiecesFailedError)
    assert isinstance(found.error.failures[0].error, MissingQuoteError)
    assert found.data == {"words": ["word"]}


def test_long_texts_at_a_server_without_log_probabilities(endpoint: FakeEndpoint, remote: guided.RemoteLLM) -> None:
    """They are asked for only where the user does, and then once."""
    endpoint.answer = by_text({"Ada": answer(ADA), "Bo": answer({"name": "Bo Lind", "age": 41})})
    long, cut = "Ada Holm is 36.\n\nBo Lind is 41.", Cut(max_tokens=6, overlap_tokens=0)
    found = remote.extract_document(long, Person, cut=cut)
    assert (found.error, found.value, found.num_pieces) == (None, Person(**ADA), 2)
    assert [one.value for one in found.conflicts["/name"]] == ["Bo Lind"]
    assert not any("logprobs" in body for body in endpoint.bodies)
    endpoint.bodies.clear()
    endpoint.answer = answer(ADA)
    found = remote.extract_document("Ada Holm is 36.", Person, cut=cut, confidence=True)
    assert isinstance(found.error, NoLogprobsError)
    assert "give confidence=False" in str(found.error)
    assert len(endpoint.bodies) == found.attempts == found.num_pieces


@pytest.mark.parametrize("owner", ["somebody", "guided"])
def test_a_model_that_is_not_listed(endpoint: FakeEndpoint, owner: str, caplog: pytest.LogCaptureFixture) -> None:
    """Ours takes no other; `transformers serve` and proxies take more models than they list."""
    listed, endpoint.models = endpoint.models, [{"id": name, "owned_by": owner} for name in ("first", "second")]
    endpoint.answer = failing(404)
    try:
        if owner == "guided":
            with pytest.raises(ModelNotFoundError, match="has no model 'zzz'; it has first, second"):
                guided.RemoteLLM(endpoint.url, "zzz")
            return
        with guided.RemoteLLM(endpoint.url, "zzz") as remote:
            assert "does not list the model 'zzz'; it lists first, second" in caplog.text
            with pytest.raises(EndpointRefusedError, match="check the model's name"):
                remote.extract(TEXT, Person)
    finally:
        endpoint.models = listed


@pytest.mark.parametrize("path", ["", "/", "/api"])
def test_a_base_url_without_v1(endpoint: FakeEndpoint, path: str) -> None:
    root = endpoint.url.removesuffix("/v1")
    with pytest.raises(InvalidInputError) as error:
        guided.RemoteLLM(root + path)
    told = f"has no list of models; base_url may lack /v1: {(root + path).rstrip('/')}/v1; else say which model"
    assert told in str(error.value)


def test_a_server_without_a_list_of_models(endpoint: FakeEndpoint) -> None:
    endpoint.models_status = 404
    try:
        with pytest.raises(InvalidInputError, match="lists no models; say which one with model="):
            guided.RemoteLLM(endpoint.url)
    finally:
        endpoint.models_status = 200


def test_bad_arguments(endpoint: FakeEndpoint) -> None:
    with pytest.raises(InvalidInputError, match="max_retries"):
        guided.RemoteLLM(endpoint.url, max_retries=-1)
    with pytest.raises(InvalidInputError, match="base_url"):
        guided.RemoteLLM("localhost:8000")
    with pytest.raises(InvalidInputError, match="has no field 'timeout'"):
        guided.RemoteLLM(endpoint.url, endpoint={"timeout": 3})


@pytest.fixture(scope="module")
def our_server() -> Iterator[str]:
    """Our own server, with the model in the package."""
    with LLM() as llm, serving(create_app(llm)) as url:
        yield f"{url}/v1"


@pytest.mark.parametrize("is_guided", [True, False], ids=["our extension", "the protocol alone"])
def test_our_own_server(our_server: str, is_guided: bool) -> None:
    """With the extension switched off it is as any other: quotes are checked here, confidences are raw ones."""
    letter = "Ada Holm is 36 years old."
    endpoint = {} if is_guided else {"is_guided": False}
    with guided.RemoteLLM(our_server, endpoint=endpoint) as remote:
        assert remote.has_confidence is is_guided
        found: Any = remote.extract_detailed(letter, Person, confidence=True)
    assert found.error is None
    assert found.value == Person(**ADA)
    assert found.spans == {"/name": [(0, 8)]}
    assert 0 < found.confidence["/name"].raw <= 1
    assert (found.confidence["/name"].processed is not None) is is_guided


@pytest.mark.parametrize("escaped", [r"Troms\u00f8 \ud83d\ude00", r"Troms\u00F8 😀", r"\u0054roms\u00f8 \uD83D\uDE00"])
@pytest.mark.parametrize("size", [1, 3, 100])
def test_escapes_that_json_does_not_need(
    endpoint: FakeEndpoint, remote: guided.RemoteLLM, escaped: str, size: int
) -> None:
    """Other servers write some; in whatever pieces they come."""
    whole = f'{{"where": "{escaped}", "path": "a\\/b \\u0022 \\u005c \\n"}}'
    endpoint.answer = stream_of(text(*(whole[start : start + size] for start in range(0, len(whole), size))))
    string = {"type": "string", "maxLength": 9}
    schema = {"type": "object", "properties": {"where": string, "path": string}, "required": ["where", "path"]}
    found: Any = remote.extract_detailed("To Tromsø 😀.", schema, quotes=["where"])
    assert found.error is None
    assert found.value == {"where": "Tromsø 😀", "path": 'a/b " \\ \n'}
    assert found.spans == {"/where": [(3, 11)]}


@pytest.mark.parametrize("wrong", [r"\ud83d", r"\ud83dx", r"\ude00", r"\x41", r"\u00g1", "\\u00"])
def test_escapes_that_are_none(endpoint: FakeEndpoint, remote: guided.RemoteLLM, wrong: str) -> None:
    endpoint.answer = answer(f'{{"where": "{wrong}"}}')
    schema = {"type": "object", "properties": {"where": {"type": "string"}}, "required": ["where"]}
    found: Any = remote.extract_detailed("To Tromsø.", schema, max_retries=0)
    assert isinstance(found.error, EndpointAnswerError)
