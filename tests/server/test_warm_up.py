"""What the first request of a kind would import is there before the server is ready."""

from __future__ import annotations

import subprocess
import sys

IMPORTED = """
import sys
import guided, guided.server.app
from guided.server.warm_up import import_grammars

import_grammars()
llm = guided.LLM()
known = set(sys.modules)
for constraint in (
    {"json_schema": {"type": "object", "properties": {"a": {"enum": [1, "b"]}, "c": {"type": "array"}}}},
    {"regex": "(a|b)+c?"},
    {"ebnf": "root ::= [a-z]+ root?"},
    {"choice": ["yes", "no"]},
):
    llm.generate("x", guided.SamplingParams(max_new_tokens=8, **constraint))
print(sorted(name for name in set(sys.modules) - known if name.startswith("guided.grammars")))
"""


def test_a_first_grammar_imports_nothing() -> None:
    printed = subprocess.run([sys.executable, "-c", IMPORTED], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == "[]"
