"""The start page's commands with a real model, where that is in the cache."""

from __future__ import annotations

import re
import shlex

import pytest

from guided.cli import main
from guided.models.known import fetched_file
from tests.guides import Guide

START = Guide("index.md")


def test_a_real_model_in_one_command(capsys: pytest.CaptureFixture[str]) -> None:
    commands = re.findall(r"^guided (.*smollm2.*)$", START.text, re.M)
    assert [command.split()[0] for command in commands] == ["model", "model", "generate"]
    if not fetched_file("smollm2").is_file():
        pytest.skip("smollm2 is not in the cache: guided model smollm2")
    for command in commands:
        with pytest.raises(SystemExit) as left:
            main(shlex.split(command))
        captured = capsys.readouterr()
        assert not left.value.code, captured.err
    assert captured.out == "The capital of France is Paris.\n"
