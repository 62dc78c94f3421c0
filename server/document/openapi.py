"""The OpenAPI document: FastAPI's, with the request bodies, errors, headers and keys that it can't see.

Bodies are read by this server's own code, so that errors are one sentence with the wrong field's path; what they look
like is known from the models that this code checks them with.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from guided import __version__

from ..endpoints.grammars import GrammarCheckRequest
from ..endpoints.processors import RegisterProcessorRequest
from ..endpoints.score import ScoreRequest
from ..endpoints.tokens import DetokenizeRequest, TokenizeRequest
from ..generation import TIMEOUT_HEADER
from ..playground.distribution import DistributionRequest
from ..protocol.base import openai_error_body
from ..protocol.registry import EXTRA_REQUEST_MODELS, FORMATS, wire_format_of
from .sampling_fields import with_sampling_fields

REFERENCE = "#/components/schemas/{model}"
OPEN_PATHS = ("/", "/health", "/playground", "/docs", "/openapi.json")
OWN_REQUESTS: dict[str, type[BaseModel]] = {
    "/tokenize": TokenizeRequest,
    "/v1/tokenize": TokenizeRequest,
    "/detokenize": DetokenizeRequest,
    "/v1/detokenize": DetokenizeRequest,
    "/v1/score": ScoreRequest,
    "/v1/grammar/check": GrammarCheckRequest,
    "/v1/logit_processors": RegisterProcessorRequest,
    "/playground/distribution": DistributionRequest,
}
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


def request_models() -> dict[str, type[BaseModel]]:
    """Path -> the shape of what is posted there."""
    formats = {path: wire_format.request_model for path, wire_format in FORMATS.items()}
    return {**formats, **EXTRA_REQUEST_MODELS, **OWN_REQUESTS}


def openapi_document(app: FastAPI, model_names: Sequence[str]) -> dict[str, Any]:
    """The document of an application. model_names: those that requests may give; none while they are not known."""
    document = get_openapi(title="guided", version=__version__, description=app.description, routes=app.routes)
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    references = _add_models(schemas)
    if model_names:
        _name_models(schemas, references, model_names)
    schemas["Error"] = ERROR_SCHEMA
    document["components"]["securitySchemes"] = {
        "bearer": {"type": "http", "scheme": "bearer"},
        "x-api-key": {"type": "apiKey", "in": "header", "name": "x-api-key"},
    }
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            _complete(path, method, operation, references)
    return document


def _add_models(schemas: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Put the request models and what formats answer among the schemas; path -> reference to its request's."""
    models = request_models()
    answers = {path: one.response_model for path, one in FORMATS.items() if one.response_model is not None}
    inputs: list[tuple[type[BaseModel], Any]] = [(model, "validation") for model in {*models.values()}]
    outputs: list[tuple[type[BaseModel], Any]] = [(model, "serialization") for model in {*answers.values()}]
    references, definitions = models_json_schema(inputs + outputs, ref_template=REFERENCE)
    schemas.update(definitions["$defs"])
    for path, wire_format in FORMATS.items():
        if wire_format.has_sampling_fields:
            name = references[models[path], "validation"]["$ref"].rpartition("/")[2]
            schemas[name] = with_sampling_fields(schemas[name])
    return {
        **{path: references[model, "validation"] for path, model in models.items()},
        **{f"{path} answer": references[model, "serialization"] for path, model in answers.items()},
    }


def _name_models(schemas: dict[str, Any], references: dict[str, dict[str, Any]], names: Sequence[str]) -> None:
    for path in request_models():
        properties = schemas[references[path]["$ref"].rpartition("/")[2]]["properties"]
        if "model" in properties:
            is_optional = "anyOf" in properties["model"]
            properties["model"] = {"enum": [*names, *([None] if is_optional else [])], "examples": [*names]}


def _complete(path: str, method: str, operation: dict[str, Any], references: dict[str, dict[str, Any]]) -> None:
    responses = operation["responses"]
    responses.pop("422", None)  # FastAPI's own; wrong requests get a 400 here
    statuses = ["400", "500"]
    if path not in OPEN_PATHS:
        operation["security"] = [{}, {"bearer": []}, {"x-api-key": []}]
        statuses += ["401", "403", "404", "503"]
    operation.setdefault("parameters", []).append(REQUEST_ID)
    if method == "post":
        statuses += ["408", "413", "429", "504"]
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": references[path]}}}
        operation["parameters"].append(TIMEOUT)
    if path in FORMATS:
        answer = references.get(f"{path} answer", {})
        responses["200"] = {
            "description": "The answer, or with stream=true its pieces as server-sent events.",
            "content": {
                "application/json": {"schema": answer},
                "text/event-stream": {"schema": {"type": "string"}},
            },
        }
    has_own_errors = wire_format_of(path).error_body is not openai_error_body
    for status in sorted(set(statuses)):
        schema = {"type": "object"} if has_own_errors else {"$ref": REFERENCE.format(model="Error")}
        responses[status] = {"description": ERRORS[status], "content": {"application/json": {"schema": schema}}}
