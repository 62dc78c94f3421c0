"""`tools` and `tool_choice` of OpenAI's responses, as a `ToolUse`.

Functions and custom tools work as in chat completions. A namespace's tool is shown to the model under both names,
joined; a call splits them again. Other types of tools are executed by OpenAI's servers or need a format of call that is
not supported. Such tools are not offered to the model, and the answer lists them as ignored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Tag

from guided.tools import ToolUse
from guided.tools.definitions import ToolChoice

from .constraints import RequestPart
from .tool_use import CustomDefinition, FunctionDefinition, kind_of_tool, read_tool_use

BETWEEN = "__"  # joins the name of a namespace and that of its tool
PLAIN_TYPES = ("function", "custom", "namespace")
NOT_OFFERED = (
    "web_search",
    "tool_search",
    "file_search",
    "code_interpreter",
    "image_generation",
    "computer",
    "mcp",
    "local_shell",
    "shell",
    "apply_patch",
    "programmatic_tool_calling",
)
"""Beginnings of the types of tools that are not offered to the model."""


class FlatFunctionTool(FunctionDefinition):
    """A function, with its fields at this level, not one level below."""

    type: Literal["function"]


class FlatCustomTool(CustomDefinition):
    """A custom tool, with its fields at this level."""

    type: Literal["custom"]


OwnTool = Annotated[
    Annotated[FlatFunctionTool, Tag("function tool")] | Annotated[FlatCustomTool, Tag("custom tool")],
    Discriminator(kind_of_tool),
]


class NamespaceTool(RequestPart):
    """Functions and custom tools under one name."""

    type: Literal["namespace"]
    name: str
    description: str | None = None
    tools: list[OwnTool]


class OtherTool(RequestPart):
    """A tool that is not offered to the model."""

    type: str


def _kind(tool: Any) -> str:
    kind = tool.get("type") if isinstance(tool, dict) else None
    if not isinstance(kind, str):
        return ""
    return f"{kind} tool" if kind in PLAIN_TYPES else "other tool" if kind.startswith(NOT_OFFERED) else kind


ResponseTool = Annotated[
    Annotated[FlatFunctionTool, Tag("function tool")]
    | Annotated[FlatCustomTool, Tag("custom tool")]
    | Annotated[NamespaceTool, Tag("namespace tool")]
    | Annotated[OtherTool, Tag("other tool")],
    Discriminator(
        _kind,
        custom_error_type="unknown_type",
        custom_error_message="must be of a supported type: 'function', 'custom' or 'namespace'",
    ),
]


@dataclass(frozen=True)
class ResponseTools:
    """The tools of a request.

    use: the tools that the model may call; None without tools.
    namespaces: joined name that the model knows -> namespace and tool name.
    places: path "tools[i]" in errors about `use` -> path in the request.
    ignored: paths of tools that are not offered and descriptions that are not shown.
    """

    use: ToolUse | None
    namespaces: Mapping[str, tuple[str, str]]
    places: Mapping[str, str]
    ignored: tuple[str, ...]


def joined_name(namespace: str, name: str) -> str:
    """The model's name for a namespace's tool."""
    return namespace + ("" if namespace.endswith(BETWEEN) else BETWEEN) + name


def read_response_tools(
    tools: Mapping[str, FlatFunctionTool | FlatCustomTool | NamespaceTool | OtherTool],
    choice: ToolChoice | None,
    *,
    parallel: bool,
    repeat: bool | None,
) -> ResponseTools:
    """Read the tools of a request, given by their paths. Raises InvalidRequestError."""
    own = list(_own_tools(tools))
    definitions = {
        place: tool.model_dump(exclude_none=True) | {"name": _known_as(namespace, tool)}
        for place, namespace, tool in own
    }
    use = read_tool_use(definitions, choice, parallel=parallel, repeat=repeat)
    return ResponseTools(
        use,
        {_known_as(space, one): (space.name, one.name) for _, space, one in own if space is not None},
        {f"tools[{index}]": place for index, place in enumerate(definitions)},
        tuple(_ignored(tools)),
    )


def _own_tools(
    tools: Mapping[str, Any],
) -> Iterator[tuple[str, NamespaceTool | None, FlatFunctionTool | FlatCustomTool]]:
    """All functions and custom tools, with their paths in the request and their namespaces."""
    for place, tool in tools.items():
        if isinstance(tool, FlatFunctionTool | FlatCustomTool):
            yield place, None, tool
        elif isinstance(tool, NamespaceTool):
            yield from ((f"{place}.tools[{inner}]", tool, one) for inner, one in enumerate(tool.tools))


def _known_as(namespace: NamespaceTool | None, tool: FlatFunctionTool | FlatCustomTool) -> str:
    return tool.name if namespace is None else joined_name(namespace.name, tool.name)


def _ignored(tools: Mapping[str, Any]) -> Iterator[str]:
    for place, tool in tools.items():
        if isinstance(tool, OtherTool):
            yield place
        elif isinstance(tool, NamespaceTool) and tool.description:
            yield f"{place}.description"
