"""Servers for the tests of this package: one with a tiny real model, one with a model that follows a script."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from fastapi import FastAPI
from openai import OpenAI

from guided.server import create_app
from guided.server.state import ServerState
from tests.guided.tiny_model import WALKING_CHAT_TEMPLATE, make_tiny_model
from tests.server.live_server import serving, wait_until
from tests.server.scripted_llm import ScriptedLLM
from tests.server.wire import SMALL_LIMITS


@pytest.fixture(scope="session")
def tiny_app(tiny_model_folder: Path) -> FastAPI:
    """The application behind `tiny_server`."""
    from guided.llm import LLM

    return create_app(LLM(str(tiny_model_folder)), served_model_name="tiny")


@pytest.fixture(scope="session")
def tiny_server(tiny_app: FastAPI) -> Iterator[str]:
    """Base URL of a server with the tiny model, served as "tiny"."""
    with serving(tiny_app) as url:
        yield url


@pytest.fixture(scope="session")
def schema_http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A plain HTTP client of a tiny model whose chat template walks through the response schema, served as "tiny"."""
    from guided.llm import LLM

    folder = make_tiny_model(tmp_path_factory.mktemp("schema_model"), chat_template=WALKING_CHAT_TEMPLATE)
    app = create_app(LLM(str(folder)), served_model_name="tiny")
    with serving(app) as url, httpx.Client(base_url=url, timeout=60) as client:
        yield client


@pytest.fixture(scope="session")
def tiny_http(tiny_server: str) -> Iterator[httpx.Client]:
    """A plain HTTP client of the tiny server."""
    with httpx.Client(base_url=tiny_server, timeout=60) as client:
        yield client


@pytest.fixture(scope="session")
def openai_client(tiny_server: str) -> Iterator[OpenAI]:
    """The official client, on the tiny server; no retries, so that each error shows."""
    with OpenAI(base_url=f"{tiny_server}/v1", api_key="unused", max_retries=0) as client:
        yield client


@pytest.fixture(scope="session")
def scripted_server() -> Iterator[tuple[FastAPI, httpx.Client]]:
    """A server with the scripted model and small limits, and a plain HTTP client of it."""
    llm: Any = ScriptedLLM()
    app = create_app(llm, settings=SMALL_LIMITS)
    with serving(app) as url, httpx.Client(base_url=url, timeout=60) as client:
        yield app, client


@pytest.fixture
def state(scripted_server: tuple[FastAPI, httpx.Client]) -> ServerState:
    """What the endpoints behind `http` share."""
    found: ServerState = scripted_server[0].state.server
    return found


@pytest.fixture
def scripted(state: ServerState) -> ScriptedLLM:
    """The model behind `http`, as new; no request is in flight."""
    wait_until(lambda: state.models.are_loaded and not state.admission.num_in_flight)
    llm: Any = state.models.first.llm
    llm.reset()
    return cast(ScriptedLLM, llm)


@pytest.fixture
def http(scripted: ScriptedLLM, scripted_server: tuple[FastAPI, httpx.Client]) -> httpx.Client:
    """A plain HTTP client of a server with the scripted model."""
    return scripted_server[1]
