"""/v1/models and /health."""

from __future__ import annotations

import time

import httpx
import pytest

from guided.errors import EngineFailureError
from tests.server.scripted_llm import ScriptedLLM


def test_models(http: httpx.Client) -> None:
    body = http.get("/v1/models").json()
    assert body["object"] == "list"
    (model,) = body["data"]
    assert 0 <= time.time() - model.pop("created") < 3600, "when this process began to serve it"
    assert model == {"id": "scripted", "object": "model", "owned_by": "guided", "max_model_len": 100}
    assert http.get("/v1/models/scripted").json()["id"] == "scripted"
    assert http.get("/v1/models/some/other").json()["error"]["code"] == "model_not_found"


def test_health(http: httpx.Client) -> None:  # A4.7
    response = http.get("/health")
    assert (response.status_code, response.json()) == (200, {"status": "ok", "model_loaded": True})


def test_health_of_an_engine_that_has_failed(
    http: httpx.Client, scripted: ScriptedLLM, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scripted, "failure", EngineFailureError("the engine", OSError("its process is gone")))
    response = http.get("/health")
    assert (response.status_code, response.json()) == (503, {"status": "failed", "model_loaded": True})


@pytest.mark.parametrize(
    "path", ["/health", "/stats", "/metrics", "/v1/models", "/v1/models/scripted", "/docs", "/workbench", "/nowhere"]
)
def test_head_is_get_without_the_body(http: httpx.Client, path: str) -> None:
    head, get = http.head(path), http.get(path)
    assert (head.status_code, head.content) == (get.status_code, b"")
    assert head.headers["content-type"] == get.headers["content-type"]
    if path not in ("/stats", "/metrics", "/nowhere"):  # figures that may have grown, the method in a message
        assert head.headers["content-length"] == str(len(get.content))
    assert head.headers["x-request-id"]


def test_head_of_a_post_is_a_405(http: httpx.Client) -> None:
    assert http.head("/v1/chat/completions").status_code == 405
    metrics = http.get("/metrics").text
    assert 'method="HEAD"' in metrics
