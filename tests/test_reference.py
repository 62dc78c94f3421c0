"""The API reference: every public name has an entry, and its docstring explains each parameter and names the errors."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PAGES = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs/reference").glob("*.md")}
ENTRIES = [name for text in PAGES.values() for name in re.findall(r"^::: ([\w.]+)$", text, re.M)]
PACKAGES = ("guided", "guided.grammars", "guided.server")
REFERENCE = re.compile(r"\b(?:like|as|see|of|in|with) `(?:\w+\.)*(\w+)`", re.I)
"""How a docstring leads to another one that has the rest."""
PLAIN = ("bool", "None", "self", "cls", "args", "kwargs")


def find(name: str) -> Any:
    """The object of a dotted name: a module, or something in one."""
    module, _, attribute = name.rpartition(".")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (AttributeError, ModuleNotFoundError):
        return importlib.import_module(name)


def public_members(one: Any) -> Iterator[tuple[str, Any]]:
    """Methods and properties of a class that are ours and public."""
    for name in dir(one):
        raw = inspect.getattr_static(one, name)
        plain = getattr(raw, "__func__", getattr(raw, "fget", raw))
        if not name.startswith("_") and inspect.isfunction(plain) and plain.__module__.startswith("guided"):
            yield name, plain


@cache
def documented() -> dict[str, tuple[Any, Any]]:
    """Each function, class, method and property of the reference by its name, with the class that it belongs to."""
    found: dict[str, tuple[Any, Any]] = {}
    for entry in ENTRIES:
        one = find(entry)
        inner = vars(one).items() if inspect.ismodule(one) else [("", one)]
        for name, value in inner:
            if getattr(value, "__module__", "") is None or name.startswith("_") or not callable(value):
                continue
            if inspect.ismodule(one) and value.__module__ != one.__name__:
                continue
            if not inspect.isclass(value) and not inspect.isfunction(value):
                continue
            whole = f"{entry}.{name}" if name else entry
            found[whole] = (value, None)
            if inspect.isclass(value):
                found.update({f"{whole}.{part}": (member, value) for part, member in public_members(value)})
    return found


def parameters(one: Any, owner: Any) -> list[str]:
    """What a caller may give."""
    if inspect.isclass(one):
        fields = getattr(one, "model_fields", None) or (one.__annotations__ if hasattr(one, "__total__") else None)
        if issubclass(one, Exception):  # callers catch it; its attributes are in its docstring
            return []
        if fields is not None:
            return [*fields]
        if getattr(one, "_is_protocol", False):
            return []
        if "__init__" not in vars(one) and not hasattr(one, "__dataclass_fields__"):
            return []
        if issubclass(one, tuple):
            return []
    try:
        signature = inspect.signature(one)
    except ValueError:
        return []
    names = [
        name for name, one in signature.parameters.items() if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    ]
    return [name for name in names if name not in PLAIN and not name.startswith("_")]


def smaller(one: Any) -> list[Any]:
    """The options that a TypedDict inherits: its bases are gone once it is made."""
    others = [other for other, _ in documented().values() if hasattr(other, "__total__") and hasattr(one, "__total__")]
    return [other for other in others if other.__annotations__.keys() < one.__annotations__.keys()]


def said(one: Any, owner: Any) -> str:
    """The docstring, with those that it leads to."""
    texts = [inspect.getdoc(one) or ""]
    if inspect.isclass(one):
        texts += [
            str(field.description or "") and f"{name}: " for name, field in getattr(one, "model_fields", {}).items()
        ]
        bases = (*one.__mro__[1:], *smaller(one))
        texts += [inspect.getdoc(base) or "" for base in bases if base.__module__.startswith("guided")]
        texts.append(inspect.getdoc(one.__init__) or "")
    elif owner is not None:
        texts.append(inspect.getdoc(owner) or "")
    for name in REFERENCE.findall(texts[0]):
        others = [getattr(owner or one, name, None)]
        others += [other for whole, (other, _) in documented().items() if whole.endswith(f".{name}")]
        texts += [inspect.getdoc(other) or "" for other in others if other is not None and other is not one]
    return "\n".join(texts)


def raised(one: Any) -> set[str]:
    """The errors that its own code raises by name."""
    if inspect.isclass(one) and getattr(one, "_is_protocol", False):
        return set()
    inits = [name for name in ("__post_init__", "__init__") if inspect.isclass(one) and name in vars(one)]
    target = getattr(one, inits[0]) if inits else one
    if not inspect.isfunction(inspect.unwrap(target)) or target.__code__.co_filename.startswith("<"):
        return set()
    tree = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(target))))
    calls = [node.exc for node in ast.walk(tree) if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)]
    names = {call.func.id for call in calls if isinstance(call.func, ast.Name)}
    return {name for name in names if name.endswith("Error") and name not in ("NotImplementedError",)}


def lacks(one: Any, owner: Any) -> list[str]:
    """What a docstring does not tell."""
    if not inspect.getdoc(one):
        return ["a docstring"]
    text = said(one, owner)
    names = [name for name in parameters(one, owner) if not re.search(rf"\b{name}\b(, \w+)*:|`{name}`", text)]
    return names + sorted(name for name in raised(one) if name not in text)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_has_an_entry(package: str) -> None:
    names = importlib.import_module(package).__all__
    entered = {id(one) for one, _ in documented().values()} | {id(find(name)) for name in ENTRIES}
    missing = [name for name in names if id(getattr(importlib.import_module(package), name)) not in entered]
    assert missing == []


def test_each_entry_is_on_one_page() -> None:
    assert len(ENTRIES) == len(set(ENTRIES)) > 60


def test_docstrings_tell_parameters_and_errors() -> None:
    assert {name: found for name, (one, owner) in documented().items() if (found := lacks(one, owner))} == {}


def test_names_that_the_guides_import_have_entries() -> None:
    guides = [
        path for path in (ROOT / "docs").rglob("*.md") if path.name not in ("ARCHITECTURE.md", "LOG.md", "kernels.md")
    ]
    texts = [path.read_text(encoding="utf-8") for path in guides]
    found = {
        (module, name)
        for text in texts
        for module, names in re.findall(r"^ *from (guided[\w.]*) import (.*)$", text, re.M)
        for name in re.findall(r"\w+", names.partition("#")[0])
    }
    entered = {id(one) for one, _ in documented().values()} | {id(find(name)) for name in ENTRIES}
    assert sorted(f"{module}.{name}" for module, name in found if id(find(f"{module}.{name}")) not in entered) == []


def test_the_check_finds_what_is_missing() -> None:
    def write(size: int, place: int) -> None:
        """Write it. size: in bytes."""
        raise ValueError(size)

    def silent() -> None: ...

    assert lacks(write, None) == ["place", "ValueError"]
    assert lacks(silent, None) == ["a docstring"]
