"""The texts of `guided extract`: files, mails, folders, table rows, standard input (`-`).

A file's suffix, in upper or lower case, tells its format; an unknown suffix means plain text. A text that can't be read
raises an error. With keep_going it becomes a text with a problem, whose result is an error.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import typer

from guided.grammars.errors import InvalidInputError

from ..documents.files import KIND_OF_SUFFIX, file_text, kind_of, unread_attachments
from ..documents.mail import mailbox_texts
from ..documents.rows import ROW_SUFFIXES, Row, read_rows
from .folders import is_seen_in, text_files
from .sources import read_bytes, read_standard_input

STANDARD_INPUT = "-"
MAILBOX_SUFFIX = ".mbox"
TEXT_SUFFIXES = {".txt", ".md", ".markdown", *KIND_OF_SUFFIX, MAILBOX_SUFFIX}
TEXT_FIELD = "text"  # default field of a row

Warn = Callable[[str], None]


@dataclass(frozen=True)
class TextSource:
    """A text to read.

    name: the path as given, or "-". For a table row its id or FILE:ROW, for a line FILE:LINE, for a mail in a mailbox
        FILE:NUMBER.
    text: the text; "" with a problem.
    problem: why there is no text.
    """

    name: str
    text: str
    problem: InvalidInputError | None = None


def tell_warning(warning: str) -> None:
    """Print a warning to standard error."""
    typer.echo(f"warning: {warning}", err=True)


def load_texts(
    paths: list[str],
    text_field: str | None = None,
    id_field: str | None = None,
    *,
    keep_going: bool = False,
    warn: Warn = tell_warning,
) -> list[TextSource]:
    """The texts in files, in folders with their subfolders (sorted, by TEXT_SUFFIXES), and in standard input for "-".

    A .mbox file has a text for each mail. A .jsonl, .csv, .tsv or .parquet file has a text in each row.

    text_field: field with a row's text; None: TEXT_FIELD.
    id_field: field with a row's name; None: rows are named by their position.
    keep_going: a text that is empty, not UTF-8 or missing is returned with its problem.
    warn: called with messages about content that becomes no text.
    Raises InvalidInputError for such texts without `keep_going`, for missing files, and for two texts with the same
    name. Also for named fields if no path is a table.
    """
    _check_fields(paths, text_field, id_field)
    text_field = TEXT_FIELD if text_field is None else text_field
    texts = [source for path in paths for source in _read(path, text_field, id_field, warn)]
    _check_names(texts)
    if not keep_going:
        for source in texts:
            if source.problem is not None:
                advice = "; --keep-going goes on with the other texts" if len(texts) > 1 else ""
                raise InvalidInputError(f"{source.problem}{advice}") from source.problem
    return texts


def check_not_read(written: Path, paths: Iterable[str]) -> None:
    """Raise InvalidInputError if a file to write is also read, or would be a text of the next run.

    paths: files and folders that are read. Links are followed, since writing through a link changes the file itself.
    """
    is_there = os.path.exists(written)
    for path in paths:
        is_folder = Path(path).is_dir()
        if is_there:
            files = text_files(Path(path), TEXT_SUFFIXES, lambda _: None) if is_folder else [Path(path)]
            if any(os.path.exists(file) and file.samefile(written) for file in files):
                raise InvalidInputError(f"can't write to {str(written)!r}, which this run reads; give another name")
        if is_folder and written.suffix.lower() in TEXT_SUFFIXES and is_seen_in(Path(path), written):
            reason = f"it would be a text of the next run that reads the folder {path!r}"
            raise InvalidInputError(f"can't write to {str(written)!r}: {reason}; write it into another folder")


def _check_fields(paths: list[str], text_field: str | None, id_field: str | None) -> None:
    """Raise InvalidInputError for field options if no path is a table."""
    named = {"--text-field": (text_field, "has the text"), "--id-field": (id_field, "names the text in results")}
    given = {option: what for option, (field, what) in named.items() if field is not None}
    if not given or any(map(_is_table, paths)):
        return
    options, are, them = " and ".join(given), *(("is", "it") if len(given) == 1 else ("are", "them"))
    fields = f"the field or column that {' and the one that '.join(given.values())}"
    advice = f"leave {them} out, or give a table by its own name"
    raise InvalidInputError(
        f"{options} {are} for tables ({', '.join(ROW_SUFFIXES)}): {fields}. No input is a table; {advice}"
    )


def _is_table(path: str) -> bool:
    return path.lower().endswith(ROW_SUFFIXES) and not Path(path).is_dir()


def _read(path: str, text_field: str, id_field: str | None, warn: Warn) -> Iterator[TextSource]:
    if path == STANDARD_INPUT:
        yield _text_source(path, read_standard_input)
    elif Path(path).is_dir():
        for file in text_files(Path(path), TEXT_SUFFIXES, warn):
            yield from _texts_of_file(str(file), warn)
    elif not Path(path).exists():
        raise InvalidInputError(f"there is no text file {path!r}")
    elif _is_table(path):
        yield from _read_rows(path, text_field, id_field)
    else:
        yield from _texts_of_file(path, warn)


def _texts_of_file(path: str, warn: Warn) -> Iterator[TextSource]:
    """The text of a file, or the texts of a mailbox."""
    if Path(path).suffix.lower() == MAILBOX_SUFFIX:
        yield from _texts_of_mailbox(path, warn)
    else:
        yield _text_source(path, partial(_read_file, path, warn))


def _read_file(path: str, warn: Warn) -> str:
    kind = kind_of(path)
    assert kind is not None
    found = file_text(read_bytes(Path(path), f"{kind} file"), path, kind)
    if found.unread:
        warn(f"{path}: {found.unread}")
    return found.text


def _texts_of_mailbox(path: str, warn: Warn) -> Iterator[TextSource]:
    attachments: list[str] = []
    try:
        for number, mail in enumerate(mailbox_texts(path), start=1):
            name = f"{path}:{number}"
            if isinstance(mail, InvalidInputError):
                yield TextSource(name, "", mail)
            else:
                attachments += mail.attachments
                yield _checked(name, mail.text)
    except InvalidInputError as error:
        yield TextSource(path, "", error)
    if attachments:
        warn(f"{path}: {unread_attachments(attachments)}")


def _text_source(name: str, read: Callable[[], str]) -> TextSource:
    try:
        text = read()
    except InvalidInputError as error:
        return TextSource(name, "", error)
    return _checked(name, text)


def _checked(name: str, text: str, place: str | None = None) -> TextSource:
    """A text, with an error if it is empty. place: where the text stands; None: the name says that."""
    where = name if place in (None, name) else f"{place} ({name})"
    empty = None if text.strip() else InvalidInputError(f"{where} is empty; there is nothing to extract from")
    return TextSource(name, text, empty)


def _check_names(texts: list[TextSource]) -> None:
    """Check that names are valid and different, since results are identified by them."""
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
    """False for lone surrogates, which come from a file name that is not UTF-8 or from a JSON escape."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _read_rows(path: str, text_field: str, id_field: str | None) -> Iterator[TextSource]:
    for row in read_rows(path, text_field, id_field):
        yield _read_row(row, text_field, id_field)


def _read_row(row: Row, text_field: str, id_field: str | None) -> TextSource:
    """The text of a row. A row with a problem is named by its id if that can be read."""
    name = row.place
    try:
        if row.problem is not None:
            raise row.problem
        if id_field is not None:
            name = _name(row.values, row.place, id_field)
        return _checked(name, _field(row.values, text_field, row.place), row.place)
    except InvalidInputError as error:
        return TextSource(name, "", error)


def _field(record: Mapping[str, Any], text_field: str, place: str) -> str:
    text = _value(record, text_field, place)
    if not isinstance(text, str):
        raise InvalidInputError(f"{place}: {text_field!r} must be a string, not {type(text).__name__}")
    return text


def _name(record: Mapping[str, Any], place: str, id_field: str) -> str:
    name = _value(record, id_field, place)
    if not isinstance(name, str | int) or isinstance(name, bool):
        raise InvalidInputError(f"{place}: {id_field!r} must be a string or an integer, not {type(name).__name__}")
    return str(name)


def _value(record: Mapping[str, Any], field: str, place: str) -> Any:
    if field not in record:
        raise InvalidInputError(f"{place} has no field {field!r}; it has {', '.join(map(repr, record)) or 'none'}")
    return record[field]
