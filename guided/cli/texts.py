"""The texts that `guided extract` reads: files, folders, lines of JSON, standard input (`-`).

A text that can't be read is an error, or with keep_going a text with a problem, which becomes a result with an error.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from guided.grammars.errors import InvalidInputError

from .sources import decode, read_standard_input, read_text_file

STANDARD_INPUT = "-"
TEXT_SUFFIXES = {".txt", ".md"}


@dataclass(frozen=True)
class TextSource:
    """One text to read from.

    name: the path as given, or "-"; of a line in a .jsonl file its id, or FILE:LINE. problem: why there is no text.
    """

    name: str
    text: str
    problem: InvalidInputError | None = None


def load_texts(
    paths: list[str], text_field: str = "text", id_field: str | None = None, *, keep_going: bool = False
) -> list[TextSource]:
    """The texts of files, of .txt and .md files in folders (sorted, subfolders too), and of standard input for "-".

    A .jsonl file has a text in the field `text_field` of the object on each line, and its name in `id_field`.
    keep_going: a text that is empty, not UTF-8 or not where it should be is given with its problem.
    Raises InvalidInputError for such texts otherwise, for files that are not there, and where two texts have one name.
    """
    texts = [source for path in paths for source in _read(path, text_field, id_field)]
    _check_names(texts)
    if not keep_going:
        for source in texts:
            if source.problem is not None:
                raise source.problem
    return texts


def _read(path: str, text_field: str, id_field: str | None) -> Iterator[TextSource]:
    if path == STANDARD_INPUT:
        yield _text_source(path, read_standard_input)
    elif Path(path).is_dir():
        for file in _files(Path(path)):
            yield _text_source(str(file), partial(read_text_file, file, "text file"))
    elif not Path(path).exists():
        raise InvalidInputError(f"there is no text file {path!r}")
    elif path.endswith(".jsonl"):
        yield from _read_lines(path, text_field, id_field)
    else:
        yield _text_source(path, partial(read_text_file, Path(path), "text file"))


def _text_source(name: str, read: Callable[[], str]) -> TextSource:
    try:
        text = read()
    except InvalidInputError as error:
        return TextSource(name, "", error)
    return _checked(name, text)


def _checked(name: str, text: str) -> TextSource:
    empty = None if text.strip() else InvalidInputError(f"{name} is empty; there is nothing to extract from")
    return TextSource(name, text, empty)


def _files(folder: Path) -> list[Path]:
    files = sorted(path for path in folder.rglob("*") if path.suffix in TEXT_SUFFIXES and path.is_file())
    if not files:
        raise InvalidInputError(f"folder {folder} holds no .txt or .md file")
    return files


def _check_names(texts: list[TextSource]) -> None:
    """Results are told apart by the names of their texts."""
    names = set()
    for source in texts:
        if not _is_unicode(source.name):
            reason = "is not valid Unicode, so no result can name it; rename the file, or use another --id-field"
            raise InvalidInputError(f"the name {source.name!r} {reason}")
        if source.name in names:
            reason = "results could not be told apart; give each text once, and an --id-field whose values differ"
            raise InvalidInputError(f"two texts have the name {source.name!r}: {reason}")
        names.add(source.name)


def _is_unicode(text: str) -> bool:
    """False for lone surrogates: of a file name whose bytes are not UTF-8, or of a JSON escape."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _read_lines(path: str, text_field: str, id_field: str | None) -> Iterator[TextSource]:
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise InvalidInputError(f"can't read text file {path!r}: {error.strerror}") from None
    if not content.strip():
        raise InvalidInputError(f"{path} holds no lines; there is nothing to extract from")
    for number, line in enumerate(content.split(b"\n"), start=1):
        if line.strip():
            yield _read_line(line, f"{path}:{number}", text_field, id_field)


def _read_line(line: bytes, place: str, text_field: str, id_field: str | None) -> TextSource:
    """The text of a line; one with a problem has its id as name where it can be read."""
    name = place
    try:
        record = _record(decode(line, place), place, text_field)
        if id_field is not None:
            name = _name(record, place, id_field)
        return _checked(name, _field(record, text_field, place))
    except InvalidInputError as error:
        return TextSource(name, "", error)


def _record(line: str, place: str, text_field: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(f"{place} is not JSON: {error}") from None
    if not isinstance(record, dict):
        raise InvalidInputError(f"{place} is no JSON object with a field {text_field!r}")
    return record


def _field(record: dict[str, Any], text_field: str, place: str) -> str:
    text = _value(record, text_field, place)
    if not isinstance(text, str):
        raise InvalidInputError(f"{place}: {text_field!r} must be a string, not {type(text).__name__}")
    return text


def _name(record: dict[str, Any], place: str, id_field: str) -> str:
    name = _value(record, id_field, place)
    if not isinstance(name, str | int) or isinstance(name, bool):
        raise InvalidInputError(f"{place}: {id_field!r} must be a string or an integer, not {type(name).__name__}")
    return str(name)


def _value(record: dict[str, Any], field: str, place: str) -> Any:
    if field not in record:
        raise InvalidInputError(f"{place} has no field {field!r}; it has {', '.join(map(repr, record)) or 'none'}")
    return record[field]
