"""Tools of an MCP server in chats: schemas go into the request as listed, calls go back as they are."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from enum import Enum
from typing import Annotated, Any, Literal

import jsonschema
import pytest
from openai import OpenAI
from pydantic import BaseModel, Field

mcp = pytest.importorskip("mcp", reason="needs the extra mcp")


class Unit(Enum):
    CELSIUS = "c"
    FAHRENHEIT = "f"


class Place(BaseModel):
    """A nested parameter, which stands under $defs."""

    name: str = Field(pattern="^[a-z]{1,8}$")
    inner: Place | None = None


def forecast(place: Place) -> str:
    """Nested."""
    return place.name


def convert(unit: Unit, days: Annotated[int, Field(ge=1, le=9)] | None = None) -> str:
    """An enum, and a parameter that may be null."""
    return f"{unit.value} {days}"


def search(key: bool | Annotated[str, Field(max_length=6)], order: Literal["up", "down"] = "up") -> str:
    """A union."""
    return f"{key} {order}"


def note(value: Any, untyped: list) -> str:  # type: ignore[type-arg]
    """Without types."""
    return f"{value} {untyped}"


FUNCTIONS: list[Callable[..., str]] = [forecast, convert, search, note]


def with_client(work: Callable[[Any], Any]) -> Any:
    """What `work` gives for a client of a server with the functions as tools."""

    async def run() -> Any:
        server = mcp.server.MCPServer("test", log_level="WARNING")
        for function in FUNCTIONS:
            server.add_tool(function)
        async with mcp.Client(server) as client:
            return await work(client)

    return asyncio.run(run())


def test_calls_fit_the_schemas_of_the_tools_and_run(openai_client: OpenAI) -> None:
    for tool in with_client(lambda client: client.list_tools()).tools:
        asked: Any = {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
        options: Any = {"model": "tiny", "messages": [{"role": "user", "content": "Go."}], "tool_choice": "required"}
        answer = openai_client.chat.completions.create(
            **options, tools=[{"type": "function", "function": asked}], parallel_tool_calls=False, n=4, seed=3
        )
        calls = [one.message.tool_calls[0] for one in answer.choices if one.finish_reason == "tool_calls"]  # type: ignore[index]
        assert calls
        for call in calls:
            arguments = json.loads(call.function.arguments)  # type: ignore[union-attr]
            jsonschema.validate(arguments, tool.input_schema)
            result = with_client(lambda client, name=tool.name, given=arguments: client.call_tool(name, given))
            assert not result.is_error, (arguments, result.content)
