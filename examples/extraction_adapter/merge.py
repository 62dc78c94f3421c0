"""Merges an adapter into its base: `python -m examples.extraction_adapter.merge --base B --adapter A --out FOLDER`.

`guided.LLM(FOLDER)` and `python -m examples.quality --model FOLDER` read the result.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from guided.models.adapted import merge_adapter


def main(
    base: Annotated[Path, typer.Option(help="Folder of SmolLM2-135M-Instruct.")],
    adapter: Annotated[Path, typer.Option(help="Folder of a run of train.py.")],
    out: Annotated[Path, typer.Option(help="Folder of the merged model.")],
) -> None:
    """Write the base with the adapter in its weights as standard files, in the type of the base's weights."""
    out.mkdir(parents=True, exist_ok=True)
    merge_adapter(base, adapter, out)


if __name__ == "__main__":
    typer.run(main)
