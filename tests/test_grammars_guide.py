"""docs/grammars.md does what it says: its Python runs, prints what stands below it, and its commands succeed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.guides import Guide
from tests.server.live_server import serving

GUIDE = Guide("grammars.md")


@pytest.fixture(scope="module")
def server_url() -> Iterator[str]:
    """A server with the embedded model."""
    from guided.llm import LLM
    from guided.server import create_app

    with serving(create_app(LLM())) as url:
        yield url


def test_python(server_url: str) -> None:
    assert "fits" in GUIDE.run_python(server_url)


def test_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    GUIDE.run_commands(tmp_path, capsys)


def test_every_block_is_of_a_known_kind() -> None:
    assert {block.info.partition(" file=")[0] for block in GUIDE.blocks} == {
        "python",
        "python server",
        "text",
        "sh",
        "lark",
        "json",
    }


def test_every_ready_grammar_is_named() -> None:
    from guided.grammars import library

    assert [name for name in library.names() if f"`{name}`" not in GUIDE.text] == []


def test_every_format_of_structural_tags_is_named() -> None:
    from guided.grammars.structural_tags.reader import FORMATS

    assert [name for name in FORMATS if f"`{name}`" not in GUIDE.text] == []


def test_links_lead_somewhere() -> None:
    GUIDE.check_links()
