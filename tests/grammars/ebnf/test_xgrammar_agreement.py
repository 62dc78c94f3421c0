"""The same texts belong to a grammar here and for xgrammar itself."""

from __future__ import annotations

import random
import zlib

import pytest

from guided.grammars.ebnf import read_ebnf
from tests.cases.ebnf_cases import XGRAMMAR_CASES, EbnfCase
from tests.cases.usual_grammars import USUAL_GRAMMARS, UsualGrammar

from .recogniser import accepts
from .sentences import SentenceGenerator, mutated


@pytest.mark.parametrize("case", XGRAMMAR_CASES, ids=lambda case: case.name)
def test_tables(case: EbnfCase) -> None:
    xgrammar = pytest.importorskip("xgrammar")
    testing = pytest.importorskip("xgrammar.testing")
    theirs, ours = xgrammar.Grammar.from_ebnf(case.grammar), read_ebnf(case.grammar, "xgrammar")
    rng = random.Random(zlib.crc32(case.grammar.encode()))
    generator = SentenceGenerator(ours, rng)
    texts = [*case.accepts, *case.rejects, *[generator.sentence() for _ in range(20)]]
    alphabet = "".join(sorted(set("".join(texts)))) or "a"
    texts += [mutated(rng.choice(texts), rng, alphabet) for _ in range(30)]
    readable = [text for text in dict.fromkeys(texts) if "\0" not in text]  # which its bindings take for an end
    different = [text for text in readable if accepts(ours, text) != testing._is_grammar_accept_string(theirs, text)]
    assert different == []


@pytest.mark.parametrize("usual", USUAL_GRAMMARS, ids=lambda usual: usual.name)
def test_usual_grammars(usual: UsualGrammar) -> None:
    ours = read_ebnf(usual.grammar, "gbnf")
    assert read_ebnf(usual.grammar, "xgrammar").rules.keys() == ours.rules.keys()
    assert [text for text in usual.accepts if not accepts(ours, text)] == []
    assert [text for text in usual.rejects if accepts(ours, text)] == []
    xgrammar, testing = pytest.importorskip("xgrammar"), pytest.importorskip("xgrammar.testing")
    theirs, rng = xgrammar.Grammar.from_ebnf(usual.grammar), random.Random(usual.name)
    generator = SentenceGenerator(ours, rng)
    texts = [*usual.accepts, *usual.rejects, *[generator.sentence() for _ in range(8)]]
    alphabet = "".join(sorted(set("".join(texts))))
    texts += [mutated(rng.choice(texts), rng, alphabet) for _ in range(16)]
    texts = [text for text in dict.fromkeys(texts) if "\0" not in text and len(text) < 80]
    assert [text for text in texts if accepts(ours, text) != testing._is_grammar_accept_string(theirs, text)] == []
