"""POST /v1/logit_processors: the administrator adds a processor, signed, where the operator let such in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from guided.llm import LLM
from guided.processors import ProcessorSettings, registry, write_key_file
from guided.server import ServerSettings, create_app
from guided.server.access import AccessKeys
from tests.guided.processors.test_serialization import make_class
from tests.server.live_server import serving
from tests.server.wire import CHAT_URL, chat_body

URL = "/v1/logit_processors"
ADMIN = {"authorization": "Bearer sk-root-12345"}
SETTINGS = ServerSettings(keys=AccessKeys(admin_key="sk-root-12345"))


@pytest.fixture(scope="module")
def key_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("key") / "key"
    write_key_file(path)
    return path


@pytest.fixture(scope="module")
def admin_http(tiny_model_folder: Path, key_file: Path) -> Iterator[httpx.Client]:
    llm = LLM(str(tiny_model_folder), processor_settings=ProcessorSettings(key_file=key_file))
    app = create_app(llm, served_model_name="tiny", settings=SETTINGS)
    with serving(app) as url, httpx.Client(base_url=url, timeout=60, headers=ADMIN) as client:
        yield client


@pytest.fixture(autouse=True)
def _forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is registered here is for this test alone."""
    monkeypatch.setattr(registry, "_CLASSES", dict(registry._CLASSES))
    monkeypatch.setattr(registry, "_OBJECTS", dict(registry._OBJECTS))


def error_of(response: httpx.Response, status: int = 400) -> dict[str, Any]:
    assert response.status_code == status, response.text
    error: dict[str, Any] = response.json()["error"]
    return error


def test_registered_and_used(admin_http: httpx.Client, key_file: Path) -> None:  # A5.8, B12
    body = {"name": "ours", "custom_logit_processor": make_class().to_str(key_file)}
    generate = chat_body(model="tiny", max_tokens=3, logit_processors=[{"name": "ours", "params": {"amount": 3}}])
    assert error_of(admin_http.post(CHAT_URL, json=generate))["code"] == "unknown_logit_processor"
    registered = admin_http.post(URL, json=body)
    assert registered.status_code == 201
    assert "ours" in registered.json()["names"]
    assert admin_http.get(URL).json() == registered.json()
    assert admin_http.post(CHAT_URL, json=generate).status_code == 200
    assert admin_http.post(URL, json=body).status_code == 201, "the same class again"


@pytest.mark.parametrize(
    ("fields", "param", "message"),
    [
        ({"name": "top_n_sigma"}, "name", "already registered"),
        ({"name": " "}, "name", "printable"),
        ({"name": ""}, "name", "at least 1 character"),
        ({"custom_logit_processor": "{}"}, "custom_logit_processor", "must be"),
        ({"custom_logit_processor": None}, "custom_logit_processor", "must be a"),
        ({"extra": 1}, "extra", "no field that is known"),
    ],
)
def test_refused(
    admin_http: httpx.Client, key_file: Path, fields: dict[str, Any], param: str, message: str
) -> None:  # B21
    body = {"name": "other", "custom_logit_processor": make_class().to_str(key_file)} | fields
    error = error_of(admin_http.post(URL, json=body))
    assert error["param"] == param
    assert message in error["message"]


def test_only_signed_ones(admin_http: httpx.Client) -> None:  # B12
    error = error_of(admin_http.post(URL, json={"name": "other", "custom_logit_processor": make_class().to_str()}))
    assert (error["param"], error["code"]) == ("custom_logit_processor", "logit_processor_refused")
    assert "not signed" in error["message"]


def test_only_where_it_is_enabled(tiny_model_folder: Path, key_file: Path) -> None:  # B12
    app = create_app(LLM(str(tiny_model_folder)), served_model_name="tiny", settings=SETTINGS)
    with serving(app) as url, httpx.Client(base_url=url, timeout=60, headers=ADMIN) as http:
        body = {"name": "ours", "custom_logit_processor": make_class().to_str(key_file)}
        assert "not enabled" in error_of(http.post(URL, json=body))["message"]


def test_only_the_administrator(admin_http: httpx.Client, key_file: Path) -> None:
    body = {"name": "ours", "custom_logit_processor": make_class().to_str(key_file)}
    response = admin_http.post(URL, json=body, headers={"authorization": "Bearer sk-nobody-1"})
    assert error_of(response, 401)["code"] == "invalid_api_key"
