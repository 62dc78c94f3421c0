"""`guided extract --resume`: which results of an earlier run stay, which texts are read again, what is refused."""

from __future__ import annotations

import csv
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from guided.cli.main import main
from guided.cli.run_identity import model_place
from tests.guided.engines.openai.fake_endpoint import fake_endpoint, stream_of, text

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer", "maximum": 9, "minimum": 0}}, "required": ["n"]}
SCHEMA |= {"additionalProperties": False}
OPTIONS = ("mails.jsonl", "--text-field", "body", "--id-field", "id", "--output", "out.jsonl", "--json")
TEXTS = ["one text", "two texts", "three texts", "four texts"]
NUM_TEXTS = len(TEXTS)

TYPES = """import datetime as dt
from typing import Literal

from pydantic import BaseModel, PastDatetime


class Person(BaseModel):
    name: Literal["Ada", "Bo"]
    born: PastDatetime | None


class Word(BaseModel):
    word: Literal["up", "down"]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "schema.json").write_text(json.dumps(SCHEMA))
    (tmp_path / "types_.py").write_text(TYPES)
    write_mails(tmp_path, TEXTS)
    return tmp_path


def write_mails(folder: Path, texts: list[str]) -> None:
    lines = [json.dumps({"id": f"mail {i}", "body": text}) for i, text in enumerate(texts)]
    (folder / "mails.jsonl").write_text("\n".join(lines) + "\n")


def run(model: Path, *arguments: str, schema: str = "schema.json") -> int:
    with pytest.raises(SystemExit) as caught:
        main(["extract", *arguments, "--model", str(model), "--schema", schema])
    return int(caught.value.code or 0)


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def stop_after(folder: Path, num_done: int) -> None:
    """Turn the finished file into what a run leaves that was stopped after so many texts."""
    lines = (folder / "out.jsonl").read_text().splitlines(keepends=True)
    (folder / "out.jsonl.partial").write_text("".join(lines[:num_done]))
    (folder / "out.jsonl").unlink()


def read_again(capsys: pytest.CaptureFixture[str]) -> tuple[list[str], str]:
    """The texts that the last run read, by what it printed, and its standard error."""
    shown = capsys.readouterr()
    return [json.loads(line)["source"] for line in shown.out.splitlines() if line.startswith("{")], shown.err


def test_a_text_that_has_changed_is_read_again(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tiny_model_folder, *OPTIONS) == 0
    stop_after(folder, 3)
    write_mails(folder, [TEXTS[0], "another text", *TEXTS[2:]])
    capsys.readouterr()
    assert run(tiny_model_folder, *OPTIONS, "--resume") == 0
    again, told = read_again(capsys)
    assert again == ["mail 1", "mail 3"]
    assert "1 of 3 results in out.jsonl.partial are of other texts, schemas or options and left out" in told
    resumed = records(folder / "out.jsonl")
    (folder / "out.jsonl").unlink()
    assert run(tiny_model_folder, *OPTIONS) == 0
    assert [one | {"tokens_per_s": 0} for one in resumed] == [
        one | {"tokens_per_s": 0} for one in records(folder / "out.jsonl")
    ], "the same as in one run, in the order of the texts"


def test_what_was_left_out_is_lost_only_with_the_end_of_the_run(
    folder: Path, tiny_model_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run that was resumed by mistake can be stopped, and the texts be put back."""
    assert run(tiny_model_folder, *OPTIONS) == 0
    stop_after(folder, 3)
    before = (folder / "out.jsonl.partial").read_bytes()
    write_mails(folder, [TEXTS[0], *["another text"] * (NUM_TEXTS - 1)])
    monkeypatch.setattr("guided.cli.extract.Display.show", _interrupt)
    assert run(tiny_model_folder, *OPTIONS, "--resume") == 130
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    assert (folder / "out.jsonl.partial").read_bytes().startswith(before)
    write_mails(folder, TEXTS)
    capsys.readouterr()
    assert run(tiny_model_folder, *OPTIONS, "--resume") == 0
    again, told = read_again(capsys)
    assert (again, "left out" in told) == (["mail 3"], False)
    assert [one["source"] for one in records(folder / "out.jsonl")] == [f"mail {i}" for i in range(NUM_TEXTS)]


def _interrupt(*_: Any, **__: Any) -> None:
    raise KeyboardInterrupt


