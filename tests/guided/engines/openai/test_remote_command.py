"""`guided extract --base-url`: the command, at another server."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from guided.cli.main import main
from tests.guided.engines.openai.fake_endpoint import FakeEndpoint, stream_of, text

SCHEMA = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("schema.json").write_text(json.dumps(SCHEMA))
    Path("letter.txt").write_text("Ada Holm lives in Oslo.\n\n" * 5)


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(["extract", "letter.txt", "--schema", "schema.json", *arguments])
    return int(left.value.code or 0)


def test_results_a_report_and_long_texts(endpoint: FakeEndpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    endpoint.answer = stream_of(text('{"name": "Ada Holm"}'))
    monkeypatch.setenv("OTHER_KEY", "secret")
    at = ("--base-url", endpoint.url, "--api-key-env", "OTHER_KEY", "--quotes", "--quiet")
    assert run(*at, "--output", "out.jsonl", "--report", "out.html") == 0
    record = json.loads(Path("out.jsonl").read_text())
    assert record["data"] == {"name": "Ada Holm"}
    assert len(record["places"]["/name"]["spans"]) == 5
    assert (record["model"], "confidence" in record) == ("fake", False)
    assert endpoint.headers[0]["authorization"] == "Bearer secret"
    assert "Ada Holm" in Path("out.html").read_text()
    assert run(*at, "--long", "--piece-tokens", "10", "--output", "long.jsonl") == 0
    assert json.loads(Path("long.jsonl").read_text())["pieces"] > 2


def test_keys_that_are_missing(endpoint: FakeEndpoint, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--base-url", endpoint.url, "--api-key-env", "NO_SUCH_KEY") == 2
    assert "--api-key-env names NO_SUCH_KEY, and there is no such" in capsys.readouterr().err
    assert run("--api-key-env", "NO_SUCH_KEY") == 2
    assert "--api-key-env is for --base-url" in capsys.readouterr().err
    assert run("--base-url", "nowhere") == 2
    assert "must be like 'https://host/v1'" in capsys.readouterr().err
