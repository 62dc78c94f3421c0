"""docs/kernels.md does what it says: its kernels give the same compiled and as plain Python."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.guides import Guide

GUIDE = Guide("kernels.md")


def blocks(info: str) -> str:
    """The code of all blocks of a kind."""
    return "\n".join(block.code for block in GUIDE.blocks if block.info == info)


def run(mode: str, code: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process of its own."""
    environment = {**os.environ, "GUIDED_KERNELS": mode}
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("mode", ["jit", "plain"])
def test_the_example(mode: str) -> None:
    ended = run(mode, blocks("python"))
    assert (ended.stdout, ended.returncode) == (blocks("text"), 0), ended.stderr


def test_what_is_out_of_bounds() -> None:
    assert run("plain", blocks("python") + blocks("python checked")).stderr.endswith(blocks("error"))


def test_every_block_is_of_a_known_kind() -> None:
    assert {block.info for block in GUIDE.blocks} == {"python", "python checked", "text", "error", "bash"}
