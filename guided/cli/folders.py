"""The texts of a folder and its subfolders, and what else is there: nothing is passed over in silence."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Set
from pathlib import Path

from guided.grammars.errors import InvalidInputError

from ..documents.rows import ROW_SUFFIXES

MAX_SHOWN = 10  # names of one warning


def text_files(folder: Path, suffixes: Set[str], warn: Callable[[str], None]) -> list[Path]:
    """The files with one of these suffixes, sorted. suffixes: in lower case; those of files may be in any.

    warn: told what is passed over. Links to folders are: they may lead back. Raises InvalidInputError for a folder
    without such files.
    """
    texts, tables, others, closed, links = list[Path](), list[Path](), list[Path](), list[Path](), list[Path]()
    for parent, folders, files in os.walk(folder, onerror=lambda error: closed.append(Path(error.filename))):
        links += [path for path in (Path(parent, name) for name in folders) if path.is_symlink()]
        for path in (Path(parent, name) for name in files):
            kind = path.suffix.lower()
            is_special = path.exists() and not path.is_file()  # a device, a socket
            found = others if is_special else texts if kind in suffixes else tables if kind in ROW_SUFFIXES else others
            found.append(path)
    known = ", ".join(sorted(suffixes))
    passed_over = [
        *_described(tables, "table", "; give {each} by its name"),
        *_described(links, "link", " to a folder; give {each} by its name"),
        *_described(closed, "folder", " that can't be read"),
        *_described(others, "file", f" of other kinds than {known}"),
    ]
    if not texts:
        raise InvalidInputError("; ".join([f"folder {folder} holds no file of the kinds {known}", *passed_over]))
    for one in passed_over:
        warn(f"{folder}: {one}")
    return sorted(texts)


def _described(paths: list[Path], what: str, why: str) -> Iterator[str]:
    """What is passed over, in words, if there is any. why: goes on after the noun."""
    if not paths:
        return
    is_one = len(paths) == 1
    names = ", ".join(map(str, sorted(paths)[:MAX_SHOWN]))
    more = f" and {len(paths) - MAX_SHOWN} more" if len(paths) > MAX_SHOWN else ""
    reason = why.format(each="it" if is_one else "each")
    yield f"passed over {len(paths)} {what if is_one else what + 's'}{reason}: {names}{more}"
