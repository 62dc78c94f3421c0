"""A file of results that grows while they are made: JSON lines, under a temporary name until all are there.

A table (CSV, Parquet, SQLite) is made of these lines once all are there.

An interrupted run leaves `NAME.partial`; the next one can go on with it. What was written more than a second before a
power cut is there; of what came after it, whole lines are kept up to the first one that was damaged.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any, TextIO

from guided.grammars.errors import InvalidInputError

from ..documents.columns import Column
from ..documents.tables import TABLE_WRITERS, check_columns, write_table

LINE_SUFFIXES = ("", ".jsonl", ".ndjson", ".json")
SYNC_INTERVAL_S = 1.0  # a sync takes 1 to 30 ms, a text more than that


class ResultsFile:
    """Use it as a context manager: left without an exception, the file gets its own name.

    path: the finished file; its suffix says what it is. resume: go on with the partial file of an earlier run.
    replace: a finished file that is there is replaced at the end. columns: those of a table.
    Raises InvalidInputError when it can't be written, for an unknown suffix, for a finished file without `replace`, for
    a partial file without `resume`, and for one that holds other things than such records.
    """

    def __init__(self, path: Path, *, resume: bool, replace: bool = False, columns: Sequence[Column] = ()) -> None:
        self.path = path
        self._columns = columns
        self.partial = path.with_name(path.name + ".partial")
        self._suffix = path.suffix.lower()
        if self._suffix not in (*LINE_SUFFIXES, *TABLE_WRITERS):
            known = ", ".join([*LINE_SUFFIXES[1:], *TABLE_WRITERS])
            raise InvalidInputError(f"can't write {path.name}: what files there are is said by their suffix: {known}")
        if self.is_table:
            check_columns(path, self._suffix, columns)
        _check_writable(path)
        if path.exists() and not replace:
            raise InvalidInputError(f"{path} is there already; give --force to replace it, or another name")
        if self.partial.exists() and not resume:
            raise InvalidInputError(
                f"{self.partial} is what an earlier run had done; give --resume to go on with it, or delete it"
            )
        self.records = _read_records(self.partial) if self.partial.exists() else []
        self._file: TextIO | None = None
        self._last_sync_s = monotonic()

    @property
    def is_table(self) -> bool:
        """It is made of the lines at the end."""
        return self._suffix in TABLE_WRITERS

    def __enter__(self) -> ResultsFile:
        self._file = self.partial.open("w" if not self.records else "r+", encoding="utf-8", newline="\n")
        if self.records:  # those that were cut off or damaged are written again
            self._file.truncate(sum(len(_line(record).encode()) for record in self.records))
            self._file.seek(0, os.SEEK_END)
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        assert self._file is not None
        self._sync()
        self._file.close()
        if kind is None:
            self._finish()
            _sync_folder(self.path.parent)
        elif not self.records:
            self.partial.unlink()

    def done(self, identities: Mapping[str, Mapping[str, Any]]) -> set[str]:
        """The sources that are in the file already. identities: what its records must say, for each source.

        Raises InvalidInputError for a record that says otherwise, or of a source that is none of this run's.
        """
        for number, record in enumerate(self.records, start=1):
            source = record["source"]
            if source not in identities:
                raise InvalidInputError(f"{self.partial}, line {number}: {source} is none of the texts of this run")
            for name, value in identities[source].items():
                if record.get(name) != value:
                    was = f"{source} was read with {name} {record.get(name)!r}, not {value!r}"
                    raise InvalidInputError(f"{self.partial}, line {number}: {was}")
        return {record["source"] for record in self.records}

    def write(self, record: dict[str, Any]) -> None:
        """One more result: the system's when this returns, on the disk SYNC_INTERVAL_S later at the most."""
        assert self._file is not None
        self._file.write(_line(record))
        self._file.flush()
        self.records.append(record)
        if monotonic() - self._last_sync_s >= SYNC_INTERVAL_S:
            self._sync()

    def _finish(self) -> None:
        """The file under its own name. A table that can't be made leaves the partial file."""
        if not self.is_table:
            self.partial.replace(self.path)
            return
        whole = self.path.with_name(self.path.name + ".writing")
        write_table(whole, self._suffix, self._columns, self.records)
        whole.replace(self.path)
        self.partial.unlink()

    def _sync(self) -> None:
        assert self._file is not None
        self._file.flush()
        os.fsync(self._file.fileno())
        self._last_sync_s = monotonic()


def _line(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"


def _read_records(partial: Path) -> list[dict[str, Any]]:
    """The records up to the first that a power cut damaged: cut off, with NULs in it, or the last line."""
    *lines, rest = partial.read_bytes().split(b"\n")
    records: list[dict[str, Any]] = []
    for number, line in enumerate(lines, start=1):
        record = _record(line)
        if record is None:
            is_last = number == len(lines) and not rest
            if b"\0" in line or (is_last and records):
                break
            raise InvalidInputError(f"{partial}, line {number} is no result of guided extract; delete the file")
        records.append(record)
    return records


def _record(line: bytes) -> dict[str, Any] | None:
    """The result that was written as this line; None where it is no such line."""
    try:
        text = line.decode()
        record = json.loads(text)
    except ValueError:
        return None
    if not isinstance(record, dict) or not isinstance(record.get("source"), str) or _line(record) != text + "\n":
        return None
    return record


def _sync_folder(folder: Path) -> None:
    """The new name on the disk too, where folders can be synced (not on Windows)."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _check_writable(path: Path) -> None:
    """Fail before the work, not after it."""
    if not path.parent.is_dir():
        raise InvalidInputError(f"there is no folder {str(path.parent)!r} to write {path.name} into")
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InvalidInputError(f"can't write to {str(path)!r}")
