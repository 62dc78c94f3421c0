"""Puts a run's adapter into the package: `python -m examples.extraction_adapter.pack --run runs/adapter`.

The weights become bfloat16. The config names the base as the hub does and keeps no path of this machine.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Annotated

import torch
import typer
from safetensors.torch import load_file, save_file

from guided.models import adapted
from guided.models.adapted import ADAPTER_FILES, CALIBRATION_FILE
from guided.models.known import known_models

BASE = "HuggingFaceTB/SmolLM2-135M-Instruct"
FOLDER = Path(adapted.__file__).parent / str(known_models()["smollm2-extract"].adapter)
CONFIG = ("peft_type", "task_type", "r", "lora_alpha", "lora_dropout", "bias", "inference_mode", "peft_version")


def main(
    run: Annotated[Path, typer.Option(help="Folder of a run of train.py.")],
    out: Annotated[Path, typer.Option(help="Folder for the adapter.")] = FOLDER,
) -> None:
    """Write adapter_config.json and adapter_model.safetensors, and calibration.json if the run's folder has it."""
    out.mkdir(parents=True, exist_ok=True)
    config_name, weights_name = ADAPTER_FILES
    weights = {name: weight.to(torch.bfloat16) for name, weight in load_file(run / weights_name).items()}
    save_file(weights, out / weights_name, metadata={"format": "pt"})
    (out / weights_name).chmod(0o644)
    config = json.loads((run / config_name).read_text(encoding="utf-8"))
    kept = {name: config[name] for name in CONFIG} | {"target_modules": sorted(config["target_modules"])}
    text = json.dumps({"base_model_name_or_path": BASE, **kept}, indent=2)
    (out / config_name).write_text(text + "\n", encoding="utf-8")
    if (run / CALIBRATION_FILE).exists():
        shutil.copy(run / CALIBRATION_FILE, out / CALIBRATION_FILE)
    print(f"{sum(map(torch.Tensor.numel, weights.values())):,} weights in {out}")


if __name__ == "__main__":
    typer.run(main)
