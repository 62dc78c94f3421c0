"""Several models by name: each loaded once, each request answered by the one it names (A1.1)."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from openai import OpenAI

from guided.grammars.errors import InvalidInputError
from guided.llm import LLM
from guided.server import create_app
from guided.server.model import ModelHolder
from guided.tools.support import find_support
from tests.guided.tools import templates
from tests.server.live_server import serving, wait_until
from tests.server.scripted_llm import ScriptedLLM

MESSAGES = [{"role": "user", "content": "Hi"}]
PATHS: dict[str, dict[str, Any]] = {
    "/v1/chat/completions": {"messages": MESSAGES, "max_tokens": 2},
    "/v1/completions": {"prompt": "the first", "max_tokens": 2},
    "/v1/responses": {"input": "Hi", "max_output_tokens": 16},
    "/v1/messages": {"messages": MESSAGES, "max_tokens": 2},
    "/v1/messages/count_tokens": {"messages": MESSAGES},
    "/v1/score": {"prompt": "the first", "choices": ["of", "and"]},
    "/v1/grammar/check": {"regex": "[a-z]{3}"},
    "/v1/grammar/match": {"regex": "[a-z]{3}", "text": "ab"},
    "/v1/grammar/sample": {"regex": "[a-z]{3}", "num": 1},
    "/v1/tokenize": {"prompt": "the first"},
    "/v1/detokenize": {"tokens": [40, 41]},
}


class Loader:
    """Gives a tiny model, and counts how often it was asked for it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.models: list[LLM] = []

    def __call__(self) -> LLM:
        self.models.append(LLM(str(self.folder)))
        return self.models[-1]

    @property
    def total_requests(self) -> int:
        """Outputs that its model ever began."""
        (llm,) = self.models
        return llm.get_stats().total_requests


@pytest.fixture(scope="module")
def loaders(tiny_model_folder: Path) -> dict[str, Loader]:
    """The models by name; the first one answers where a request names none."""
    return {name: Loader(tiny_model_folder) for name in ("first", "second")}


@pytest.fixture(scope="module")
def two(loaders: dict[str, Loader]) -> Iterator[httpx.Client]:
    """A client of a server with both."""
    app = create_app(loaders["first"], served_model_name="first", more_models={"second": loaders["second"]})
    with serving(app) as url, httpx.Client(base_url=url, timeout=60) as client:
        wait_until(lambda: bool(client.get("/health").json()["model_loaded"]))
        yield client
    assert [len(loader.models) for loader in loaders.values()] == [1, 1], "each is loaded once"


def totals(loaders: dict[str, Loader]) -> list[int]:
    return [loader.total_requests for loader in loaders.values()]


@pytest.mark.parametrize("path", [path for path in PATHS if "max" in str(PATHS[path]) or path == "/v1/score"])
@pytest.mark.parametrize(("model", "expected"), [("first", 0), ("second", 1), (None, 0)])
def test_the_named_model_answers(
    two: httpx.Client, loaders: dict[str, Loader], path: str, model: str | None, expected: int
) -> None:
    before = totals(loaders)
    answer = two.post(path, json={"model": model} | PATHS[path])
    if path == "/v1/messages" and model is None:  # null is no name in this format; leaving it out is
        answer = two.post(path, json=PATHS[path])
    assert answer.status_code == 200, answer.text
    assert answer.json()["model"] == ("first", "second")[expected]
    grown = [now - then for now, then in zip(totals(loaders), before, strict=True)]
    assert grown[expected] >= 1
    assert grown[1 - expected] == 0


@pytest.mark.parametrize("path", PATHS)
def test_every_endpoint_knows_both_and_no_third(two: httpx.Client, path: str) -> None:
    for model in ("first", "second"):
        assert two.post(path, json={"model": model} | PATHS[path]).status_code == 200
    answer = two.post(path, json={"model": "third"} | PATHS[path])
    assert answer.status_code == 404
    assert "this server serves 'first' and 'second'" in answer.text


def test_streams_name_their_model(two: httpx.Client) -> None:
    with OpenAI(base_url=f"{two.base_url}/v1", api_key="unused", max_retries=0) as client:
        messages: Any = MESSAGES
        for model in ("second", "first"):
            stream = client.chat.completions.create(model=model, messages=messages, max_tokens=2, stream=True)
            assert {chunk.model for chunk in stream} == {model}


