"""Agents as clients: each has five turns with a tool at a running server, none of which may end in an HTTP error.

Not part of the suite, as it needs many packages. What is not installed is skipped, with a line:

    pip install openai-agents "pydantic-ai-slim[openai,anthropic]" langgraph langchain-openai langchain-anthropic
    npm install @openai/codex @anthropic-ai/claude-code ai @ai-sdk/openai @ai-sdk/openai-compatible zod
    guided serve --model MODEL --served-model-name agents --port 8000
    python -m tests.agent_clients --base-url http://127.0.0.1:8000 --model agents --node-modules ./node_modules

The context of the model has to hold 25,000 tokens for Codex and Claude Code, whose prompts are long.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

TURNS = ("What is the weather in Oslo?", "And in Bergen?", "Which is warmer?", "And tomorrow?", "Thank you.")
AI_SDK = Path(__file__).with_name("agent_clients.mjs")


def weather(city: str) -> str:
    """The weather of a city."""
    return f"{len(city)} degrees in {city}"


def openai_agents(base_url: str, model: str) -> None:
    """OpenAI's Agents SDK, over responses and over chats."""
    from agents import (
        Agent,
        ModelSettings,
        OpenAIChatCompletionsModel,
        OpenAIResponsesModel,
        Runner,
        function_tool,
        set_tracing_disabled,
    )
    from openai import AsyncOpenAI

    set_tracing_disabled(True)
    loop = asyncio.new_event_loop()
    client = AsyncOpenAI(base_url=f"{base_url}/v1", api_key="none", max_retries=0)
    for kind in (OpenAIResponsesModel, OpenAIChatCompletionsModel):
        agent: Any = Agent(
            name="a",
            instructions="Use the tool.",
            model=kind(model, client),
            tools=[function_tool(weather)],
            model_settings=ModelSettings(tool_choice="required", max_tokens=200, temperature=0),
        )
        talk: list[Any] = []
        for turn in TURNS:
            asked = [*talk, {"role": "user", "content": turn}]
            result = _answer(lambda asked=asked, agent=agent: loop.run_until_complete(Runner.run(agent, asked)))
            talk = talk if result is None else result.to_input_list()


def pydantic_ai(base_url: str, model: str) -> None:
    """Pydantic AI, over chats, responses and Anthropic's messages."""
    from pydantic_ai import Agent
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
    from pydantic_ai.providers.anthropic import AnthropicProvider
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.usage import UsageLimits

    ours: Any = OpenAIProvider(base_url=f"{base_url}/v1", api_key="none")
    theirs: Any = AnthropicProvider(base_url=base_url, api_key="none")
    for made in (
        OpenAIChatModel(model, provider=ours),
        OpenAIResponsesModel(model, provider=ours),
        AnthropicModel(model, provider=theirs),
    ):
        agent = Agent(made, tools=[weather], output_type=[str, float], model_settings={"max_tokens": 200}, retries=9)
        history: list[Any] = []
        for turn in TURNS:
            options: Any = {"message_history": history, "usage_limits": UsageLimits(request_limit=8)}
            result = _answer(lambda agent=agent, turn=turn, options=options: agent.run_sync(turn, **options))
            history = history if result is None else result.all_messages()


def langgraph(base_url: str, model: str) -> None:
    """LangGraph's prebuilt agent, over chats, responses and Anthropic's messages."""
    from langchain_anthropic import ChatAnthropic
    from langchain_openai import ChatOpenAI
    from langgraph.prebuilt import create_react_agent

    ours: dict[str, Any] = {"model": model, "base_url": f"{base_url}/v1", "api_key": "none", "max_retries": 0}
    for llm in (
        ChatOpenAI(**ours, max_tokens=200),
        ChatOpenAI(**ours, max_tokens=200, use_responses_api=True),
        ChatAnthropic(model=model, base_url=base_url, api_key="none", max_tokens=200, max_retries=0),  # type: ignore[call-arg]
    ):
        agent = create_react_agent(llm, [weather])
        messages: list[Any] = []
        for turn in TURNS:
            asked = {"messages": [*messages, ("user", turn)]}
            result = _answer(lambda asked=asked, agent=agent: agent.invoke(asked, {"recursion_limit": 8}))
            messages = messages if result is None else result["messages"]


