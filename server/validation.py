"""Validates a request with pydantic, and reports its errors as one `InvalidRequestError` with the wrong field's
path.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from guided.params.checks import shown

from .errors import InvalidRequestError

RequestModel = TypeVar("RequestModel", bound=BaseModel)
Path = tuple[str | int, ...]
LONG_AND_SHORT = (
    ("Input should be ", "must be "),
    ("String should ", "must "),
    ("List should ", "must "),
    ("Value should ", "must "),
)


def validate(model: type[RequestModel], body: dict[str, Any]) -> RequestModel:
    """Read `body` as an instance of `model`.

    Raises InvalidRequestError for the deepest wrong place; of several, for the first.
    """
    try:
        return model.model_validate(body)
    except ValidationError as error:
        raise _invalid_request(error.errors(include_url=False), body) from None


def format_path(path: Path) -> str:
    """A path as text: ("messages", 0, "content") becomes "messages[0].content"."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def _invalid_request(errors: Sequence[ErrorDetails], body: dict[str, Any]) -> InvalidRequestError:
    paths = [_path_in(body, error) for error in errors]
    worst = max(paths, key=len)
    reasons = [_reason(error) for error, path in zip(errors, paths, strict=True) if path == worst]
    param = format_path(worst)
    return InvalidRequestError(f"{param} {' or '.join(dict.fromkeys(reasons))}", param=param or None)


def _path_in(body: Any, error: ErrorDetails) -> Path:
    """The part of the error's location that exists in the body. The other steps are names of union branches."""
    path: list[str | int] = []
    value = body
    for step in error["loc"]:
        if _holds(value, step):
            value = value[step]
        elif not (error["type"] == "missing" and step == error["loc"][-1]):
            continue
        path.append(step)
    return tuple(path)


def _holds(value: Any, step: str | int) -> bool:
    return step in value if isinstance(value, dict) else isinstance(value, list) and isinstance(step, int)


def _reason(error: ErrorDetails) -> str:
    if error["type"] == "missing":
        return "is required"
    if error["type"] == "extra_forbidden":
        return "is no field that is known here; leave it out"
    message = error["msg"].replace(" after validation", "")
    for long, short in LONG_AND_SHORT:
        if message.startswith(long):
            message = short + message.removeprefix(long)
    value = error["input"]
    if error["type"] == "unknown_type" and isinstance(value, dict):
        value = value.get("type")
    is_small = value is None or isinstance(value, str | int | float)
    return f"{message}, not {shown(value)}" if is_small and not error["type"].startswith("refused") else message
