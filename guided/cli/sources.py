"""Where commands read from: schemas (JSON files, Python classes), texts and other files, standard input (`-`)."""

from __future__ import annotations

import importlib
import importlib.util
import json
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
    """One text to read from. name: the path as given, or "-"; of a line in a .jsonl file its id, or FILE:LINE."""

    name: str
    text: str


def load_schema(source: str) -> Any:
    """What `source` names, checked: the text of FILE.json, or CLASS of FILE.py:CLASS or MODULE:CLASS."""
    schema = read_text_file(Path(source), "schema file") if source.endswith(".json") else _load_class(source)
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


def load_texts(paths: list[str], text_field: str = "text", id_field: str | None = None) -> list[TextSource]:
    """The texts of files, of .txt and .md files in folders (sorted, subfolders too), and of standard input for "-".

    A .jsonl file has a text in the field `text_field` of the object on each line, and its name in `id_field`.
    """
    texts: list[TextSource] = []
    for path in paths:
        if path == STANDARD_INPUT:
            texts.append(TextSource(path, read_standard_input()))
        elif path.endswith(".jsonl") and not Path(path).is_dir():
            texts += _read_lines(path, text_field, id_field)
        elif Path(path).is_dir():
            texts += _read_folder(Path(path))
        else:
            texts.append(TextSource(path, read_text_file(Path(path), "text file")))
    for source in texts:
        if not _is_unicode(source.name):
            reason = "is not valid Unicode, so no result can name it; rename the file, or use another --id-field"
            raise InvalidInputError(f"the name {source.name!r} {reason}")
        if not source.text.strip():
            raise InvalidInputError(f"{source.name} is empty; there is nothing to extract from")
    return texts


def _is_unicode(text: str) -> bool:
    """False for lone surrogates: of a file name whose bytes are not UTF-8, or of a JSON escape."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def read_standard_input() -> str:
    """All of standard input, which must be UTF-8."""
    return _decode(sys.stdin.buffer.read(), "standard input")


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
    """(GLOB, SCHEMA); GLOB is None for an option that is a schema's path, even one with "=" in it."""
    path = option if option.endswith(".json") else option.rpartition(":")[0]
    if "=" not in option or Path(path).exists():
        return None, option
    pattern, _, source = option.partition("=")
    return pattern, source


def _read_lines(path: str, text_field: str, id_field: str | None) -> list[TextSource]:
    texts = []
    for number, line in enumerate(read_text_file(Path(path), "text file").split("\n"), start=1):
        if line.strip():
            texts.append(_read_line(line, f"{path}:{number}", text_field, id_field))
    if not texts:
        raise InvalidInputError(f"{path} holds no lines; there is nothing to extract from")
    return texts


def _read_line(line: str, place: str, text_field: str, id_field: str | None) -> TextSource:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise InvalidInputError(f"{place} is not JSON: {error}") from None
    if not isinstance(record, dict):
        raise InvalidInputError(f"{place} is no JSON object with a field {text_field!r}")
    for field in filter(None, (text_field, id_field)):
        if field not in record:
            raise InvalidInputError(f"{place} has no field {field!r}; it has {', '.join(map(repr, record)) or 'none'}")
    text, name = record[text_field], place if id_field is None else record[id_field]
    if not isinstance(text, str):
        raise InvalidInputError(f"{place}: {text_field!r} must be a string, not {type(text).__name__}")
    if not isinstance(name, str | int) or isinstance(name, bool):
        raise InvalidInputError(f"{place}: {id_field!r} must be a string or an integer, not {type(name).__name__}")
    return TextSource(str(name), text)


def _read_folder(folder: Path) -> list[TextSource]:
    files = sorted(path for path in folder.rglob("*") if path.suffix in TEXT_SUFFIXES and path.is_file())
    if not files:
        raise InvalidInputError(f"folder {folder} holds no .txt or .md file")
    return [TextSource(str(path), read_text_file(path, "text file")) for path in files]


def read_text_file(path: Path, what: str) -> str:
    """All of a file, which must be UTF-8. what: what it is for the user ("schema file"). Raises InvalidInputError."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise InvalidInputError(f"there is no {what} {str(path)!r}") from None
    except OSError as error:
        raise InvalidInputError(f"can't read {what} {str(path)!r}: {error.strerror}") from None
    return _decode(content, str(path))


def _decode(content: bytes, name: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInputError(f"{name} is not UTF-8 text (byte {error.start}); convert it first") from None


def _load_file(path: Path) -> ModuleType:
    """Run a Python file as a module of a private name, with its folder on the import path meanwhile."""
    if not path.is_file():
        raise InvalidInputError(f"there is no Python file {str(path)!r}")
    name = f"_guided_schema_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # so that annotations written as strings are found
    sys.path.insert(0, str(path.parent.resolve()))
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # the user's own code can raise anything
        raise InvalidInputError(f"can't load {path}: {type(error).__name__}: {error}") from error
    finally:
        sys.path.pop(0)
    return module


def _load_module(name: str) -> ModuleType:
    if name.startswith("."):
        raise InvalidInputError(f"{name!r} is relative; give the module's full name, or FILE.py:CLASS")
    try:
        return importlib.import_module(name)
    except Exception as error:  # the user's own code can raise anything
        if isinstance(error, ModuleNotFoundError) and error.name is not None and name.startswith(error.name):
            hint = f"there is no Python module {name!r}; for a file write {name}.py:CLASS"
            raise InvalidInputError(hint) from None
        raise InvalidInputError(f"can't load {name}: {type(error).__name__}: {error}") from error
