"""Merges an adapter into its base: `python -m examples.extraction_adapter.merge --base B --adapter A --out FOLDER`.

`guided.LLM(FOLDER)` and `python -m examples.quality --model FOLDER` read the result.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Annotated

import torch
import typer
from peft import PeftModel
from transformers import AutoModelForCausalLM

TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja", "generation_config.json")


def main(
    base: Annotated[Path, typer.Option(help="Folder of SmolLM2-135M-Instruct.")],
    adapter: Annotated[Path, typer.Option(help="Folder of a run of train.py.")],
    out: Annotated[Path, typer.Option(help="Folder of the merged model.")],
) -> None:
    """Write the base with the adapter in its weights (bfloat16) as standard files."""
    model = AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32)
    merged = PeftModel.from_pretrained(model, os.fspath(adapter)).merge_and_unload()
    merged.to(torch.bfloat16).save_pretrained(out)
    for name in TOKENIZER_FILES:
        if (base / name).exists():
            shutil.copy(base / name, out / name)
    config = out / "tokenizer_config.json"
    trained_on = {"json_whitespace": "compact"}  # as the samples' answers are
    config.write_text(json.dumps(json.loads(config.read_text(encoding="utf-8")) | trained_on, indent=2) + "\n")


if __name__ == "__main__":
    typer.run(main)
