"""The OpenAPI document: FastAPI's, completed by the errors, headers and keys that FastAPI does not know.

The server reads bodies with its own code, in threads and within its limits. Each route therefore declares its body's
schema with `posting`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from guided import __version__

from ..endpoints.base import REFERENCE
from ..protocol.base import openai_error_body
from ..protocol.registry import FORMATS, wire_format_of
from ..state import TIMEOUT_HEADER

OPEN_PATHS = (
    *("/", "/health", "/docs", "/openapi.json"),
    *("/workbench", "/workbench/data.json", "/workbench/{path}", "/playground"),
)
ERRORS = {
    "400": "The request can't be served as it is; `param` names the field.",
    "401": "A key is missing or wrong.",
    "403": "The key does not allow this.",
    "404": "No such model or path.",
    "408": "The body was not sent in time.",
    "413": "The body is too large.",
    "429": "This key has too many requests in flight; try again after `retry-after` seconds.",
    "500": "The server failed; its log says why.",
    "503": "The model is not there yet or no more, or the queue is full; try again after `retry-after` seconds.",
    "504": "The request was not done at its deadline.",
}
ERROR_SCHEMA = {
    "type": "object",
    "properties": {
        "error": {
            "type": "object",
            "properties": {
                "message": {"type": "string"},
                "type": {"type": "string"},
                "param": {"type": ["string", "null"]},
                "code": {"type": ["string", "null"]},
            },
            "required": ["message", "type"],
        }
    },
    "required": ["error"],
}
REQUEST_ID = {"name": "x-request-id", "in": "header", "required": False, "schema": {"type": "string"}}
TIMEOUT = {
    "name": TIMEOUT_HEADER,
    "in": "header",
    "required": False,
    "description": "Seconds after which the request is given up.",
    "schema": {"type": "number", "exclusiveMinimum": 0},
}


def openapi_document(app: FastAPI, model_names: Sequence[str]) -> dict[str, Any]:
    """The OpenAPI document of an application. model_names: values for requests' field `model`; empty while unknown."""
    document = get_openapi(title="guided", version=__version__, description=app.description, routes=app.routes)
    components = document["components"]
    components["schemas"]["Error"] = ERROR_SCHEMA
    components["securitySchemes"] = {
        "bearer": {"type": "http", "scheme": "bearer"},
        "x-api-key": {"type": "apiKey", "in": "header", "name": "x-api-key"},
    }
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            if method == "post":
                _refer_to_body(operation["requestBody"]["content"]["application/json"], components["schemas"])
            _complete(path, method, operation)
    if model_names:
        _name_models(components["schemas"], model_names)
    return document


def _refer_to_body(content: dict[str, Any], schemas: dict[str, Any]) -> None:
    """Move a body's schema to the document's components and refer to it."""
    schema = dict(content["schema"])
    schemas.update(schema.pop("$defs", {}))
    schemas[schema["title"]] = schema
    content["schema"] = {"$ref": REFERENCE.format(model=schema["title"])}


def _name_models(schemas: dict[str, Any], names: Sequence[str]) -> None:
    """List the models in each request's field `model`."""
    for name, schema in schemas.items():
        if name.endswith("Request") and "model" in schema["properties"]:
            is_optional = "anyOf" in schema["properties"]["model"]
            choices = {"enum": [*names, *([None] if is_optional else [])], "examples": [*names]}
            schemas[name] = {**schema, "properties": {**schema["properties"], "model": choices}}


def _complete(path: str, method: str, operation: dict[str, Any]) -> None:
    responses = operation["responses"]
    responses.pop("422", None)  # FastAPI's own status; this server answers wrong requests with 400
    statuses = ["400", "500"]
    if path not in OPEN_PATHS:
        operation["security"] = [{}, {"bearer": []}, {"x-api-key": []}]
        statuses += ["401", "403", "404", "503"]
    operation.setdefault("parameters", []).append(REQUEST_ID)
    if method == "post":
        statuses += ["408", "413", "429", "504"]
        operation["parameters"].append(TIMEOUT)
    if path in FORMATS:
        responses["200"] = {
            "description": "The answer, or with stream=true its pieces as server-sent events.",
            "content": {
                "application/json": {"schema": {}},
                "text/event-stream": {"schema": {"type": "string"}},
            },
        }
    has_own_errors = wire_format_of(path).error_body is not openai_error_body
    for status in sorted(set(statuses)):
        schema = {"type": "object"} if has_own_errors else {"$ref": REFERENCE.format(model="Error")}
        responses[status] = {"description": ERRORS[status], "content": {"application/json": {"schema": schema}}}
