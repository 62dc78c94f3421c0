"""Request ids and the log: one line a request, as text or JSON, with nothing that a client wrote but path and model."""

from __future__ import annotations

import json
import logging
from typing import Any

import httpx
import pytest

from guided.errors import NoAllowedTokenError
from guided.server import ServerSettings, create_app
from guided.server.logs import formatter
from tests.server.live_server import serving, wait_until
from tests.server.scripted_llm import ScriptedLLM
from tests.server.wire import CHAT_URL, chat_body


def lines(caplog: pytest.LogCaptureFixture, number: int = 1) -> list[logging.LogRecord]:
    """The lines of requests; the last ones come after their answers. Whether the server is up was asked before."""

    def found() -> list[logging.LogRecord]:
        records = [record for record in caplog.records if record.name == "guided.server.requests"]
        return [record for record in records if "path=/health" not in record.getMessage()]

    wait_until(lambda: len(found()) >= number)
    return found()


@pytest.fixture(autouse=True)
def _log_everything(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="guided.server.requests")


@pytest.mark.parametrize("path", ["/health", "/v1/models", "/nothing"])
def test_every_answer_has_an_id(http: httpx.Client, path: str) -> None:
    ids = [http.get(path).headers["x-request-id"] for _ in range(2)]
    assert ids[0] != ids[1]
    assert all(one.startswith("req_") for one in ids)


def test_the_clients_own_id_is_kept(http: httpx.Client) -> None:
    for kwargs in ({"json": chat_body()}, {"json": chat_body(stream=True)}, {"content": b"?"}):
        response = http.post(CHAT_URL, headers={"x-request-id": "mine-1"}, **kwargs)  # type: ignore[arg-type]
        assert response.headers.get_list("x-request-id") == ["mine-1"]
        assert response.headers.get_list("request-id") == ["mine-1"]


@pytest.mark.parametrize("given", ["", "with space", "x" * 129, "t\tab"])
def test_an_unusable_id_is_replaced(http: httpx.Client, given: str) -> None:
    assert http.get("/health", headers={"x-request-id": given}).headers["x-request-id"].startswith("req_")


def test_a_line_of_a_generation(http: httpx.Client, caplog: pytest.LogCaptureFixture) -> None:
    http.post(CHAT_URL, json=chat_body(user="secret-user"), headers={"x-request-id": "a"})
    (record,) = lines(caplog)
    fields = json.loads(formatter("json").format(record))
    assert 0 < fields.pop("duration_s") < 60
    assert fields.pop("time").endswith("Z")
    assert fields == {
        "level": "info",
        "logger": "guided.server.requests",
        "request_id": "a",
        "method": "POST",
        "path": CHAT_URL,
        "status": 200,
        "model": "scripted",
        "stream": False,
        "prompt_tokens": 7,
        "completion_tokens": 4,
        "finish_reasons": ["stop"],
    }
    text = formatter("text").format(record)
    assert "\n" not in text
    assert f"request_id=a method=POST path={CHAT_URL} status=200" in text
    assert "finish_reasons=stop" in text


def test_no_line_is_long_whatever_a_client_writes(http: httpx.Client, caplog: pytest.LogCaptureFixture) -> None:
    http.post(CHAT_URL, json=chat_body(model="m" * 3_000_000))
    http.get("/" + "p" * 12_000)  # uvicorn may refuse a request whose head is above 16 KiB
    http.request("M" * 12_000, "/nothing?x")
    for record in lines(caplog, 3):
        assert len(formatter("text").format(record)) < 1_000


def test_errors_say_their_code(http: httpx.Client, scripted: ScriptedLLM, caplog: pytest.LogCaptureFixture) -> None:
    http.post(CHAT_URL, json=chat_body(model="other"))
    scripted.fail_midway = NoAllowedTokenError("none")
    http.post(CHAT_URL, json=chat_body(stream=True))
    found = [json.loads(formatter("json").format(record)) for record in lines(caplog, 2)]
    assert [(one["status"], one["error"]) for one in found] == [(404, "model_not_found"), (200, "no_allowed_token")]


def test_an_error_of_ours_says_whose_it_is(
    http: httpx.Client, scripted: ScriptedLLM, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.handler.setFormatter(formatter("json"))
    scripted.fail_before = RuntimeError("what went wrong")
    assert http.post(CHAT_URL, json=chat_body(), headers={"x-request-id": "mine-2"}).status_code == 500
    (line,) = [json.loads(line) for line in caplog.text.splitlines() if "what went wrong" in line]
    assert (line["request_id"], line["level"], line["logger"]) == ("mine-2", "error", "guided.server")
    assert line["message"] == f"POST {CHAT_URL} failed (internal_error)"
    assert "RuntimeError: what went wrong" in line["traceback"]
    lines(caplog)


def test_a_path_can_not_forge_a_line(http: httpx.Client, caplog: pytest.LogCaptureFixture) -> None:
    http.get("/a%0Astatus=200%20b")
    text = formatter("text").format(lines(caplog)[0])
    assert "\n" not in text
    assert r'path="/a\nstatus=200 b" status=404' in text


@pytest.mark.parametrize("log_prompts", [False, True])
def test_prompts_only_where_asked_for(caplog: pytest.LogCaptureFixture, log_prompts: bool) -> None:
    model: Any = ScriptedLLM()
    body = chat_body(messages=[{"role": "user", "content": "a secret"}])
    app = create_app(model, settings=ServerSettings(log_prompts=log_prompts))
    with serving(app) as url:
        wait_until(lambda: app.state.server.models.are_loaded)
        assert httpx.post(f"{url}{CHAT_URL}", json=body).status_code == 200
        line = formatter("json").format(lines(caplog)[0])
    assert ("a secret" in line) is log_prompts


def test_a_traceback_is_a_field() -> None:
    try:
        raise ValueError("x")
    except ValueError as error:
        record = logging.makeLogRecord({"msg": "failed %s", "args": ("here",), "exc_info": (ValueError, error, None)})
    fields = json.loads(formatter("json").format(record))
    assert fields["message"] == "failed here"
    assert "ValueError: x" in fields["traceback"]
