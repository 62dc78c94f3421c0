"""The `SamplingParams` of a request, in any wire format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from guided.errors import RequestFieldError
from guided.grammars.errors import InvalidInputError
from guided.output.stopping import Stops
from guided.params.conversions import from_openai
from guided.params.sampling_params import SamplingParams

from .constraints import Constraint


def read_params(
    fields: Mapping[str, Any], constraint: Constraint | None, others: Mapping[str, Any] | None = None
) -> SamplingParams:
    """The params of a request's fields.

    fields: with the names of `guided.params.conversions.from_openai`. others: further arguments of `SamplingParams`.
    Raises RequestFieldError with the field that is wrong, by the name that chats have for it.
    """
    arguments = {**(others or {}), **({} if constraint is None else constraint.arguments)}
    params = from_openai(fields, arguments)
    try:
        Stops(params)
    except InvalidInputError as error:
        raise RequestFieldError(str(error), "stop_regex") from None
    return params
