"""Finds the texts of a folder and its subfolders, and warns of everything else there."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Set
from pathlib import Path
from typing import Literal, get_args

from guided.grammars.errors import InvalidInputError

from ..documents.rows import ROW_SUFFIXES

MAX_SHOWN = 10  # maximum number of names in one warning
FileKind = Literal["text", "table", "hidden file", "hidden folder", "link", "lost link", "closed", "other"]


def text_files(folder: Path, suffixes: Set[str], warn: Callable[[str], None]) -> list[Path]:
    """The files with one of these suffixes, sorted. suffixes: in lower case; files may have them in upper case.

    warn: called with a message about skipped entries. Links to folders are skipped, since they may lead back. Hidden
        entries, whose names begin with a dot, are skipped too; the folder itself may be hidden. Raises
        InvalidInputError for a folder without such files.
    """
    found: dict[FileKind, list[Path]] = {kind: [] for kind in get_args(FileKind)}
    for parent, folders, files in os.walk(folder, onerror=lambda error: found["closed"].append(Path(error.filename))):
        found["hidden folder"] += [Path(parent, name) for name in folders if _is_hidden(name)]
        # os.walk descends into the folders left in this list
        folders[:] = [name for name in folders if not _is_hidden(name)]
        found["link"] += [path for path in (Path(parent, name) for name in folders) if os.path.islink(path)]
        for path in (Path(parent, name) for name in files):
            found[_kind(path, suffixes)].append(path)
    passed_over = list(_passed_over(found, known := ", ".join(sorted(suffixes))))
    if not found["text"]:
        raise InvalidInputError("; ".join([f"folder {folder} holds no file of the kinds {known}", *passed_over]))
    for one in passed_over:
        warn(f"{folder}: {one}")
    return sorted(found["text"])


def is_seen_in(folder: Path, file: Path) -> bool:
    """True if a file is in a folder or its subfolders and not hidden there. Links are followed."""
    inner, outer = file.resolve(), folder.resolve()
    return outer in inner.parents and not any(map(_is_hidden, inner.relative_to(outer).parts))


def _is_hidden(name: str) -> bool:
    return name.startswith(".")


def _kind(path: Path, suffixes: Set[str]) -> FileKind:
    """The kind of a file, or of a link that leads to no folder.

    os.path answers even inside a folder that can't be read, where a Path would raise.
    """
    if _is_hidden(path.name):
        return "hidden file"
    if os.path.islink(path) and not os.path.exists(path):
        return "lost link"
    if os.path.exists(path) and not os.path.isfile(path):  # a device or a socket
        return "other"
    suffix = path.suffix.lower()
    return "text" if suffix in suffixes else "table" if suffix in ROW_SUFFIXES else "other"


def _passed_over(found: Mapping[FileKind, list[Path]], known: str) -> Iterator[str]:
    """Descriptions of the skipped entries. known: suffixes of texts."""
    by_name = "; give {each} by its name"
    yield from _described(found["table"], "table", by_name)
    yield from _described(found["hidden file"], "hidden file", by_name)
    yield from _described(found["hidden folder"], "hidden folder", by_name)
    yield from _described(found["link"], "link", f" to a folder{by_name}")
    yield from _described(found["lost link"], "link", " to nothing that can be read")
    yield from _described(found["closed"], "folder", " that can't be read")
    yield from _described(found["other"], "file", f" of other kinds than {known}")


def _described(paths: list[Path], what: str, why: str) -> Iterator[str]:
    """A description of skipped entries, if there are any. why: words after the noun."""
    if not paths:
        return
    is_one = len(paths) == 1
    names = ", ".join(map(str, sorted(paths)[:MAX_SHOWN]))
    more = f" and {len(paths) - MAX_SHOWN} more" if len(paths) > MAX_SHOWN else ""
    reason = why.format(each="it" if is_one else "each")
    yield f"passed over {len(paths)} {what if is_one else what + 's'}{reason}: {names}{more}"
