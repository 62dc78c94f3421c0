"""/v1/models and /health."""

from __future__ import annotations

import time

import httpx


def test_models(http: httpx.Client) -> None:
    body = http.get("/v1/models").json()
    assert body["object"] == "list"
    (model,) = body["data"]
    assert abs(model.pop("created") - time.time()) < 60
    assert model == {"id": "scripted", "object": "model", "owned_by": "guided", "max_model_len": 100}
    assert http.get("/v1/models/scripted").json()["id"] == "scripted"
    assert http.get("/v1/models/some/other").json()["error"]["code"] == "model_not_found"


def test_health(http: httpx.Client) -> None:  # A4.7
    response = http.get("/health")
    assert (response.status_code, response.json()) == (200, {"status": "ok", "model_loaded": True})
