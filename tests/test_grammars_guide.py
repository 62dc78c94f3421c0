"""docs/grammars.md does what it says: its Python runs, prints what stands below it, and its commands succeed.

The blocks run in their order, Python in one namespace. `file=NAME` is a file that commands read; a block of text right
after Python is what that prints; `python server` talks to `guided serve`, here to one on another port.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from guided.cli import main
from tests.server.live_server import serving

DOCS = Path(__file__).parent.parent / "docs"
GUIDE = (DOCS / "grammars.md").read_text(encoding="utf-8")
SERVED_AT = "http://127.0.0.1:8000"


class Block(NamedTuple):
    """A block of code. info: what stands after the backquotes; line: where it begins."""

    info: str
    code: str
    line: int


def blocks() -> list[Block]:
    """The blocks of the guide, in order."""
    found = re.finditer(r"^```(\w[^\n]*)\n(.*?)^```$", GUIDE, re.S | re.M)
    return [Block(match[1], match[2], GUIDE.count("\n", 0, match.start()) + 2) for match in found]


@pytest.fixture(scope="module")
def server_url() -> Iterator[str]:
    """A server with the embedded model."""
    from guided.llm import LLM
    from guided.server import create_app

    with serving(create_app(LLM())) as url:
        yield url


def run_python(block: Block, namespace: dict[str, Any]) -> str:
    """What a block prints; failing assertions name the guide's line."""
    printed = io.StringIO()
    code = compile("\n" * (block.line - 1) + block.code, "docs/grammars.md", "exec")
    with contextlib.redirect_stdout(printed):
        exec(code, namespace)
    return printed.getvalue()


def test_python(server_url: str) -> None:
    namespace: dict[str, Any] = {}
    printed = ""
    for block in blocks():
        if block.info == "text":
            assert printed == block.code, f"line {block.line}"
        printed = ""
        if block.info.startswith("python"):
            code = block.code.replace(SERVED_AT, server_url) if block.info == "python server" else block.code
            printed = run_python(block._replace(code=code), namespace)
    assert "fits" in namespace


def test_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    for block in blocks():
        if "file=" in block.info:
            (tmp_path / block.info.partition("file=")[2]).write_text(block.code)
        for line in block.code.splitlines() if block.info == "sh" else ():
            name, *arguments = shlex.split(line)
            assert name == "guided"
            with pytest.raises(SystemExit) as exit_info:
                main(arguments)
            assert not exit_info.value.code, f"{line}: {capsys.readouterr().err}"


def test_every_block_is_of_a_known_kind() -> None:
    assert {block.info.partition(" file=")[0] for block in blocks()} == {
        "python",
        "python server",
        "text",
        "sh",
        "lark",
    }


def test_every_ready_grammar_is_named() -> None:
    from guided.grammars import library

    assert [name for name in library.names() if f"`{name}`" not in GUIDE] == []


def test_every_format_of_structural_tags_is_named() -> None:
    from guided.grammars.structural_tags.reader import FORMATS

    assert [name for name in FORMATS if f"`{name}`" not in GUIDE] == []


def test_links_lead_somewhere() -> None:
    headings = {"#" + heading.lower().replace(" ", "-") for heading in re.findall(r"^## (.*)$", GUIDE, re.M)}
    for target in re.findall(r"\]\(([^)]+)\)", GUIDE):
        is_there = target in headings if target.startswith("#") else (DOCS / target).is_file()
        assert is_there, target
