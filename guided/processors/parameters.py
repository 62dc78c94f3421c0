"""Checks a request's parameters against a processor's dataclass or Pydantic model.

Values are read strictly, as JSON: a string is no number and a bool no integer, but a list may stand for a tuple. Types
contain the ranges: `threshold: Annotated[float, Field(ge=0, le=1)]`.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from guided.grammars.errors import InvalidInputError

from ..params.checks import shown
from .errors import ProcessorParamsError

if TYPE_CHECKING:
    from guided.grammars.vocabulary import Vocabulary


def check_params_type(params_type: type[Any]) -> None:
    """Raise InvalidInputError for a class that is neither a dataclass nor a Pydantic model."""
    from pydantic import BaseModel

    if not dataclasses.is_dataclass(params_type) and not issubclass(params_type, BaseModel):
        raise InvalidInputError(f"params_type must be a dataclass or a Pydantic model, not {params_type.__name__}")


def read_params(name: str, params_type: type[Any] | None, values: Any, vocabulary: Vocabulary | None = None) -> Any:
    """The parameters of one request: an object of params_type, or a plain dict if that is None.

    name: the processor's name, for errors.
    values: a mapping, an object of params_type, or None for no parameters.
    vocabulary: the model's vocabulary, for checking token ids.
    params_type may have a class variable `other_names`: {alternative name in requests: field}.
    Raises ProcessorParamsError, which names the processor, the field, the value and the allowed values.
    """
    values = _as_mapping(name, params_type, values)
    if params_type is None:
        return values
    known = _field_names(params_type)
    values = _with_own_names(name, getattr(params_type, "other_names", {}), values)
    for field in values:
        if field not in known:
            raise ProcessorParamsError(f"{name}: unknown parameter {field!r}; known: {', '.join(known) or 'none'}")
    return _validate(name, params_type, values, vocabulary)


def params_values(params: Any) -> Mapping[str, Any]:
    """The parameters by name: a mapping unchanged, or the fields of a dataclass or Pydantic model."""
    if isinstance(params, Mapping):
        return params
    return {name: getattr(params, name) for name in _field_names(type(params))}


def _with_own_names(name: str, other_names: Mapping[str, str], values: dict[str, Any]) -> dict[str, Any]:
    for other, field in other_names.items():
        if other in values and field in values:
            raise ProcessorParamsError(f"{name}: {field} and {other} exclude each other; give {field}")
    return {other_names.get(key, key): value for key, value in values.items()}


def _as_mapping(name: str, params_type: type[Any] | None, values: Any) -> dict[str, Any]:
    if values is None:
        return {}
    if params_type is not None and isinstance(values, params_type):
        return dict(values.model_dump()) if hasattr(values, "model_dump") else dict(params_values(values))
    if not isinstance(values, Mapping) or not all(isinstance(key, str) for key in values):
        raise ProcessorParamsError(f"{name}: parameters must be a dict with strings as keys, not {shown(values)}")
    return dict(values)


def _validate(name: str, params_type: type[Any], values: dict[str, Any], vocabulary: Vocabulary | None) -> Any:
    from pydantic import ValidationError
    from pydantic.errors import PydanticUserError

    try:
        text = json.dumps(values, default=_plain)
    except (TypeError, ValueError) as error:
        raise ProcessorParamsError(f"{name}: parameters must be plain values ({error})") from error
    key: Any = params_type
    try:
        return _adapter(key).validate_json(text, strict=True, context=(name, vocabulary))
    except (PydanticUserError, NameError) as error:
        reason = str(error).splitlines()[0]
        raise ProcessorParamsError(f"{name}: the type {params_type.__name__} can't be checked: {reason}") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(map(str, first["loc"])) or "parameters"
        given = "" if first["type"] == "missing" else f", not {shown(first['input'])}"
        message = first["msg"][:1].lower() + first["msg"][1:]
        raise ProcessorParamsError(f"{name}: {field}: {message}{given}") from error


def _plain(value: Any) -> Any:
    """Convert values that json does not know: sets, and numbers and arrays of numpy and torch."""
    if isinstance(value, set | frozenset | range):
        return sorted(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is no JSON value")


def _field_names(params_type: type[Any]) -> list[str]:
    if dataclasses.is_dataclass(params_type):
        return [field.name for field in dataclasses.fields(params_type) if field.init]
    return [*params_type.model_fields]


@lru_cache(maxsize=256)
def _adapter(params_type: type[Any]) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(params_type)
