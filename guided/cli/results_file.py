"""A results file that grows during a run: JSON lines, with a temporary name until all results are there.

A table (CSV, Parquet, SQLite) is written from these lines at the end. An interrupted run leaves `NAME.partial`, and the
next run can resume with it. After a power cut, results older than a second are safe; of later ones, whole lines are
kept up to the first damaged one. Results that the next run can't keep stay in the partial file until all texts are
done. Only one process at a time may write the file.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any

from guided.grammars.errors import InvalidInputError

from ..extraction.columns import Column
from ..schemas.exact_json import read_json, write_json
from .tables import TABLE_WRITERS, check_columns, write_table
from .write_lock import WriteLock

LINE_SUFFIXES = ("", ".jsonl", ".ndjson", ".json")
SYNC_INTERVAL_S = 1.0  # seconds; a sync takes 1 to 30 ms, a text takes longer
TEXT_DIGEST, SCHEMA_DIGEST = "text_sha256", "schema_sha256"
DIGESTS = {TEXT_DIGEST: "text", SCHEMA_DIGEST: "schema"}  # inputs that may change between two runs
CODE = "code of the type"  # may change too, but has no digest
OPTIONS = "options"  # key of the options that have no key of their own in a record
MODEL_PLACE = "model_place_sha256"  # key among the options: digest of the model's folder or server

Record = Mapping[str, Any]


class ResultsFile:
    """A results file, used as a context manager. Leaving it without an exception gives the file its final name.

    path: the finished file; its suffix tells the format.
    resume: continue the partial file of an earlier run.
    replace: replace an existing finished file at the end.
    columns: columns of a table.
    records: attribute; the records of the finished file.
    warnings: attribute; messages to print when the file is finished.
    Raises InvalidInputError if the file can't be written, if another process writes it, and for an unknown suffix. Also
    for an existing file without `replace`, for a partial file without `resume`, and for a partial file with other
    content.
    """

    def __init__(self, path: Path, *, resume: bool, replace: bool = False, columns: Sequence[Column] = ()) -> None:
        _check_writable(path)
        self.path = path
        self._columns = columns
        self.partial = path.with_name(path.name + ".partial")
        self._suffix = path.suffix.lower()
        if self._suffix not in (*LINE_SUFFIXES, *TABLE_WRITERS):
            known = ", ".join([*LINE_SUFFIXES[1:], *TABLE_WRITERS])
            raise InvalidInputError(f"can't write {path.name}: what files there are is said by their suffix: {known}")
        if self.is_table:
            check_columns(path, self._suffix, columns)
        self._lock = WriteLock(path)
        try:
            self._lines = self._found(resume=resume, replace=replace)  # all records of the partial file
        except BaseException:
            self._lock.release()
            raise
        self.records = list(self._lines)
        self.warnings: list[str] = []
        self._places: dict[str, int] = {}  # position of each source in the results
        self._file: FileIO | None = None
        self._last_sync_s = monotonic()

    def _found(self, *, resume: bool, replace: bool) -> list[dict[str, Any]]:
        """The records of an earlier run. Raises InvalidInputError for files that this run must not change."""
        if self.path.exists() and not replace:
            raise InvalidInputError(f"{self.path} is there already; give --force to replace it, or another name")
        if not self.partial.exists():
            return []
        if not resume:
            raise InvalidInputError(
                f"{self.partial} is what an earlier run had done; give --resume to go on with it, or delete it"
            )
        return _read_records(self.partial)

    @property
    def is_table(self) -> bool:
        """True if the finished file is a table."""
        return self._suffix in TABLE_WRITERS

    def close(self) -> None:
        """Allow other processes to write the file. Leaving the context does this too."""
        self._lock.release()

    def __enter__(self) -> ResultsFile:
        with self._told():
            self._file = self.partial.open("wb" if not self._lines else "r+b", buffering=0)
            if self._lines:  # lines that were cut off or damaged will be written again
                self._file.truncate(sum(len(_line(record)) for record in self._lines))
                self._file.seek(0, os.SEEK_END)
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        assert self._file is not None
        try:
            if kind is None:
                self._end()
            else:
                with suppress(OSError):  # the run already ends with another error
                    self._sync()
        finally:
            self._file.close()
            if kind is not None and not self._lines:
                self.partial.unlink()
            self.close()

    def keep(self, identities: Mapping[str, Record], is_current: Callable[[Record], bool]) -> Counter[str]:
        """Remove from `records` the results whose inputs changed. Returns the number of such sources, by what changed.

        identities: for each source, in the order of the results, the options and DIGESTS that this run's records have.
        is_current: called with a record; False if code without a digest gives another result now.
        Raises InvalidInputError for a record with other options, or of a source that this run does not have.
        """
        self._check_sources(identities)
        kept, changed = dict[str, dict[str, Any]](), dict[str, str]()
        for number, record in enumerate(self._lines, start=1):
            source = record["source"]
            _check_options(record, identities[source], f"{self.partial}, line {number}: {source}")
            what = _changed(record, identities[source], is_current)
            if what is None:
                kept[source] = record
            else:
                changed[source] = what
        self._places = {source: place for place, source in enumerate(identities)}
        self.records = self._in_order(kept.values())
        return Counter(what for source, what in changed.items() if source not in kept)

    def write(self, record: dict[str, Any]) -> None:
        """Add a result. The operating system has it on return, and the disk within SYNC_INTERVAL_S."""
        assert self._file is not None
        with self._told():
            _write_all(self._file, _line(record))
            self._lines.append(record)
            self.records.append(record)
            if monotonic() - self._last_sync_s >= SYNC_INTERVAL_S:
                self._sync()

    def _check_sources(self, identities: Mapping[str, Record]) -> None:
        """Raise InvalidInputError for results of texts that are missing now, so that their loss is noticed."""
        gone = [(number, one["source"]) for number, one in enumerate(self._lines, 1) if one["source"] not in identities]
        if not gone:
            return
        number, source = gone[0]
        others = f", nor are {len(gone) - 1} more" if len(gone) > 1 else ""
        them, lines = ("that text", "that line") if len(gone) == 1 else ("those texts", "their lines")
        raise InvalidInputError(
            f"{self.partial}, line {number}: {source} is none of the texts of this run{others}: the texts, or their "
            f"names, have changed since the run that was stopped. Put {them} back, delete {lines} from the file, or "
            "start anew: delete the file and leave out --resume"
        )

    def _in_order(self, records: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        return sorted(records, key=lambda record: self._places.get(record["source"], 0))

    def _end(self) -> None:
        """Finish the file: sync it to disk and give it its final name."""
        with self._told():
            self._sync()
            self._finish()
            _sync_folder(self.path.parent)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn an OSError, such as a full disk, into an InvalidInputError that says where the results are."""
        try:
            yield
        except OSError as error:
            there = f"; {len(self.records)} results are in {self.partial}, --resume goes on with them"
            reason = f"can't write {self.partial}: {error.strerror}"
            raise InvalidInputError(reason + (there if self.records else "")) from error

    def _finish(self) -> None:
        """Write the finished file. If a table can't be written, the partial file stays."""
        self.records = self._in_order(self.records)
        if self.records != self._lines:
            self._replace(self.partial, self._write_lines)
        if not self.is_table:
            self.partial.replace(self.path)
            return
        try:
            self._replace(self.path, self._write_table)
        except Exception as error:  # no error may lose the results
            advice = f"rename it to {self.path.stem}.jsonl, or give --resume to make the table again"
            raise InvalidInputError(
                f"can't write {self.path}: {error}; all results are JSON lines in {self.partial}: {advice}"
            ) from error
        self.partial.unlink()

    def _write_lines(self, path: Path) -> None:
        with path.open("wb") as file:
            file.writelines(map(_line, self.records))

    def _write_table(self, path: Path) -> None:
        told = write_table(path, self._suffix, self._columns, self.records)
        self.warnings += [f"{self.path}: {one}" for one in told]

    def _replace(self, path: Path, write: Callable[[Path], None]) -> None:
        """Replace a file's content atomically. write: writes the content to a path."""
        whole = self.path.with_name(self.path.name + ".writing")
        try:
            write(whole)
            with whole.open("r+b") as file:
                os.fsync(file.fileno())
            whole.replace(path)
        finally:
            whole.unlink(missing_ok=True)

    def _sync(self) -> None:
        assert self._file is not None
        os.fsync(self._file.fileno())
        self._last_sync_s = monotonic()