def test_models_are_listed(two: httpx.Client) -> None:
    assert [model["id"] for model in two.get("/v1/models").json()["data"]] == ["first", "second"]
    assert two.get("/v1/models/second").json()["id"] == "second"
    assert two.get("/v1/models/third").status_code == 404
    page = two.get("/v1/models", headers={"anthropic-version": "2023-06-01"}).json()
    assert (page["first_id"], page["last_id"]) == ("first", "second")
    assert two.get("/tokenizer_info", params={"model": "second"}).status_code == 200
    assert two.get("/tokenizer_info", params={"model": "third"}).status_code == 404
    assert two.get("/").json()["models"] == ["first", "second"]
    schemas = two.get("/openapi.json").json()["components"]["schemas"]
    assert schemas["GrammarCheckRequest"]["properties"]["model"]["enum"] == ["first", "second", None]


def test_figures_are_of_both(two: httpx.Client, loaders: dict[str, Loader]) -> None:
    for model in ("first", "second"):
        two.post("/v1/completions", json={"model": model, "prompt": "the first", "max_tokens": 2})
    stats = two.get("/stats").json()
    each = [stats["models"][name] for name in ("first", "second")]
    assert [one["total_requests"] for one in each] == totals(loaders)
    assert stats["total_requests"] == sum(totals(loaders))
    assert stats["tokens_generated"] == sum(one["tokens_generated"] for one in each)
    assert stats["engine"]["num_pages"] == sum(one["num_pages"] for one in each)
    line = next(line for line in two.get("/metrics").text.splitlines() if line.startswith("guided_generated_tokens_to"))
    assert float(line.split()[1]) == stats["tokens_generated"]


def test_one_model_under_two_names() -> None:
    llm: Any = ScriptedLLM()
    with serving(create_app(llm, more_models={"alias": llm})) as url, httpx.Client(base_url=url) as client:
        wait_until(lambda: bool(client.get("/health").json()["model_loaded"]))
        for name in ("scripted", "alias"):
            answer = client.post("/v1/chat/completions", json={"model": name, "messages": MESSAGES})
            assert answer.json()["model"] == name
        outputs = [line for line in client.get("/metrics").text.splitlines() if line.startswith("guided_running_outp")]
        assert len(outputs) == 1
        assert client.get("/stats").json()["models"].keys() == {"scripted", "alias"}


def test_one_is_there_before_the_other() -> None:
    may_load = threading.Event()

    def load() -> Any:
        assert may_load.wait(30)
        return ScriptedLLM()

    first: Any = ScriptedLLM()
    with serving(create_app(first, more_models={"late": load})) as url, httpx.Client(base_url=url) as client:
        wait_until(lambda: client.get("/v1/models").status_code == 200)

        def status(model: str) -> int:
            return client.post("/v1/chat/completions", json={"model": model, "messages": MESSAGES}).status_code

        assert [status(model) for model in ("scripted", "late", "other")] == [200, 503, 404]
        assert [model["id"] for model in client.get("/v1/models").json()["data"]] == ["scripted"]
        assert client.get("/health").json() == {"status": "loading", "model_loaded": False}
        may_load.set()
        wait_until(lambda: bool(client.get("/health").json()["model_loaded"]))
        assert status("late") == 200


def test_names_are_unique() -> None:
    llm: Any = ScriptedLLM()
    with pytest.raises(InvalidInputError, match="two models have the name 'a'"):
        create_app(llm, served_model_name="a", more_models={"a": llm})
    with pytest.raises(InvalidInputError, match="must not be empty"):
        create_app(llm, more_models={" ": llm})
    failures: list[Exception | None] = []
    with serving(create_app(llm, more_models={"scripted": llm}, on_loaded=failures.append)) as url:
        wait_until(lambda: bool(failures))
        assert "two models have the name 'scripted'" in str(failures[0])
        assert httpx.get(f"{url}/stats").status_code == 503


def test_the_log_says_whose_calls_a_template_writes(caplog: pytest.LogCaptureFixture) -> None:
    for template, level in ((templates.MISTRAL, logging.INFO), ("{{ messages[0].content }}", logging.WARNING)):
        llm: Any = ScriptedLLM()
        llm.tool_support = find_support(template)
        with caplog.at_level(logging.INFO, "guided.server"):
            ModelHolder(lambda: llm, is_owned=False).load(lambda _: None)  # noqa: B023 - called at once
        assert (caplog.records[-1].levelno, llm.tool_support.note in caplog.records[-1].message) == (level, True)
