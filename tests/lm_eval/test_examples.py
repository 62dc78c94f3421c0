"""The commands in examples/lm_eval/README.md, run against `guided serve`, print what stands below them."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from guided.llm import LLM
from guided.server import create_app
from tests.guides import SERVED_AT, Guide
from tests.server.live_server import serving

from .conftest import LM_EVAL

README = Guide("../examples/lm_eval/README.md")
COMMAND_AND_TABLE = re.compile(r"^```sh\n(lm_eval .*?)^```\n\n^```text\n(.*?)^```$", re.S | re.M)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A server with the model in the package."""
    with serving(create_app(LLM(), served_model_name="embedded")) as found:
        yield found


@pytest.fixture(scope="module")
def runs(url: str, tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str, Path]]:
    """Of each command: what the guide says that it prints, what it prints, and a folder with its samples."""
    assert LM_EVAL is not None
    found = []
    environment = {**os.environ, "HF_HOME": str(tmp_path_factory.mktemp("hf")), "HF_HUB_OFFLINE": "1"}
    for command, table in COMMAND_AND_TABLE.findall(README.text):
        folder = tmp_path_factory.mktemp("samples")
        _, *arguments = shlex.split(command.replace("\\\n", " ").replace(SERVED_AT, url))
        line = [str(Path(LM_EVAL).absolute()), *arguments, "--log_samples", "--output_path", str(folder)]
        ended = subprocess.run(
            line, cwd=README.path.parent, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        assert ended.returncode == 0, ended.stderr[-5000:]
        found.append((table, ended.stdout, folder))
    return found


def test_tables(runs: list[tuple[str, str, Path]]) -> None:
    assert len(runs) == 2
    for table, printed, _ in runs:
        assert table in printed, printed


def test_log_likelihoods_are_the_models(url: str, runs: list[tuple[str, str, Path]]) -> None:
    """What the harness takes for the probability of a choice is what the server says of it when asked for that."""
    (samples,) = runs[1][2].rglob("samples_order_status_*.jsonl")
    for line in samples.read_text(encoding="utf-8").splitlines():
        sample = json.loads(line)
        pairs = [(one["arg_0"], one["arg_1"]) for one in sample["arguments"].values()]
        asked = {"prompt": pairs[0][0], "choices": [choice for _, choice in pairs]}
        answer = httpx.post(f"{url}/v1/score", json=asked, timeout=60).json()
        found = [float(response[0][0]) for response in sample["resps"]]
        assert found == pytest.approx([choice["logprob"] for choice in answer["choices"]], abs=1e-2)
