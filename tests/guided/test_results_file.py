"""`ResultsFile`: what a run that ends in any way leaves, and how the next one goes on with it."""

from __future__ import annotations

import json
import os
import resource
from pathlib import Path

import pytest

from guided.cli.results_file import ResultsFile
from guided.grammars.errors import InvalidInputError

RECORDS = [{"source": f"mail {i}", "value": "é" * i} for i in range(4)]
LINES = [json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in RECORDS]
WHOLE = b"".join(LINES)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "out.jsonl"


def go_on(path: Path, partial: bytes) -> int:
    """Resume from what is there, write the records that are missing; how many were kept."""
    (path.parent / "out.jsonl.partial").write_bytes(partial)
    with ResultsFile(path, resume=True) as results:
        num_kept = len(results.records)
        for record in RECORDS[num_kept:]:
            results.write(record)
    assert path.read_bytes() == WHOLE
    assert not results.partial.exists()
    return num_kept


@pytest.mark.parametrize("length", range(len(WHOLE) + 1))
def test_cut_off_anywhere(path: Path, length: int) -> None:
    assert go_on(path, WHOLE[:length]) == WHOLE[:length].count(b"\n")


@pytest.mark.parametrize(
    ("partial", "num_kept"),
    [
        (b"".join(LINES[:2]) + bytes(500), 2),
        (b"".join(LINES[:2]) + bytes(500) + b'e": "x"}\n' + LINES[3], 2),
        (LINES[0] + LINES[1][:9] + bytes(len(LINES[1]) - 10) + b"\n" + LINES[2] + LINES[3], 1),
        (bytes(100) + b"\n" + LINES[3], 0),
        (b"".join(LINES[:3]) + b'{"source": "ma\xff\xfe\n', 3),
        (b"".join(LINES[:3]) + b'{"source": "mail 3", "val\n', 3),
        (b"".join(LINES[:3]) + LINES[3].replace("é".encode(), b"\xff\xfe"), 3),
    ],
    ids=["a tail", "a hole", "a hole in a line", "at the beginning", "garbage", "half a line", "garbage in a text"],
)
def test_damaged_by_a_power_cut(path: Path, partial: bytes, num_kept: int) -> None:
    """What was not written before the power cut may come back as NULs, also before what was."""
    assert go_on(path, partial) == num_kept


@pytest.mark.parametrize(
    ("partial", "line"),
    [
        (b"my notes\nof the day\n", 1),
        (b"my notes\n", 1),
        (b'{"name": 1}\n' + LINES[0], 1),
        (LINES[0].replace(b"\n", b"\r\n") + LINES[1], 1),
        (LINES[0] + LINES[1].replace(b": ", b":  ") + LINES[2], 2),
    ],
    ids=["notes", "one note", "another record", "other ends of lines", "an edited line between others"],
)
def test_other_files_are_left_alone(path: Path, partial: bytes, line: int) -> None:
    there = path.parent / "out.jsonl.partial"
    there.write_bytes(partial)
    with pytest.raises(InvalidInputError, match=f"line {line} is no result"):
        ResultsFile(path, resume=True)
    assert there.read_bytes() == partial


def test_a_finished_file_is_replaced_only_where_that_is_asked_for(path: Path) -> None:
    path.write_text("results of last week")
    with pytest.raises(InvalidInputError, match=r"out\.jsonl is there already; give --force to replace it"):
        ResultsFile(path, resume=False)
    assert path.read_text() == "results of last week"
    with ResultsFile(path, resume=False, replace=True) as results:
        for record in RECORDS:
            results.write(record)
        assert path.read_text() == "results of last week"  # until all are there
    assert path.read_bytes() == WHOLE


@pytest.mark.parametrize("name", [".", "/", "..", ""])
def test_a_folder_is_no_file_to_write(name: str) -> None:
    with pytest.raises(InvalidInputError, match="which is a folder; give the name of a file"):
        ResultsFile(Path(name), resume=False)


def test_one_process_writes_a_file(path: Path) -> None:
    with ResultsFile(path, resume=False) as results:
        results.write(RECORDS[0])
        with pytest.raises(InvalidInputError, match="is what an earlier run had done"):
            ResultsFile(path, resume=False)
        other = ResultsFile(path, resume=True)
        with pytest.raises(InvalidInputError, match=r"another process writes .*out\.jsonl; wait for its end"), other:
            pass
        results.write(RECORDS[1])
    assert path.read_bytes() == b"".join(LINES[:2])
    with pytest.raises(InvalidInputError, match="is there already"):
        ResultsFile(path, resume=False)
    assert os.listdir(path.parent) == ["out.jsonl"]


def test_a_file_that_was_finished_before_the_lock_is_left_alone(path: Path) -> None:
    first, second = ResultsFile(path, resume=False), ResultsFile(path, resume=False)
    with first:
        first.write(RECORDS[0])
    with pytest.raises(InvalidInputError, match=r"out\.jsonl is there already; give --force"), second:
        pass
    assert path.read_bytes() == LINES[0]
    assert os.listdir(path.parent) == ["out.jsonl"]


@pytest.mark.parametrize("num_before", [0, 1])
def test_results_that_were_written_before_the_lock_are_kept(path: Path, num_before: int) -> None:
    partial = path.parent / "out.jsonl.partial"
    partial.write_bytes(b"".join(LINES[:num_before]))
    first, second = (ResultsFile(path, resume=num_before > 0) for _ in range(2))
    first.__enter__()
    first.write(RECORDS[num_before])
    first.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
    error = "another process has written" if num_before else "is what an earlier run had done"
    with pytest.raises(InvalidInputError, match=error), second:
        pass
    assert partial.read_bytes() == b"".join(LINES[: num_before + 1])


def test_a_replaced_file_that_is_resumed_twice(path: Path) -> None:
    (path.parent / "out.jsonl.partial").write_bytes(LINES[0])
    first, second = (ResultsFile(path, resume=True, replace=True) for _ in range(2))
    with first:
        first.write(RECORDS[1])
    with pytest.raises(InvalidInputError, match="another process has written"), second:
        pass
    assert path.read_bytes() == b"".join(LINES[:2])
    assert os.listdir(path.parent) == ["out.jsonl"]


def write_all(results: ResultsFile, max_bytes: int) -> None:
    """A limit on the size of files stands for a full disk: a part of a line is written, then an error."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with results:
        resource.setrlimit(resource.RLIMIT_FSIZE, (max_bytes, hard))
        try:
            for record in RECORDS:
                results.write(record)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("max_bytes", [0, len(LINES[0]) + 3, len(WHOLE) - 1])
def test_a_full_disk_keeps_what_is_there(path: Path, max_bytes: int) -> None:
    num_kept = WHOLE[:max_bytes].count(b"\n")
    there = rf"; {num_kept} results are in .*out\.jsonl\.partial, --resume goes on" if num_kept else "$"
    results = ResultsFile(path, resume=False)
    with pytest.raises(InvalidInputError, match=r"can't write .*partial: File too large" + there):
        write_all(results, max_bytes)
    assert os.listdir(path.parent) == (["out.jsonl.partial"] if num_kept else [])
    assert go_on(path, results.partial.read_bytes() if num_kept else b"") == num_kept
