"""Files in OpenAI's formats: what is read of them, and the answer's quotes of them as annotations."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from typing import Any

import httpx
import pytest
from openai import OpenAI
from openai.types.chat.chat_completion_message import Annotation
from openai.types.responses import ResponseOutputText, ResponseOutputTextAnnotationAddedEvent
from openai.types.responses.response_output_text import AnnotationFileCitation

from guided import compile_grammar
from guided.server.body import Body
from guided.server.errors import InvalidRequestError
from guided.server.kept_responses import KeptResponses
from guided.server.protocol import citations, openai_chat, openai_responses
from guided.workbench.inspection.match import Acceptor
from tests.guided.documents.pdf_file import pdf_file
from tests.server.scripted_llm import ScriptedLLM
from tests.server.test_citations import BYTES, MILL, SHOP

ANSWER = 'Old: <cite document="0">built in 1911</cite>, and <cite document="1">flour</cite>.'
TEXT = "Old: built in 1911, and flour."
MAIL = b"From: ada@example.org\nSubject: Mill\nContent-Type: text/plain\n\nIt is old.\n"


def data_url(content: bytes, media_type: str) -> str:
    return f"data:{media_type};base64,{base64.b64encode(content).decode()}"


def chat_file(data: str, name: str | None = None, **fields: Any) -> dict[str, Any]:
    return {"type": "file", "file": {"file_data": data, "filename": name}, **fields}


def input_file(data: str, name: str | None = None, **fields: Any) -> dict[str, Any]:
    return {"type": "input_file", "file_data": data, "filename": name, **fields}


CITED: Mapping[str, Any] = {"citations": {"enabled": True}}
FILES = ((data_url(MILL.encode(), "text/plain"), "mill town.txt"), (SHOP, None))
CHAT: list[Any] = [
    {
        "role": "user",
        "content": [*[chat_file(*file, **CITED) for file in FILES], {"type": "text", "text": "How old is it?"}],
    }
]
INPUT: list[Any] = [
    {
        "role": "user",
        "content": [*[input_file(*file, **CITED) for file in FILES], {"type": "input_text", "text": "How old is it?"}],
    }
]


def shown(data: str, name: str | None = None) -> str:
    """What the model reads of a file."""
    call = openai_chat.read_call({"messages": [{"role": "user", "content": [chat_file(data, name)]}]})
    (conversation,) = call.prompts
    return str(conversation.messages[0]["content"])  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("data", "name", "text"),
    [
        (data_url("né".encode(), "text/markdown"), "a.md", "né"),
        (data_url("né".encode("latin-1"), "text/plain; charset=latin-1"), None, "né"),
        ("data:,a%20b", None, "a b"),
        (data_url(b"<p>A <b>mill</b><p hidden>x", "text/html"), None, "A mill"),
        ("<p>A <b>mill</b>", "a.HTML", "A mill"),
        (data_url(b"{}", "application/json"), "a.json", "{}"),
        (
            data_url(pdf_file([["It is old."], []]), "application/pdf"),
            "a.pdf",
            "context: no text on page 2\nIt is old.",
        ),
        (data_url(pdf_file([["It is old."]]), "application/octet-stream"), "a.pdf", "It is old."),
        (data_url(MAIL, "message/rfc822"), None, "From: ada@example.org\nSubject: Mill\n\nIt is old."),
        ("It is old.", None, "It is old."),
    ],
)
def test_what_is_read(data: str, name: str | None, text: str) -> None:
    title = "" if name is None else f"title: {name}\n"
    assert shown(data, name).removeprefix(f'<document index="0">\n{title}').split() == [*text.split(), "</document>"]


@pytest.mark.parametrize(
    ("part", "field", "message"),
    [
        ({"file_id": "file-1"}, "file_id", "this server keeps no files"),
        ({"file_url": "https://example.org/a.pdf"}, "file_url", "fetches none; send the content as file_data"),
        ({}, "file_data", "is required"),
        ({"file_data": "data:image/png;base64,AAAA"}, "file_data", "'image/png' is not supported"),
        ({"file_data": "data:text/plain;base64,A"}, "file_data", "is not valid base64"),
        ({"file_data": "aGVsbG8gd29ybGQ="}, "file_data", "looks like base64"),
        ({"file_data": "%PDF-1.4", "filename": "a.pdf"}, "file_data", "a PDF must be a data URL"),
        ({"file_data": data_url(b"no", "application/pdf")}, "file_data", "can't be read as PDF"),
        ({"file_data": data_url(b"\xff", "text/plain")}, "file_data", "is not UTF-8"),
    ],
)
def test_what_is_refused(part: dict[str, Any], field: str, message: str) -> None:
    for read, body, param in (
        (openai_chat.read_call, {"messages": [{"role": "user", "content": [{"type": "file", "file": part}]}]}, "file."),
        (openai_responses.read_call, {"input": [{"role": "user", "content": [{"type": "input_file", **part}]}]}, ""),
    ):
        with pytest.raises(InvalidRequestError, match=message) as caught:
            read(body)  # type: ignore[operator]
        assert caught.value.param == f"{next(iter(body))}[0].content[0].{param}{field}"


def test_only_users_have_files_and_citations_are_a_constraint() -> None:
    with pytest.raises(InvalidRequestError, match="only a user's message") as caught:
        openai_chat.read_call({"messages": [{"role": "system", "content": [chat_file("It is old.")]}]})
    assert caught.value.param == "messages[0].content[0]"
    with pytest.raises(InvalidRequestError, match="only a user's message"):
        openai_responses.read_call({"input": [{"role": "developer", "content": [input_file("It is old.")]}]})
    with pytest.raises(InvalidRequestError, match=r"messages\[0\].content\[0\].citations"):
        openai_chat.read_call({"messages": CHAT, "regex": "a"})


def test_the_grammar_holds_quotes_to_files() -> None:
    for call in (openai_chat.read_call({"messages": CHAT}), openai_responses.read_call({"input": INPUT})):
        params = call.params
        acceptor = Acceptor(compile_grammar(BYTES, structural_tag=params.structural_tag, sources=params.sources))
        assert acceptor.allows(ANSWER.encode())
        assert not acceptor.allows(b'<cite document="1">built in 1911</cite>')


@pytest.fixture
def client(http: httpx.Client, scripted: ScriptedLLM) -> Iterator[OpenAI]:
    scripted.texts = [ANSWER[i : i + 7] for i in range(0, len(ANSWER), 7)]
    with OpenAI(base_url=f"{http.base_url}/v1", api_key="unused", max_retries=0) as made:
        yield made


def test_responses_have_annotations(client: OpenAI) -> None:
    response = client.responses.create(model="scripted", input=INPUT)
    part: Any = response.output[0].content[0]  # type: ignore[union-attr]
    assert isinstance(part, ResponseOutputText)
    assert part.text == TEXT
    mill, shop = part.annotations
    assert isinstance(mill, AnnotationFileCitation)
    assert (mill.file_id, mill.filename, mill.index) == ("document_0", "mill town.txt", TEXT.index(", and"))
    assert isinstance(shop, AnnotationFileCitation)
    assert (shop.filename, shop.index) == ("", len(TEXT) - 1)
    place: Any = mill.model_extra
    assert place["location"]["cited_text"] == "built\nin 1911"
    assert (place["location"]["start_char_index"], place["location"]["end_char_index"]) == (17, 30)


def test_streamed_responses_tell_of_each_annotation(client: OpenAI) -> None:
    with client.responses.stream(model="scripted", input=INPUT) as stream:
        events = list(stream)
        final: Any = stream.get_final_response()
    added = [event for event in events if event.type == "response.output_text.annotation.added"]
    (part,) = final.output[0].content
    assert [event.annotation_index for event in added] == [0, 1]
    assert [event.annotation.index for event in added] == [one.index for one in part.annotations]
    assert all(isinstance(event, ResponseOutputTextAnnotationAddedEvent) for event in added)
    assert {event.item_id for event in added} == {final.output[0].id}
    assert (part.text, len(part.annotations)) == (TEXT, 2)


def test_chats_have_annotations(client: OpenAI) -> None:
    answer = client.chat.completions.create(model="scripted", messages=CHAT)
    message = answer.choices[0].message
    assert message.content == TEXT
    assert message.annotations is not None
    mill, shop = message.annotations
    Annotation.model_validate(mill.model_dump(), strict=True)
    assert TEXT[mill.url_citation.start_index : mill.url_citation.end_index] == "built in 1911"
    assert (mill.url_citation.title, mill.url_citation.url) == ("mill town.txt", "mill%20town.txt#char=17,30")
    assert shop.url_citation.url == "document_1#char=15,20"
    found, text = [], ""
    for chunk in client.chat.completions.create(model="scripted", messages=CHAT, stream=True):
        delta: Any = chunk.choices[0].delta
        text += delta.content or ""
        found += getattr(delta, "annotations", None) or []
    assert text == TEXT
    assert found == [one.model_dump() for one in message.annotations]


def test_answers_without_citations_are_as_the_model_wrote_them(client: OpenAI) -> None:
    plain: list[Any] = [{"role": "user", "content": [chat_file(*FILES[0])]}]
    message = client.chat.completions.create(model="scripted", messages=plain).choices[0].message
    assert (message.content, message.annotations) == (ANSWER, None)


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ("Data: temperature, humidity", None),
        ("data:temperature, humidity", None),
        ("data:a\nb;c,d", None),
        ("Oslo", None),
        ("internationalize", None),
        ("deadbeef" * 8, None),
        ("data:text/x-base64,Oslo", None),
    ],
)
def test_text_that_looks_like_something_else(data: str, name: str | None) -> None:
    assert data.removeprefix("data:text/x-base64,") in shown(data, name)


def test_a_file_with_control_characters_is_no_text() -> None:
    for data in ("PK\x03\x04\x14", data_url(b"PK\x03\x04\x14", "application/octet-stream")):
        with pytest.raises(InvalidRequestError, match=r"a\.docx has control characters, so it is no text"):
            shown(data, "a.docx")
    assert "\x1b[1m" in shown("a\t\x1b[1m\f\r\n", "a.log")


def test_the_time_counts_for_all_files_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(citations, "MAX_FILES_S", 0.05)
    page = chat_file(data_url(b"<b>x</b>" * 300, "text/html"))
    openai_chat.read_call({"messages": [{"role": "user", "content": [page]}]})
    with pytest.raises(InvalidRequestError, match=r"limit file_seconds = 0\.05 seconds exceeded; send fewer") as caught:
        openai_chat.read_call({"messages": [{"role": "user", "content": [page] * 60}]})
    assert str(caught.value.param).endswith(".file.file_data")


def test_the_text_of_all_files_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(citations, "MAX_CHARS", 20)
    with pytest.raises(InvalidRequestError, match=r"content\[2\]: the documents have over 20 characters"):
        openai_chat.read_call({"messages": [{"role": "user", "content": [chat_file("It is old.")] * 3}]})


@pytest.mark.parametrize(
    "content",
    [
        json.dumps({"input": INPUT}),
        json.dumps({"input": INPUT}).replace("file_data", "file\\u005fdata"),
        '{"previous_response_id" : "resp_1", "input": "x"}',
    ],
)
def test_files_are_read_with_large_bodies(content: str) -> None:
    assert Body(content.encode(), is_packed=False).is_large


@pytest.mark.parametrize("content", ['{"input": "G\\u00f6d\\u2019s \\u003cb>\\n"}', '{"previous_response_id": null}'])
def test_other_bodies_are_small(content: str) -> None:
    assert not Body(content.encode(), is_packed=False).is_large


def test_a_source_sees_the_text_of_a_file() -> None:
    quote = {"json_schema": {"type": "string", "x-quote": "text"}, "sources": {"text": {"message": 0}}}
    file = chat_file("It is old.")
    call = openai_chat.read_call({"messages": [{"role": "user", "content": [file]}], **quote})
    assert call.params.sources == {"text": "It is old.\n\n"}
    item = {"role": "user", "content": [input_file("It is old.")]}
    call = openai_responses.read_call({"input": [item], **quote})
    assert call.params.sources == {"text": "It is old.\n\n"}


def test_a_source_may_not_have_the_name_of_a_cited_file() -> None:
    with pytest.raises(InvalidRequestError, match="a cited file has this name") as caught:
        openai_chat.read_call({"messages": CHAT, "sources": {"document 0": "x"}})
    assert caught.value.param == "sources.document 0"


def test_an_earlier_file_gives_way_to_the_constraint_of_a_request() -> None:
    kept = KeptResponses(4, 10_000)
    kept.keep(json.dumps(INPUT).encode(), {"id": "resp_1", "output": []})
    body = {"input": "And the shop?", "previous_response_id": "resp_1"}
    assert openai_responses.read_call(body, kept).params.structural_tag is not None
    json_format = {"text": {"format": {"type": "json_object"}}}
    call = openai_responses.read_call({**body, **json_format}, kept)
    assert (call.params.structural_tag, call.params.sources) == (None, None)
    assert "<cite" not in str(call.prompts[0])
    with pytest.raises(InvalidRequestError, match=r"^input\[0\].content\[0\].citations and text.format exclude"):
        openai_responses.read_call({**body, "input": INPUT, **json_format}, kept)
