"""Docstrings of the public API: their sections name parameters and errors that exist."""

from __future__ import annotations

import builtins
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import guided
import guided.errors
import guided.grammars
import guided.grammars.errors
import guided.processors.errors

ROOT = Path(__file__).parents[1]
ERRORS = [builtins, guided.errors, guided.grammars.errors, guided.processors.errors]


def documented() -> Iterator[tuple[str, Any]]:
    """Each public class, function and method, by its name."""
    for package in (guided, guided.grammars):
        for name in package.__all__:
            one = getattr(package, name)
            if inspect.isclass(one):
                yield name, one
                for inner, method in inspect.getmembers(one, inspect.isroutine):
                    plain = getattr(method, "__func__", method)
                    is_ours = inspect.isfunction(plain) and plain.__module__.startswith("guided")
                    if is_ours and not inner.startswith("_"):
                        yield f"{name}.{inner}", method
            elif inspect.isfunction(one):
                yield name, one


DOCUMENTED = dict(documented())


def section(one: Any, title: str) -> list[str]:
    """The names that a section of a docstring explains."""
    found = re.search(rf"^{title}:\n((?:    .*\n|\n)*)", f"{inspect.getdoc(one) or ''}\n", re.MULTILINE)
    names = re.findall(r"^    (\w+(?:, \w+)*): ", found[1], re.MULTILINE) if found else []
    return [name for group in names for name in group.split(", ")]


def check(one: Any) -> list[str]:
    """The names in a docstring's sections that are no parameters and no errors."""
    callable_ = one.__init__ if inspect.isclass(one) and "__init__" in vars(one) else one
    listed = section(one, "Args")
    parameters = {*inspect.signature(callable_).parameters, "options"} if listed else set()
    unknown = [name for name in listed if name not in parameters]
    return unknown + [name for name in section(one, "Raises") if not any(hasattr(place, name) for place in ERRORS)]


def test_sections_name_what_exists() -> None:
    assert {name: found for name, one in DOCUMENTED.items() if (found := check(one))} == {}


def test_the_check_finds_stale_names() -> None:
    def method(size: int) -> None:
        """Do it.

        Args:
            size, width: numbers.

        Raises:
            ValueError: never.
            NoSuchError: never.
        """

    assert check(method) == ["width", "NoSuchError"]


def test_the_most_used_have_sections() -> None:
    for name in ("LLM", "LLM.generate", "LLM.start", "compile_grammar", "fill_bitmasks", "Matcher.fill_bitmask"):
        assert section(DOCUMENTED[name], "Args"), name
        assert section(DOCUMENTED[name], "Raises"), name


def joined_lines(text: str) -> list[str]:
    """Lines of a module's docstring that look like joined rows of a table or items of a list. Tables are indented."""
    docstring = text.partition('"""')[2].partition('"""')[0]
    return re.findall(r"^(?! {4}).*(?:\S {3,}\S.* {3,}\S|[.:;,] - \S).*$", docstring, re.MULTILINE)


def test_tables_and_lists_of_modules_are_not_joined() -> None:
    assert joined_lines('"""Title.\n\na.py   one   b.py   two\n"""')
    assert joined_lines('"""Title:\n\n- one; - two\n"""')
    paths = [path for package in ("grammars", "guided", "server") for path in (ROOT / package).rglob("*.py")]
    found = {path.relative_to(ROOT).as_posix(): joined_lines(path.read_text()) for path in paths}
    assert {path: lines for path, lines in found.items() if lines} == {}
