"""The pictures of the documents, as the pages are today: `python -m tests.pictures` writes docs/*.png.

Needs Chromium. The workbench runs the embedded model on an example of its own; the report is of the example texts.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer

from guided import LLM
from guided.server import create_app
from tests.server.browser import Page, browser_page, find_browser
from tests.server.live_server import serving

ROOT = Path(__file__).parents[1]
SCHEMAS = {"people": "Person", "orders": "Order", "invoices": "Invoice", "events": "Event"}
DRAWN = "(document.querySelectorAll('#tokens .token.drawn')[1] ?? document.querySelector('#tokens .token'))"
DRAWING_S = 0.5  # what is drawn a moment after the rest


def workbench(page: Page, url: str, path: Path, example: str = "Quotes") -> None:
    """An example that has run, and a token of it looked at. url: of a server."""
    page.open(f"{url}/workbench")
    page.wait_for("document.body.dataset.isReady === 'yes'")
    page.run(
        f"{{ const one = document.getElementById('example'); one.value = {json.dumps(example)}; one.onchange(); }}"
    )
    page.wait_for("document.getElementById('check-status').textContent.includes('enforced')")
    page.run("document.getElementById('run').click()")
    page.wait_for("/complete|most tokens/.test(document.getElementById('watch-status').textContent)")
    time.sleep(DRAWING_S)
    page.run(f"{DRAWN}.click(); document.getElementById('source').open = true")
    time.sleep(DRAWING_S)
    page.screenshot(path)


def report(page: Page, file: Path, path: Path) -> None:
    """A text with its object, and what is told of a value. file: the report's page."""
    page.open(file.as_uri())
    page.run("open(0)")
    value = "document.querySelectorAll('#object .value')[3]"
    page.run(f"{value}.dispatchEvent(new MouseEvent('mouseenter'))")
    page.screenshot(path)


def report_of_the_examples(path: Path) -> None:
    """What `make demo` writes."""
    schemas = [part for kind, name in SCHEMAS.items() for part in ("--schema", f"{kind}=examples/models.py:{name}")]
    command = [sys.executable, "-m", "guided.cli", "extract", "examples/texts", "--quotes", "--quiet", *schemas]
    subprocess.run([*command, "--report", str(path)], cwd=ROOT, check=True)


def main(folder: Annotated[Path, typer.Option(help="Where they are written.")] = ROOT / "docs") -> None:
    """Write all pictures."""
    browser = find_browser()
    if browser is None:
        raise typer.BadParameter("there is no Chromium here (Debian: apt-get install chromium)")
    with tempfile.TemporaryDirectory() as scratch, browser_page(browser, Path(scratch) / "profile") as page:
        page.look_like(width=1225, height=900)
        with LLM() as llm, serving(create_app(llm)) as url:
            workbench(page, url, folder / "workbench.png")
        report_of_the_examples(Path(scratch) / "report.html")
        page.look_like(width=1200, height=560)
        report(page, Path(scratch) / "report.html", folder / "report.png")


if __name__ == "__main__":
    typer.run(main)
