"""Reads `tools` and `tool_choice` of OpenAI's formats into a `ToolUse`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, model_validator
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

    syntax: Literal["lark", "regex"]
    definition: str


class TextFormat(ClosedPart):
    """The `format` of a custom tool: any text, or text of a grammar."""

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
    """Tag of a tool, a choice or a call for discriminated unions. Tags differ from all field names."""
    kind = tool.get("type") if isinstance(tool, dict) else getattr(tool, "type", None)
    return "custom tool" if kind == "custom" else "function tool"


AnyTool = Annotated[
    Annotated[FunctionTool, Tag("function tool")] | Annotated[CustomTool, Tag("custom tool")],
    Discriminator(kind_of_tool),
]


class ToolName(RequestPart):
    """A tool's name."""

    name: str


class NamedFunction(RequestPart):
    """A `tool_choice` that names the function to call."""

    type: Literal["function"]
    function: ToolName


class NamedCustom(RequestPart):
    """A `tool_choice` that names the custom tool to call."""

    type: Literal["custom"]
    custom: ToolName


NamedTool = Annotated[
    Annotated[NamedFunction, Tag("function tool")] | Annotated[NamedCustom, Tag("custom tool")],
    Discriminator(kind_of_tool),
]


class AllowedTools(RequestPart):
    """The tools that may be called."""

    mode: Literal["auto", "required"]
    tools: Annotated[list[NamedTool], Field(min_length=1)]


class AllowedToolsChoice(RequestPart):
    """A `tool_choice` that lists the tools that may be called. The model still sees the others."""

    type: Literal["allowed_tools"]
    allowed_tools: AllowedTools


def kind_of_choice(choice: Any) -> str:
    """Tag of a `tool_choice` for discriminated unions. Tags differ from all field names."""
    is_allowed = isinstance(choice, dict) and choice.get("type") == "allowed_tools"
    return "word" if isinstance(choice, str) else "allowed tools" if is_allowed else kind_of_tool(choice)


AnyToolChoice = Annotated[
    Annotated[Choice, Tag("word")]
    | Annotated[NamedFunction, Tag("function tool")]
    | Annotated[NamedCustom, Tag("custom tool")]
    | Annotated[AllowedToolsChoice, Tag("allowed tools")],
    Discriminator(kind_of_choice),
]


def named_choice(name: str, kind: Literal["function", "custom"] = "function") -> dict[str, Any]:
    """The choice of one tool, in the format of chat completions."""
    return {"type": kind, kind: {"name": name}}


def read_tool_use(
    definitions: Sequence[RequestPart],
    choice: ToolChoice | NamedFunction | NamedCustom | AllowedToolsChoice | None,
    *,
    parallel: bool,
    repeat: bool | None = None,
    places: Sequence[str] | None = None,
) -> ToolUse | None:
    """The tools of a request; None if it has none.

    definitions: instances of `CustomDefinition`, or with the fields of `FunctionDefinition`.
    choice: the request's tool choice; None means "auto".
    parallel: one answer may make several calls.
    repeat: one answer may make the same call twice; None means False.
    places: path of each definition; None: positions in `tools`.
    Raises InvalidRequestError.
    """
    if not definitions and choice not in (None, "auto", "none"):
        raise InvalidRequestError("tool_choice needs tools", "tool_choice")
    tool_choice = choice.model_dump() if isinstance(choice, RequestPart) else choice
    parts = [_part_of(definition) for definition in definitions]
    try:
        use = ToolUse.of(parts, tool_choice, parallel, repeat)
    except RequestFieldError as error:
        found = places or [f"tools[{index}]" for index in range(len(parts))]
        names = {f"tools[{index}]": place for index, place in enumerate(found)}
        name = names.get(error.param, error.param)
        raise InvalidRequestError(name + str(error).removeprefix(error.param), name) from None
    return use if definitions else None


def _part_of(definition: RequestPart) -> dict[str, Any]:
    """A tool in the format of chat completions."""
    kind = "custom" if isinstance(definition, CustomDefinition) else "function"
    return {"type": kind, kind: definition.model_dump(exclude={"type"}, exclude_none=True)}
