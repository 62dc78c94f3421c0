"""Custom logit processors over HTTP: names always, signed texts where the operator gave a key, anything else a 400."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from guided.cli import main
from guided.grammars.vocabulary import Vocabulary
from guided.llm import LLM
from guided.output.completion import Completion, CompletionChunk
from guided.processors import ProcessorSettings, write_key_file
from guided.server import create_app
from guided.server.protocol.openai_chat import read_call
from tests.guided.processors.test_serialization import make_class
from tests.server.live_server import serving
from tests.server.wire import CHAT_URL, chat_body, sse_events

LETTER = 65  # the id of a token of the tiny model


@pytest.fixture(scope="module")
def key_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("key") / "key"
    write_key_file(path)
    return path


@pytest.fixture(scope="module")
def keyed_http(tiny_model_folder: Path, key_file: Path) -> Iterator[httpx.Client]:
    """A client of a server whose operator lets signed processors in."""
    llm = LLM(str(tiny_model_folder), processor_settings=ProcessorSettings(key_file=key_file))
    with serving(create_app(llm, served_model_name="tiny")) as url, httpx.Client(base_url=url, timeout=60) as client:
        yield client


def post(client: httpx.Client, **fields: Any) -> httpx.Response:
    return client.post(CHAT_URL, json=chat_body(model="tiny", max_tokens=3, temperature=0) | fields)


def text_of(response: httpx.Response) -> str:
    assert response.status_code == 200, response.text
    content: str = response.json()["choices"][0]["message"]["content"]
    return content


def test_registered_names_with_parameters(tiny_http: httpx.Client) -> None:  # B12
    name, others = "disallowed_tokens", {"token_ids": [one for one in range(280) if one != LETTER]}
    for processors in ([name], [[name, others]], [{"name": name, "params": others}]):
        given = {"logit_processors": processors} | ({"custom_params": others} if processors == [name] else {})
        text = text_of(post(tiny_http, **given))
        assert text == text[0] * 3


def test_serialised_processors_are_refused_by_default(tiny_http: httpx.Client, key_file: Path) -> None:  # B12
    response = post(tiny_http, custom_logit_processor=make_class().to_str(key_file))
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (400, "logit_processor_refused")
    assert "not enabled" in error["message"]
    assert "registered name" in error["message"]


def test_signed_processors_where_they_are_enabled(keyed_http: httpx.Client, key_file: Path) -> None:  # A5.8 B12
    signed = make_class().to_str(key_file)
    assert text_of(post(keyed_http, custom_logit_processor=signed, custom_params={"amount": 3})) == text_of(
        post(keyed_http)
    )
    fields = json.loads(signed)
    fields["callable"] = fields["callable"][:-2] + "00"
    for text, reason in ((json.dumps(fields), "signature is not of this key"), (make_class().to_str(), "not signed")):
        response = post(keyed_http, custom_logit_processor=text)
        assert (response.status_code, response.json()["error"]["code"]) == (400, "logit_processor_refused")
        assert reason in response.json()["error"]["message"]


def test_parameters_out_of_range_are_named(tiny_http: httpx.Client) -> None:
    error = post(tiny_http, logit_processors=[["top_n_sigma", {"n": -3}]]).json()["error"]
    assert error["code"] == "invalid_logit_processor"
    assert error["message"] == "top_n_sigma: n: input should be greater than or equal to 0, not -3"


def test_thinking_that_the_model_can_not_do(tiny_http: httpx.Client) -> None:
    for field, value in (("thinking", True), ("thinking_budget", 5)):
        response = post(tiny_http, **{field: value})
        assert (response.status_code, response.json()["error"]["param"]) == (400, field)


def test_thinking_is_told_apart_from_the_answer() -> None:
    done = Completion("red", (1, 2), "stop", None, 7, 0, 0.1, thinking="hm")
    started: Any = ([(1,)], Vocabulary([b"a", None], [1], {"<eos>": 1}), "tiny")
    builder = read_call(chat_body()).make_builder(*started)
    message = builder.whole([done])["choices"][0]["message"]
    assert message == {"role": "assistant", "content": "red", "refusal": None, "reasoning_content": "hm"}
    frames = b"".join(builder.piece(CompletionChunk("", thinking="hm")) + builder.piece(CompletionChunk("red")))
    deltas = [json.loads(event)["choices"][0]["delta"] for event in sse_events(frames.decode())]
    assert deltas == [{"reasoning_content": "hm"}, {"content": "red"}]


def test_a_key_file_that_protects_nothing_stops_the_server(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["serve", "--processor-key-file", str(tmp_path / "none")])
    assert stopped.value.code == 2
    assert "can't be read" in capsys.readouterr().err
