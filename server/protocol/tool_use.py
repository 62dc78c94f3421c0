"""`tools` and `tool_choice` of OpenAI's formats as a `ToolUse`."""

from __future__ import annotations

from typing import Any, Literal

from guided.grammars.errors import InvalidInputError
from guided.tools import Tool, ToolUse
from guided.tools.definitions import Choice

from ..errors import InvalidRequestError
from .constraints import RequestPart


class FunctionDefinition(RequestPart):
    """A function. `strict` is read and changes nothing: the arguments of every call fit the schema."""

    name: str
    description: str | None = None
    parameters: dict[str, Any] | None = None
    strict: bool | None = None

    @property
    def tool(self) -> Tool:
        """The same for the model's side."""
        return Tool(self.name, self.description, self.parameters)


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
    if not definitions:
        if only is not None or choice == "required":
            raise InvalidRequestError(f"{choice_param} needs {tools_param}", choice_param)
        return None
    tools = []
    for index, definition in enumerate(definitions):
        try:
            tools.append(definition.tool)
        except InvalidInputError as error:
            raise InvalidRequestError(f"{tools_param}[{index}]: {error}", f"{tools_param}[{index}]") from None
    try:
        return ToolUse(tuple(tools), choice or "auto", only, parallel)
    except InvalidInputError as error:
        is_choice = str(error).startswith("tool_choice")
        param = choice_param if is_choice else tools_param
        message = str(error).replace("tool_choice", choice_param) if is_choice else str(error)
        raise InvalidRequestError(message, param) from None
