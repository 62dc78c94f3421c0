"""What the workbench's chart of the next token shows: its numbers are the sampler's, by the filters' definitions."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from guided.workbench.steps.stream import MAX_TOP

URL = "/v1/workbench/steps"
PROMPT = "the first of them and"


def look(http: httpx.Client, **fields: Any) -> dict[str, Any]:
    """The event of the next token."""
    body = {"prompt": PROMPT, "seed": 3, "max_tokens": 1, "num_top": MAX_TOP, "temperature": 1} | fields
    response = http.post(URL, json=body)
    assert response.status_code == 200, response.text
    events = [line.removeprefix("data: ") for line in response.text.splitlines() if line.startswith("data: ")]
    assert (len(events), events[1]) == (2, "[DONE]")
    event: dict[str, Any] = json.loads(events[0])
    return event


def probs(tokens: list[dict[str, Any]]) -> list[float]:
    return [token["prob"] for token in tokens]


def test_the_models_own_distribution(tiny_http: httpx.Client) -> None:  # A3.1
    event = look(tiny_http)
    raw = probs(event["top_raw"])
    assert len(raw) == MAX_TOP
    assert raw == sorted(raw, reverse=True)
    assert probs(event["top"]) == pytest.approx(raw, abs=1e-6)


@pytest.mark.parametrize("temperature", [0.5, 2.0])
def test_temperature_and_top_k(tiny_http: httpx.Client, temperature: float) -> None:  # A3.1
    event = look(tiny_http, temperature=temperature, top_k=5)
    powers = [prob ** (1 / temperature) for prob in probs(event["top_raw"])[:5]]
    assert probs(event["top"]) == pytest.approx([power / sum(powers) for power in powers], abs=1e-4)


def test_top_p_keeps_the_smallest_set(tiny_http: httpx.Client) -> None:  # A3.2, B4
    raw = probs(look(tiny_http)["top_raw"])
    count = next(count for count in range(1, MAX_TOP) if sum(raw[:count]) > 0.1)
    top_p = (sum(raw[: count - 1]) + sum(raw[:count])) / 2
    assert len(look(tiny_http, top_p=top_p)["top"]) == count
    assert len(look(tiny_http, top_p=0)["top"]) == 1


def test_min_p(tiny_http: httpx.Client) -> None:
    raw = probs(look(tiny_http)["top_raw"])
    assert len(look(tiny_http, min_p=0.8)["top"]) == sum(one >= 0.8 * raw[0] for one in raw)


def test_greedy(tiny_http: httpx.Client) -> None:  # A3.1
    event = look(tiny_http, temperature=0)
    assert event["token_id"] == event["top_raw"][0]["token_id"]


def test_a_drawn_token_is_repeatable(tiny_http: httpx.Client) -> None:  # A3.3
    drawn = [look(tiny_http, seed=seed)["token_id"] for seed in (1, 2, 3, 4, 5, 1)]
    assert drawn[0] == drawn[-1]
    assert len(set(drawn)) > 2


def test_a_chat_message(tiny_http: httpx.Client) -> None:
    chat = look(tiny_http, prompt=None, messages=[{"role": "user", "content": PROMPT}])
    assert chat["top_raw"] != look(tiny_http)["top_raw"]


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"temperature": 2.1}, "temperature"),
        ({"top_p": -1}, "top_p"),
        ({"prompt": ""}, "prompt"),
        ({"prompt": 5}, "prompt"),
        ({"seed": 0.5}, "seed"),
    ],
)
def test_wrong_fields(tiny_http: httpx.Client, fields: dict[str, Any], param: str) -> None:  # B21
    response = tiny_http.post(URL, json={"prompt": PROMPT} | fields)
    assert (response.status_code, response.json()["error"]["param"]) == (400, param)


@pytest.mark.parametrize("path", ["/v1/grammar/check", "/v1/grammar/match", "/v1/grammar/sample", URL])
def test_sources_of_quotes(tiny_http: httpx.Client, path: str) -> None:
    schema = {"type": "string", "x-quote": "text"}
    others = {"/v1/grammar/match": {"text": '"Oslo"'}, URL: {"prompt": "Where?"}}.get(path, {})
    body = {"json_schema": schema, **others}
    assert tiny_http.post(path, json=body).status_code == 400
    assert tiny_http.post(path, json={**body, "sources": {"text": "She lives in Oslo."}}).status_code == 200
