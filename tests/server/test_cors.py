"""Web pages of other origins: refused unless the operator names them."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from guided.server import ServerSettings, create_app
from tests.server.live_server import serving
from tests.server.scripted_llm import ScriptedLLM
from tests.server.wire import CHAT_URL, chat_body

ORIGIN = "https://page.example"
PREFLIGHT = {
    "origin": ORIGIN,
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization,content-type",
}


def test_off_by_default(http: httpx.Client) -> None:
    assert "access-control-allow-origin" not in http.get("/health", headers={"origin": ORIGIN}).headers
    assert http.options(CHAT_URL, headers=PREFLIGHT).status_code == 405


@pytest.mark.parametrize(
    ("origins", "allowed"), [((ORIGIN,), ORIGIN), (("*",), "*"), (("https://other.example",), None)]
)
def test_on(origins: tuple[str, ...], allowed: str | None) -> None:
    llm: Any = ScriptedLLM()
    app = create_app(llm, settings=ServerSettings(cors_origins=origins))
    with serving(app) as url, httpx.Client(base_url=url, timeout=60) as http:
        preflight = http.options(CHAT_URL, headers=PREFLIGHT)
        assert preflight.headers.get("access-control-allow-origin") == allowed
        assert preflight.status_code == (400 if allowed is None else 200)
        answer = http.post(CHAT_URL, json=chat_body(), headers={"origin": ORIGIN})
        assert answer.headers.get("access-control-allow-origin") == allowed
        if allowed is not None:
            assert "x-request-id" in answer.headers["access-control-expose-headers"]
