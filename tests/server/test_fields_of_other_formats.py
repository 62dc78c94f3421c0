"""What one wire format acts on, the others act on too or refuse by name: nothing is passed over in silence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx
import pytest

from guided.errors import RequestFieldError
from guided.params.conversions import from_openai
from guided.server.generation import IGNORED_HEADER
from guided.server.protocol.registry import FORMATS
from guided.server.protocol.unsupported import (
    CHAT_FIELDS,
    COMPLETION_FIELDS,
    MESSAGE_FIELDS,
    RESPONSE_FIELDS,
    SCHEMA_NAMES,
    Fields,
)

HOLDERS = ("extra_body", "sampling_params", "options", "parameters", "generation_config", "generationConfig")
REFUSED: Mapping[str, Fields] = {
    "/v1/chat/completions": CHAT_FIELDS,
    "/v1/completions": COMPLETION_FIELDS,
    "/v1/responses": RESPONSE_FIELDS,
    "/v1/messages": MESSAGE_FIELDS,
}
SAYS_NOTHING = {"user", "metadata", "stream_options"}  # about the answer; the usage is always in the other formats
BODIES: Mapping[str, dict[str, Any]] = {
    "/v1/chat/completions": {"messages": [{"role": "user", "content": "Hi"}]},
    "/v1/completions": {"prompt": "Hi"},
    "/v1/responses": {"input": "Hi"},
    "/v1/messages": {"messages": [{"role": "user", "content": "Hi"}], "max_tokens": 5},
}


def fields_of(path: str) -> set[str]:
    return {field.alias or name for name, field in FORMATS[path].request_model.model_fields.items()}


def is_sampling(name: str) -> bool:
    """`from_openai`, which all formats use, refuses an object in any field that it reads."""
    try:
        from_openai({name: object()})
    except RequestFieldError:
        return True
    return False


@pytest.mark.parametrize("path", FORMATS)
def test_each_field_is_read_or_refused(path: str) -> None:
    all_fields = set[str]().union(*map(fields_of, FORMATS))
    ignored = all_fields - fields_of(path) - set(REFUSED[path]) - SAYS_NOTHING
    assert {name for name in ignored if not is_sampling(name)} == set()


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/v1/completions", {"messages": [{"role": "user", "content": "Hi"}]}),
        ("/v1/completions", {"chat_template_kwargs": {"enable_thinking": False}}),
        ("/v1/completions", {"functions": [{"name": "f"}]}),
        ("/v1/chat/completions", {"instructions": "Be brief."}),
        ("/v1/chat/completions", {"max_output_tokens": 5}),
        ("/v1/responses", {"continue_final_message": True}),
        ("/v1/responses", {"best_of": 2}),
        ("/v1/messages", {"max_output_tokens": 3}),
        ("/v1/messages", {"parallel_tool_calls": False}),
    ],
)
def test_refused_by_name(tiny_http: httpx.Client, path: str, fields: dict[str, Any]) -> None:
    response = tiny_http.post(path, json={"model": "tiny", **BODIES[path], **fields})
    error = response.json()["error"]
    assert (response.status_code, error["param"], error["code"]) == (400, *fields, "unsupported_parameter")


@pytest.mark.parametrize("path", FORMATS)
def test_what_asks_for_nothing_is_fine(tiny_http: httpx.Client, path: str) -> None:
    nothing = {name: values[0] for name, (values, _) in REFUSED[path].items() if values}
    length = {"max_output_tokens" if path == "/v1/responses" else "max_tokens": 2}
    response = tiny_http.post(path, json={"model": "tiny", **BODIES[path], **nothing, **length})
    assert response.status_code == 200, response.text


SCHEMA = {"type": "object"}
NAMED = {"name": "a", "schema": SCHEMA}


@pytest.mark.parametrize("path", [*FORMATS, "/v1/messages/count_tokens", "/v1/grammar/check", "/v1/workbench/steps"])
def test_constraints_of_others_are_refused_everywhere(tiny_http: httpx.Client, path: str) -> None:
    """None of them is ignored, which would give free text for a schema; null asks for nothing."""
    body = {"model": "tiny", **BODIES.get(path.removesuffix("/count_tokens"), BODIES["/v1/chat/completions"])}
    fields = dict.fromkeys(
        (*SCHEMA_NAMES, *HOLDERS, "guided_schema", "guided_jsonschema", "pattern", "choices"), SCHEMA
    )
    for name, value in fields.items():
        error = tiny_http.post(path, json={**body, name: value}).json()["error"]
        assert (error["param"], error["code"]) == (name, "unsupported_parameter")
    nothing = tiny_http.post(path, json={**body, "max_tokens": 2, "regex": "a", **dict.fromkeys(fields)})
    assert nothing.status_code == 200 or path == "/v1/responses", nothing.text


@pytest.mark.parametrize(
    ("path", "fields", "param"),
    [
        (
            "/v1/chat/completions",
            {"response_format": {"type": "json_schema", "json_schema": {**NAMED, "strct": True}}},
            "response_format.json_schema.strct",
        ),
        (
            "/v1/completions",
            {"response_format": {"type": "json_schema", "json_schema": {**NAMED, "json_schema": {}}}},
            "response_format.json_schema.json_schema",
        ),
        (
            "/v1/responses",
            {"text": {"format": {"type": "json_schema", "json_schema": NAMED}}},
            "text.format.json_schema",
        ),
        ("/v1/responses", {"text": {"schema": SCHEMA}}, "text.schema"),
        (
            "/v1/messages",
            {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA, "regex": "a"}}},
            "output_config.format.regex",
        ),
        ("/v1/messages", {"output_config": {"schema": SCHEMA}}, "output_config.schema"),
        ("/v1/messages", {"output_format": {"type": "json_schema", "schema": SCHEMA, "x": 1}}, "output_format.x"),
        (
            "/v1/messages/count_tokens",
            {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA, "x": 1}}},
            "output_config.format.x",
        ),
        (
            "/v1/grammar/check",
            {"response_format": {"type": "json_schema", "json_schema": {**NAMED, "x": 1}}},
            "response_format.json_schema.x",
        ),
        (
            "/v1/chat/completions",
            {"tools": [{"type": "function", "function": {"name": "f", "input_schema": SCHEMA}}]},
            "tools[0].function",
        ),
        ("/v1/responses", {"tools": [{"type": "function", "name": "f", "inputSchema": SCHEMA}]}, "tools[0]"),
    ],
)
def test_unknown_fields_beside_a_schema_are_refused(
    tiny_http: httpx.Client, path: str, fields: dict[str, Any], param: str
) -> None:
    body = BODIES.get(path.removesuffix("/count_tokens"), {})
    response = tiny_http.post(path, json={"model": "tiny", **body, **fields})
    assert (response.status_code, response.json()["error"]["param"]) == (400, param)


def test_what_only_describes_a_schema_is_fine(tiny_http: httpx.Client) -> None:
    described = {"name": "a", "strict": None, "description": "d", "unknown": None}
    object_ = {"properties": {}, "additionalProperties": False, **SCHEMA}
    for path, fields in (
        (
            "/v1/chat/completions",
            {"response_format": {"type": "json_schema", "json_schema": {**described, "schema": object_}}},
        ),
        ("/v1/responses", {"text": {"format": {"type": "json_schema", **described, "schema": object_}}}),
        ("/v1/messages", {"output_config": {"format": {"type": "json_schema", **described, "schema": object_}}}),
    ):
        answer = tiny_http.post(path, json={"model": "tiny", **BODIES[path], **fields})
        assert answer.status_code == 200, answer.text


@pytest.mark.parametrize(
    ("path", "fields", "param", "message"),
    [
        ("/v1/messages", {"stop_sequences": ["a", ""]}, "stop_sequences", "stop_sequences[1] is empty"),
        ("/v1/responses", {"max_tokens": 5}, "max_tokens", "use max_output_tokens"),
        ("/v1/responses", {"stop": [""]}, "stop", "stop[0] is empty"),
    ],
)
def test_errors_have_the_formats_own_names(
    tiny_http: httpx.Client, path: str, fields: dict[str, Any], param: str, message: str
) -> None:
    body = BODIES[path.removesuffix("/count_tokens")]
    error = tiny_http.post(path, json={"model": "tiny", **body, **fields}).json()["error"]
    assert error["param"] == param
    assert message in error["message"]


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/v1/chat/completions", {"messages": [{"role": "user", "content": ""}]}),
        ("/v1/responses", {"input": ""}),
        ("/v1/responses", {"input": [{"role": "user", "content": []}]}),
        ("/v1/messages", {"messages": [{"role": "user", "content": ""}]}),
        ("/v1/messages/count_tokens", {"messages": [{"role": "user", "content": ""}]}),
    ],
)
def test_an_empty_message_is_no_error(tiny_http: httpx.Client, path: str, fields: dict[str, Any]) -> None:
    length = "max_output_tokens" if path == "/v1/responses" else "max_tokens"
    assert tiny_http.post(path, json={"model": "tiny", **fields, length: 2}).status_code == 200


FUNCTION = {"type": "function", "name": "f", "parameters": {"type": "object", "properties": {}}}
CLAUDE_CODE = {
    "output_config": {"effort": "medium", "task_budget": {"type": "tokens", "total": 9000}},
    "context_management": {"edits": [{"type": "clear_thinking_20251015", "keep": "all"}]},
    "thinking": {"type": "adaptive", "display": "omitted"},
    "speed": "fast",
}
CODEX = {
    "tools": [FUNCTION, {"type": "web_search", "external_web_access": False}],
    "reasoning": {"effort": "medium", "summary": "auto"},
    "text": {"verbosity": "low"},
    "include": ["reasoning.encrypted_content", "web_search_call.action.sources"],
    "prompt_cache_key": "a",
    "service_tier": "flex",
    "store": False,
}


@pytest.mark.parametrize(
    ("path", "fields", "told"),
    [
        (
            "/v1/messages",
            CLAUDE_CODE,
            "context_management, speed, output_config.task_budget, thinking.display, output_config.effort",
        ),
        (
            "/v1/messages/count_tokens",
            CLAUDE_CODE,
            "context_management, speed, output_config.task_budget, thinking.display, output_config.effort",
        ),
        (
            "/v1/responses",
            CODEX,
            "service_tier, text.verbosity, reasoning.summary, include[1], tools[1], reasoning.effort",
        ),
        (
            "/v1/chat/completions",
            {"verbosity": "high", "reasoning_effort": "low", "prediction": {"type": "content", "content": "a"}},
            "prediction, verbosity, reasoning_effort",
        ),
        ("/v1/messages", {"thinking": {"type": "enabled", "budget_tokens": 2}}, "thinking"),
        ("/v1/messages/count_tokens", {"thinking": {"type": "enabled", "budget_tokens": 2000}}, "thinking"),
        ("/v1/completions", {"service_tier": "priority", "verbosity": "medium"}, "service_tier"),
    ],
)
def test_what_changes_nothing_is_taken_and_told(
    tiny_http: httpx.Client, path: str, fields: dict[str, Any], told: str
) -> None:
    """A whole client would be kept out by a 400, and asked for no other answer."""
    body = {"model": "tiny", **BODIES[path.removesuffix("/count_tokens")], **fields}
    for options in {}, {"stream": True}:
        answer = tiny_http.post(path, json=body | options)
        assert (answer.status_code, answer.headers.get(IGNORED_HEADER)) == (200, told), answer.text
    assert IGNORED_HEADER not in tiny_http.post("/v1/completions", json=BODIES["/v1/completions"]).headers
