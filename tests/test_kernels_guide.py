"""docs/kernels.md does what it says: its kernels give the same compiled, checked and as plain Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.guides import Guide

GUIDE = Guide("kernels.md")
WAYS = {"compiled": {}, "checked": {"GUIDED_KERNELS": "checked"}, "plain": {"NUMBA_DISABLE_JIT": "1"}}


def blocks(info: str) -> str:
    """The code of all blocks of a kind."""
    return "\n".join(block.code for block in GUIDE.blocks if block.info == info)


def run(way: str, code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run code in a process of its own, from a file so that Numba can keep what it compiles."""
    file = folder / "example.py"
    file.write_text(code, encoding="utf-8")
    environment = {**os.environ, **WAYS[way]}
    return subprocess.run([sys.executable, file], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("way", WAYS)
def test_the_example(way: str, tmp_path: Path) -> None:
    ended = run(way, blocks("python"), tmp_path)
    assert (ended.stdout, ended.returncode) == (blocks("text"), 0), ended.stderr


@pytest.mark.parametrize("way", ["checked", "plain"])
def test_what_is_out_of_bounds(way: str, tmp_path: Path) -> None:
    ended = run(way, blocks("python") + blocks("python checked"), tmp_path)
    assert ended.stderr.endswith(blocks("error"))


def test_every_block_is_of_a_known_kind() -> None:
    assert {block.info for block in GUIDE.blocks} == {"python", "python checked", "text", "error", "bash"}
