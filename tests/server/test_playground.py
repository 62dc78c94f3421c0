"""The playground: its numbers are the sampler's, and the page holds what it must and nothing from elsewhere."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx
import pytest

from guided.params.conversions import PRESETS
from guided.params.sampling_params import SamplingParams
from guided.server.pages.distribution import NUM_TOKENS, warnings

URL = "/playground/distribution"
PROMPT = "the first of them and"


@pytest.fixture(scope="module")
def page(tiny_http: httpx.Client) -> str:
    response = tiny_http.get("/playground")
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in response.headers["content-security-policy"]
    return response.text


def ask(http: httpx.Client, **fields: Any) -> dict[str, Any]:
    response = http.post(URL, json={"prompt": PROMPT, "seed": 3} | fields)
    assert response.status_code == 200, response.text
    body: dict[str, Any] = response.json()
    return body


def json_block(page: str, name: str) -> Any:
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', page, re.S)
    assert found is not None
    return json.loads(found[1])


def test_the_models_own_distribution(tiny_http: httpx.Client) -> None:  # A3.1
    answer = ask(tiny_http)
    raw = [token["raw"] for token in answer["tokens"]]
    assert len(raw) == NUM_TOKENS
    assert raw == sorted(raw, reverse=True)
    assert sum(raw) + answer["rest"]["raw"] == pytest.approx(1, abs=1e-5)
    assert [token["kept"] for token in answer["tokens"]] == pytest.approx(raw, abs=1e-6)
    assert answer["num_kept"] is None
    assert answer["warnings"] == []


@pytest.mark.parametrize("temperature", [0.5, 2.0])
def test_temperature_and_top_k(tiny_http: httpx.Client, temperature: float) -> None:  # A3.1
    tokens = ask(tiny_http)["tokens"]
    answer = ask(tiny_http, temperature=temperature, top_k=5)
    powers = [token["raw"] ** (1 / temperature) for token in tokens[:5]]
    kept = [token["kept"] for token in answer["tokens"]]
    assert kept[:5] == pytest.approx([power / sum(powers) for power in powers], abs=1e-4)
    assert kept[5:] == [0.0] * (NUM_TOKENS - 5)
    assert answer["num_kept"] == 5
    assert answer["rest"]["kept"] == pytest.approx(0, abs=1e-5)


def test_top_p_keeps_the_smallest_set(tiny_http: httpx.Client) -> None:  # A3.2, B4
    raw = [token["raw"] for token in ask(tiny_http)["tokens"]]
    answer = ask(tiny_http, top_p=0.3)
    count = answer["num_kept"]
    assert sum(raw[:count]) >= 0.3 - 1e-5
    assert sum(raw[: count - 1]) < 0.3
    assert ask(tiny_http, top_p=0)["num_kept"] == 1


def test_min_p(tiny_http: httpx.Client) -> None:
    raw = [token["raw"] for token in ask(tiny_http)["tokens"]]
    assert ask(tiny_http, min_p=0.5)["num_kept"] == sum(one >= 0.5 * raw[0] for one in raw)


def test_greedy(tiny_http: httpx.Client) -> None:  # A3.1
    answer = ask(tiny_http, temperature=0)
    assert answer["num_kept"] == 1
    assert answer["tokens"][0]["kept"] == 1.0
    assert answer["sampled"]["token_id"] == answer["tokens"][0]["token_id"]


def test_a_drawn_token_is_repeatable(tiny_http: httpx.Client) -> None:  # A3.3
    drawn = [ask(tiny_http, seed=seed)["sampled"]["token_id"] for seed in (1, 2, 3, 4, 5, 1)]
    assert drawn[0] == drawn[-1]
    assert len(set(drawn)) > 2


def test_a_chat_message(tiny_http: httpx.Client) -> None:
    assert ask(tiny_http, as_chat=True)["tokens"] != ask(tiny_http)["tokens"]


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


@pytest.mark.parametrize(
    ("fields", "codes"),
    [
        ({}, []),
        ({"temperature": 0.7, "top_p": 0.9}, []),
        ({"temperature": 2}, ["hot_and_unfiltered"]),
        ({"temperature": 2, "top_k": 0, "top_p": 1.0}, ["hot_and_unfiltered"]),
        ({"temperature": 2, "min_p": 0.05}, []),
        ({"top_k": 5, "top_p": 0.4}, ["stacked_filters"]),
        ({"temperature": 0.2, "top_p": 0.3, "min_p": 0.5}, ["stacked_filters"]),
        ({"temperature": 0, "top_k": 5}, ["no_effect"]),
        ({"temperature": 0}, []),
    ],
)
def test_warnings(fields: dict[str, Any], codes: list[str]) -> None:  # A3.3
    assert [warning["code"] for warning in warnings(SamplingParams(**fields))] == codes


def test_the_page_needs_nothing_from_elsewhere(page: str) -> None:  # A3.3
    assert not re.search(r"https?://|\bsrc=|<link|@import", page)


def test_sliders(page: str) -> None:  # A3.3
    found = dict(re.findall(r'<input type="range" id="(\w+)" (min="\S+" max="\S+")', page))
    assert found == {
        "temperature": 'min="0" max="2"',
        "top_k": 'min="0" max="100"',
        "top_p": 'min="0" max="1"',
        "min_p": 'min="0" max="1"',
    }
    assert "0 (greedy)" in page
    assert page.count("(off)") >= 3
    assert '<button id="sample">' in page
    assert '<button id="again">' in page


def test_presets_are_the_packages(page: str) -> None:  # A3.3
    assert json_block(page, "preset-data") == {name: dict(fields) for name, fields in PRESETS.items()}


def test_teaching_text(page: str) -> None:  # A3.3
    headings = re.findall(r"<h3>(.*?)</h3>", page)
    assert headings == ["Softmax", "Temperature", "Top-k against top-p", "Three myths"]
    myths = page.partition("<h3>Three myths</h3>")[2].partition("</ol>")[0]
    first, second, third = myths.split("<li>")[1:]
    assert "device" in first
    assert "computed together" in first
    assert "more intelligent" in second
    assert "top-k" in third
    greedy = page.partition("<p>Greedy suits")[2].partition("</p>")[0]
    assert "fails" in greedy


def test_quiz_explains_every_answer(page: str) -> None:  # A3.3
    questions = json_block(page, "quiz-data")
    asked = " ".join(question["question"] for question in questions)
    for topic in ("extract", "story", "randomness"):
        assert topic in asked
    for question in questions:
        assert sum(is_right for _, is_right, _ in question["answers"]) == 1
        assert all(text and len(why) > 20 for text, _, why in question["answers"])


def test_the_page_asks_for_a_key_where_one_is_needed(page: str) -> None:
    assert '<p id="key-row" hidden>' in page
    assert "headers.Authorization = `Bearer ${" in page