def _check_options(record: Record, identity: Record, where: str) -> None:
    """Raise InvalidInputError for a record made with other options. where: file, line and source, for the message."""
    own = {name: value for name, value in identity.items() if name != OPTIONS and name not in DIGESTS}
    _check_same(record, own, where)
    if not isinstance(record.get(OPTIONS), dict) or DIGESTS.keys() - record.keys():
        reason = "is of an older version, whose results don't say of what they are"
        raise InvalidInputError(f"{where} {reason}; finish it with that version, or delete the file")
    _check_same(record[OPTIONS], identity[OPTIONS], where)


def _check_same(said: Record, expected: Record, where: str) -> None:
    for name, value in expected.items():
        if said.get(name) != value:
            was = f"{name} {said.get(name)!r}, not {value!r}"
            if name == MODEL_PLACE:
                was = "a model of that name in another place"
            advice = "give the options of that run, or delete the file to read all texts anew"
            raise InvalidInputError(f"{where} was read with {was}; {advice}")


def _changed(record: Record, identity: Record, is_current: Callable[[Record], bool]) -> str | None:
    """The kind of change since a record was written; None without a change."""
    for name, what in DIGESTS.items():
        if record[name] != identity[name]:
            return what
    return None if is_current(record) else CODE


def _line(record: Record) -> bytes:
    return (write_json(record) + "\n").encode()


def _write_all(file: FileIO, content: bytes) -> None:
    """Write all bytes. An unbuffered file may accept only some of them; a full disk accepts none and raises."""
    while content:
        content = content[file.write(content) :]


def _read_records(partial: Path) -> list[dict[str, Any]]:
    """The records up to the first one that a power cut damaged: cut off, containing NULs, or the last line."""
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
    """The record in a line; None if the line is no record as this module writes it."""
    try:
        record = read_json(line.decode())
    except ValueError:
        return None
    if not isinstance(record, dict) or not isinstance(record.get("source"), str) or _line(record) != line + b"\n":
        return None
    return record


def _sync_folder(folder: Path) -> None:
    """Sync a folder's entry to disk, on systems that can (not on Windows)."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def check_no_folder(path: Path) -> None:
    """Raise InvalidInputError if a path for a file is a folder."""
    if path.is_dir():
        raise InvalidInputError(f"can't write to {str(path)!r}, which is a folder; give the name of a file")


def _check_writable(path: Path) -> None:
    """Raise InvalidInputError if a file can't be written, before any work is done."""
    check_no_folder(path)
    if not path.parent.is_dir():
        raise InvalidInputError(f"there is no folder {str(path.parent)!r} to write {path.name} into")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InvalidInputError(f"can't write to {str(path)!r}")
