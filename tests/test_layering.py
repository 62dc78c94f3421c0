"""Imports point one way: server -> guided -> grammars; and importing is cheap."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FORBIDDEN = {  # folder -> packages that nothing in it may import
    "grammars": ("guided.server", "guided", "torch", "transformers", "fastapi", "uvicorn", "pydantic"),
    "guided": ("guided.server", "fastapi", "uvicorn", "starlette"),
}


def imported_modules(path: Path, package: str) -> Iterator[str]:
    """The absolute names of all modules that a file imports, at any depth of the code."""
    parents = [*package.split("."), *path.relative_to(ROOT).parts[1:-1]]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = parents[: len(parents) - node.level + 1] if node.level else []
            source = ".".join([*base, *([node.module] if node.module else [])])
            yield source
            yield from (f"{source}.{alias.name}" for alias in node.names)


def is_inside(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


@pytest.mark.parametrize("folder", FORBIDDEN)
def test_imports_point_down(folder: str) -> None:
    package = "guided.grammars" if folder == "grammars" else "guided"
    files = sorted((ROOT / folder).rglob("*.py"))
    assert files
    for path in files:
        for module in imported_modules(path, package):
            if folder == "grammars" and is_inside(module, "guided.grammars"):
                continue
            for forbidden in FORBIDDEN[folder]:
                assert not is_inside(module, forbidden), f"{path.relative_to(ROOT)} imports {module}"


def test_finder_sees_relative_and_nested_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check above can fail: it finds an import inside a function, and one that climbs out of its package."""
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    path = tmp_path / "guided" / "cli" / "example.py"
    path.parent.mkdir(parents=True)
    path.write_text("def f():\n    from ..server.app import run\n    import torch\nfrom .. import server\n")
    assert set(imported_modules(path, "guided")) >= {"guided.server.app", "guided.server", "torch"}
    path = tmp_path / "grammars" / "example.py"
    path.parent.mkdir()
    path.write_text("from ..llm import LLM\nfrom guided import sampler\n")
    assert set(imported_modules(path, "guided.grammars")) >= {"guided.llm", "guided.sampler"}


CIRCLES = {  # to be resolved; none may be added
    "guided.grammars.spelling guided.grammars.vocabulary",
    "guided.sampler.batch guided.sampler.row_processors",
    "guided.processors.base guided.processors.serialization",
    "guided.grammars.automaton.guards guided.grammars.automaton.tables",
    "guided.grammars.automaton.running guided.grammars.closing.base",
    "guided.grammars.automaton.batch guided.grammars.automaton.text_matcher",
    "guided.grammars.closing.choice_closing guided.grammars.pushdown.choices",
    "guided.grammars.automaton.document_automaton guided.grammars.closing.document_closing",
    "guided.grammars.closing.both_closing guided.grammars.intersection.automaton",
    "guided.embedded.corpus.documents guided.embedded.corpus.values",
    "guided.engine.echo guided.engine.loading guided.engine.registry",
    "guided.completion guided.engine.base guided.engine.observer guided.errors",
}


def circles() -> set[str]:
    """The modules of each circle of imports, sorted, with those that a function makes or that are for typing only."""
    files = {}
    for folder, package in (("guided", "guided"), ("grammars", "guided.grammars"), ("server", "guided.server")):
        for path in (ROOT / folder).rglob("*.py"):
            inside = path.relative_to(ROOT / folder).with_suffix("").parts
            files[".".join((package, *(part for part in inside if part != "__init__")))] = (path, package)
    graph = {
        module: sorted({found for found in imported_modules(path, package) if found in files and found != module})
        for module, (path, package) in files.items()
    }
    for module, (path, _) in files.items():  # `from .a import b` imports the module b of package a, not what a holds
        if path.name == "__init__.py":
            graph[module] = []
    reached = {module: reachable(graph, module) for module in graph}
    groups = {frozenset(other for other in found if module in reached[other]) for module, found in reached.items()}
    return {" ".join(sorted(group)) for group in groups if len(group) > 1}


def reachable(graph: dict[str, list[str]], start: str) -> set[str]:
    """The modules that one imports, and what these import. Itself where a circle leads back to it."""
    found, waiting = set[str](), [*graph[start]]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += graph[module]
    return found


def test_no_circle_of_imports_is_new() -> None:
    deep = {circle for circle in circles() if circle.count(" ") >= 4}
    assert circles() - deep == CIRCLES
    assert len(deep) == 4
    assert all(module.startswith("guided.grammars.") for circle in deep for module in circle.split())


@pytest.mark.parametrize("module", ["guided", "guided.grammars", "guided.server", "guided.cli"])
def test_import_loads_no_tensor_library(module: str) -> None:
    code = f"import {module}, sys; sys.exit('torch' in sys.modules or 'transformers' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_public_names_are_there() -> None:
    import guided

    for name in guided.__all__:
        assert getattr(guided, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Nonsense'"):
        _ = guided.Nonsense
