"""`warmup`: load or compile the kernels of all native grammars.

`python -m guided.grammars.warmup` does it once for an installation.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from .automaton.warmup import warmup as warmup_automaton
from .backends.base import Matcher
from .bitset import allocate_bitmask
from .compile import compile_grammar
from .kernels import require_kept
from .vocabulary import Vocabulary

_SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 9},
        "names": {"type": "array", "items": {"type": "string"}},
        "kind": {"enum": ["one", "other", 3]},
        "number": {"type": "number"},
        "count": {"type": "integer", "minimum": 7},
    },
    "required": ["name"],
}
_GRAMMARS: list[dict[str, Any]] = [
    {"json_schema": _SCHEMA},
    {"json_schema": {"type": "array", "items": {"enum": [1, "one", None]}, "uniqueItems": True}},
    {"json_schema": {"type": "object", "properties": {"one": {"type": "integer"}}, "minProperties": 2}},
    {"regex": "[a-c]{3}|the .*"},
    {"choice": ["one", "other"]},
    {"ebnf": 'root ::= "(" root ")" | [a-z]+', "dialect": "gbnf"},
    {
        "structural_tag": {
            "structures": [{"begin": "<a>", "schema": {"type": "integer"}, "end": "</a>"}],
            "triggers": ["<a"],
        }
    },
    {"all_of": [{"json_schema": _SCHEMA}, {"banned_substrings": ["xy"]}]},
]
_NUM_TEXTS = 20


def warmup() -> None:
    """Write under a grammar of each kind, with a vocabulary of bytes. 2 s with compiled kernels, minutes without."""
    vocabulary = Vocabulary([bytes([byte]) for byte in range(256)] + [None], [256])
    warmup_automaton(vocabulary)
    for arguments in _GRAMMARS:
        grammar = compile_grammar(vocabulary, **arguments, cache=None)
        for seed in range(_NUM_TEXTS):
            _write(grammar.matcher(), random.Random(seed), vocabulary)


def _write(matcher: Matcher, rng: random.Random, vocabulary: Vocabulary) -> None:
    """A random text that closes within a random budget."""
    bitmask = allocate_bitmask(1, vocabulary.size)
    for num_left in range(rng.randrange(12, 60), 0, -1):
        matcher.fill_bitmask(bitmask)
        matcher.restrict_to_budget(bitmask, 0, num_left)
        allowed = np.flatnonzero(np.unpackbits(bitmask.view(np.uint8), bitorder="little"))
        token_id = int(rng.choice(allowed))
        if token_id in vocabulary.eos_token_ids or not matcher.accept_token(token_id):
            return
        matcher.find_jump_forward_bytes()
        matcher.find_shortest_completion()


if __name__ == "__main__":
    warmup()
    require_kept()
