"""docs/ARCHITECTURE.md against the code: the picture of a request's way, the files that are named, the glossary."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("grammars", "guided", "server")
PAGE = (ROOT / "docs/ARCHITECTURE.md").read_text()
MAX_BOXES = 10
MAX_WORDS = 40
MAX_OBJECTS = 15  # with the state of one request
MAX_CHARACTERS = 60_000  # 20 pages
SHARED = {"GuidedBackend", "GuidedLogitsProcessor"}
"""Classes that each plug-in has, under the name that its engine shows."""
ENTRY_POINTS = "guided.commands"  # their group in pyproject.toml


def section(title: str) -> str:
    """The text below a heading."""
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def boxes() -> set[str]:
    """The names in the picture of a request's way."""
    picture = "\n".join(line for line in section("One request").splitlines() if line.startswith("    "))
    return set(re.findall(r"\b[A-Z][a-z]\w+", picture))


def glossary() -> dict[str, str]:
    """Each word of the glossary, with the class or file that the page names for it."""
    return dict(re.findall(r"^\| ([^|]+) \| `([^`|]+)` \|", section("Glossary"), re.MULTILINE))


@cache
def sources() -> dict[str, str]:
    """The text of each module, by its path."""
    paths = (path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): path.read_text() for path in paths}


@cache
def classes() -> Counter[str]:
    """How many classes have each name."""
    return Counter(name for text in sources().values() for name in re.findall(r"^class (\w+)", text, re.MULTILINE))


def test_no_two_classes_share_a_name() -> None:
    """Names with an underscore belong to their modules alone."""
    shared = {name for name, count in classes().items() if count > 1 and not name.startswith("_")}
    assert shared == SHARED


def test_each_box_is_one_class() -> None:
    found = boxes()
    assert {"PromptRequest", "Generation", "Completion"} <= found
    assert len(found) <= MAX_BOXES
    names = [
        name
        for path, text in sources().items()
        if not path.startswith("grammars/")
        for name in re.findall(r"^class (\w+)", text, re.MULTILINE)
    ]
    assert {name: names.count(name) for name in found} == dict.fromkeys(found, 1)


def test_objects_of_one_request_are_few_and_exist() -> None:
    rows = re.findall(r"^\| (`[^|]+`) \|", section("Objects of one request"), re.MULTILINE)
    found = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert len(found) == len(set(found)) <= MAX_OBJECTS
    assert [name for name in found if not classes()[name]] == []


def named_objects() -> tuple[set[str], set[str]]:
    """The classes in the table of a request's objects, and those that the section leaves out by name."""
    text = section("Objects of one request")
    table = "\n".join(line for line in text.splitlines() if line.startswith("|"))
    left_out = text.partition("Left out by name")[2]
    return set(re.findall(r"`([A-Z]\w+)`", table)), set(re.findall(r"`([A-Z]\w+)`", left_out))


def classes_of_attributes(text: str, name: str) -> set[str]:
    """The public classes of ours that a class of a module has as attributes, annotated or made in place."""
    module = ast.parse(text)
    ours = {node.name for node in module.body if isinstance(node, ast.ClassDef)}
    for node in ast.walk(module):
        if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").split(".")[0] in PACKAGES):
            ours |= {one.name for one in node.names}
    body = next(node for node in module.body if isinstance(node, ast.ClassDef) and node.name == name)
    fields = [node.annotation for node in body.body if isinstance(node, ast.AnnAssign)]
    for node in ast.walk(body):
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target).startswith("self."):
            fields.append(node.annotation)
        if isinstance(node, ast.Assign) and any(ast.unparse(one).startswith("self.") for one in node.targets):
            fields += [call.func for call in ast.walk(node.value) if isinstance(call, ast.Call)]
    found = {one.id for field in fields for one in ast.walk(field) if isinstance(one, ast.Name)}
    return {one for one in found & ours if classes()[one] and not one.startswith("_")}


def test_attributes_of_a_requests_objects_are_named() -> None:
    table, left_out = named_objects()
    assert [name for name in left_out if not classes()[name]] == []
    found = {
        one
        for name in table
        for text in sources().values()
        if re.search(rf"^class {name}\b", text, re.MULTILINE)
        for one in classes_of_attributes(text, name)
    }
    assert {"PagedSequence", "Detokenizer", "Generation", "TokenEvent"} <= found
    assert sorted(found - table - left_out) == []


def test_the_page_is_short() -> None:
    assert len(PAGE) <= MAX_CHARACTERS


def test_files_that_the_page_names_exist() -> None:
    """A path in backquotes ends the path of some file or folder of the project."""
    folders = [ROOT / name for name in (*PACKAGES, "tests", "examples", "docs")]
    paths = [path.relative_to(ROOT).parts for folder in folders for path in (folder, *folder.rglob("*"))]
    ends = {"/".join(parts[first:]) for parts in paths for first in range(len(parts))}
    named = re.findall(r"`([\w./]+(?:\.py|\.md|/))`", PAGE)
    assert len(named) > 150
    assert [name for name in named if name.rstrip("/") not in ends] == []


def text_at(place: str) -> str:
    """The code of a file, of a folder, or of the modules that define a class; "" if there is none."""
    if "/" in place:
        return "".join(path + text for path, text in sources().items() if path.startswith(place))
    return "".join(text for text in sources().values() if re.search(rf"^class {place}\b", text, re.MULTILINE))


def test_each_word_of_the_glossary_is_in_the_code() -> None:
    words = glossary()
    assert {"frame", "lexeme", "row"} <= words.keys()
    assert len(words) <= MAX_WORDS
    unsaid = [
        f"{word}: {place}"
        for word, place in words.items()
        if not re.search(re.sub(r"[\s-]", r"[\\s_-]?", word), text_at(place), re.IGNORECASE)
    ]
    assert unsaid == []


def is_defined(dotted: str) -> bool:
    """True if a name as `guided.errors.GuidedError` is that of a folder, a module, or of something in a module."""
    parts = dotted.removeprefix("guided.").split(".")
    if parts[0] not in PACKAGES:
        parts.insert(0, "guided")
    for size in range(len(parts), 0, -1):
        path = "/".join(parts[:size])
        text = sources().get(f"{path}.py") or sources().get(f"{path}/__init__.py")
        if text is not None:
            name = parts[size] if size < len(parts) else ""
            definition = rf"^((async )?def|class) {name}\b|^{name}\b.* = |\bimport .*\b{name}\b|^ +\"{name}\":"
            return not name or re.search(definition, text, re.MULTILINE) is not None
    return False


def test_dotted_names_in_the_guides_exist() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    pages = [page for page in pages if page.name != "LOG.md"]
    named = {name for page in pages for name in re.findall(r"`((?:guided|server)(?:\.\w+)+)", page.read_text())}
    assert len(named) > 20
    assert not is_defined("guided.requests.request.Request")
    assert sorted(name for name in named - {ENTRY_POINTS} if not is_defined(name)) == []
