"""The wheel, tried as a user has it: `make wheel`, or `python -m tests.wheel`.

A wheel is built in an isolated environment that has only what pyproject.toml names for the build. It is installed
without extras, in the versions of constraints.txt, into a new environment. There, in another folder, commands and masks
must work, without a library of an extra. Size and times are printed and have limits.
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
MAX_MEGABYTES, MAX_INSTALL_S, MAX_FIRST_MASK_S = 150, 30, 0.6
EXTRAS = (
    "torch",
    "transformers",
    "tokenizers",
    "outlines_core",
    "numba",
    "fastapi",
    "llguidance",
    "interegular",
    "jsonschema_rs",
)
PROGRAM = f"""
import importlib.util
import sys
import time
from pathlib import Path

import guided
import numpy as np

vocabulary = guided.Vocabulary([bytes([byte]) for byte in range(256)] + [None], [256])
grammar = guided.compile_grammar(vocabulary, json_schema={{"enum": ["no", "yes"]}})
matcher, bitmask = grammar.matcher(), np.zeros((1, 9), np.int32)
matcher.fill_bitmask(bitmask)
seconds = time.process_time()
for expected in b'"yes"':
    matcher.fill_bitmask(bitmask)
    allowed = np.flatnonzero(np.unpackbits(bitmask.view(np.uint8), bitorder="little"))
    assert expected in allowed and len(allowed) <= 2, (expected, allowed)
    assert matcher.accept_token(expected)
assert matcher.accept_token(256) and matcher.is_terminated()
assert Path(guided.__file__).is_relative_to(sys.prefix), guided.__file__
for extra in {EXTRAS}:
    assert importlib.util.find_spec(extra) is None, extra
kernels = [module for name, module in sys.modules.items() if name.rpartition(".")[2] == "_kernels"]
assert kernels and all(Path(module.__file__).is_relative_to(sys.prefix) for module in kernels), kernels
try:
    guided.LLM()
except guided.GuidedError as error:
    assert str(error).endswith("run: pip install 'guided-generation[llm]'"), error
else:
    raise AssertionError("a model without torch")
print(seconds)
"""
CONSUMER = """
from collections.abc import Iterator

import guided


def allowed(schema: dict[str, object], text: bytes) -> Iterator[int]:
    vocabulary = guided.Vocabulary([bytes([byte]) for byte in range(256)] + [None], [256])
    grammar: guided.CompiledGrammar = guided.compile_grammar(vocabulary, json_schema=schema, limits=guided.Limits())
    matcher: guided.Matcher = grammar.matcher()
    bitmask = guided.allocate_bitmask(1, vocabulary.size)
    for token in text:
        matcher.fill_bitmask(bitmask)
        yield int(bitmask[0, token >> 5]) >> (token & 31) & 1
        if not matcher.accept_token(token):
            raise guided.GuidedError("refused")


params = guided.SamplingParams(json_schema={"type": "object"}, max_new_tokens=10)
tokens: int = params.max_new_tokens or 0
"""
WRONG = CONSUMER.replace("tokens: int", "tokens: str").replace("guided.Limits()", "5")


def run(*command: object, folder: Path = ROOT, **variables: str) -> str:
    """Run a command with further environment variables; what it printed. Fails with it."""
    texts = [str(part) for part in command]
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "GUIDED_KERNELS")}
    ended = subprocess.run(texts, cwd=folder, env=environment | variables, capture_output=True, text=True, check=False)
    if ended.returncode:
        sys.exit(f"{' '.join(texts)} ended with {ended.returncode}\n{ended.stdout}{ended.stderr}")
    return ended.stdout


def main() -> None:
    """Build, install, try."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    forget_old_files()
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", FOLDER, ROOT)
    (wheel,) = FOLDER.glob("*.whl")
    environment, elsewhere = FOLDER / "environment", FOLDER / "elsewhere"
    elsewhere.mkdir()
    run(sys.executable, "-m", "venv", "--without-pip", environment)
    installed = environment / "bin" / "python"
    began, bare = _seconds(), _megabytes(environment)
    pip = (sys.executable, "-m", "pip", "--python", installed, "install", "--quiet")
    run(*pip, "--constraint", ROOT / "constraints.txt", wheel)
    install_s, megabytes = _seconds() - began, _megabytes(environment) - bare
    first_mask_s = min(float(run(installed, "-c", PROGRAM, folder=elsewhere)) for _ in range(3))
    (elsewhere / "schema.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    (elsewhere / "fits.json").write_text('{"name": "Ada", "year": 1999}', encoding="utf-8")
    guided = environment / "bin" / "guided"
    assert "check" in run(guided, "--help", folder=elsewhere)
    run(guided, "check", "schema.json", "--document", "fits.json", folder=elsewhere)
    _check_types(installed, elsewhere)
    figures = {
        f"{megabytes:.0f} MB installed": megabytes <= MAX_MEGABYTES,
        f"installed in {install_s:.1f} s of processor time": install_s <= MAX_INSTALL_S,
        f"import and first mask {first_mask_s:.2f} s": first_mask_s <= MAX_FIRST_MASK_S,
    }
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB, works: {', '.join(figures)}")
    if not all(figures.values()):
        sys.exit(f"over the limit: {', '.join(said for said, is_kept in figures.items() if not is_kept)}")


def forget_old_files() -> None:
    """Remove setuptools' copy of the sources, which keeps files that are gone, and would put them into a wheel."""
    shutil.rmtree(ROOT / "build" / "lib", ignore_errors=True)
    for folder in (ROOT / "build").glob("lib.*"):
        shutil.rmtree(folder)


def _check_types(installed: Path, folder: Path) -> None:
    """A project that uses the wheel: mypy and pyright find its types, no error in it, and those that it is given."""
    (folder / "consumer.py").write_text(CONSUMER, encoding="utf-8")
    (folder / "wrong.py").write_text(WRONG, encoding="utf-8")
    (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}', encoding="utf-8")
    checkers = {"mypy": (sys.executable, "-m", "mypy", "--strict", "--python-executable", installed)}
    pyright = ROOT / ".venv-wheels" / "bin" / "pyright"
    if pyright.exists():
        checkers["pyright"] = (pyright, "--pythonpath", installed)
    for command in checkers.values():
        run(*command, "consumer.py", folder=folder)
        wrong = [*map(str, command), "wrong.py"]
        ended = subprocess.run(wrong, cwd=folder, capture_output=True, text=True, check=False)
        assert "2 errors" in ended.stdout, ended.stdout + ended.stderr
    print(f"types seen by {' and '.join(checkers)}{'' if pyright.exists() else '; pyright comes with make wheels'}")


def _seconds() -> float:
    """Processor time of the commands that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def _megabytes(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6


if __name__ == "__main__":
    main()
