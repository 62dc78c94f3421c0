"""`GET /`: the first thing that somebody sees who opens the server's address; and what is told while it loads."""

from __future__ import annotations

import logging
import threading
from typing import Any, cast

import httpx
import pytest

from guided.server import create_app
from tests.server.live_server import serving, wait_until
from tests.server.scripted_llm import ScriptedLLM

CHAT = {"model": "scripted", "messages": [{"role": "user", "content": "x"}]}


def test_json_for_programs(http: httpx.Client) -> None:
    response = http.get("/")
    found = response.json()
    assert (response.status_code, found["name"], found["model"]) == (200, "guided", "scripted")
    named = {(endpoint["method"], endpoint["path"]) for endpoint in found["endpoints"]}
    assert {("POST", "/v1/chat/completions"), ("POST", "/v1/messages"), ("GET", "/health")} <= named
    for name in ("docs", "openapi", "workbench", "health"):
        assert http.get(found[name]).status_code == 200
    assert found["base_url"] == f"{str(http.base_url).rstrip('/')}/v1"
    assert all(endpoint["summary"] for endpoint in found["endpoints"])


def test_a_page_for_browsers(http: httpx.Client) -> None:
    response = http.get("/", headers={"accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert response.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in response.headers["content-security-policy"]
    for link in ("docs", "workbench", "openapi.json", "health"):
        assert f'href="{link}"' in response.text
    assert "/v1/chat/completions" in response.text
    assert "scripted" in response.text


def test_while_the_model_loads(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="guided.server")
    may_end = threading.Event()

    def load() -> Any:
        may_end.wait(60)
        return cast(Any, ScriptedLLM())

    with serving(create_app(load)) as url, httpx.Client(base_url=url, timeout=60) as http:
        assert "loading the model" in caplog.text
        assert "ready" not in caplog.text
        assert http.get("/").json()["model"] is None
        assert "still being loaded" in http.get("/", headers={"accept": "text/html"}).text
        refused = http.post("/v1/chat/completions", json=CHAT)
        assert refused.status_code == 503
        assert int(refused.headers["retry-after"]) >= 1
        may_end.set()
        wait_until(lambda: bool(http.get("/").json()["model"]))
        wait_until(lambda: "ready: scripted is loaded, after" in caplog.text)
