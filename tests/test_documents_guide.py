"""docs/documents.md does what it says: its Python runs and prints what stands below it, its commands succeed."""

from __future__ import annotations

from pathlib import Path

import pytest

from guided.llm import LLM
from guided.server import create_app
from tests.guides import Guide
from tests.server.live_server import serving

GUIDE = Guide("documents.md")


def test_python() -> None:
    with LLM() as llm, serving(create_app(llm)) as url:
        namespace = GUIDE.run_python(url)
        namespace["remote"].shutdown()
        namespace["llm"].shutdown()


def test_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    GUIDE.run_commands(tmp_path, capsys)
    assert (tmp_path / "people.csv").read_text().startswith("source,name,age,city,valid,error")
    assert {"people.sqlite", "long.jsonl", "people.html"} <= {path.name for path in tmp_path.iterdir()}


def test_links_lead_somewhere() -> None:
    GUIDE.check_links()
