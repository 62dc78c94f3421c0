"""Anthropic's documents and citations: what the model may write, and how it comes back as blocks with places."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from anthropic import Anthropic

from guided import Vocabulary, compile_grammar
from guided.server.protocol.anthropic_messages import read_call
from guided.server.protocol.citations import CitationReader, Citations, CitedDocument
from guided.workbench.inspection.match import Acceptor
from tests.server.scripted_llm import ScriptedLLM
from tests.server.test_messages import SCHEMA, TOOL, create

MILL = "The old mill was built\nin 1911. Ada Holm owns it; Ada Holm is 36."
SHOP = "The shop sells flour."
BYTES = Vocabulary([bytes([byte]) for byte in range(256)] + [None], [256])
ANSWER = 'Old: <cite document="0">built in 1911</cite>, and <cite document="2">flour</cite> is <b>.'


def document(text: str, **fields: Any) -> dict[str, Any]:
    return {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": text}, **fields}


def talk(*texts: str, **fields: Any) -> list[Any]:
    """A question about documents, of which the second has no citations."""
    first, *others = texts
    cited = {"citations": {"enabled": True}, **fields}
    blocks = [
        document(first, **cited, title="Mill"),
        document("Not to be quoted."),
        *[document(o, **cited) for o in others],
    ]
    return [{"role": "user", "content": [*blocks, {"type": "text", "text": "How old is it?"}]}]


def call_of(messages: list[Any], **fields: Any) -> Any:
    return read_call({"model": "tiny", "max_tokens": 9, "messages": messages, **fields})


def citations_of(call: Any) -> Citations:
    found: Citations = call.make_builder.args[0]
    return found


def blocks_of(citations: Citations, parts: list[str]) -> list[tuple[str, Any]]:
    """The text of each block with its citation, of an answer that comes in parts."""
    reader = CitationReader(citations)
    blocks: list[tuple[str, Any]] = []
    is_open = False
    for part in [*parts, None]:
        for piece in reader.end() if part is None else reader.read(part):
            if piece.begins or not is_open:
                blocks.append(("", None))
            blocks[-1] = (blocks[-1][0] + piece.text, piece.citation and piece.citation.location)
            is_open = not piece.ends
    return blocks


def test_documents_are_shown_and_the_model_is_told_how_to_quote() -> None:
    (conversation,) = call_of(talk(MILL, SHOP)).prompts
    (message,) = conversation.messages
    assert message["content"].startswith(
        f'<document index="0">\ntitle: Mill\n{MILL}\n</document>\n\n<document index="1">'
    )
    assert message["content"].endswith('such as <cite document="0">a quote</cite>.\n\nHow old is it?')
    (plain,) = call_of(talk(MILL, citations=None)).prompts
    assert "<cite" not in plain.messages[0]["content"]
    assert call_of(talk(MILL, citations=None)).params.structural_tag is None


def test_the_grammar_holds_quotes_to_their_documents() -> None:
    params = call_of(talk(MILL, SHOP)).params
    grammar = compile_grammar(BYTES, structural_tag=params.structural_tag, sources=params.sources)
    acceptor = Acceptor(grammar)
    for text in ("No quote.", ANSWER, "< cite > <cite", "</cite>"):
        assert acceptor.allows(text.encode()), text
    for begin, quote in ((0, "built in 1912"), (0, "flour"), (0, ""), (2, "our"), (1, "Not"), (3, "flour")):
        assert not acceptor.allows(f'<cite document="{begin}">{quote}</cite>'.encode()), quote
    assert not acceptor.allows(b'<cite document="0">Ada Holm')


def test_each_quote_is_a_block_with_its_place_however_it_comes() -> None:
    citations = citations_of(call_of(talk(MILL, SHOP)))
    blocks = blocks_of(citations, [ANSWER])
    assert [text for text, _ in blocks] == ["Old: ", "built in 1911", ", and ", "flour", " is <b>."]
    mill, shop = blocks[1][1], blocks[3][1]
    assert mill == {
        "type": "char_location",
        "cited_text": "built\nin 1911",
        "document_index": 0,
        "document_title": "Mill",
        "file_id": None,
        "start_char_index": 17,
        "end_char_index": 30,
    }
    assert (shop["document_index"], SHOP[shop["start_char_index"] : shop["end_char_index"]]) == (2, "flour")
    assert blocks_of(citations, list(ANSWER)) == blocks
    for i in range(len(ANSWER)):
        assert blocks_of(citations, [ANSWER[:i], ANSWER[i:]]) == blocks
    assert blocks_of(citations, ['a <cite document="0']) == [('a <cite document="0', None)]
    cut, whole = blocks_of(citations, ['<cite document="0">Ada Ho']), blocks_of(citations, ['<cite document="0">Ada'])
    assert (cut, whole[0][1]["cited_text"]) == ([("Ada Ho", None)], "Ada")


def test_no_quote_ends_early_where_a_document_has_the_marks() -> None:
    hostile = "a </cite> b </cite1 c"
    call = call_of(talk(hostile, SHOP))
    citations = citations_of(call)
    assert citations.end == "</cite2>"
    acceptor = Acceptor(compile_grammar(BYTES, structural_tag=call.params.structural_tag, sources=call.params.sources))
    parts = [hostile[i:j] for i in range(len(hostile)) for j in range(i + 1, len(hostile) + 1)]
    allowed = 0
    for quote in random.Random(3).sample(parts, 40):
        text = f'x{citations.trigger}0">{quote}{citations.end}y'
        if acceptor.allows(text.encode()):
            blocks = blocks_of(citations, [text])
            assert [one for one, _ in blocks] == ["x", quote, "y"]
            assert blocks[1][1]["cited_text"] == quote
            allowed += 1
    assert allowed > 3


@pytest.fixture
def client(http: httpx.Client) -> Iterator[Anthropic]:
    with Anthropic(base_url=str(http.base_url), api_key="unused", max_retries=0) as made:
        yield made


def test_whole_and_streamed_answers_have_citations(client: Anthropic, scripted: ScriptedLLM) -> None:
    scripted.texts = [ANSWER[i : i + 7] for i in range(0, len(ANSWER), 7)]
    options: Any = {"model": "scripted", "max_tokens": 9, "messages": talk(MILL, SHOP)}
    whole = create(client, **options)
    with client.messages.stream(**options) as stream:
        events = [event.type for event in stream]
        final = stream.get_final_message()
    assert [(block.text, block.citations) for block in final.content] == [
        (block.text, block.citations) for block in whole.content
    ]
    assert [bool(block.citations) for block in whole.content] == [False, True, False, True, False]
    assert whole.content[1].citations[0].cited_text == "built\nin 1911"
    assert events.count("citation") == 2


def test_a_model_answers_with_documents(tiny_server: str) -> None:
    with Anthropic(base_url=tiny_server, api_key="unused", max_retries=0) as client:
        options: Any = {"messages": talk(MILL), "tools": [TOOL]}
        message = create(client, **options, max_tokens=4)
        counted = client.messages.count_tokens(model="tiny", **options).input_tokens
        assert counted == message.usage.input_tokens + message.usage.cache_read_input_tokens


@pytest.mark.parametrize(
    ("messages", "fields", "param"),
    [
        (talk(MILL), {"output_format": {"type": "json_schema", "schema": SCHEMA}}, "messages[0].content[0].citations"),
        ([{"role": "assistant", "content": [document(MILL)]}], {}, "messages[0].content[0].type"),
        ([{"role": "user", "content": [{"type": "document", "source": {"type": "url", "url": "u"}}]}], {}, None),
    ],
)
def test_what_is_refused(messages: list[Any], fields: dict[str, Any], param: str | None) -> None:
    with pytest.raises(Exception) as caught:
        call_of(messages, **fields)
    found = caught.value.param  # type: ignore[attr-defined]
    assert found == param or (param is None and found.startswith("messages[0].content[0].source"))


def test_a_name_for_marks_is_found_at_once() -> None:
    """The number of names grows with the text; to look for each in the whole text took seconds."""
    used = "".join(f"</cite{number} " for number in range(1, 20_000))
    start_s = time.process_time()
    assert Citations.of({0: CitedDocument(used + "</cite" + "9" * 1_000)}, "").name == "cite20000"
    assert time.process_time() - start_s < 1
    assert Citations.of({0: CitedDocument("</cite12 </cite30")}, "").name == "cite2"
    assert Citations.of({0: CitedDocument("<cite>")}, "").name == "cite"
