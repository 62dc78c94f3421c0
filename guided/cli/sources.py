"""Sources of commands: schemas (JSON files, Python classes), text files, standard input. For texts see texts.py."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from fnmatch import fnmatch
from pathlib import Path
from types import ModuleType
from typing import Any

from guided.grammars.errors import InvalidInputError
from guided.grammars.limits import Limits

from ..documents.rows import decode
from ..schemas.python_types import to_json_schema


def load_schema(source: str) -> Any:
    """The schema that `source` names, checked: the text of FILE.json, CLASS of FILE.py:CLASS or MODULE:CLASS, or a JSON
    Schema.
    """
    from guided.grammars.backends.meta_schema import read_schema  # takes 0.1 s to import

    if _is_inline(source):
        schema: Any = source
    else:
        schema = read_text_file(Path(source), "schema file") if _is_json(source) else _load_class(source)
    read_schema(to_json_schema(schema), Limits())
    return schema


def _is_inline(source: str) -> bool:
    """True if the source is a JSON Schema itself, which begins with a brace, unlike any path or module."""
    return source.lstrip().startswith("{")


def _is_json(source: str) -> bool:
    """True if the source is a JSON file, by its suffix, in upper or lower case."""
    return source.lower().endswith(".json")


def _load_class(source: str) -> Any:
    place, separator, name = source.rpartition(":")
    if not separator or not place or not name:
        raise InvalidInputError(
            f"{source!r} is no schema: give FILE.json, FILE.py:CLASS, MODULE:CLASS or the JSON itself"
        )
    module = _load_file(Path(place)) if place.endswith(".py") else _load_module(place)
    if not hasattr(module, name):
        names = [
            key
            for key, value in vars(module).items()
            if isinstance(value, type) and value.__module__ == module.__name__
        ]
        raise InvalidInputError(f"{place} has no {name!r}; it has {', '.join(sorted(names)) or 'no classes'}")
    return getattr(module, name)


def read_standard_input() -> str:
    """All of standard input, which must be UTF-8."""
    return decode(sys.stdin.buffer.read(), "standard input")


class SchemaChoice:
    """Chooses a schema for each text. options: SCHEMA, or GLOB=SCHEMA for matching paths; the first match is used."""

    def __init__(self, options: list[str]) -> None:
        self._rules = [_split_rule(option) for option in options]
        self._schemas = {source: load_schema(source) for _, source in self._rules}

    def source_for(self, path: str) -> str:
        """The schema source for a text's path. Raises InvalidInputError if none matches."""
        for pattern, source in self._rules:
            if pattern is None or fnmatch(path, pattern) or any(fnmatch(part, pattern) for part in Path(path).parts):
                return source
        patterns = ", ".join(str(pattern) for pattern, _ in self._rules)
        raise InvalidInputError(f"no --schema is for {path}: it matches none of {patterns}; add one without GLOB=")

    @property
    def sources(self) -> list[str]:
        """All schema sources."""
        return list(self._schemas)

    def schema(self, source: str) -> Any:
        """The loaded schema of a source."""
        return self._schemas[source]


def _split_rule(option: str) -> tuple[str | None, str]:
    """The option as (GLOB, SCHEMA). GLOB is None for a schema's path, even if the path contains "="."""
    if _is_inline(option):
        return None, option
    path = option if _is_json(option) else option.rpartition(":")[0]
    if "=" not in option or Path(path).exists():
        return None, option
    pattern, _, source = option.partition("=")
    return pattern, source


def read_text_file(path: Path, what: str) -> str:
    """The text of a file, which must be UTF-8. what: description for errors ("schema file"). Raises
    InvalidInputError.
    """
    return decode(read_bytes(path, what), str(path))


def read_bytes(path: Path, what: str) -> bytes:
    """The content of a file. what: description for errors. Raises InvalidInputError."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise InvalidInputError(f"there is no {what} {str(path)!r}") from None
    except OSError as error:
        raise InvalidInputError(f"can't read {what} {str(path)!r}: {error.strerror}") from None


def _load_file(path: Path) -> ModuleType:
    """Run a Python file as a module with a private name. The file's folder is on the import path meanwhile."""
    if not path.is_file():
        raise InvalidInputError(f"there is no Python file {str(path)!r}")
    name = f"_guided_schema_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # lets annotations written as strings be resolved
    sys.path.insert(0, str(path.parent.resolve()))
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # the user's code can raise any exception
        raise InvalidInputError(f"can't load {path}: {type(error).__name__}: {error}") from error
    finally:
        sys.path.pop(0)
    return module


def _load_module(name: str) -> ModuleType:
    if name.startswith("."):
        raise InvalidInputError(f"{name!r} is relative; give the module's full name, or FILE.py:CLASS")
    try:
        return importlib.import_module(name)
    except Exception as error:  # the user's code can raise any exception
        if isinstance(error, ModuleNotFoundError) and error.name is not None and name.startswith(error.name):
            hint = f"there is no Python module {name!r}; for a file write {name}.py:CLASS"
            raise InvalidInputError(hint) from None
        raise InvalidInputError(f"can't load {name}: {type(error).__name__}: {error}") from error
