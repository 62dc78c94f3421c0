"""docs/tutorial.md does what it says, with SmolLM2 for the larger models."""

from __future__ import annotations

import csv
import shlex
from pathlib import Path

import pytest

from guided.cli import main
from guided.models.known import fetched_file
from guided.server import create_app
from tests.guides import SERVED_AT, Guide
from tests.server.live_server import serving

from .conftest import RealModel

GUIDE = Guide("tutorial.md")
ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with the examples of the project and the files of the page."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for block in GUIDE.blocks:
        if "file=" in block.info:
            (tmp_path / block.info.partition("file=")[2]).write_text(block.code)
    return tmp_path


def run(info: str, capsys: pytest.CaptureFixture[str], **names: str) -> None:
    """Run the page's commands of this kind. names: what stands on the page -> what it is here."""
    if not fetched_file("smollm2").is_file():
        pytest.skip("smollm2 is not in the cache: guided model smollm2")
    lines = [line for block in GUIDE.blocks if block.info == info for line in block.code.splitlines()]
    assert lines
    for line in lines:
        for name, here in names.items():
            line = line.replace(name, here)
        with pytest.raises(SystemExit) as left:
            main(shlex.split(line)[1:])
        assert not left.value.code, f"{line}: {capsys.readouterr().err}"


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_commands(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("sh", capsys)
    assert [row["valid"] for row in rows(folder / "orders.csv")] == ["true"] * 4
    for row in rows(folder / "quoted.csv"):
        mail = Path(row["source"]).read_bytes().decode()
        assert row["product"] in mail
        assert not row["city"] or row["city"] in mail
    assert "bar stools" in (folder / "orders.html").read_text(encoding="utf-8")


def test_a_larger_model(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("sh larger", capsys, **{"organisation/model": "smollm2"})
    assert rows(folder / "large.csv")[0]["customer"] == "Ada Holm"


def test_another_server(folder: Path, smollm2: RealModel, capsys: pytest.CaptureFixture[str]) -> None:
    with serving(create_app(smollm2.llm)) as url:
        run("sh server", capsys, **{SERVED_AT: url})
    assert len(rows(folder / "remote.csv")) == 4


def test_python(folder: Path, smollm2: RealModel, capsys: pytest.CaptureFixture[str]) -> None:
    namespace = GUIDE.run_python("")
    found = dict(zip(namespace["mails"], namespace["found"], strict=True))
    assert found["chairs.eml"].value.customer == "Ada Holm"
    assert found["chairs.eml"].value.quantity == 12
    assert namespace["least_sure"].startswith("/")
