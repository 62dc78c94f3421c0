"""`tools` and `tool_choice` of OpenAI's formats as a `ToolUse`."""

from __future__ import annotations

from typing import Any, Literal

from guided.errors import RequestFieldError
from guided.tools import ToolUse
from guided.tools.definitions import Choice

from ..errors import InvalidRequestError
from .constraints import RequestPart


class FunctionDefinition(RequestPart):
    """A function. `strict` is read and changes nothing: the arguments of every call fit the schema."""

    name: str
    description: str | None = None
    parameters: dict[str, Any] | None = None
    strict: bool | None = None


class FunctionTool(RequestPart):
    """One of `tools`."""

    type: Literal["function"]
    function: FunctionDefinition


class FunctionName(RequestPart):
    """A function by its name."""

    name: str


class NamedToolChoice(RequestPart):
    """A `tool_choice` that names the function to call."""

    type: Literal["function"]
    function: FunctionName


def read_tool_use(
    definitions: list[FunctionDefinition],
    choice: Choice | None,
    only: str | None,
    *,
    parallel: bool,
    tools_param: str = "tools",
    choice_param: str = "tool_choice",
) -> ToolUse | None:
    """The tools of a request; None without any.

    choice: None is "auto". only: the one function that must be called. tools_param, choice_param: their fields' names.
    Raises InvalidRequestError.
    """
    if not definitions and (only is not None or choice == "required"):
        raise InvalidRequestError(f"{choice_param} needs {tools_param}", choice_param)
    named = None if only is None else {"type": "function", "function": {"name": only}}
    parts = [{"type": "function", "function": definition.model_dump()} for definition in definitions]
    try:
        use = ToolUse.of(parts, named or choice, parallel)
    except RequestFieldError as error:
        names = {"tools": tools_param, "tool_choice": choice_param}
        field, bracket, index = error.param.partition("[")
        message = str(error).replace(field, names[field], 1)  # which begins with it
        raise InvalidRequestError(message, f"{names[field]}{bracket}{index}") from None
    return use if definitions else None
