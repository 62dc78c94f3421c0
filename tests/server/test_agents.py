"""Requests as agents send them, rebuilt by hand: five turns with tools, none of which is refused.

What the agents themselves say to a server, `python -m tests.agent_clients` tries.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from guided.server import create_app
from tests.guided.tiny_model import make_tiny_model
from tests.server.live_server import serving

TEXT = {"type": "string"}
CODEX_HEADERS = {"originator": "codex_exec", "session-id": "s", "accept": "text/event-stream"}
CODEX_TOOLS: list[dict[str, Any]] = [
    {
        "type": "function",
        "name": "exec_command",
        "strict": False,
        "parameters": {"type": "object", "properties": {"cmd": TEXT}, "required": ["cmd"]},
    },
    {"type": "function", "name": "get_goal", "strict": False, "parameters": {"type": "object", "properties": {}}},
    {
        "type": "custom",
        "name": "apply_patch",
        "format": {"type": "grammar", "syntax": "lark", "definition": 'start: "***" /[ab]/'},
    },
    {
        "type": "namespace",
        "name": "agents",
        "description": "",
        "tools": [{"type": "function", "name": "stop", "strict": False, "parameters": {"type": "object"}}],
    },
    {"type": "web_search", "external_web_access": False},
    {"type": "local_shell"},
]
CLAUDE_HEADERS = {
    "anthropic-version": "2023-06-01",
    "anthropic-beta": "claude-code-20250219,context-management-2025-06-27,effort-2025-11-24",
    "x-api-key": "none",
    "x-app": "cli",
}
CACHED: Any = {"cache_control": {"type": "ephemeral"}}
CLAUDE_TOOLS: list[dict[str, Any]] = [
    {
        "name": "Bash",
        "description": "Runs.",
        "input_schema": {"type": "object", "properties": {"command": TEXT}, "additionalProperties": False},
    },
    {"name": "TaskList", "description": "Lists.", "input_schema": {"type": "object", "properties": {}}, **CACHED},
    {"type": "web_search_20250305", "name": "web_search", "max_uses": 8},
]


@pytest.fixture(scope="module")
def agents_http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A plain HTTP client of a tiny model with room for five turns, served as "tiny"."""
    from guided.llm import LLM

    folder = make_tiny_model(tmp_path_factory.mktemp("agents_model"), max_context_tokens=4096)
    app = create_app(LLM(str(folder)), served_model_name="tiny")
    with serving(app) as url, httpx.Client(base_url=url, timeout=60) as client:
        yield client


def codex_body(items: list[Any], choice: Any) -> dict[str, Any]:
    return {
        "model": "tiny",
        "input": items,
        "tools": CODEX_TOOLS,
        "tool_choice": choice,
        "parallel_tool_calls": True,
        "reasoning": {"effort": "medium", "summary": "auto"},
        "store": False,
        "stream": True,
        "include": ["reasoning.encrypted_content"],
        "prompt_cache_key": "s",
        "client_metadata": {"session_id": "s"},
        "max_output_tokens": 300 if isinstance(choice, dict) else 9,
        "seed": len(items),
    }


def codex_message(role: str, text: str) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "id": "msg_1", "role": role, "content": [{"type": kind, "text": text}]}


@pytest.mark.parametrize("name", ["get_goal", "apply_patch"])
def test_codex(agents_http: httpx.Client, name: str) -> None:
    """Calls, what they gave, reasoning without its text, and text; it sends back what it got."""
    items: list[Any] = [codex_message("developer", "Be brief."), codex_message("user", "Hi")]
    kind = next(tool["type"] for tool in CODEX_TOOLS if tool["name"] == name)
    for choice in ({"type": kind, "name": name}, "auto", {"type": kind, "name": name}, "none", "auto"):
        with agents_http.stream(
            "POST", "/v1/responses", json=codex_body(items, choice), headers=CODEX_HEADERS
        ) as answer:
            assert answer.status_code == 200, answer.read()
            lines = [line.removeprefix("data: ") for line in answer.iter_lines() if line.startswith("data: ")]
        assert "tools[4], tools[5]" in answer.headers["x-guided-ignored"]
        assert lines.pop() == "[DONE]"
        output = json.loads(lines[-1])["response"]["output"]
        if isinstance(choice, dict):
            assert [item["type"].removesuffix("_call") for item in output] == [kind.replace("custom", "custom_tool")]
        items += [{"type": "reasoning", "summary": [], "encrypted_content": None}, *output]
        for item in output:
            if item["type"].endswith("_call"):
                items.append({"type": f"{item['type']}_output", "call_id": item["call_id"], "output": "done"})
        items.append(codex_message("user", "Go on."))


def claude_body(messages: list[Any], choice: str) -> dict[str, Any]:
    return {
        "model": "tiny",
        "max_tokens": 100 if choice == "TaskList" else 9,
        "system": [{"type": "text", "text": "Hm."}, {"type": "text", "text": "Be brief.", **CACHED}],
        "messages": messages,
        "tools": CLAUDE_TOOLS,
        "tool_choice": {"type": "tool", "name": choice} if choice in ("TaskList", "Bash") else {"type": choice},
        "thinking": {"type": "adaptive"},
        "context_management": {"edits": [{"type": "clear_thinking_20251015", "keep": "all"}]},
        "output_config": {"effort": "high"},
        "metadata": {"user_id": "u"},
        "temperature": 1,
        "seed": len(messages),
    }


def test_claude_code(agents_http: httpx.Client) -> None:
    """Blocks as it sends them back: calls, results beside text, and a message of the system in the middle."""
    messages: list[Any] = [
        {"role": "user", "content": [{"type": "text", "text": "Hi"}]},
        {"role": "system", "content": "None."},
    ]
    for choice in ("TaskList", "auto", "TaskList", "none", "auto"):
        answer = agents_http.post("/v1/messages?beta=true", json=claude_body(messages, choice), headers=CLAUDE_HEADERS)
        assert answer.status_code == 200, answer.text
        assert "tools[2]" in answer.headers["x-guided-ignored"]
        content = answer.json()["content"]
        assert choice != "TaskList" or content[0]["name"] == "TaskList"
        results = [
            {
                "type": "tool_result",
                "tool_use_id": block["id"],
                "content": [{"type": "text", "text": "none"}],
                "is_error": True,
            }
            for block in content
            if block["type"] == "tool_use"
        ]
        said = [block for block in content if block["type"] != "text" or block["text"]]
        messages += [{"role": "assistant", "content": said or "..."}]
        messages += [{"role": "user", "content": [*results, {"type": "text", "text": "Go on.", **CACHED}]}]


def test_claude_code_asks_first_whether_somebody_is_there(agents_http: httpx.Client) -> None:
    assert agents_http.head("/").status_code == 200
    body = {"model": "tiny", "messages": [{"role": "user", "content": "Hi"}], "tools": CLAUDE_TOOLS}
    counted = agents_http.post("/v1/messages/count_tokens?beta=true", json=body, headers=CLAUDE_HEADERS)
    assert counted.json()["input_tokens"] > 0
