"""The Host header: by which names a server may be called, so that no web page reaches one on its visitor's machine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from guided.server import ServerSettings, create_app
from guided.server.access import AccessKeys
from guided.server.hosts import with_hosts
from tests.server.live_server import serving
from tests.server.scripted_llm import ScriptedLLM
from tests.server.wire import CHAT_URL, answer_of, chat_body

OPEN = ServerSettings()
KEYED = ServerSettings(keys=AccessKeys({"ann": "sk-ann-12345"}))
NAMED = ServerSettings(allowed_hosts=("LLM.example.org.",))


@pytest.fixture(scope="module")
def named() -> Iterator[httpx.Client]:
    """A client of a server with the settings NAMED."""
    model: Any = ScriptedLLM()
    with serving(create_app(model, settings=NAMED)) as url, httpx.Client(base_url=url, timeout=60) as client:
        yield client


@pytest.mark.parametrize(
    "host",
    [
        *("llm.example.org", "LLM.EXAMPLE.ORG:8000", "llm.example.org.:80", "localhost", "LocalHost:8000"),
        *("app.localhost", "127.0.0.1:1", "127.1.2.3", "[::1]:8000", "[::1]", ""),
    ],
)
def test_names_that_are_answered(named: httpx.Client, host: str) -> None:
    assert named.get("/health", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        *("rebound.example", "example.org", "localhost.example", "127.0.0.1.example", "evil-localhost", "10.0.0.7"),
        *(
            "rebound.example@localhost",
            "rebound.example:80@127.0.0.1",
            "localhost:80:80",
            "[::2]",
            "[localhost]",
            ":80",
        ),
    ],
)
def test_names_that_are_refused(named: httpx.Client, host: str) -> None:
    response = named.post(CHAT_URL, json=chat_body(), headers={"host": host})
    assert answer_of(response) == (421, "unknown_host")
    assert "--allowed-host" in response.json()["error"]["message"]
    assert response.headers["x-request-id"]
    assert named.get("/workbench", headers={"host": host}).status_code == 421


@pytest.mark.parametrize(
    ("settings", "host", "address", "allowed"),
    [
        (OPEN, "127.0.0.1", "127.0.0.1", ("127.0.0.1",)),
        (OPEN, "devbox", "127.0.1.1", ("devbox",)),
        (OPEN, "::1", "::1", ("::1",)),
        (OPEN, "0.0.0.0", "0.0.0.0", ()),
        (KEYED, "127.0.0.1", "127.0.0.1", ()),
        (NAMED, "devbox", "10.0.0.7", ("LLM.example.org.", "devbox")),
    ],
)
def test_which_servers_look_at_names(
    settings: ServerSettings, host: str, address: str, allowed: tuple[str, ...]
) -> None:
    assert with_hosts(settings, host, address).allowed_hosts == allowed


def test_any_name() -> None:
    """ "*" and, for an application in another server, none."""
    model: Any = ScriptedLLM()
    for settings in (OPEN, ServerSettings(allowed_hosts=("*",))):
        assert not any("Host" in str(one) for one in create_app(model, settings=settings).user_middleware)
