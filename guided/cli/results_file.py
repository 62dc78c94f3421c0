"""A results file that grows during a run: JSON lines, with a temporary name until all results are there.

A table (CSV, Parquet, SQLite) is written from these lines at the end. An interrupted run leaves `NAME.partial`. The
next run can resume with that file. Each line has a digest of all that determines the result (see `run_identity`). A
text whose line has another digest is read again.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Any

from guided.grammars.errors import InvalidInputError

from ..extraction.columns import Column
from ..schemas.exact_json import read_json, write_json
from .tables import TABLE_WRITERS, check_columns, write_table

LINE_SUFFIXES = ("", ".jsonl", ".ndjson", ".json")
DIGEST = "run_sha256"


class ResultsFile:
    """A results file, used as a context manager. Leaving it without an exception gives the file its final name.

    path: the finished file; its suffix tells the format.
    resume: continue the partial file of an earlier run.
    replace: replace an existing finished file at the end.
    columns: columns of a table.
    records: attribute; the records of the finished file.
    warnings: attribute; messages to print when the file is finished.
    Raises InvalidInputError if the file can't be written, and for an unknown suffix. Also for an existing file without
    `replace`, and for a partial file without `resume` or with other content.
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
        if self._suffix in TABLE_WRITERS:
            check_columns(path, self._suffix, columns)
        self._may_replace = replace
        self._may_resume = resume
        self._found = self._of_earlier_run()
        self.records = list(self._found)
        self.warnings: list[str] = []
        self._sources: list[str] = []
        self._file: FileIO | None = None

    def _of_earlier_run(self) -> list[dict[str, Any]]:
        """The records of an earlier run. Raises InvalidInputError for files that this run must not change."""
        if self.path.exists() and not self._may_replace:
            raise InvalidInputError(f"{self.path} is there already; give --force to replace it, or another name")
        if not self.partial.exists() or not self.partial.stat().st_size:
            return []
        if not self._may_resume:
            raise InvalidInputError(
                f"{self.partial} is what an earlier run had done; give --resume to go on with it, or delete it"
            )
        return _read_records(self.partial)

    def keep(self, digests: Mapping[str, str]) -> int:
        """Keep in `records` the results that this run would repeat. Returns the number of the others.

        digests: the digest of each text's result, by the text's name, in the order of the results.
        Raises InvalidInputError if no result would be kept, since the run then has other options.
        """
        kept = {one["source"]: one for one in self._found if digests.get(one["source"]) == one.get(DIGEST)}
        if self._found and not kept:
            raise InvalidInputError(
                f"{self.partial} has no result of these texts, schemas and options; give those of that run, or delete "
                "the file to read all texts anew"
            )
        self._sources = list(digests)
        self.records = list(kept.values())
        return len({one["source"] for one in self._found} - kept.keys())

    def __enter__(self) -> ResultsFile:
        with self._told():
            file = self.partial.open("ab", buffering=0)
            try:
                _lock(file, self.path)
                self._check_unchanged(file)
            except BaseException:
                file.close()
                raise
            self._file = file
            self._file.truncate(sum(len(_line(record)) for record in self._found))  # a last line may be cut off
        return self

    def _check_unchanged(self, file: FileIO) -> None:
        """Raise InvalidInputError if another process wrote a result, or ended, before this one had the lock."""
        there = os.fstat(file.fileno())
        try:
            if there.st_nlink == 0 or self._of_earlier_run() != self._found:
                raise InvalidInputError(f"another process has written {self.path} since this run began; run it again")
        except InvalidInputError:
            if there.st_nlink and not there.st_size:
                self.partial.unlink()
            raise

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        assert self._file is not None
        try:
            if kind is None:
                self._finish()
            elif not self.records and not self._found:
                self.partial.unlink()
        finally:
            self._file.close()

    def write(self, record: dict[str, Any]) -> None:
        """Add a result. The operating system has it on return."""
        assert self._file is not None
        with self._told():
            content = _line(record)
            while content:  # an unbuffered file may accept only some bytes; a full disk accepts none and raises
                content = content[self._file.write(content) :]
        self.records.append(record)

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
        """Write the finished file, whole or not at all. If that fails, the partial file stays."""
        places = {source: place for place, source in enumerate(self._sources)}
        self.records.sort(key=lambda record: places.get(record["source"], 0))
        whole = self.path.with_name(self.path.name + ".writing")
        try:
            if self._suffix in TABLE_WRITERS:
                told = write_table(whole, self._suffix, self._columns, self.records)
                self.warnings += [f"{self.path}: {one}" for one in told]
            else:
                whole.write_bytes(b"".join(map(_line, self.records)))
            with whole.open("r+b") as file:
                os.fsync(file.fileno())
            whole.replace(self.path)
        except Exception as error:  # no error may lose the results
            advice = f"rename it to {self.path.stem}.jsonl, or give --resume to make the file again"
            raise InvalidInputError(
                f"can't write {self.path}: {error}; all results are JSON lines in {self.partial}: {advice}"
            ) from error
        finally:
            whole.unlink(missing_ok=True)
        self.partial.unlink()


def _line(record: Mapping[str, Any]) -> bytes:
    return (write_json(record) + "\n").encode()


def _read_records(partial: Path) -> list[dict[str, Any]]:
    """The records up to a line that a power cut or a full disk left damaged: the last one, or one with NULs.

    Raises InvalidInputError for any other line that is no record.
    """
    records: list[dict[str, Any]] = []
    lines = partial.read_bytes().splitlines(keepends=True)
    for number, line in enumerate(lines, start=1):
        record = _record(line)
        if record is None:
            is_last = number == len(lines) and (number > 1 or not line.endswith(b"\n"))
            if is_last or b"\0" in line:
                break
            raise InvalidInputError(
                f"{partial}, line {number} is no result of guided extract; mend or delete the line, or delete the file"
            )
        records.append(record)
    return records


def _record(line: bytes) -> dict[str, Any] | None:
    """The record in a line; None if the line is no record as this module writes it."""
    try:
        record = read_json(line.decode())
    except ValueError:
        return None
    if not isinstance(record, dict) or not isinstance(record.get("source"), str) or _line(record) != line:
        return None
    return record


def _lock(file: FileIO, path: Path) -> None:
    """Let one process at a time write the file, until it closes the file; on Windows, nothing is locked."""
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InvalidInputError(f"another process writes {path}; wait for its end, or give another name") from None


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
