"""Reads `tools` and `tool_choice` of OpenAI's formats into a `ToolUse`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Tag, model_validator
from pydantic_core import PydanticCustomError

from guided.errors import RequestFieldError
from guided.tools import ToolUse
from guided.tools.definitions import Choice, ToolChoice

from ..errors import InvalidRequestError
from .constraints import ClosedPart, RequestPart

OTHER_SCHEMAS = ("input_schema", "inputSchema", "schema", "json_schema", "args_schema", "parameters_json_schema")


class FunctionPart(RequestPart):
    """A part that describes a function. A schema under another system's field name is an error, since nothing would
    enforce it.
    """

    @model_validator(mode="before")
    @classmethod
    def _no_other_schema(cls, value: Any) -> Any:
        other = next((name for name in OTHER_SCHEMAS if isinstance(value, dict) and value.get(name) is not None), None)
        if other is not None:
            raise PydanticCustomError(
                "refused_field", "has a schema in {other}; its name is parameters", {"other": other}
            )
        return value


class FunctionDefinition(FunctionPart):
    """A function. The arguments of every call fit the schema, whether `strict` is set or not.

    strict: false lets objects that only list their properties have further properties.
    """

    name: str
    description: str | None = None
    parameters: dict[str, Any] | None = None
    strict: bool | None = None


class FunctionTool(RequestPart):
    """A tool in `tools`: a function."""

    type: Literal["function"]
    function: FunctionDefinition


class ToolGrammar(ClosedPart):
    """The grammar of a custom tool's text. A regex must match the whole text."""

    syntax: Literal["lark", "regex"] | None = None
    definition: str | None = None


class TextFormat(ToolGrammar):
    """The `format` of a custom tool: any text, or text of a grammar, whose fields may stand beside the type."""

    type: Literal["text", "grammar"]
    grammar: ToolGrammar | None = None


class CustomDefinition(FunctionPart):
    """A custom tool, whose calls are plain text."""

    name: str
    description: str | None = None
    format: TextFormat | None = None


class CustomTool(RequestPart):
    """A tool in `tools`: a custom tool."""

    type: Literal["custom"]
    custom: CustomDefinition


def kind_of_tool(tool: Any) -> str:
    """Tag of a tool or a call for discriminated unions. Tags differ from all field names."""
    kind = tool.get("type") if isinstance(tool, dict) else getattr(tool, "type", None)
    return "custom tool" if kind == "custom" else "function tool"


ChoiceField = Annotated[
    Annotated[Choice, Tag("word")] | Annotated[dict[str, Any], Tag("object")],
    Discriminator(lambda choice: "object" if isinstance(choice, dict) else "word"),
]
"""`tool_choice` in a request of OpenAI's formats. `ToolUse.of` checks the content of an object."""

AnyTool = Annotated[
    Annotated[FunctionTool, Tag("function tool")] | Annotated[CustomTool, Tag("custom tool")],
    Discriminator(kind_of_tool),
]


def read_tool_use(
    tools: Mapping[str, Mapping[str, Any]], choice: ToolChoice | None, *, parallel: bool, repeat: bool | None
) -> ToolUse | None:
    """The tools of a request; None if it has none.

    tools: path of a tool in the request -> the tool in one of OpenAI's formats.
    choice: the tool choice in one of OpenAI's formats, which `ToolUse.of` checks; None means "auto".
    parallel: one answer may make several calls.
    repeat: one answer may make the same call twice; None means False.
    Raises InvalidRequestError.
    """
    if not tools and choice not in (None, "auto", "none"):
        raise InvalidRequestError("tool_choice needs tools", "tool_choice")
    try:
        use = ToolUse.of(list(tools.values()), choice, parallel, repeat)
    except RequestFieldError as error:
        places = {f"tools[{index}]": place for index, place in enumerate(tools)}
        if error.param not in places:
            raise InvalidRequestError(str(error), error.param) from None
        place = places[error.param]
        raise InvalidRequestError(place + str(error).removeprefix(error.param), place) from None
    return use if tools else None
