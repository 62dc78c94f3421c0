"""Masks along some texts: the same whether the kernels are compiled or run as plain Python.

`GUIDED_KERNELS=plain python -m tests.grammars.machine.rules.plain_kernels` prints them, and how often kernels were
restarted (see `restarts.py`).
"""

from __future__ import annotations

import json

from guided.grammars.bitset import allocate_bitmask
from guided.grammars.compile import compile_grammar
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.regex import algebra as lang
from guided.grammars.rules.expressions import (
    Choice,
    CountedRepeat,
    JsonDocument,
    RuleGraph,
    RuleRef,
    Sequence,
    Terminal,
)
from guided.grammars.spec import GrammarSpec
from guided.grammars.vocabulary import Vocabulary
from tests.grammars.machine.restarts import restart_at_each_growth
from tests.grammars.machine.rules.brute_force import compiled

_DOCUMENT = JsonDocument(GrammarSpec("json_schema", '{"type":["object","string"]}', "compact"))
_WORD = Terminal(lang.repeat(lang.chars(((97, 122), (0xE0, 0xFF))), 1))


def _text(string: str) -> Terminal:
    return Terminal(lang.text(string))


NESTED = RuleGraph(
    {
        "s": Choice((Sequence((RuleRef("s"), _text("+"), RuleRef("v"))), RuleRef("v"))),
        "v": Choice((_WORD, _DOCUMENT, Sequence((_text("("), CountedRepeat(RuleRef("s"), 1, 2), _text(")"))))),
    },
    "s",
)
TEXTS = ("((né+b)+(x(y)))", '("a"+{"b":1})', "((((a))))+b")
CHOICES = ["alpha", "alpine", "al", "beta", "né", ""]


def vocabulary() -> Vocabulary:
    """The bytes of the texts, and pieces of them."""
    texts = [text.encode() for text in (*TEXTS, *CHOICES)]
    pieces = {text[start : start + length] for text in texts for start in range(len(text)) for length in (2, 3, 5)}
    single = sorted(set(b"".join(texts)))
    tokens = [bytes([byte]) for byte in single] + sorted(piece for piece in pieces if len(piece) > 1)
    return Vocabulary([*tokens, None], [len(tokens)])


def masks() -> list[str]:
    """For each text and configuration in it the mask in hex, with the forced bytes."""
    known = vocabulary()
    nested, choice = compiled(NESTED, known), compile_grammar(known, choice=CHOICES, cache=None)
    one = compile_grammar(known, choice=CHOICES[:1], cache=None)
    walks = [(nested, text) for text in TEXTS] + [(choice, text) for text in CHOICES] + [(one, CHOICES[0])]
    return [line for grammar, text in walks for line in _along(grammar, known, text)]


def _along(grammar: CompiledGrammar, known: Vocabulary, text: str) -> list[str]:
    ids = {token: token_id for token_id, token in enumerate(known.tokens)}
    matcher, data, found = grammar.matcher(), text.encode(), []
    bitmask = allocate_bitmask(1, known.size)
    for config in range(len(data) + 1):
        matcher.fill_bitmask(bitmask)
        forced = matcher.find_jump_forward_bytes()
        found.append(f"{data[:config]!r} {bitmask[0].tobytes().hex()} {forced!r} {matcher.is_accepting()}")
        if config < len(data):
            assert matcher.accept_token(ids[data[config : config + 1]]), data[:config]
    (end,) = known.eos_token_ids
    assert matcher.accept_token(end)
    matcher.fill_bitmask(bitmask)
    assert not bitmask.any()
    assert matcher.find_jump_forward_bytes() == b""
    return found


if __name__ == "__main__":
    restarts = restart_at_each_growth()
    print(json.dumps([masks(), restarts]))
