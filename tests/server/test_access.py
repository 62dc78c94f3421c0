"""API keys: who may use the server and who may administer it; in each format's own error shape."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from guided.grammars.errors import InvalidInputError
from guided.server import ServerSettings, create_app
from guided.server.access import ADMIN, AccessKeys, keys_of_text, read_admin_key, read_api_keys
from tests.server.live_server import serving, wait_until
from tests.server.scripted_llm import ScriptedLLM
from tests.server.wire import CHAT_URL, answer_of, chat_body

ANN, BOB, ROOT = "sk-ann-12345", "sk-bob-12345", "sk-root-12345"
KEYS = AccessKeys({"ann": ANN, "bob": BOB}, ROOT)


def bearer(key: str) -> dict[str, str]:
    return {"authorization": f"Bearer {key}"}


@pytest.fixture(scope="module")
def llm() -> ScriptedLLM:
    return ScriptedLLM()


@pytest.fixture(scope="module")
def keyed(llm: ScriptedLLM) -> Iterator[httpx.Client]:
    """A client, without a key of its own, of a server that wants one."""
    model: Any = llm
    settings = ServerSettings(keys=KEYS, max_concurrent_requests_per_key=1)
    app = create_app(model, settings=settings)
    with serving(app) as url, httpx.Client(base_url=url, timeout=60) as client:
        wait_until(lambda: app.state.server.models.are_loaded)
        yield client


@pytest.mark.parametrize(
    "headers", [bearer(ANN), bearer(BOB), bearer(ROOT), {"x-api-key": ANN}, {"authorization": f"bearer  {ANN}"}]
)
def test_a_key_lets_in(keyed: httpx.Client, headers: dict[str, str]) -> None:
    assert keyed.post(CHAT_URL, json=chat_body(), headers=headers).status_code == 200


@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer"}, {"authorization": f"Basic {ANN}"}])
def test_no_key(keyed: httpx.Client, headers: dict[str, str]) -> None:
    response = keyed.post(CHAT_URL, json=chat_body(), headers=headers)
    assert answer_of(response) == (401, "invalid_api_key")
    assert response.headers["www-authenticate"] == "Bearer"
    assert "Authorization: Bearer KEY" in response.json()["error"]["message"]


@pytest.mark.parametrize("key", [ANN[:-1], ANN + "x", "sk-\xe9", "x" * 5000])
def test_wrong_key(keyed: httpx.Client, key: str) -> None:
    headers = {b"authorization": b"Bearer " + key.encode("latin-1")}
    response = keyed.post(CHAT_URL, json=chat_body(), headers=headers)
    assert answer_of(response) == (401, "invalid_api_key")
    assert key not in response.text


@pytest.mark.parametrize("path", ["/v1/models", "/stats", "/metrics", "/v1/logit_processors"])
def test_what_else_needs_a_key(keyed: httpx.Client, path: str) -> None:
    assert keyed.get(path).status_code == 401
    assert keyed.get(path, headers=bearer(ANN)).status_code == 200


@pytest.mark.parametrize("path", ["/health", "/docs", "/openapi.json", "/workbench", "/workbench/main.js"])
def test_what_needs_none(keyed: httpx.Client, path: str) -> None:
    assert keyed.get(path).status_code == 200


def test_the_body_of_a_stranger_is_not_read(keyed: httpx.Client) -> None:
    response = keyed.post(CHAT_URL, content=b"{", headers={"content-type": "text/plain"})
    assert response.status_code == 401


def test_only_the_admin_administers(keyed: httpx.Client) -> None:
    url, body = "/v1/logit_processors", {"name": "mine", "custom_logit_processor": "{}"}
    assert answer_of(keyed.post(url, json=body)) == (401, "invalid_api_key")
    assert answer_of(keyed.post(url, json=body, headers=bearer(ANN))) == (403, "permission_denied")
    assert keyed.get("/stats?debug=true", headers=bearer(ANN)).status_code == 403
    debug = keyed.get("/stats?debug=true", headers=bearer(ROOT)).json()["debug"]
    assert debug["threads"] > 0
    assert debug["tasks"] > 0
    assert "debug" not in keyed.get("/stats", headers=bearer(ROOT)).json()


def test_a_key_has_its_share(keyed: httpx.Client, llm: ScriptedLLM) -> None:
    """429 for one that has as many requests in flight as it may; others are not concerned."""
    llm.steps = threading.Semaphore(1)
    with keyed.stream("POST", CHAT_URL, json=chat_body(stream=True), headers=bearer(BOB)) as running:
        refused = keyed.post(CHAT_URL, json=chat_body(), headers=bearer(BOB))
        assert answer_of(refused) == (429, "rate_limit_exceeded")
        assert refused.json()["error"]["type"] == "rate_limit_error"
        assert refused.headers["retry-after"] == "1"
        llm.steps.release(100)
        assert keyed.post(CHAT_URL, json=chat_body(), headers=bearer(ANN)).status_code == 200
        assert "[DONE]" in running.read().decode()
    llm.reset()


def test_without_keys_everybody_may_and_nobody_administers(http: httpx.Client) -> None:
    assert http.post(CHAT_URL, json=chat_body(), headers=bearer("anything")).status_code == 200
    response = http.get("/stats?debug=true")
    assert answer_of(response) == (403, "permission_denied")
    assert "--admin-key-file" in response.json()["error"]["message"]


def test_labels() -> None:
    assert [KEYS.label_of(key) for key in (ANN, BOB, ROOT, "sk-nobody-1")] == ["ann", "bob", ADMIN, None]


@pytest.mark.parametrize(
    ("api_keys", "admin_key", "message"),
    [
        ({"a": "short"}, None, "at least 8 characters"),
        ({"a": "with space"}, None, "without spaces"),
        ({"a": "sk-ümlaut1"}, None, "ASCII"),
        ({"a": ANN, "b": ANN}, None, "the same"),
        ({"a": ANN}, ANN, "the same"),
        ({"admin": ANN}, None, "another label"),
    ],
)
def test_unusable_keys(api_keys: dict[str, str], admin_key: str | None, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message) as caught:
        AccessKeys(api_keys, admin_key)
    assert ANN not in str(caught.value)


def test_keys_stay_out_of_texts() -> None:
    assert ANN not in repr(ServerSettings(keys=KEYS))


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o600)
    return path


def test_key_file(tmp_path: Path) -> None:
    path = write(tmp_path / "keys", f"# clients\n\nann {ANN}\n{BOB}  # no label\n")
    assert read_api_keys(path) == {"ann": ANN, "key-2": BOB}
    assert read_admin_key(write(tmp_path / "admin", ROOT + "\n")) == ROOT
    assert keys_of_text(f"{ANN}, {BOB},") == {"key-1": ANN, "key-2": BOB}


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "holds no key"), ("a b c\n", "line 1: write KEY or LABEL KEY"), (f"x {ANN}\nx {BOB}", "twice")],
)
def test_wrong_key_files(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        read_api_keys(write(tmp_path / "keys", text))


def test_key_files_are_secret(tmp_path: Path) -> None:
    path = write(tmp_path / "keys", ANN)
    path.chmod(0o644)
    with pytest.raises(InvalidInputError, match="chmod 600"):
        read_api_keys(path)
    with pytest.raises(InvalidInputError, match="can't be read"):
        read_api_keys(tmp_path / "nothing")
    with pytest.raises(InvalidInputError, match="2 keys"):
        read_admin_key(write(tmp_path / "two", f"{ANN}\n{BOB}"))
    with pytest.raises(InvalidInputError, match="GUIDED_API_KEYS"):
        keys_of_text(" , ")
