"""`guided mcp`: its tools as a client of the protocol sees them, and over standard input and output."""

from __future__ import annotations

import asyncio
import io
import json
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from guided.cli import main
from guided.cli.mcp import mcp_server
from guided.llm import LLM

mcp = pytest.importorskip("mcp", reason="needs the extra mcp")

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"kind": {"enum": ["bill", "note"]}},
    "required": ["kind"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def llm(tiny_model_folder: Path) -> Iterator[LLM]:
    with LLM(str(tiny_model_folder)) as found:
        yield found


def call(llm: LLM, name: str, arguments: dict[str, Any]) -> Any:
    """The result of a tool, whose text is the same as its structured content."""

    async def ask() -> Any:
        async with mcp.Client(mcp_server(llm)) as client:
            return await client.call_tool(name, arguments)

    result = asyncio.run(ask())
    if not result.is_error:
        assert json.loads(result.content[0].text) == result.structured_content
    return result


def test_extract_gives_the_document_and_the_places_of_quotes(llm: LLM) -> None:
    plain = call(llm, "extract", {"text": "pay 30", "schema": SCHEMA, "instructions": "What is it?"})
    assert plain.structured_content["data"]["kind"] in ("bill", "note")
    assert plain.structured_content["valid"] is True
    named: dict[str, Any] = {"properties": {"name": {"type": "string", "minLength": 1}}, "required": ["name"]}
    named |= {"type": "object", "additionalProperties": False}
    text = "Ada met Bo."
    for long in (False, True):
        found = call(llm, "extract", {"text": text, "schema": named, "quotes": True, "long": long}).structured_content
        start, end = found["places"]["/name"]["likely"]
        assert text[start:end] == found["data"]["name"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"text": "", "schema": SCHEMA}, "the text to extract from is empty"),
        ({"text": "x", "schema": {"type": "objekt"}}, "objekt"),
        ({"text": "x " * 9000, "schema": SCHEMA}, "the model's context is"),
        ({"text": "x", "schema": "objekt"}, "valid dictionary"),
    ],
)
def test_extract_says_what_is_wrong(llm: LLM, arguments: dict[str, Any], message: str) -> None:
    result = call(llm, "extract", arguments)
    assert result.is_error
    assert message in result.content[0].text


def test_checks_report_and_refuse_as_the_command_does(llm: LLM) -> None:
    texts = ['{"kind": "bill"}', '{"kind": "card"}']
    found = call(llm, "check_schema", {"schema": SCHEMA, "texts": texts}).structured_content
    assert {entry["keyword"] for entry in found["report"]} >= {"type", "properties", "required"}
    assert [found["texts"][text]["is_accepted"] for text in texts] == [True, False]
    refused = call(llm, "check_schema", {"schema": {"properties": {"a": {"pattern": "("}}}}).structured_content
    assert refused["error"]["pointer"] == "/properties/a/pattern"
    grammar = 'root ::= "a" | "b"'
    known = call(llm, "check_grammar", {"kind": "ebnf", "grammar": grammar, "texts": ["b"], "dialect": "gbnf"})
    assert known.structured_content["texts"]["b"]["is_accepted"]
    wrong = call(llm, "check_grammar", {"kind": "regex", "grammar": "a(", "texts": []})
    assert "(" in wrong.structured_content["error"]["message"]
    assert call(llm, "check_grammar", {"kind": "regex", "grammar": "a", "dialect": "gbnf"}).structured_content["error"]


def test_the_command_speaks_over_standard_input_and_output(
    tiny_model_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Requests in lines, answers in lines; it ends when its client closes the pipe."""
    client_info = {"name": "test", "version": "1"}
    started = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client_info}
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": started},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
        {"id": 3, "method": "tools/call", "params": {"name": "check_schema", "arguments": {"schema": SCHEMA}}},
    ]
    (asked, ask), (answered, answer) = os.pipe(), os.pipe()
    answers: list[dict[str, Any]] = []

    def talk() -> None:
        with open(ask, "w", encoding="utf-8") as asks, open(answered, encoding="utf-8") as heard:
            for message in messages:
                asks.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
                asks.flush()
                if "id" in message:
                    answers.append(json.loads(heard.readline()))

    client = threading.Thread(target=talk)
    with open(asked, "rb") as stdin, open(answer, "wb", buffering=0) as stdout:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stdin))
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(stdout, write_through=True))
        client.start()
        with pytest.raises(SystemExit) as ended:
            main(["mcp", "--model", str(tiny_model_folder)])
    client.join()
    assert not ended.value.code
    assert answers[0]["result"]["serverInfo"]["name"] == "guided"
    assert [tool["name"] for tool in answers[1]["result"]["tools"]] == ["extract", "check_schema", "check_grammar"]
    assert answers[2]["result"]["structuredContent"]["report"]


def test_without_the_package_it_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(SystemExit) as ended:
        main(["mcp"])
    assert ended.value.code == 2
    expected = "guided: guided mcp needs mcp, which is not installed; run: pip install 'guided-generation[mcp]'\n"
    assert capsys.readouterr().err == expected
