"""Masks along some documents, as text: the same whether the kernels are compiled or run as plain Python.

`GUIDED_KERNELS=plain python -m tests.grammars.machine.plain_kernels` prints them, and how often kernels were
restarted (see `restarts.py`).
"""

from __future__ import annotations

import json
from typing import Any

from guided.grammars.bitset import allocate_bitmask
from guided.grammars.compile import compile_grammar, fill_bitmasks
from guided.grammars.limits import Limits
from guided.grammars.vocabulary import Vocabulary
from tests.grammars.machine.restarts import restart_at_each_growth

DOCUMENTS: tuple[tuple[Any, str], ...] = (
    (
        {
            "type": "object",
            "properties": {
                "name": {"type": "string", "maxLength": 12},
                "n": {"type": "number", "minimum": -1},
                "kind": {"enum": ["ab", "abc", "né", None]},
            },
            "required": ["name"],
        },
        '{"name":"né\\n", "n": -0.5,"kind":"abc","a":[true,{"b":1e5}]}',
    ),
    ({"type": "array", "uniqueItems": True}, '["ab","a",12,[1],{"a":1}, null]'),
    (
        {"anyOf": [{"required": ["a"], "properties": {"a": {"const": "ab"}}}, {"required": ["b"]}], "type": "object"},
        '{"a":"a","b":[ ]}',
    ),
    ({"type": "string", "pattern": "^(a|b)*é.{10,}$", "not": {"pattern": "ba"}}, '"abéabc12é日ab1"'),
    ({"additionalProperties": {"not": {"enum": ["a", "ab"]}}, "type": "object"}, '{"a":"abc","ab":"b"}'),
)

LIMITS = Limits(max_text_seconds=600)  # plain kernels are slow, more so in an emulator


def vocabulary() -> Vocabulary:
    """The bytes of the documents, and pieces of them."""
    texts = [text.encode() for _, text in DOCUMENTS]
    single = sorted(set(b"".join(texts)))
    pieces = {text[start : start + length] for text in texts for start in range(0, len(text), 3) for length in (2, 5)}
    tokens = [bytes([byte]) for byte in single] + sorted(piece for piece in pieces if len(piece) > 1)
    return Vocabulary([*tokens, None, None], [len(tokens) + 1])


def masks() -> list[str]:
    """For each document and configuration in it the mask in hex, with the forced bytes; alone and as a batch."""
    known = vocabulary()
    ids = {token: token_id for token_id, token in enumerate(known.tokens)}
    found = []
    for schema, text in DOCUMENTS:
        matcher = compile_grammar(known, json_schema=schema, limits=LIMITS, cache=None).matcher()
        data = text.encode()
        for config in range(len(data) + 1):
            bitmask = allocate_bitmask(2, known.size)
            matcher.fill_bitmask(bitmask, 1)
            fill_bitmasks([matcher], bitmask)
            assert (bitmask[0] == bitmask[1]).all()
            forced = matcher.find_jump_forward_bytes()
            found.append(f"{data[:config]!r} {bitmask[0].tobytes().hex()} {forced!r} {matcher.is_accepting()}")
            if config < len(data):
                assert matcher.accept_token(ids[data[config : config + 1]]), data[:config]
    return found


if __name__ == "__main__":
    restarts = restart_at_each_growth()
    print(json.dumps([masks(), restarts]))
