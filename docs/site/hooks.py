"""What MkDocs does for this site besides: pages beside docs/ come into it, and so does every file that a page links to.

Pages stay readable where they lie: they link to each other as files of the repository. Here those links lead to the
pages of the site. `python server` and `file=NAME` after the backquotes are for the tests of the guides; a reader sees
the name of the file alone.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
DOCS = "docs/"
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "CODE_OF_CONDUCT.md": "code_of_conduct.md",
    "SECURITY.md": "security.md",
    "guided/embedded/MODEL_CARD.md": "model_card.md",
    "guided/models/smollm2_extract/README.md": "smollm2_extract.md",
    "examples/embedded_model/LOG.md": "embedded_model_log.md",
}
"""Files of the repository beside docs/, with their places in the site; other linked files are in `repository/`."""
NOT_SEARCHED = {"LOG.md", "changelog.md", "embedded_model_log.md"}
"""Long pages that few readers look for: they would hide the guides in every search."""
SHIM = re.compile(r'<script src="?https://unpkg\.com/iframe-worker/shim"?></script>')
"""What the plugin `offline` adds for pages that are opened as files; `worker.js` does that without the network."""
FOREIGN = re.compile(
    r"<(?:script|img|iframe)[^>]*\ssrc=\"?(?:https?:)?//[^\s>]*|<link[^>]*rel=\"?stylesheet[^>]*//[^\s>]*"
)
"""What a page would load from another place."""
LINK = re.compile(r"(\]\()([^)\s#:]+)(#[^)\s]*)?(\))")
NAMED = re.compile(r"(?<=\[)([\w/]+)\.md(?=\]\()")
"""A link whose text is the name of a file, which a page of the site does not have."""
FENCE = re.compile(r"^```(\w+) ([^\n]*)$", re.M)
ROW = re.compile(r"^\|.*\|$", re.M)
CODE = re.compile(r"`[^`]+`")
INLINE = re.compile(r"<pre.*?</pre>|(?<=<code>)[^<]+(?=</code>)", re.S)
"""A block of code, or code within a sentence."""
OPTION = re.compile(r"(?<![\w-])--?\w[\w-]*")
"""A command's option, such as --engine: its hyphens are no place for a new line."""


def place(path: str) -> str:
    """The site's name for a file of the repository."""
    return path.removeprefix(DOCS) if path.startswith(DOCS) else PAGES.get(path, f"repository/{path}")


def source(page: str) -> str:
    """The file of the repository that a page of the site is."""
    beside = {name: path for path, name in PAGES.items() if path != "README.md"}
    return beside.get(page) or (page.removeprefix("repository/") if page.startswith("repository/") else DOCS + page)


def linked(path: str, text: str) -> set[str]:
    """The files of the repository that a page links to."""
    targets = {posixpath.normpath(posixpath.join(posixpath.dirname(path), match[2])) for match in LINK.finditer(text)}
    return {target for target in targets if (ROOT / target).is_file()}


def on_files(files: Files, config: MkDocsConfig, **_: Any) -> Files:
    """Add the pages beside docs/, and the files that pages link to."""
    waiting = [source(file.src_uri) for file in files.documentation_pages()] + [*PAGES]
    seen = set(waiting)
    while waiting:
        path = waiting.pop()
        if path != "README.md" and not path.startswith(DOCS):
            files.append(File.generated(config, place(path), abs_src_path=str(ROOT / path)))
        new = linked(path, (ROOT / path).read_text(encoding="utf-8")) - seen if path.endswith(".md") else set()
        seen |= new
        waiting += [target for target in new if not target.startswith(DOCS)]
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Point links to the pages of the site, and name the file of a block above it."""
    own = page.file.src_uri
    if own.startswith("migrate/"):
        page.meta["hide"] = ["toc"]  # room for code beside code
    if own in NOT_SEARCHED:
        page.meta["search"] = {"exclude": True}
    path = source(own)

    def lead(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), match[2]))
        if not (ROOT / target).is_file():
            return match[0]
        there = posixpath.relpath(place(target), posixpath.dirname(own) or ".")
        return f"{match[1]}{there}{match[3] or ''}{match[4]}"

    def head(match: re.Match[str]) -> str:
        name = re.search(r"(?:file|title)=\"?([^\s\"]+(?: [^\"]*)?)\"?", match[2])
        return f'```{match[1]} title="{name[1]}"' if name else f"```{match[1]}"

    def row(match: re.Match[str]) -> str:  # in a table's code, only readers of the repository need the backslash
        return CODE.sub(lambda code: code[0].replace(r"\|", "|"), match[0])

    return ROW.sub(row, FENCE.sub(head, NAMED.sub(r"\1", LINK.sub(lead, markdown))))


def on_page_content(html: str, **_: Any) -> str:
    """Keep options on one line in sentences and tables."""

    def whole(match: re.Match[str]) -> str:
        is_block = match[0].startswith("<pre")
        return match[0] if is_block else OPTION.sub(r'<span class="option">\g<0></span>', match[0])

    return INLINE.sub(whole, html)


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """Load nothing from elsewhere."""
    there = posixpath.relpath("site/worker.js", posixpath.dirname(page.file.dest_uri) or ".")
    output = SHIM.sub(f'<script src="{there}"></script>', output)
    if loaded := FOREIGN.search(output):
        raise PluginError(f"{page.file.src_uri} loads from elsewhere: {loaded[0]}")
    return output
