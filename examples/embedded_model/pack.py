"""Puts a trained model into the package: `python -m examples.embedded_model.pack runs/embedded/model`.

The package has the weights as int8 (`guided/embedded/int8.py`), and all other files as they are.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer
from safetensors.torch import load_file, save_file

from guided.embedded.files import PACKED_WEIGHTS, UNPACKED_WEIGHTS, package_folder
from guided.embedded.int8 import quantized


def pack(model: Path, out: Path) -> int:
    """Write a model folder's files into `out`, the weights as int8. Returns how many bytes the files have."""
    shutil.copytree(model, out, ignore=shutil.ignore_patterns(UNPACKED_WEIGHTS), dirs_exist_ok=True)
    save_file(quantized(load_file(model / UNPACKED_WEIGHTS)), out / PACKED_WEIGHTS)
    (out / PACKED_WEIGHTS).chmod(0o644)  # safetensors lets nobody else read what it writes
    return sum(path.stat().st_size for path in out.iterdir())


def main(
    model: Annotated[Path, typer.Argument(exists=True, file_okay=False, help="Folder that `train --export` wrote.")],
    out: Annotated[Path | None, typer.Option(help="Folder of the packed model; default: that of the package.")] = None,
) -> None:
    """Write a trained model with int8 weights, as `guided.LLM("embedded")` loads it."""
    out = out or package_folder()
    print(f"{pack(model, out) / 2**20:.1f} MiB in {out}")


if __name__ == "__main__":
    typer.run(main)
