"""Where commands read from: schemas (JSON files, Python classes) and texts (files, folders, `-`)."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from types import ModuleType
from typing import Any

from guided.grammars.errors import InvalidInputError
from guided.grammars.limits import Limits
from guided.grammars.schema_input import read_schema

from ..schema_types import to_json_schema

STANDARD_INPUT = "-"
TEXT_SUFFIXES = {".txt", ".md"}


@dataclass(frozen=True)
class TextSource:
    """One text to read from. name: the path as given, or "-"."""

    name: str
    text: str


def load_schema(source: str) -> Any:
    """What `source` names, checked: the text of FILE.json, or CLASS of FILE.py:CLASS or MODULE:CLASS."""
    schema = _read(Path(source), "schema file") if source.endswith(".json") else _load_class(source)
    read_schema(to_json_schema(schema), Limits())
    return schema


def _load_class(source: str) -> Any:
    place, separator, name = source.rpartition(":")
    if not separator or not place or not name:
        raise InvalidInputError(f"{source!r} is no schema: give FILE.json, FILE.py:CLASS or MODULE:CLASS")
    module = _load_file(Path(place)) if place.endswith(".py") else _load_module(place)
    if not hasattr(module, name):
        names = [
            key
            for key, value in vars(module).items()
            if isinstance(value, type) and value.__module__ == module.__name__
        ]
        raise InvalidInputError(f"{place} has no {name!r}; it has {', '.join(sorted(names)) or 'no classes'}")
    return getattr(module, name)


def load_texts(paths: list[str]) -> list[TextSource]:
    """The texts of files, of .txt and .md files in folders (sorted, subfolders too), and of standard input for "-"."""
    texts: list[TextSource] = []
    for path in paths:
        if path == STANDARD_INPUT:
            texts.append(TextSource(path, sys.stdin.read()))
        elif Path(path).is_dir():
            texts += _read_folder(Path(path))
        else:
            texts.append(TextSource(path, _read(Path(path), "text file")))
    for source in texts:
        if not source.text.strip():
            raise InvalidInputError(f"{source.name} is empty; there is nothing to extract from")
    return texts


class SchemaChoice:
    """Which schema is for which text. options: SCHEMA, or GLOB=SCHEMA for paths that match; the first that fits."""

    def __init__(self, options: list[str]) -> None:
        self._rules = [_split_rule(option) for option in options]
        self._schemas = {source: load_schema(source) for _, source in self._rules}

    def source_for(self, path: str) -> str:
        """The schema source for a text's path."""
        for pattern, source in self._rules:
            if pattern is None or fnmatch(path, pattern) or any(fnmatch(part, pattern) for part in Path(path).parts):
                return source
        patterns = ", ".join(str(pattern) for pattern, _ in self._rules)
        raise InvalidInputError(f"no --schema is for {path}: it matches none of {patterns}; add one without GLOB=")

    def schema(self, source: str) -> Any:
        """The loaded schema of one source."""
        return self._schemas[source]


def _split_rule(option: str) -> tuple[str | None, str]:
    pattern, separator, source = option.partition("=")
    return (pattern, source) if separator else (None, option)


def _read_folder(folder: Path) -> list[TextSource]:
    files = sorted(path for path in folder.rglob("*") if path.suffix in TEXT_SUFFIXES and path.is_file())
    if not files:
        raise InvalidInputError(f"folder {folder} holds no .txt or .md file")
    return [TextSource(str(path), _read(path, "text file")) for path in files]


def _read(path: Path, what: str) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InvalidInputError(f"there is no {what} {str(path)!r}") from None
    except UnicodeDecodeError as error:
        raise InvalidInputError(f"{path} is not UTF-8 text (byte {error.start}); convert it first") from None
    except OSError as error:
        raise InvalidInputError(f"can't read {what} {str(path)!r}: {error.strerror}") from None


def _load_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise InvalidInputError(f"there is no Python file {str(path)!r}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # so that annotations written as strings are found
    spec.loader.exec_module(module)
    return module


def _load_module(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not name.startswith(error.name):
            raise
        raise InvalidInputError(f"there is no Python module {name!r}; for a file write {name}.py:CLASS") from None
