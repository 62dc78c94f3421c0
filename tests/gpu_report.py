"""Every test and bench for a GPU in one report, in at most ten minutes: `python -m tests.gpu_report FOLDER`.

Parts run one after the other, each with a limit of its own; one that fails or takes too long leaves what it has
printed, and the others go on. The report is FOLDER/gpu.md. Ends with 1 when a part failed, with 2 where there is no
CUDA device.
"""

from __future__ import annotations

import importlib.metadata
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import torch
import typer

ROOT = Path(__file__).parents[1]
SHOWN_CHARACTERS = 12_000  # of the end of what a part prints


@dataclass(frozen=True)
class Part:
    """A module that is run with arguments. limit_s: it is ended after that."""

    title: str
    arguments: tuple[str, ...]
    limit_s: int


STEPS = ("tests.paged_speed", "--device", "cuda", "--dtype", "bfloat16", "--model", "llama", "--rows", "1,8,32,128")
PARTS = (
    Part("Tests", ("pytest", "-q", "-m", "gpu", "-p", "no:cacheprovider", "tests/guided"), 300),
    Part("Steps, 500 tokens before them", STEPS, 45),
    Part("Steps, 8,000 tokens before them", (*STEPS, "--context", "8000", "--tokens", "1,4"), 45),
    Part("Sampler", ("tests.sampler_speed_gpu", "--rounds", "5", "--dtype", "bfloat16"), 110),
    Part("Engine", ("tests.engine_speed", "--models", "embedded", "--rows", "1,32", "--rounds", "1"), 80),
)


def run(part: Part) -> tuple[str, str]:
    """How a part ended, and what it has printed."""
    start_s = time.monotonic()
    with subprocess.Popen(
        [sys.executable, "-m", *part.arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=part.limit_s)
            ending = "passed" if process.returncode == 0 else f"failed with {process.returncode}"
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # its children too
            output, _ = process.communicate()
            ending = f"ended after its limit of {part.limit_s} s"
    return f"{ending}, {time.monotonic() - start_s:.0f} s", output


def heading() -> str:
    """What it ran on."""
    properties = torch.cuda.get_device_properties(0)
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("torch", "triton", "transformers"))
    memory_gib = properties.total_memory / 2**30
    return f"# GPU report\n\n{properties.name}, {memory_gib:.0f} GiB, CUDA {torch.version.cuda}; {versions}.\n"


def main(folder: Annotated[Path, typer.Argument(help="Where gpu.md is written.")]) -> None:
    """Run all parts on the first CUDA device."""
    if not torch.cuda.is_available():
        print("no CUDA device: no GPU test or bench was run, and no report was written", file=sys.stderr)
        raise typer.Exit(2)
    folder.mkdir(parents=True, exist_ok=True)
    report, has_failed = folder / "gpu.md", False
    report.write_text(heading(), encoding="utf-8")
    for part in PARTS:
        ending, output = run(part)
        print(f"{part.title}: {ending}", flush=True)
        has_failed |= not ending.startswith("passed")
        command = " ".join(("python -m", *part.arguments))
        with report.open("a", encoding="utf-8") as file:
            file.write(
                f"\n## {part.title}\n\n`{command}`: {ending}\n\n```\n{output[-SHOWN_CHARACTERS:].strip()}\n```\n"
            )
    print(f"the report is {report}")
    raise typer.Exit(int(has_failed))


if __name__ == "__main__":
    typer.run(main)
