"""`/v1/grammar/match`, `/v1/grammar/sample` and `/v1/workbench/steps` on a tiny random model."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest
from fastapi.testclient import TestClient

from guided import LLM
from guided.server.app import create_app
from guided.server.settings import ServerSettings
from tests.server.wire import sse_events

MATCH, SAMPLE, STEPS = "/v1/grammar/match", "/v1/grammar/sample", "/v1/workbench/steps"
SCHEMA = {
    "title": "Pair",
    "type": "object",
    "properties": {"left": {"enum": ["a", "bc"]}, "right": {"type": ["integer", "null"]}},
    "required": ["left", "right"],
    "additionalProperties": False,
}
WATCHED = {"prompt": "ab the", "json_schema": SCHEMA, "whitespace": "compact", "seed": 3, "max_answer_tokens": 60}


def steps_of(http: httpx.Client, **fields: Any) -> list[dict[str, Any]]:
    response = http.post(STEPS, json={**WATCHED, **fields})
    assert response.status_code == 200, response.text
    assert response.headers["content-type"].startswith("text/event-stream")
    *events, end = sse_events(response.text)
    assert end == "[DONE]"
    return [json.loads(event) for event in events]


def error_of(response: httpx.Response, status: int = 400) -> dict[str, Any]:
    assert response.status_code == status, response.text
    error: dict[str, Any] = response.json()["error"]
    return error


class TestMatch:
    def test_where_it_stops(self, tiny_http: httpx.Client) -> None:
        body = {"json_schema": SCHEMA, "whitespace": "compact", "text": '{"left":"é"}'}
        answer = tiny_http.post(MATCH, json=body).json()
        assert answer["stop"] == {"characters": 9, "bytes": 9, "line": 1, "column": 10, "found": "é"}
        assert (answer["accepted"], answer["beginning"], answer["kind"]) == (False, False, "json_schema")
        assert answer["expected"]["text"] == 'the rest of "a" or "bc"'
        assert answer["expected"]["options"] == [{"kind": "value", "text": '"a"'}, {"kind": "value", "text": '"bc"'}]
        assert answer["expected"]["examples"] == ["a", "b"]
        assert answer["place"] == {
            "document": "/left",
            "schema": "/properties/left",
            "schemas": ["/properties/left"],
        }

    def test_accepted_and_beginnings(self, tiny_http: httpx.Client) -> None:
        answer = tiny_http.post(MATCH, json={"regex": "ab+", "text": "ab"}).json()
        assert (answer["accepted"], answer["stop"], answer["expected"]["may_end"]) == (True, None, True)
        answer = tiny_http.post(MATCH, json={"regex": "ab+", "text": "a"}).json()
        assert (answer["accepted"], answer["beginning"], answer["place"]) == (False, True, None)
        assert answer["stop"]["found"] is None

    def test_rules(self, tiny_http: httpx.Client) -> None:
        body = {"ebnf": 'root ::= "(" number ")"\nnumber ::= [0-9]+', "dialect": "gbnf", "text": "(1x"}
        answer = tiny_http.post(MATCH, json=body).json()
        assert answer["place"] is None
        assert answer["expected"]["examples"][:2] == [")", "0"]

    @pytest.mark.parametrize(
        ("fields", "param"),
        [({"text": "a"}, None), ({"regex": "a"}, "text"), ({"regex": "(", "text": ""}, "regex")],
    )
    def test_wrong_requests(self, tiny_http: httpx.Client, fields: dict[str, Any], param: str | None) -> None:
        assert error_of(tiny_http.post(MATCH, json=fields))["param"] == param

    def test_limits(self, tiny_http: httpx.Client) -> None:
        error = error_of(tiny_http.post(MATCH, json={"regex": "a*", "text": "a" * 200_001}))
        assert (error["param"], "max_check_bytes" in error["message"]) == ("text", True)

    def test_patterns_that_backtrack_elsewhere(self, tiny_http: httpx.Client) -> None:
        """With Python's `re` these two requests never end, and no other request is answered."""
        patterns = {"^(a+)+$": {"type": "integer"}, "^(?:\\w+\\s?)*$": {"type": "integer"}}
        schema = {"type": "object", "patternProperties": patterns}
        for end in ('!":', '":'):
            text = '{"' + "a" * 2000 + end
            answer = tiny_http.post(MATCH, json={"json_schema": schema, "text": text}).json()
            assert answer["beginning"] is True
            assert len(answer["place"]["schemas"]) == (0 if "!" in end else 2)


class TestSample:
    def test_texts(self, tiny_http: httpx.Client) -> None:
        answer = tiny_http.post(SAMPLE, json={"json_schema": SCHEMA, "num": 5, "seed": 2}).json()
        assert (answer["kind"], answer["seed"], len(answer["texts"])) == ("json_schema", 2, 5)
        for text in answer["texts"]:
            jsonschema.validate(json.loads(text), SCHEMA)
        again = tiny_http.post(SAMPLE, json={"json_schema": SCHEMA, "num": 5, "seed": 2}).json()
        assert again["texts"] == answer["texts"]

    def test_limits(self, tiny_http: httpx.Client) -> None:
        assert error_of(tiny_http.post(SAMPLE, json={"regex": "a*", "num": 101}))["param"] == "num"
        body = {"regex": "a*", "num": 100, "max_bytes": 3000}
        assert error_of(tiny_http.post(SAMPLE, json=body))["param"] == "max_bytes"
        assert error_of(tiny_http.post(SAMPLE, json={"regex": "a*", "seed": -1}))["param"] == "seed"

    def test_time(self, tiny_model_folder: Path) -> None:
        settings = ServerSettings(max_check_seconds=0.02)
        with TestClient(create_app(LLM(str(tiny_model_folder)), settings=settings)) as client:
            error = error_of(client.post(SAMPLE, json={"json_schema": {}, "num": 100, "max_bytes": 1000}))
        assert "max_check_seconds" in error["message"]


