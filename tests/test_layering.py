"""Imports point one way: server -> guided -> grammars; and importing is cheap."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FORBIDDEN = {  # folder -> packages that nothing in it may import
    "grammars": ("guided.server", "guided", "torch", "transformers", "fastapi", "uvicorn", "pydantic"),
    "guided": ("guided.server", "fastapi", "uvicorn", "starlette"),
}


@cache
def imports_of(path: Path, package: str) -> tuple[tuple[str, str], ...]:
    """All imports of a file, at any depth of the code: absolute names of modules, each with what is taken from it, or
    "" for the module itself."""
    parents = [*package.split("."), *path.relative_to(ROOT).parts[1:-1]]
    found: list[tuple[str, str]] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = parents[: len(parents) - node.level + 1] if node.level else []
            source = ".".join([*base, *([node.module] if node.module else [])])
            found += [(source, alias.name) for alias in node.names]
    return tuple(found)


def imported_modules(path: Path, package: str) -> Iterator[str]:
    """The absolute names of all modules that a file imports; of what it takes from modules, too, as these may be
    modules."""
    for source, name in imports_of(path, package):
        yield source
        if name:
            yield f"{source}.{name}"


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


LAYERS = {  # folder or module of grammars/ -> the folders and modules in it that it may import, besides `BASE`
    # what everything builds on
    "regex": {},
    "spelling": {"regex"},
    "tokenizers": {},
    "sorted_tokens": {},
    "vocabulary": {"sorted_tokens", "spelling", "tokenizers"},
    "protocol": {"vocabulary"},
    # engine <- machine <- completion <- native <- backends
    "kernels": {},
    "memory": {"kernels"},
    "machine": {
        *("kernels", "memory", "quote_tree", "quotes", "regex", "rules", "spelling", "vocabulary", "word_breaks"),
    },
    "completion": {"machine", "kernels", "memory", "regex", "rules.expressions"},
    # schema -> formula -> frames; of the engine only what speaks of frames and of JSON texts
    "json_schema": {
        *("machine.documents.words", "machine.frames", "protocol", "quote_sources", "regex", "spelling"),
    },
    # readers -> rule graph -> network
    "ebnf": {
        *("kernels", "memory", "quote_tree", "quotes", "regex", "rules.expressions", "schema_input"),
        *("text_boundaries", "vocabulary", "word_breaks"),
    },
    "structural_tags": {"ebnf", "quote_sources", "regex", "rules", "schema_input", "vocabulary"},
    "combination": {},
    # source texts and their quotes, as languages
    "word_breaks": {"kernels"},
    "text_boundaries": {"word_breaks"},
    "quotes": {"schema_input", "text_boundaries", "word_breaks"},
    "quote_tree": {"quotes", "regex"},
    "quote_sources": {"quote_tree", "quotes", "regex"},
    # of texts that come piece by piece
    "searches": {"machine", "regex"},
    "library": {},
    "rules": {"memory", "regex", "vocabulary"},
    # compiled grammars
    "native": {
        *("machine", "completion", "json_schema", "protocol", "quote_sources", "regex", "rules", "spelling"),
        "vocabulary",
    },
    # schemas as they are given
    "jsonschema_library": {},
    "document_validator": {"jsonschema_library", "regex"},
    "schema_input": {},
    # the door
    "backends": {
        *(
            "combination",
            "ebnf",
            "json_schema",
            "jsonschema_library",
            "native",
        ),
        *("protocol", "regex", "rules", "schema_input", "sorted_tokens", "structural_tags", "vocabulary"),
    },
    "cache": {"protocol", "vocabulary"},
    "grammar_input": {"combination", "json_schema", "quote_sources", "schema_input"},
    "compile": {"backends", "cache", "grammar_input", "protocol", "quotes", "vocabulary"},
    "": {"backends", "combination", "compile", "library", "protocol", "vocabulary"},  # the package itself
}
BASE = {
    *(
        "allowance",
        "bitset",
        "build_locks",
        "cache_folder",
        "cached",
        "daemon_threads",
        "extras",
        "forks",
        "errors",
        "interning",
        "json_paths",
        "lifetime",
        "limits",
        "right_of_way",
        "solver",
        "spec",
        "style_texts",
        "styles",
        "watch",
    )
}
"""What every module of grammars/ may import. These import only each other."""

PACKAGES = (("guided", "guided"), ("grammars", "guided.grammars"), ("server", "guided.server"))


@cache
def import_graph(root: Path) -> dict[str, list[str]]:
    """Each module with those that it imports, also those that a function does or that are for typing only.

    `from .a import b` is an import of the module b of package a where there is one, and of a where there is not.
    """
    files = {}
    for folder, package in PACKAGES:
        for path in (root / folder).rglob("*.py"):
            inside = path.relative_to(root / folder).with_suffix("").parts
            files[".".join((package, *(part for part in inside if part != "__init__")))] = (path, package)
    graph = {}
    for module, (path, package) in files.items():
        imported = [(source, f"{source}.{name}") for source, name in imports_of(path, package)]
        found = {name if name in files else source for source, name in imported}
        graph[module] = sorted(name for name in found if name in files and name != module)
    return graph


def circles() -> set[str]:
    """The modules of each circle of imports, sorted."""
    graph = import_graph(ROOT)
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


def test_no_circles_of_imports() -> None:
    assert circles() == set()


def test_layers_of_grammars() -> None:
    """Every import between folders of grammars/ is in the table, and every line of the table is needed."""
    needed: dict[str, set[str]] = {layer: set() for layer in LAYERS}
    for module, imported in import_graph(ROOT).items():
        if not is_inside(module, "guided.grammars"):
            continue
        layer = top_of(module)
        for target in (name.removeprefix("guided.grammars").removeprefix(".") for name in imported):
            if target.partition(".")[0] == layer or target.partition(".")[0] in BASE:
                continue
            assert layer in LAYERS, f"{module} imports {target}: {layer or 'the package'} has no line in LAYERS"
            allowed = [one for one in LAYERS[layer] if is_inside(target, one)]
            assert allowed, f"{module} imports {target}, which LAYERS does not allow"
            needed[layer].update(allowed)
    assert needed == {layer: set(allowed) for layer, allowed in LAYERS.items()}


GUIDED_LAYERS = {  # folder or module of guided/ -> those that it may import, besides `GUIDED_BASE`; the lowest first
    "documents": set(),
    "grammar_state": set(),
    "models": {"output"},
    "embedded": {"models"},
    "option_lists": set(),
    "other_project": set(),
    "params": set(),
    "schemas": set(),
    "compile": {"schemas"},
    "processors": {"params"},
    "tools": {"params", "schemas"},
    "integrations": {"integrations.common"},
    "integrations.common": {"grammar_state", "params", "processors"},
    "requests": {"compile", "params", "schemas", "tools"},
    "sampler": {"params", "processors"},
    "engines": {"processors", "requests", "sampler"},
    "integrations.sglang": {"grammar_state", "integrations.common"},
    "integrations.vllm": {"grammar_state", "integrations.common", "processors", "sampler", "schemas"},
    "engines.local": {
        *("embedded", "engines", "grammar_state", "models", "params", "processors", "requests", "sampler"),
    },
    "engines.openai": {"engines", "integrations.common", "params", "processors", "requests", "schemas", "tools"},
    "output": {"engines", "params", "processors", "requests", "schemas", "tools"},
    "engines.vllm": {
        "engines",
        "engines.local",
        "grammar_state",
        "integrations.common",
        "integrations.vllm",
        "params",
        "processors",
        "requests",
        "sampler",
    },
    "extraction": {"documents", "engines", "option_lists", "output", "params", "requests", "schemas"},
    "model_vocabulary": {"embedded", "engines.local", "models"},
    "engines.registry": {"engines", "engines.local", "engines.openai", "engines.vllm"},
    "report": {"extraction", "schemas"},
    "loading": {
        *("embedded", "engines", "engines.registry", "models", "params", "processors", "requests"),
    },
    "llm": {"engines", "extraction", "loading", "option_lists", "output", "params", "requests", "tools"},
    "bench": {"compile"},
    "remote": {"engines", "llm", "params"},
    "workbench": {"engines", "grammar_state", "llm", "output", "params", "requests", "schemas"},
    "": {
        "compile",
        "documents",
        "engines",
        "extraction",
        "llm",
        "other_project",
        "output",
        "params",
        "processors",
        "remote",
        "requests",
        "workbench",
    },
    "cli": {
        "",
        "bench",
        "compile",
        "documents",
        "engines",
        "extraction",
        "llm",
        "model_vocabulary",
        "models",
        "other_project",
        "output",
        "params",
        "remote",
        "report",
        "schemas",
        "tools",
        "workbench",
    },
}
GUIDED_BASE = {"draws", "errors", "garbage", "json_events", "kernels", "masks", "settings"}
"""What every module of guided/ may import. These import only each other."""


def layer_of_guided(module: str) -> str | None:
    """The row of the table that a module belongs to; None outside of guided/. "": the package itself."""
    name = module.removeprefix("guided").removeprefix(".")
    if not is_inside(module, "guided") or name.partition(".")[0] in ("grammars", "server"):
        return None
    return next((row for row in sorted(GUIDED_LAYERS, reverse=True) if is_inside(name, row)), name.partition(".")[0])


def test_layers_of_guided() -> None:
    """Every import between folders of guided/ is in the table, every entry of which is needed."""
    needed: dict[str, set[str]] = {layer: set() for layer in GUIDED_LAYERS}
    for module, imported in import_graph(ROOT).items():
        layer = layer_of_guided(module)
        if layer is None:
            continue
        for target in imported:
            other = layer_of_guided(target)
            if other is None or other == layer or other in GUIDED_BASE:
                continue
            assert layer in GUIDED_LAYERS, f"{module} imports {target}: {layer} has no row in GUIDED_LAYERS"
            assert other in GUIDED_LAYERS[layer], f"{module} imports {target}, which GUIDED_LAYERS does not allow"
            needed[layer].add(other)
    assert needed == GUIDED_LAYERS


def test_no_folders_of_guided_import_each_other() -> None:
    """Neither directly nor through others."""
    graph = {layer: sorted(below) for layer, below in GUIDED_LAYERS.items()}
    assert [layer for layer in graph if layer in reachable(graph, layer)] == []


MACHINE = {  # folder of machine/ -> the other folders of it that it may import; "": the machine itself
    "": {"lexemes", "documents", "quotes", "rules", "choices", "sources"},
    "sources": set(),
    "lexemes": {"", "sources"},
    "documents": {"", "lexemes", "quotes", "rules"},
    "quotes": {"", "documents", "sources"},
    "rules": {"", "lexemes", "quotes"},
    "choices": {""},
    "product": {"", "lexemes", "quotes", "rules"},
}


def test_layers_of_the_machine() -> None:
    """Below lie sources and lexemes, above the product; the steppers in between call one another inside of a token."""
    package, needed = "guided.grammars.machine.", {folder: set[str]() for folder in MACHINE}
    for module, imported in import_graph(ROOT).items():
        if not module.startswith(package):
            continue
        folder = module.removeprefix(package).rpartition(".")[0]
        for target in (name.removeprefix(package) for name in imported if name.startswith(package)):
            other = target.rpartition(".")[0]
            if other != folder:
                assert other in MACHINE[folder], f"{module} imports {target}"
                is_below = target in {"layout", "structs"} or other == "sources"
                assert folder != "lexemes" or is_below, f"{module} imports {target}"
                needed[folder].add(other)
    assert needed == MACHINE


OWN_PATTERNS = {  # file -> calls of `re` or `regex` with a pattern that is no literal: what the pattern is made of
    "grammars/ebnf/literals.py": "digits of the escapes that a dialect has",
    "grammars/ebnf/scanner.py": "lexemes that a dialect has",
    "guided/workbench/inspection/match.py": "escaped names of special tokens",
    "grammars/regex/charset.py": "the letter of a category",
    "grammars/json_schema/styled_captures.py": "marks of a style",
    "grammars/json_schema/styled_values.py": "names and marks of a style, and escaped texts",
    "grammars/machine/documents/captures.py": "marks of a style around strings",
    "guided/extraction/stated.py": "dates in ISO's form, read off a text",
    "grammars/regex/python_re.py": "a user's pattern, which is compiled to be checked, and never run",
    "grammars/regex/python_sets.py": "a character class of a user's pattern, which is run on single characters",
    "grammars/text_boundaries.py": "names of properties of Unicode",
    "grammars/style_texts.py": "marks that a style has, and its names",
    "guided/tools/styled_scanner.py": "names that a style has",
    "guided/requests/prompting.py": "an escaped name",
    "guided/tools/fitting.py": "the escaped marks of a syntax, around calls of a probe",
    "guided/tools/foreign.py": "the escaped marks of families",
    "guided/tools/learning.py": "the escaped arguments of a probe",
    "guided/tools/marks.py": "a class of characters of a syntax's ids",
    "server/errors.py": "an escaped name",
}
"""A user's pattern runs in `regex.algebra.matches`, which is linear in the text. Python's `re` backtracks."""


def unknown_patterns(path: Path) -> list[int]:
    """The lines of a file that call `re` or `regex` with a pattern that is neither a literal nor a constant."""
    found: list[int] = []
    text = path.read_text(encoding="utf-8")
    if re.search(r"\b(re|regex)\.", text) is None:
        return found
    for node in ast.walk(ast.parse(text)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        if not (isinstance(node.func.value, ast.Name) and node.func.value.id in ("re", "regex")):
            continue
        if node.func.attr in ("escape", "error", "purge"):
            continue
        given = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg == "pattern")]
        names = {name.id for name in ast.walk(given[0]) if isinstance(name, ast.Name)} if given else {"?"}
        calls = any(isinstance(part, ast.Call | ast.Attribute) for part in ast.walk(given[0])) if given else False
        if calls or not all(name == name.upper() for name in names):
            found.append(node.lineno)
    return found


def test_no_pattern_of_a_user_runs_in_re() -> None:
    found = {
        str(path.relative_to(ROOT)): unknown_patterns(path)
        for folder in ("grammars", "guided", "server")
        for path in sorted((ROOT / folder).rglob("*.py"))
    }
    assert {path for path, lines in found.items() if lines} == OWN_PATTERNS.keys(), found


def test_patterns_that_are_no_literals_are_found(tmp_path: Path) -> None:
    path = tmp_path / "example.py"
    path.write_text("re.search(pattern, key)\nre.compile(_WORD + 'x')\nregex.sub(self.p, '', t)\nre.match(f'{a}', t)\n")
    assert unknown_patterns(path) == [1, 3, 4]


def test_documents_are_validated_in_linear_time() -> None:
    """`jsonschema` gives patterns to `re`: only backends use it, for schemas and values without users' patterns."""
    library = "guided.grammars.jsonschema_library"
    users = {module for module, imported in import_graph(ROOT).items() if library in imported}
    assert users == {
        "guided.grammars.document_validator",
        "guided.extraction.quote_places",
        "guided.grammars.backends.meta_schema",
    }
    assert "validators." not in (ROOT / "guided/extraction/quote_places.py").read_text(encoding="utf-8")


def top_of(module: str) -> str:
    """The folder or module of grammars/ that a module is in."""
    return module.removeprefix("guided.grammars").removeprefix(".").partition(".")[0]


def test_circles_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those of lazy imports, of imports for typing, and through a package's own module."""
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    folder = tmp_path / "guided" / "part"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("from .first import f\n")
    (folder / "first.py").write_text("if TYPE_CHECKING:\n    from .second import S\n")
    (folder / "second.py").write_text("def f():\n    from .third import g\n")
    (folder / "third.py").write_text("from . import f\nfrom .fifth import h\n")
    (folder / "fifth.py").write_text("")
    (folder / "fourth.py").write_text("from . import first, second\n")
    assert circles() == {"guided.part guided.part.first guided.part.second guided.part.third"}


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
