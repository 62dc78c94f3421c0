"""Families of words: one that gets one more excluded word is as if it had been made with it."""

from __future__ import annotations

import itertools
import random

import pytest

from guided.grammars.bitset import allocate_bitmask
from guided.grammars.compile import compile_grammar
from guided.grammars.machine.documents.words import Family, WordSets
from guided.grammars.machine.machine import Machine
from guided.grammars.machine.vocabulary_tables import VocabularyTables
from tests.grammars.vocabularies import byte_vocabulary

NAMES = ("", "a", "ab", "abc", "b", 'q"uote', "new\nline", "é", "日本", "z" * 70)


def _words(machine: Machine, family: Family) -> list[tuple[bytes, int, int, int]]:
    """Each word as it is spelled, with its class, bit and the bytes that it has in common with the one before."""
    rows = [machine.words[family.first + index] for index in range(family.size + 1)]
    texts = [machine.word_text.data[row.start : end.start].tobytes() for row, end in itertools.pairwise(rows)]
    return [(text, row.returned, row.bit, row.common) for text, row in zip(texts, rows, strict=False)]


@pytest.mark.parametrize("seed", range(20))
def test_one_more_excluded_word(seed: int) -> None:
    rng = random.Random(seed)
    machine = Machine(VocabularyTables(byte_vocabulary()).tables)
    word_sets = WordSets(machine)
    declared = {name: index for index, name in enumerate(rng.sample(NAMES, rng.randrange(5)))}
    family, excluded = word_sets.family(word_sets.entries(declared, frozenset())), list[str]()
    for name in rng.sample(NAMES, len(NAMES)):
        if name not in declared:
            excluded.append(name)
            family = word_sets.with_excluded(family, name, None)
            expected = word_sets.family(word_sets.entries(declared, frozenset(excluded)))
            assert family[1:] == expected[1:]
            assert _words(machine, family) == _words(machine, expected)


def test_a_word_behind_one_that_goes_on_with_a_space() -> None:
    """`c"` comes after `c "`, as a space comes before a quote: it has no beginning that was not looked at.

    One was looked for behind its end, and there the string is over: KeyError.
    """
    not_both = {
        "if": {"dependentRequired": {"d": ["b"], "b": ["a"]}},
        "then": {"additionalProperties": False},
        "else": {"maxProperties": 3},
        "dependentSchemas": {"d": {"properties": {"a": {"enum": [None]}}}},
        "oneOf": [
            {"patternProperties": {"^[^a]$": {"not": {"enum": [{"a": 1}, {}]}}}},
            {"propertyNames": {"not": {"enum": ["c"]}}},
        ],
        "properties": {"c": {"enum": [{}]}},
    }
    vocabulary = byte_vocabulary()
    matcher = compile_grammar(vocabulary, json_schema=not_both, property_order="any", cache=None).matcher()
    bitmask = allocate_bitmask(1, vocabulary.size)
    for byte in b'{"c ":11,"d":"","b':
        matcher.fill_bitmask(bitmask)
        assert matcher.accept_token(vocabulary.tokens.index(bytes([byte])))
