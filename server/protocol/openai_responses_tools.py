"""`tools` and `tool_choice` of OpenAI's responses, as a `ToolUse`.

Functions are as in chats. Those of a namespace are shown to the model under both names, joined, and a call tells the
two apart again. A web search would be the other side's work, and this server has none: the answer says that it was not
offered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from guided.tools import ToolUse
from guided.tools.definitions import Choice, ToolChoice

from .constraints import RequestPart
from .tool_use import SchemaPart, kind_of_choice, named_choice, read_tool_use

BETWEEN = "__"  # the name of a namespace and that of a function in it
SEARCH = "web_search"  # what the types of web searches begin with
PLAIN_TYPES = ("function", "namespace")


class FunctionTool(SchemaPart):
    """A function, whose fields are here, not one level below."""

    type: Literal["function"]
    name: str
    description: str | None = None
    parameters: dict[str, Any] | None = None
    strict: bool | None = None


class NamespaceTool(RequestPart):
    """Functions under one name."""

    type: Literal["namespace"]
    name: str
    description: str | None = None
    tools: list[FunctionTool]


class WebSearchTool(RequestPart):
    """A search that the other side is to do."""

    type: str


def _kind(tool: Any) -> str:
    kind = tool.get("type") if isinstance(tool, dict) else None
    if not isinstance(kind, str):
        return ""
    return f"{kind} tool" if kind in PLAIN_TYPES else "search tool" if kind.startswith(SEARCH) else kind


ResponseTool = Annotated[
    Annotated[FunctionTool, Tag("function tool")]
    | Annotated[NamespaceTool, Tag("namespace tool")]
    | Annotated[WebSearchTool, Tag("search tool")],
    Discriminator(
        _kind,
        custom_error_type="unknown_type",
        custom_error_message="must be of a supported type: 'function', 'namespace' or 'web_search'",
    ),
]


class NamedFunction(RequestPart):
    """A `tool_choice` that names the function to call."""

    type: Literal["function"]
    name: str


class AllowedFunctions(RequestPart):
    """A `tool_choice` that names the functions that may be called."""

    type: Literal["allowed_tools"]
    mode: Literal["auto", "required"]
    tools: Annotated[list[NamedFunction], Field(min_length=1)]


ResponseToolChoice = Annotated[
    Annotated[Choice, Tag("word")]
    | Annotated[NamedFunction, Tag("named tool")]
    | Annotated[AllowedFunctions, Tag("allowed tools")],
    Discriminator(kind_of_choice),
]


@dataclass(frozen=True)
class ResponseTools:
    """The tools of a request.

    use: what the model may call; None: nothing. namespaces: name that the model knows -> namespace and name of a
    function in one. places: "tools[i]" as errors about `use` call a tool -> its place in the request. ignored: places
    of what is not offered or not shown.
    """

    use: ToolUse | None
    namespaces: Mapping[str, tuple[str, str]]
    places: Mapping[str, str]
    ignored: tuple[str, ...]


def joined_name(namespace: str, name: str) -> str:
    """What the model knows a function of a namespace by."""
    return namespace + ("" if namespace.endswith(BETWEEN) else BETWEEN) + name


def read_response_tools(
    tools: Sequence[FunctionTool | NamespaceTool | WebSearchTool],
    choice: Choice | NamedFunction | AllowedFunctions | None,
    *,
    parallel: bool,
    repeat: bool | None,
) -> ResponseTools:
    """The tools of a request. Raises InvalidRequestError."""
    functions = list(_functions(tools))
    places = [place for place, _, _ in functions]
    use = read_tool_use(
        [function.model_copy(update={"name": _known_as(namespace, function)}) for _, namespace, function in functions],
        _chat_choice(choice),
        parallel=parallel,
        repeat=repeat,
        places=places,
    )
    return ResponseTools(
        use,
        {_known_as(space, one): (space.name, one.name) for _, space, one in functions if space is not None},
        {f"tools[{index}]": place for index, place in enumerate(places)},
        tuple(_ignored(tools)),
    )


def _functions(tools: Sequence[Any]) -> Iterator[tuple[str, NamespaceTool | None, FunctionTool]]:
    """All functions with their places in the request and their namespaces."""
    for index, tool in enumerate(tools):
        if isinstance(tool, FunctionTool):
            yield f"tools[{index}]", None, tool
        elif isinstance(tool, NamespaceTool):
            yield from ((f"tools[{index}].tools[{inner}]", tool, one) for inner, one in enumerate(tool.tools))


def _known_as(namespace: NamespaceTool | None, function: FunctionTool) -> str:
    return function.name if namespace is None else joined_name(namespace.name, function.name)


def _ignored(tools: Sequence[Any]) -> Iterator[str]:
    for index, tool in enumerate(tools):
        if isinstance(tool, WebSearchTool):
            yield f"tools[{index}]"
        elif isinstance(tool, NamespaceTool) and tool.description:
            yield f"tools[{index}].description"


def _chat_choice(choice: Choice | NamedFunction | AllowedFunctions | None) -> ToolChoice | None:
    """The same in the form of chats."""
    if isinstance(choice, NamedFunction):
        return named_choice(choice.name)
    if isinstance(choice, AllowedFunctions):
        allowed = {"mode": choice.mode, "tools": [named_choice(tool.name) for tool in choice.tools]}
        return {"type": "allowed_tools", "allowed_tools": allowed}
    return choice
