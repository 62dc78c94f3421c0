"""The picture of a request's way in docs/ARCHITECTURE.md: each box is one class of that name, and there are few."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
MAX_BOXES = 10


def boxes() -> set[str]:
    """The names in the picture."""
    section = (ROOT / "docs/ARCHITECTURE.md").read_text().partition("\n## One request\n")[2].partition("\n## ")[0]
    picture = "\n".join(line for line in section.splitlines() if line.startswith("    "))
    return set(re.findall(r"\b[A-Z][a-z]\w+", picture))


def test_each_box_is_one_class() -> None:
    sources = [path.read_text() for folder in ("guided", "server") for path in (ROOT / folder).rglob("*.py")]
    names = [name for source in sources for name in re.findall(r"^class (\w+)", source, re.MULTILINE)]
    found = boxes()
    assert {"Request", "Generation", "Completion"} <= found
    assert len(found) <= MAX_BOXES
    assert {name: names.count(name) for name in found} == dict.fromkeys(found, 1)
