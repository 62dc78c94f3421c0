"""Errors as Anthropic writes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import WireError

ERROR_TYPES: Mapping[int, str] = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    503: "overloaded_error",
    504: "timeout_error",
}


def error_object(error: WireError) -> dict[str, Any]:
    """The `error` of a body or an event. param and code, which Anthropic has not, say the same as in OpenAI's."""
    default = "invalid_request_error" if error.status < 500 else "api_error"
    kind = ERROR_TYPES.get(error.status, default)
    return {"type": kind, "message": error.message, "param": error.param, "code": error.code}


def error_body(error: WireError, request_id: str) -> dict[str, Any]:
    """The body of a response that says only what went wrong."""
    return {"type": "error", "error": error_object(error), "request_id": request_id}
