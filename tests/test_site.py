"""The site of the documents: its list of pages, its links, and an entry of the reference for every public name."""

from __future__ import annotations

import posixpath
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
BESIDE = {
    "security.md",
    "contributing.md",
    "code_of_conduct.md",
    "changelog.md",
    "model_card.md",
    "smollm2_extract.md",
    "embedded_model_log.md",
}
"""Pages of the site that docs/site/hooks.py takes from elsewhere in the repository."""


def anchors(text: str) -> set[str]:
    """The names of a page's headings, as links write them."""
    titles = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S), re.M)
    return {re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", title.lower()).strip()) for title in titles}


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    """To a file of the repository, and to a heading of it."""
    text = text_of(DOCS / page)
    for name, heading in re.findall(
        r"\]\(([^)\s#:]*)(?:#([^)\s]*))?\)", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    ):
        target = (
            ROOT / posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), name)) if name else DOCS / page
        )
        assert target.is_file(), name
        assert not heading or heading in anchors(text_of(target)), f"{name}#{heading}"


def test_every_page_is_in_the_list() -> None:
    listed = re.findall(
        r"^ +- (?:[^:\n]+: )?([\w/-]+\.md)$", text_of(ROOT / "mkdocs.yml").partition("\nnav:\n")[2], re.M
    )
    assert len(listed) == len(set(listed))
    assert set(listed) == {*PAGES, *BESIDE}
