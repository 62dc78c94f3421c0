"""`/v1/grammar/diagram`: the parts of a grammar's rules, and what has none."""

from __future__ import annotations

import httpx
import pytest

URL = "/v1/grammar/diagram"


def test_a_regex(tiny_http: httpx.Client) -> None:
    answer = tiny_http.post(URL, json={"regex": "ab?"}).json()
    assert answer["start"] == "regex"
    first, second = answer["rules"]["regex"]["parts"]
    assert first == {"kind": "text", "text": "a"}
    assert "b" in str(second)


def test_an_ebnf_grammar_by_vllms_name(tiny_http: httpx.Client) -> None:
    answer = tiny_http.post(URL, json={"guided_grammar": 'root ::= "a" b\nb ::= "c" | root'}).json()
    assert (answer["start"], list(answer["rules"])) == ("root", ["root", "b"])


@pytest.mark.parametrize(
    ("body", "code", "param"),
    [
        ({"json_schema": {"type": "string"}}, "unsupported_grammar", "json_schema"),
        ({"regex": "("}, "invalid_regex", "regex"),
        ({}, None, None),
    ],
)
def test_what_has_none(tiny_http: httpx.Client, body: dict[str, object], code: str | None, param: str | None) -> None:
    response = tiny_http.post(URL, json=body)
    error = response.json()["error"]
    assert (response.status_code, error["code"], error["param"]) == (400, code, param)


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"regex": "a("}, {"offset": 1, "line": 1, "column": 2}),
        ({"ebnf": "root ::= a", "dialect": "gbnf"}, {"offset": 9, "line": 1, "column": 10}),
        ({"json_schema": {"properties": {"a": {"type": "x"}}}}, {"pointer": "/properties/a/type"}),
        ({"json_schema": {"items": {"pattern": r"(a)\1"}}}, {"pointer": "/items", "keyword": "pattern"}),
        ({"structural_tag": {"type": "structural_tag", "format": {"type": "x"}}}, {"pointer": "/format/type"}),
        ({"json_schema": {"type": "integer", "minimum": 2, "maximum": 1}}, None),
    ],
)
def test_errors_say_their_place(tiny_http: httpx.Client, body: dict[str, object], place: object) -> None:
    error = tiny_http.post("/v1/grammar/check", json=body).json()["error"]
    assert error.get("place") == place
