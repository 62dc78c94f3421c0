"""docs/sampling.md does what it says: its Python runs, prints what stands below it, and its commands succeed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from tests.guides import Guide
from tests.server.live_server import serving

GUIDE = Guide("sampling.md")


@pytest.fixture(scope="module")
def server_url() -> Iterator[str]:
    """A server with the embedded model."""
    from guided.llm import LLM
    from guided.server import create_app

    with serving(create_app(LLM())) as url:
        yield url


def test_python(server_url: str) -> None:
    assert "drawn_from" in GUIDE.run_python(server_url)


def test_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    GUIDE.run_commands(tmp_path, capsys)


def test_what_is_left_out_is_said() -> None:  # B23
    left_out = GUIDE.text.partition("## What is left out")[2]
    assert "on-policy reinforcement learning" in left_out
    assert "Ascend" in left_out


def test_links_lead_somewhere() -> None:
    GUIDE.check_links()


def test_the_table_of_parameters_is_what_the_class_says() -> None:
    from guided.params.sampling_params import SamplingParams, table

    assert table() in GUIDE.text
    assert sorted(field.name for field in fields(SamplingParams) if f"`{field.name}`" not in table()) == []


def test_every_request_field_is_named() -> None:
    from guided.params.conversions import OPENAI_FIELDS

    assert [name for name in OPENAI_FIELDS if f"`{name}`" not in GUIDE.text] == []


def test_every_processor_is_named() -> None:
    from guided.processors.registry import BUILT_IN

    assert [name for name in BUILT_IN if f"`{name}`" not in GUIDE.text] == []