def test_a_text_that_could_not_be_read_and_now_can(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_mails(folder, ["a text", " ", "a text", " "])
    assert run(tiny_model_folder, *OPTIONS, "--keep-going") == 1
    stop_after(folder, 4)
    write_mails(folder, ["a text", "now there is one", "a text", " "])
    capsys.readouterr()
    assert run(tiny_model_folder, *OPTIONS, "--keep-going", "--resume") == 1
    assert read_again(capsys)[0] == ["mail 1"]
    assert [one["valid"] for one in records(folder / "out.jsonl")] == [True, True, True, False]


@pytest.mark.parametrize(
    ("name", "before", "after", "is_other"),
    [
        ("schema.json", '"n"', '"m"', True),
        ("schema.json", '"minimum": 0', '"minimum":   0', False),
        ("types_.py:Person", "    born", "    title: None\n    born", True),
        ("types_.py:Person", "class Word", "# a comment\nclass Word", False),
    ],
)
def test_a_schema_that_has_changed(
    folder: Path,
    tiny_model_folder: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    before: str,
    after: str,
    is_other: bool,
) -> None:
    file = folder / name.partition(":")[0]
    assert run(tiny_model_folder, *OPTIONS, schema=name) == 0
    stop_after(folder, 2)
    content = file.read_text()
    changed = content.replace(before, after)
    assert changed != content
    file.write_text(changed)
    later = file.stat().st_mtime + 2  # Python takes a file of the same size and second for the one that it has compiled
    os.utime(file, (later, later))
    capsys.readouterr()
    assert run(tiny_model_folder, *OPTIONS, "--resume", schema=name) == (2 if is_other else 0)
    again, told = read_again(capsys)
    assert again == ([] if is_other else [f"mail {i}" for i in range(2, NUM_TEXTS)])
    assert ("has no result of these texts, schemas and options" in told) == is_other


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([], ["--confidence"]),
        ([], ["--report", "out.html"]),
        ([], ["--no-bounds"]),
        ([], ["--instructions", "x"]),
        (["--long", "--piece-tokens", "90"], ["--long", "--piece-tokens", "90", "--overlap-tokens", "3"]),
    ],
)
def test_other_options_are_refused(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str], before: list[str], after: list[str]
) -> None:
    assert run(tiny_model_folder, *OPTIONS, *before) == 0
    stop_after(folder, 2)
    partial = (folder / "out.jsonl.partial").read_text()
    capsys.readouterr()
    assert run(tiny_model_folder, *OPTIONS, *after, "--resume") == 2
    told = capsys.readouterr().err
    assert "out.jsonl.partial has no result of these texts, schemas and options; give those of that run" in told
    assert (folder / "out.jsonl.partial").read_text() == partial
    assert run(tiny_model_folder, *OPTIONS, *before, "--resume") == 0


def test_texts_that_are_gone_are_left_out(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tiny_model_folder, *OPTIONS) == 0
    stop_after(folder, 3)
    mails = (folder / "mails.jsonl").read_text().splitlines(keepends=True)
    (folder / "mails.jsonl").write_text("".join(mails[1:]))
    capsys.readouterr()
    assert run(tiny_model_folder, *OPTIONS, "--resume") == 0
    assert "1 of 3 results in out.jsonl.partial are of other texts, schemas or options" in capsys.readouterr().err
    assert [one["source"] for one in records(folder / "out.jsonl")] == [f"mail {i}" for i in range(1, NUM_TEXTS)]


def test_another_model_of_the_same_name(
    folder: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tiny_model_folder, *OPTIONS) == 0
    stop_after(folder, 2)
    other = folder / "elsewhere" / tiny_model_folder.name
    shutil.copytree(tiny_model_folder, other)
    assert run(other, *OPTIONS, "--resume") == 2
    assert "has no result of these texts, schemas and options" in capsys.readouterr().err


def test_another_server() -> None:
    url = "http://127.0.0.1:8000/v1"
    assert model_place("m", url) == model_place("m", f"{url}/")
    assert model_place("m", url) != model_place("m", "http://127.0.0.1:8001/v1")
    assert model_place(None, None) is None


PRICED = """from decimal import Decimal
from typing import Annotated

from pydantic import AfterValidator, BaseModel


def cents(value: Decimal) -> Decimal:
    if value.as_tuple().exponent != -2:
        raise ValueError("a price has two decimals")
    return value


class Price(BaseModel):
    price: Annotated[Decimal, AfterValidator(cents)]
    weight: Decimal
"""


def test_a_decimal_keeps_its_digits_in_lines_and_tables_and_when_a_run_goes_on(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "priced.py").write_text(PRICED)
    answer = '{"price": 12.50, "weight": 99.123456789012345}'
    with fake_endpoint() as endpoint:
        endpoint.answer = stream_of(text(answer))
        options = [*OPTIONS, "--base-url", endpoint.url]
        for more, again in (([], NUM_TEXTS), (["--resume"], NUM_TEXTS - 2)):
            assert run(Path("fake"), *options, *more, schema="priced.py:Price") == 0
            shown, told = capsys.readouterr()
            lines = (folder / "out.jsonl").read_text().splitlines()
            assert all(f'"data": {answer}' in line for line in [*shown.splitlines(), *lines])
            assert (len(shown.splitlines()), "left out" in told) == (again, False)
            stop_after(folder, 2)
        (folder / "out.jsonl.partial").rename(folder / "out.csv.partial")
        options[options.index("out.jsonl")] = "out.csv"
        assert run(Path("fake"), *options, "--resume", schema="priced.py:Price") == 0
    with (folder / "out.csv").open(newline="") as file:
        assert {(row["price"], row["weight"]) for row in csv.DictReader(file)} == {("12.50", "99.123456789012345")}
