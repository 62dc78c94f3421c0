"""vLLM's own HTTP server, with its engine in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest

from tests.ports import free_port

from .test_vllm_manager import PERSON

START_S = 600.0  # on a machine that does much else


@pytest.fixture(scope="module")
def server(model_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    port = free_port()
    config = json.dumps({"backend": "guided"})
    command = [
        *(sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", str(model_folder)),
        *(
            "--served-model-name",
            "tiny",
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
            "--structured-outputs-config",
            config,
        ),
        *("--enable-auto-tool-choice", "--tool-call-parser", "hermes"),
        *("--tool-strict-level", "parameter"),
        *("--enforce-eager", "--dtype", "float32", "--max-model-len", "512", "--max-num-seqs", "8", "--seed", "0"),
    ]
    environment = {**os.environ, "VLLM_ENABLE_V1_MULTIPROCESSING": "1", "GUIDED_LIMITS": '{"max_compile_seconds": 3}'}
    path = tmp_path_factory.mktemp("server") / "log"
    with path.open("wb") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT)
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=120) as client:
                wait_for(client, process, path)
                yield client
        finally:
            process.terminate()
            process.wait(timeout=60)


def wait_for(client: httpx.Client, process: subprocess.Popen[bytes], log: Path) -> None:
    end_s = time.monotonic() + START_S
    while time.monotonic() < end_s:
        if process.poll() is not None:
            pytest.fail(f"the server ended: {log.read_text()[-4000:]}")
        try:
            if client.get("/health").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.5)
    pytest.fail(f"the server did not start: {log.read_text()[-4000:]}")


def ask(server: httpx.Client, **fields: Any) -> httpx.Response:
    body = {"model": "tiny", "messages": [{"role": "user", "content": "Who?"}], "temperature": 1.0, "max_tokens": 120}
    return server.post("/v1/chat/completions", json={**body, **fields})


def schema_format(schema: Any) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}


def test_an_answer_fits_its_schema(server: httpx.Client) -> None:
    for seed in range(4):
        answer = ask(server, response_format=schema_format(PERSON), seed=seed)
        assert answer.status_code == 200, answer.text
        choice = answer.json()["choices"][0]
        jsonschema.validate(json.loads(choice["message"]["content"]), PERSON)
        assert choice["finish_reason"] in ("stop", "length")


def test_a_wrong_schema_is_a_400_that_says_where(server: httpx.Client) -> None:
    answer = ask(server, response_format=schema_format({"properties": {"a": {"type": "objekt"}}}))
    assert answer.status_code == 400
    assert "invalid JSON Schema at '/properties/a/type'" in answer.json()["error"]["message"]


def test_options_come_as_json_text(server: httpx.Client) -> None:
    schema = {"type": "array", "items": {"type": "integer"}, "minItems": 3}
    for whitespace, form in (("compact", ","), ("spaced", ", ")):
        options = json.dumps({"whitespace": whitespace, "logit_processors": [["top_n_sigma", {"n": 2.0}]]})
        answer = ask(server, response_format=schema_format(schema), vllm_xargs={"guided": options})
        assert answer.status_code == 200, answer.text
        text = answer.json()["choices"][0]["message"]["content"]
        assert text == json.dumps(json.loads(text), separators=(form, ": ")), text
    answer = ask(server, response_format=schema_format(schema), vllm_xargs={"guided": '{"stop_regex": "a"}'})
    assert answer.status_code == 400
    assert "guided.stop_regex: can't be given to vLLM's engine" in answer.json()["error"]["message"]
    answer = ask(server, vllm_xargs={"guided": '{"logit_processors": ["nonsense"]}'})
    assert answer.status_code == 400
    assert "unknown logit processor 'nonsense'" in answer.json()["error"]["message"]


def test_an_answer_has_what_was_enforced_if_its_request_asks(server: httpx.Client) -> None:
    asks = {"guided": '{"return_enforcement": true}'}
    answer = ask(server, response_format=schema_format(PERSON), vllm_xargs=asks).json()
    enforced = answer["kv_transfer_params"]["guided_enforcement"]
    assert enforced["digest"].startswith("sha256:")
    assert {"pointer": "", "keyword": "type", "enforcement": "exactly"}.items() <= enforced["report"][0].items()
    completion = {"model": "tiny", "prompt": ["a", "b"], "max_tokens": 9, "structured_outputs": {"regex": "[ab]{4}"}}
    answer = server.post("/v1/completions", json={**completion, "vllm_xargs": asks, "stop": ["ab"]}).json()
    assert answer["kv_transfer_params"]["guided_enforcement"]["kind"] == "regex", answer
    answer = ask(server, response_format=schema_format(PERSON), vllm_xargs=asks, stream=True)
    assert "guided.return_enforcement: is for answers that are not streamed" in answer.text  # its only event
    answer = ask(server, response_format=schema_format(PERSON)).json()
    assert answer["kv_transfer_params"] is None


def test_tools_that_must_be_called_are(server: httpx.Client) -> None:
    tool = {"type": "function", "function": {"name": "save", "parameters": PERSON}}
    for choice in ("required", {"type": "function", "function": {"name": "save"}}):
        answer = ask(server, tools=[tool], tool_choice=choice, max_tokens=300)
        assert answer.status_code == 200, answer.text
        for call in answer.json()["choices"][0]["message"]["tool_calls"]:
            assert call["function"]["name"] == "save"
            jsonschema.validate(json.loads(call["function"]["arguments"]), PERSON)


def test_the_server_answers_while_a_hard_grammar_is_compiled(server: httpx.Client) -> None:
    """One that takes until its limit. Meanwhile others are answered."""
    import threading

    hard = "root ::= " + " ".join(f"(a{i} | [a-z]{{0,400}})" for i in range(60)) + "\n"
    hard += "\n".join(f'a{i} ::= ("x" | "y" a{(i * 7 + 3) % 60}){{0,60}}' for i in range(60))
    answers: list[httpx.Response] = []
    thread = threading.Thread(target=lambda: answers.append(ask(server, structured_outputs={"grammar": hard})))
    thread.start()
    slowest_s = 0.0
    while thread.is_alive():
        start_s = time.monotonic()
        assert server.get("/health").status_code == 200
        slowest_s = max(slowest_s, time.monotonic() - start_s)
        time.sleep(0.02)
    thread.join()
    assert answers[0].status_code in (200, 400)
    assert slowest_s < 2.0
