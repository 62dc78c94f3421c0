"""The workbench as it is served: its files, its policy, its size, and what it tells of grammars and examples."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from guided.grammars import library
from guided.grammars.json_schema.keyword_table import KEYWORDS
from guided.params.conversions import PRESETS
from guided.schemas.python_types import to_json_schema

MAX_BYTES = 1_500_000
ROOT = Path(__file__).parents[2]
STATIC = ROOT / "server/pages/workbench/static"
FILES = {str(file.relative_to(STATIC)): file for file in STATIC.rglob("*") if file.is_file()}
SOURCES = {name: file.read_text() for name, file in FILES.items() if not name.startswith("vendor/")}
SCRIPTS = {name: text for name, text in SOURCES.items() if name.endswith(".js")}


@pytest.fixture(scope="module")
def page(tiny_http: httpx.Client) -> httpx.Response:
    return tiny_http.get("/workbench")


@pytest.fixture(scope="module")
def data(tiny_http: httpx.Client) -> dict[str, Any]:
    answer: dict[str, Any] = tiny_http.get("/workbench/data.json").json()
    return answer


def test_the_page_is_html_with_a_strict_policy(page: httpx.Response) -> None:
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    policy = dict(part.strip().partition(" ")[::2] for part in page.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["require-trusted-types-for"] == "'script'"
    assert "unsafe" not in page.headers["content-security-policy"]


def test_nothing_is_inline_and_nothing_is_from_elsewhere(page: httpx.Response) -> None:
    assert not re.search(r"\sstyle=|<style|\son\w+=|<script(?![^>]*\bsrc=)", page.text)
    for name, text in SOURCES.items():
        assert not re.search(r"(?:src|href)=\"(?:https?:)?//|@import|\burl\((?!data:)", text), name
    for name, text in SCRIPTS.items():
        for imported in re.findall(r'(?:from|import) "([^"]+)"', text):
            assert imported.removeprefix("./") in FILES, f"{name} imports {imported}"


def test_nothing_that_somebody_writes_can_become_html() -> None:
    for name, text in SCRIPTS.items():
        found = re.findall(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|DOMParser", text
        )
        assert found == [], name


def test_every_element_that_a_script_asks_for_is_in_the_page(page: httpx.Response) -> None:
    ids = re.findall(r'\bid="([^"]+)"', page.text)
    assert len(ids) == len(set(ids))
    for name, text in SCRIPTS.items():
        asked = set(re.findall(r'byId\("([^"]+)"\)', text))
        assert asked <= set(ids), f"{name} asks for {asked - set(ids)}"
    referred = re.findall(r'(?:aria-labelledby|aria-controls|for)="([^"]+)"', page.text)
    assert set(referred) <= set(ids)


def test_every_input_has_a_label(page: httpx.Response) -> None:
    for tag, attributes in re.findall(r"<(input|select|textarea)\b([^>]*)>", page.text):
        name = re.search(r'\bid="([^"]+)"', attributes)
        assert name is not None
        is_inside = re.search(rf'<label[^>]*>[^<]*<{tag}[^>]*id="{name[1]}"', page.text)
        assert "aria-label" in attributes or f'for="{name[1]}"' in page.text or is_inside, name[1]


def test_its_size(tiny_http: httpx.Client, page: httpx.Response) -> None:
    told = len(tiny_http.get("/workbench/data.json").content)
    assert sum(file.stat().st_size for file in FILES.values()) + told <= MAX_BYTES


def test_files_are_known_by_their_tags(tiny_http: httpx.Client) -> None:
    first = tiny_http.get("/workbench/main.js")
    assert first.headers["content-type"] == "text/javascript; charset=utf-8"
    again = tiny_http.get("/workbench/main.js", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ["nothing.js", "..%2froutes.py", "vendor/../../routes.py", "vendor", "examples.json"])
def test_other_files_are_not_there(tiny_http: httpx.Client, path: str) -> None:
    assert tiny_http.get(f"/workbench/{path}").status_code == 404


def test_licences_are_beside_what_is_others(tiny_http: httpx.Client) -> None:
    text = tiny_http.get("/workbench/vendor/LICENSES.txt").text
    lock = json.loads((ROOT / "server/pages/workbench/bundle/package-lock.json").read_text())
    for name in ("@codemirror/view", "@lezer/common"):
        version = lock["packages"][f"node_modules/{name}"]["version"]
        assert f"{name} {version} (" in text


def test_the_playground_leads_here(tiny_http: httpx.Client) -> None:
    response = tiny_http.get("/playground")
    assert (response.status_code, response.headers["location"]) == (307, "workbench#tab=sampling")


def test_keywords_are_those_of_the_table(data: dict[str, Any]) -> None:
    told = {one["name"]: one for one in data["keywords"]}
    assert {one.name for one in KEYWORDS} <= set(told)
    for one in told.values():
        json.loads(one["value"])
    assert told["properties"]["shape"] == "map"
    assert told["items"]["shape"] == "one"
    assert (told["minLength"]["about"], told["minLength"]["value"]) == ("string", "1")
    assert told["exclusiveMinimum"]["value"] == "0"
    assert "date-time" in data["formats"]
    assert data["presets"] == {name: dict(fields) for name, fields in PRESETS.items()}


def test_examples_are_the_demos_types_and_the_ready_grammars(data: dict[str, Any]) -> None:
    from examples import models

    settings = {one["name"]: one["settings"] for one in data["examples"]}
    for name in ("Person", "Order", "Invoice", "Event"):
        assert json.loads(settings[name]["source"]) == to_json_schema(getattr(models, name))
    for name in library.names():
        one = settings[name.replace("_", " ")]
        assert (one["kind"], one["source"], one.get("dialect")) == (
            library.get(name).kind,
            library.get(name).source,
            library.get(name).dialect,
        )


def test_examples_compile_or_say_why_not(tiny_http: httpx.Client, data: dict[str, Any]) -> None:
    for one in data["examples"]:
        settings = one["settings"]
        if settings["kind"] == "none":
            continue
        source = settings["source"].split("\n") if settings["kind"] == "choice" else settings["source"]
        body = {settings["kind"]: source, **({"dialect": settings["dialect"]} if settings.get("dialect") else {})}
        if "x-quote" in settings["source"]:
            body["sources"] = {"text": settings["prompt"]}
        status = tiny_http.post("/v1/grammar/check", json=body).status_code
        assert status == (400 if one["group"] == "Refused, and why" else 200), one["name"]


def test_teaching_text(page: httpx.Response) -> None:  # A3.3
    headings = re.findall(r"<h3>(.*?)</h3>", page.text)
    assert headings == ["Softmax", "The mask", "Temperature", "Top-k against top-p", "Three myths"]
    myths = page.text.partition("<h3>Three myths</h3>")[2].partition("</ol>")[0]
    first, second, third = myths.split("<li>")[1:]
    assert "device" in first
    assert "computed together" in first
    assert "more intelligent" in second
    assert "top-k" in third
    greedy = page.text.partition("<p>Greedy suits")[2].partition("</p>")[0]
    assert "fails" in greedy


def test_sliders(page: httpx.Response) -> None:  # A3.3
    found = dict(re.findall(r'<input type="range" id="(\w+)" (min="\S+" max="\S+")', page.text))
    assert found == {
        "temperature": 'min="0" max="2"',
        "top_k": 'min="0" max="100"',
        "top_p": 'min="0" max="1"',
        "min_p": 'min="0" max="1"',
    }
