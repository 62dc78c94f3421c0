"""What `guided warmup` compiles is all that usual requests need: none of them waits for a compiler."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = """
import gc, importlib, sys
from guided.cli.warmup import MODULES
from numba.core.dispatcher import Dispatcher

for module in MODULES.values():
    importlib.import_module(module).warmup()

def compiled():
    kernels = [one for one in gc.get_objects() if isinstance(one, Dispatcher) and one.__module__.startswith("guided.")]
    return {f"{one.__module__}.{one.__name__}{signature}" for one in kernels for signature in one.signatures}

before = compiled()
from guided import LLM, SamplingParams
from guided.grammars import all_of
llm = LLM(sys.argv[1])
schema = {
    "type": "object",
    "properties": {
        "the": {"type": "string", "maxLength": 9},
        "n": {"type": "number"},
        "of": {"type": "array", "items": {"enum": [1, "in"]}},
    },
    "required": ["the"],
}
tag = {"structures": [{"begin": "<a>", "schema": {"type": "integer"}, "end": "</a>"}], "triggers": ["<a"]}
constraints = [
    {},
    {"json_schema": schema},
    {"json_schema": {"type": "number"}},
    {"regex": "[a-c]{3}|the .*"},
    {"choice": ["the", "then"]},
    {"ebnf": 'root ::= "(" root ")" | [a-z]+'},
    {"structural_tag": tag},
    {"all_of": [{"json_schema": schema}, {"banned_substrings": ["xy"]}]},
]
drawing = [
    {"temperature": 0},
    {"temperature": 1, "seed": 0},
    {"temperature": 0.5, "top_k": 5, "top_p": 0.9, "min_p": 0.1, "seed": 0},
    {"repetition_penalty": 1.1, "frequency_penalty": 0.5, "presence_penalty": 0.5, "logprobs": 3, "seed": 0},
]
for number, constraint in enumerate(constraints):  # each with some way of drawing, and each way with and without one
    ways = drawing if number < 2 else [drawing[number % len(drawing)]]
    for params in ways:
        llm.generate(["a", "the"], SamplingParams(max_new_tokens=24, **constraint, **params))
print(*sorted(compiled() - before), sep="\\n")
"""


def test_usual_requests_compile_nothing(tiny_model_folder: Path) -> None:
    command = [sys.executable, "-c", SCRIPT, str(tiny_model_folder)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert (ended.returncode, ended.stdout) == (0, "\n"), ended.stderr
