"""`guided.server.run` as a process: where it listens, how it stops, what it says when it can't start."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from guided.grammars.errors import InvalidInputError
from guided.server import ServerSettings, create_app, run
from guided.server.serve import listen
from tests.server.live_server import wait_until
from tests.server.scripted_llm import ScriptedLLM
from tests.server.wire import CHAT_URL, chat_body, sse_events

ROOT = Path(__file__).parents[2]
SERVE = """
import sys
from guided.server import ServerSettings, run
from guided.server.access import AccessKeys
from tests.server.scripted_llm import ScriptedLLM
assert "torch" not in sys.modules, "guided.server must not load torch"
keys = AccessKeys(admin_key="sk-root-12345")
run(ScriptedLLM(), port=0, shutdown_timeout_s=5, settings=ServerSettings(keys=keys))
print("stopped")
"""
SERVE_SLOWLY = """
import sys, threading, time
from guided.server import run
from tests.server.scripted_llm import ScriptedLLM
llm = ScriptedLLM()
llm.texts = ["x"] * 100
llm.steps = threading.Semaphore(1)
def step():
    while True:
        time.sleep(0.01)
        llm.steps.release()
threading.Thread(target=step, daemon=True).start()
run(llm, port=int(sys.argv[1]))
"""
CAN_NOT_LOAD = """
from guided.errors import ModelNotFoundError
from guided.server import run
def load():
    raise ModelNotFoundError("no such model")
try:
    run(load, port=0)
except ModelNotFoundError as error:
    print("raised", error)
"""


@contextmanager
def process(code: str, port: int = 0) -> Iterator[subprocess.Popen[str]]:
    """A Python process that ends with the block. port: its argument; 0 for a free one."""
    command = [sys.executable, "-W", "error", "-c", code, str(port)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdout=pipe, stderr=pipe, text=True) as child:
        try:
            yield child
        finally:
            child.kill()


def url_of(child: subprocess.Popen[str]) -> str:
    """Where it serves, read from its log; it answers then."""
    assert child.stderr is not None
    log = ""
    while (found := re.search(r"Serving on (http://127\.0\.0\.1:\d+)", log)) is None:
        line = child.stderr.readline()
        assert line, f"the server did not start: {log}"
        log += line
    wait_until(lambda: bool(httpx.get(f"{found[1]}/health", timeout=60).json()["model_loaded"]))
    return found[1]


def output_of(child: subprocess.Popen[str]) -> tuple[str, str]:
    """What an ending process wrote and `url_of` has not read; `communicate` would lose what the pipe's buffer holds."""
    assert child.stdout is not None
    assert child.stderr is not None
    child.wait(60)
    return child.stdout.read(), child.stderr.read()


def test_serves_until_interrupted() -> None:
    with process(SERVE) as child, httpx.Client(base_url=url_of(child), timeout=60) as http:
        assert http.post(CHAT_URL, json=chat_body()).status_code == 200
        assert http.post(CHAT_URL, json=chat_body(), headers={"host": "rebound.example"}).status_code == 421
        child.send_signal(signal.SIGINT)
        out, err = output_of(child)
    assert (child.returncode, out.splitlines()[-1]) == (0, "stopped")
    assert "WARNING only an admin key is set: everybody may use the models; --api-key-file closes them" in err
    assert "Traceback" not in err


def test_killed_and_started_again_on_its_port() -> None:
    """kill -9 in the middle of a stream: its client sees a broken connection, and the next server takes the port."""
    port = 0
    for _ in range(2):
        with process(SERVE_SLOWLY, port) as child, httpx.Client(base_url=url_of(child), timeout=60) as http:
            port = http.base_url.port or 0
            with http.stream("POST", CHAT_URL, json=chat_body(stream=True)) as response:
                lines = response.iter_lines()
                assert any("x" in line for line in lines)
                child.kill()
                with pytest.raises(httpx.RemoteProtocolError):
                    list(lines)
            assert child.wait(60) == -signal.SIGKILL


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_lets_a_stream_end(number: signal.Signals) -> None:
    with process(SERVE_SLOWLY) as child, httpx.Client(base_url=url_of(child), timeout=60) as http:
        with http.stream("POST", CHAT_URL, json=chat_body(stream=True)) as response:
            child.send_signal(number)
            assert sse_events(response.read().decode())[-1] == "[DONE]"
        _, err = output_of(child)
    assert child.returncode == 0
    assert "1 requests in flight" in err


def test_a_model_that_can_not_be_loaded_ends_it() -> None:
    with process(CAN_NOT_LOAD) as child:
        out, err = child.communicate(timeout=60)
    assert out == "raised no such model\n"
    assert "Traceback" not in err


def test_port_in_use() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InvalidInputError, match=rf"can't listen on 127.0.0.1:{port}: .*choose another"):
            listen("127.0.0.1", port)


@pytest.mark.parametrize(
    ("host", "port"), [("256.0.0.1", 8000), ("127.0.0.1", 99_999), ("127.0.0.1", -1), ("a" * 70, 0)]
)
def test_no_such_address(host: str, port: int) -> None:
    with pytest.raises(InvalidInputError, match="can't listen on"):
        listen(host, port)


def test_wrong_options() -> None:
    llm = ScriptedLLM()
    with pytest.raises(InvalidInputError, match="served_model_name must not be empty"):
        create_app(llm, served_model_name=" ")  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match="log_level must be one of"):
        run(llm, log_level="loud")  # type: ignore[arg-type]
    for value in (0, -1, True, 1.5):
        with pytest.raises(InvalidInputError, match="max_body_bytes must be an integer >= 1"):
            ServerSettings(max_body_bytes=value)  # type: ignore[arg-type]
