"""Running the guides under docs/: their Python, their commands, their requests to a server, in the order of the page.

`file=NAME` is a file that commands read; a block of text right after Python is what that prints; `python server` talks
to `guided serve`, here to one on another port. Python blocks share one namespace. Where a page has code of two
libraries, `title="NAME"` says whose a block is.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from guided.cli import main

DOCS = Path(__file__).parent.parent / "docs"
SERVED_AT = "http://127.0.0.1:8000"


class Block(NamedTuple):
    """A block of code. info: what stands after the backquotes; line: where it begins."""

    info: str
    code: str
    line: int

    @property
    def library(self) -> str:
        """The library that the code is for."""
        titled = re.search(r'title="(\w+)"', self.info)
        return titled[1] if titled else "guided"


class Guide:
    """One page."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.path = DOCS / name
        self.text = self.path.read_text(encoding="utf-8")

    @property
    def blocks(self) -> list[Block]:
        """The blocks of code, in order."""
        found = re.finditer(r"^```(\w[^\n]*)\n(.*?)^```$", self.text, re.S | re.M)
        return [Block(match[1], match[2], self.text.count("\n", 0, match.start()) + 2) for match in found]

    def run_python(self, server_url: str, library: str = "guided") -> dict[str, Any]:
        """Run a library's Python, and compare what it prints. Returns its namespace; failures name the page's line."""
        namespace: dict[str, Any] = {}
        printed: str | None = ""
        for block in self.blocks:
            if block.info == "text":
                assert printed in (None, block.code), f"line {block.line}"
            printed = ""
            if block.info.startswith("python"):
                is_served = block.info == "python server" or library != "guided"
                code = block.code.replace(SERVED_AT, server_url) if is_served else block.code
                printed = self._run(block._replace(code=code), namespace) if block.library == library else None
        return namespace

    def run_commands(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """Run all commands in a folder that is the working directory; each must succeed."""
        for block in self.blocks:
            if "file=" in block.info:
                (folder / block.info.partition("file=")[2]).write_text(block.code)
            for line in block.code.splitlines() if block.info == "sh" else ():
                name, *arguments = shlex.split(line)
                assert name == "guided"
                with pytest.raises(SystemExit) as exit_info:
                    main(arguments)
                assert not exit_info.value.code, f"{line}: {capsys.readouterr().err}"

    def check_links(self) -> None:
        """Every link leads to another page, or to a heading of this one or of another."""
        for target in re.findall(r"\]\(([^)]+)\)", self.text):
            name, _, heading = target.partition("#")
            page = self.path.parent / name if name else self.path
            assert page.is_file(), target
            headings = re.findall(r"^##+ (.*)$", page.read_text(encoding="utf-8"), re.M) if heading else []
            assert not heading or heading in [found.lower().replace(" ", "-") for found in headings], target

    def _run(self, block: Block, namespace: dict[str, Any]) -> str:
        printed = io.StringIO()
        code = compile("\n" * (block.line - 1) + block.code, f"docs/{self.name}", "exec", dont_inherit=True)
        with contextlib.redirect_stdout(printed):
            exec(code, namespace)
        return printed.getvalue()