def _answer(ask: Callable[[], Any]) -> Any:
    """What a turn gives; None where the client can't use what the model wrote, such as a text that was cut."""
    try:
        return ask()
    except Exception as error:  # clients have classes of their own for this
        if _status(error) is not None:
            raise
        print(f"    {type(error).__name__}: {str(error)[:100]}")
        return None


def _status(error: BaseException | None) -> int | None:
    """The HTTP status that an error, or what it comes from, is about."""
    while error is not None and not isinstance(getattr(error, "status_code", None), int):
        error = error.__cause__ or error.__context__
    return None if error is None else error.status_code  # type: ignore[attr-defined, no-any-return]


def codex(base_url: str, model: str, binary: Path) -> None:
    """OpenAI's Codex, a turn of its own."""
    with tempfile.TemporaryDirectory() as folder:
        provider = f'[model_providers.here]\nname = "here"\nbase_url = "{base_url}/v1"\nwire_api = "responses"\n'
        (Path(folder) / "config.toml").write_text(f'model = "{model}"\nmodel_provider = "here"\n{provider}')
        command = [str(binary), "exec", "--skip-git-repo-check", "--sandbox", "read-only", TURNS[0]]
        _run(command, folder, {"CODEX_HOME": folder})


def claude_code(base_url: str, model: str, binary: Path) -> None:
    """Anthropic's Claude Code, a turn of its own."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {"ANTHROPIC_BASE_URL": base_url, "ANTHROPIC_API_KEY": "none", "CLAUDE_CONFIG_DIR": folder}
        limits = {"CLAUDE_CODE_MAX_OUTPUT_TOKENS": "400", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
        _run([str(binary), "-p", TURNS[0], "--model", model], folder, settings | limits)


def ai_sdk(base_url: str, model: str, modules: Path) -> None:
    """Vercel's AI SDK: an agent loop of three steps a turn, over chats and over responses."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / AI_SDK.name  # modules are looked for beside the script
        script.write_text(AI_SDK.read_text())
        (Path(folder) / "node_modules").symlink_to(modules.resolve())
        _run(["node", str(script), base_url, model, *TURNS], folder, {})


def _run(command: list[str], folder: str, variables: dict[str, str]) -> None:
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **variables}, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    said = done.stdout + done.stderr
    refused = [line for line in said.splitlines() if any(word in line for word in ("400", "500", "invalid_request"))]
    assert not refused, "\n".join(refused)
    print(f"    ended with code {done.returncode}: {said.strip().splitlines()[-1][:100] if said.strip() else ''}")


def main() -> None:
    """Runs every client that is there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base-url", default="http://127.0.0.1:8000")
    parser.add_argument("--model", required=True)
    parser.add_argument("--node-modules", type=Path)
    options = parser.parse_args()
    clients: list[tuple[Callable[..., None], tuple[Path, ...]]] = [
        (openai_agents, ()),
        (pydantic_ai, ()),
        (langgraph, ()),
    ]
    if options.node_modules is not None:
        binaries = options.node_modules / ".bin"
        clients += [
            (ai_sdk, (options.node_modules,)),
            (codex, (binaries / "codex",)),
            (claude_code, (binaries / "claude",)),
        ]
    num_failed = 0
    for client, others in clients:
        print(f"{client.__name__}:", flush=True)
        try:
            client(options.base_url.rstrip("/"), options.model, *others)
        except (ImportError, FileNotFoundError) as error:
            print(f"  skipped: {error}")
        except Exception as error:  # noqa: BLE001 - told, and counted
            num_failed += 1
            print(f"  FAILED: {type(error).__name__}: {error}")
        else:
            print("  all turns answered")
    sys.exit(num_failed > 0)


if __name__ == "__main__":
    main()