class TestSteps:
    def test_events(self, tiny_http: httpx.Client) -> None:
        steps = steps_of(tiny_http, num_top=4)
        text = "".join(step["text"] for step in steps)
        jsonschema.validate(json.loads(text), SCHEMA)
        assert [step["index"] for step in steps] == list(range(len(steps)))
        assert {step["kind"] for step in steps} <= {"drawn", "forced"}
        first = steps[0]
        assert (first["expected"], first["may_end"]) == ("an object, Pair", False)
        assert first["place"] == {"document": "", "schema": "", "schemas": [""]}
        assert all(len(step["top_raw"]) == 4 and 1 <= len(step["top"]) <= 4 for step in steps)
        assert all(set(one) == {"token_id", "text", "prob", "allowed", "special"} for one in first["top_raw"])
        assert bytes(first["bytes"]).startswith(first["text"].encode())
        assert first["times_ms"]["compile"] >= 0
        assert all(step["times_ms"]["forward"] > 0 for step in steps)
        assert (steps[-1]["finish_reason"], steps[-1]["fits_grammar"]) == ("stop", True)

    def test_messages_and_no_grammar(self, tiny_http: httpx.Client) -> None:
        body = {"prompt": "ab", "max_tokens": 3, "ignore_eos": True, "json_schema": None, "whitespace": None}
        steps = steps_of(tiny_http, **body)
        assert [step["finish_reason"] for step in steps] == [None, None, "pause"]
        assert {step["expected"] for step in steps} == {None}

    def test_single_steps_and_forks(self, tiny_http: httpx.Client) -> None:
        whole = steps_of(tiny_http)
        written: list[int] = []
        for one in whole[:5]:
            (step,) = steps_of(tiny_http, prefix_token_ids=written, max_tokens=1)
            assert step["token_id"] == one["token_id"]
            written.append(step["token_id"])
        place, step = next((place, step) for place, step in enumerate(whole) if len(step["top"]) > 1)
        other = next(one for one in step["top"] if one["token_id"] != step["token_id"])
        prefix = [one["token_id"] for one in whole[:place]] + [other["token_id"]]
        fork = steps_of(tiny_http, prefix_token_ids=prefix)
        assert fork[-1]["fits_grammar"]

    @pytest.mark.parametrize(
        ("fields", "param"),
        [
            ({"prompt": None}, "prompt"),
            ({"messages": [{"role": "user", "content": "a"}]}, "prompt"),
            ({"prompt": ""}, "prompt"),
            ({"logprobs": True}, "logprobs"),
            ({"n": 2}, "n"),
            ({"max_tokens": 0}, "max_tokens"),
            ({"num_top": 51}, "num_top"),
            ({"prefix_token_ids": ["a"]}, "prefix_token_ids[0]"),
            ({"prefix_token_ids": [10**6]}, "prefix_token_ids"),
            ({"prefix_token_ids": [5, 5, 5]}, "prefix_token_ids"),
            ({"temperature": 3}, "temperature"),
            ({"json_schema": {"type": "strin"}}, "json_schema"),
            ({"stream_options": {}, "tools": []}, None),
        ],
    )
    def test_wrong_requests(self, tiny_http: httpx.Client, fields: dict[str, Any], param: str | None) -> None:
        response = tiny_http.post(STEPS, json={**WATCHED, **fields})
        if param is None:
            assert response.status_code == 200  # unknown fields are tolerated, as in chats
        else:
            assert error_of(response)["param"] == param

    def test_switched_off(self, tiny_model_folder: Path) -> None:
        settings = ServerSettings(watch_steps=False)
        with TestClient(create_app(LLM(str(tiny_model_folder)), settings=settings)) as client:
            error = error_of(client.post(STEPS, json=WATCHED), 404)
        assert error["code"] == "not_enabled"

    def test_keys_are_needed(self, tiny_model_folder: Path) -> None:
        from guided.server.access import AccessKeys

        settings = ServerSettings(keys=AccessKeys({"ann": "sk-secret-0"}))
        with TestClient(create_app(LLM(str(tiny_model_folder)), settings=settings)) as client:
            for path in (MATCH, SAMPLE, STEPS):
                error_of(client.post(path, json={}), 401)

    def test_as_many_at_once_as_allowed(self, tiny_model_folder: Path) -> None:
        """A stream that is left gives its place back."""
        settings = ServerSettings(max_watched_requests=1)
        with TestClient(create_app(LLM(str(tiny_model_folder)), settings=settings)) as client:
            state = client.app.state.server  # type: ignore[attr-defined]
            leave = state.watching.enter(None)
            error = error_of(client.post(STEPS, json=WATCHED), 503)
            assert re.search("1 answers are being watched already", error["message"])
            leave()
            for _ in range(3):
                assert client.post(STEPS, json={**WATCHED, "max_tokens": 2}).status_code == 200
            error_of(client.post(STEPS, json={**WATCHED, "prefix_token_ids": [5, 5]}), 400)
            assert client.post(STEPS, json={**WATCHED, "max_tokens": 2}).status_code == 200
