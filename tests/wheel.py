"""The wheel, tried as a user has it: `make wheel`, or `python -m tests.wheel`.

A wheel is built in an isolated environment that has only what pyproject.toml names for the build. It is installed with
its plain dependencies, in the versions of constraints.txt, into a new environment. There, in another folder, commands
and masks must work, without numba and without a package of an extra.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "wheel"
SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 20}, "year": {"type": "integer", "minimum": 1900}},
    "required": ["name", "year"],
    "additionalProperties": False,
}
PROGRAM = """
import importlib.util
import sys
from pathlib import Path

import numpy as np
import guided
import guided.sampler

assert Path(guided.__file__).is_relative_to(sys.prefix), guided.__file__
assert importlib.util.find_spec("numba") is None, "numba is not needed to run"
for extra in ("fastapi", "llguidance", "pytest"):
    assert importlib.util.find_spec(extra) is None, extra
vocabulary = guided.Vocabulary([bytes([byte]) for byte in range(256)] + [None], [256])
grammar = guided.compile_grammar(vocabulary, json_schema={"enum": ["no", "yes"]})
matcher, bitmask = grammar.matcher(), np.zeros((1, 9), np.int32)
for expected in b'"yes"':
    matcher.fill_bitmask(bitmask)
    allowed = np.flatnonzero(np.unpackbits(bitmask.view(np.uint8), bitorder="little"))
    assert expected in allowed and len(allowed) <= 2, (expected, allowed)
    assert matcher.accept_token(expected)
assert matcher.accept_token(256) and matcher.is_terminated()
device = __import__("torch").device("cpu")
assert type(guided.sampler.Sampler("auto").backend_for(device)).__name__ == "NumbaSampler"
kernels = [module for name, module in sys.modules.items() if name.rpartition(".")[2] == "_kernels"]
assert len(kernels) == 2 and all(Path(module.__file__).is_relative_to(sys.prefix) for module in kernels), kernels
"""


def run(*command: object, folder: Path = ROOT) -> str:
    """Run a command; what it printed. Fails with it."""
    texts = [str(part) for part in command]
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "GUIDED_KERNELS")}
    ended = subprocess.run(texts, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if ended.returncode:
        sys.exit(f"{' '.join(texts)} ended with {ended.returncode}\n{ended.stdout}{ended.stderr}")
    return ended.stdout


def main() -> None:
    """Build, install, try."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", FOLDER, ROOT)
    (wheel,) = FOLDER.glob("*.whl")
    environment, elsewhere = FOLDER / "environment", FOLDER / "elsewhere"
    elsewhere.mkdir()
    run(sys.executable, "-m", "venv", environment)
    installed = environment / "bin" / "python"
    run(installed, "-m", "pip", "install", "--quiet", "--constraint", ROOT / "constraints.txt", wheel)
    run(installed, "-c", PROGRAM, folder=elsewhere)
    (elsewhere / "schema.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    (elsewhere / "fits.json").write_text('{"name": "Ada", "year": 1999}', encoding="utf-8")
    guided = environment / "bin" / "guided"
    assert "check" in run(guided, "--help", folder=elsewhere)
    run(guided, "check", "schema.json", "--document", "fits.json", folder=elsewhere)
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB, works")


if __name__ == "__main__":
    main()
