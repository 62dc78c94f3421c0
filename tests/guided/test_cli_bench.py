"""`guided bench`: real figures of a tiny model, for people and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from guided.cli.main import main

MODES = ("free", "constrained")


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as caught:
        main(["bench", *arguments])
    assert caught.value.code is None or isinstance(caught.value.code, int)
    return caught.value.code or 0


def test_figures_of_every_mode_and_backend(
    tiny_model_folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # the progress bar takes standard error for a terminal
    options = ["--model", str(tiny_model_folder), "--rounds", "1", "--rows", "1,3", "--max-new-tokens", "40"]
    assert run(*options, "--regex", "(ab|cd){5}", "--backends", "native,interegular", "--json") == 0
    shown = capsys.readouterr()
    assert "measuring" in shown.err
    figures = json.loads(shown.out)
    modes = [(one["batch_size"], one["mode"]) for one in figures["engine"]]
    assert modes == [(rows, mode) for rows in (1, 3) for mode in MODES]
    assert all(one["tokens_per_s"] > 0 for one in figures["engine"])
    free, constrained = ([one["num_tokens"] for one in figures["engine"] if one["mode"] == mode] for mode in MODES)
    assert free == constrained
    assert 0 < free[0] < 40
    assert [one["backend"] for one in figures["masks"]] == ["native", "interegular"]
    assert all(one["first_us"] > 0 and one["problem"] is None for one in figures["masks"])
    assert len({one["num_tokens"] for one in figures["masks"]}) == 1


def test_a_backend_that_cannot_take_the_grammar_says_so(
    tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--model", str(tiny_model_folder), "--rounds", "1", "--rows", "1", "--max-new-tokens", "20"]
    assert run(*options, "--library", "iso_date", "--backends", "native,interegular") == 0
    shown = capsys.readouterr().out
    assert "native" in shown
    assert "free" in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "there is nothing to measure"),
        (["--regex", "a", "--rows", "1,x"], "--rows takes batch sizes"),
        (["--regex", "a", "--rows", "0"], "--rows takes batch sizes"),
        (["--regex", "a", "--backends", "nativ"], "unknown grammar backend 'nativ'"),
    ],
)
def test_bad_input(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert run(*arguments) == 2
    assert message in capsys.readouterr().err
