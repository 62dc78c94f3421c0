"""The OpenAPI document: complete, sound, on a page of its own, and right enough to fuzz the server from it.

A longer run of the fuzzer, 1,000 invalid requests and more, against a server that is there:

    st run http://127.0.0.1:8000/openapi.json --checks not_a_server_error --mode negative --phases fuzzing \
        --max-examples 100 -H 'x-request-timeout: 60'
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest

from guided.params.conversions import OPENAI_FIELDS
from guided.server.pages.routes import describe_type
from guided.server.protocol.registry import FORMATS
from guided.server.protocol.sampling import sampling_schemas
from tests.server.wire import CHAT_URL, chat_body

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
NUM_EXAMPLES = 3  # an operation


@pytest.fixture(scope="module")
def document(tiny_http: httpx.Client) -> dict[str, Any]:
    found: dict[str, Any] = tiny_http.get("/openapi.json").json()
    return found


def request_schema(document: dict[str, Any], path: str) -> dict[str, Any]:
    """With the shapes that it refers to."""
    reference = document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
    return {**reference, "components": document["components"]}


def test_every_route_is_there(document: dict[str, Any], scripted_server: Any) -> None:
    assert document["openapi"].startswith("3.1")
    described = {re.sub(r":path", "", path) for path in paths_of(scripted_server[0])} - {"/openapi.json"}
    assert described == {*document["paths"]}


def paths_of(app: Any) -> set[str]:
    """All paths that a document could have, with those of included routers."""
    found = set()
    for route in app.routes:
        if hasattr(route, "effective_candidates"):
            found |= {one.path for one in route.effective_candidates()}
        elif hasattr(route, "path"):
            found.add(route.path)
    return found


def test_every_post_has_its_request(document: dict[str, Any]) -> None:
    posts = {path for path, operations in document["paths"].items() if "post" in operations}
    for path in posts:
        schema = request_schema(document, path)
        assert schema["components"]["schemas"][schema["$ref"].rpartition("/")[2]]["properties"]
    assert {*FORMATS} <= posts


def test_references_lead_somewhere(document: dict[str, Any]) -> None:
    found = set(re.findall(r"'\$ref': '#/components/schemas/([^']+)'", str(document)))
    assert found <= {*document["components"]["schemas"]}
    assert "422" not in str(document["paths"])


def test_every_sampling_field_is_described(document: dict[str, Any]) -> None:
    assert {*sampling_schemas()} == {*OPENAI_FIELDS}
    schema = request_schema(document, CHAT_URL)
    name = schema["$ref"].rpartition("/")[2]
    assert {*sampling_schemas()} <= {*schema["components"]["schemas"][name]["properties"]}


@pytest.mark.parametrize(
    "fields",
    [
        {"temperature": 2.5},
        {"top_p": "1"},
        {"n": 0},
        {"max_tokens": 0},
        {"seed": -(2**63) - 1},
        {"logit_bias": {"a": 1}},
        {"logit_bias": {"5": 101}},
        {"stop": [""]},
        {"bad_words": [[]]},
        {"allowed_token_ids": []},
        {"logprobs_mode": "cooked"},
        {"messages": []},
        {"messages": None},
        {"model": "other"},
        {"thinking_budget": -1},
    ],
    ids=str,
)
def test_the_document_refuses_what_the_server_refuses(
    document: dict[str, Any], tiny_http: httpx.Client, fields: dict[str, Any]
) -> None:
    body = chat_body(model="tiny", max_tokens=1) | fields
    assert tiny_http.post(CHAT_URL, json=body).status_code in (400, 404)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(body, request_schema(document, CHAT_URL), jsonschema.Draft202012Validator)


@pytest.mark.parametrize(
    "fields",
    [
        {"temperature": 0},
        {"top_k": None},
        {"stop": "a"},
        {"logit_bias": {"5": -100}},
        {"bad_words": ["a", [5]]},
        {"logit_processors": [{"name": "top_n_sigma"}]},
        {"anything": [1]},
        {"stream": True, "stream_options": {"include_usage": True}},
    ],
    ids=str,
)
def test_the_document_takes_what_the_server_takes(
    document: dict[str, Any], tiny_http: httpx.Client, fields: dict[str, Any]
) -> None:
    body = chat_body(model="tiny", max_tokens=1) | fields
    response = tiny_http.post(CHAT_URL, json=body)
    assert response.status_code == 200, response.text
    jsonschema.validate(body, request_schema(document, CHAT_URL), jsonschema.Draft202012Validator)


def test_the_page_shows_it_and_needs_nothing_from_elsewhere(tiny_http: httpx.Client, document: dict[str, Any]) -> None:
    response = tiny_http.get("/docs")
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in response.headers["content-security-policy"]
    page = response.text
    assert not re.search(r"https?://|\bsrc=|<link|<script|@import", page)
    for path in document["paths"]:
        assert f"<code>{path}</code>" in page
    for name in ("logit_bias", "response_format", "tool_choice", "max_prompt_len"):
        assert (f"<code>{name}</code>" in page) is (name != "max_prompt_len")


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({}, "any value"),
        ({"$ref": "#/components/schemas/ChatMessage"}, "ChatMessage"),
        ({"type": "integer", "minimum": 0, "maximum": 20}, "integer, 0 to 20"),
        ({"type": "number", "exclusiveMinimum": 0}, "number, at least 0"),
        ({"type": "array", "items": {"type": "string"}}, "list of string"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string or null"),
        ({"enum": ["a", None]}, "'a', None"),
        ({"type": ["string", "null"]}, "string or null"),
    ],
)
def test_types_in_words(schema: dict[str, Any], text: str) -> None:
    assert describe_type(schema) == text


def test_fuzzing_from_the_document_finds_no_server_error(tiny_server: str, tmp_path: Path) -> None:
    """A4.8, B21: whatever is sent, the answer is one that the document names, and never a 500."""
    command = [
        str(Path(sys.executable).with_name("st")),
        *("run", f"{tiny_server}/openapi.json", "--checks", CHECKS, "--mode", "all", "--phases", "fuzzing"),
        *("--max-examples", str(NUM_EXAMPLES), "--seed", "1", "-H", "x-request-timeout: 60", "--no-color"),
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-5000:]
    number = re.search(r"(\d+) generated, \1 passed", done.stdout)
    assert number is not None
    assert int(number[1]) >= 50
