"""Rows and segments of local states against plain references: sets of threads, and a walk over all tokens."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from guided.grammars.automaton import layout as at
from guided.grammars.bitset import allocate_bitmask
from guided.grammars.compile import compile_grammar
from guided.grammars.limits import Limits
from guided.grammars.pushdown import layout as pd
from guided.grammars.pushdown.automaton import PushdownAutomaton
from guided.grammars.pushdown.collector import Collector, Threads
from guided.grammars.pushdown.compiled import GeneralGrammar
from guided.grammars.pushdown.states import LocalStates
from guided.grammars.regex import algebra as lang
from guided.grammars.rules.expressions import RuleGraph
from guided.grammars.vocabulary import Vocabulary
from tests.grammars.pushdown.brute_force import LETTERS, check_walk, compiled
from tests.grammars.pushdown.test_general_grammars import ARITHMETIC, MARKS, WITH_DOCUMENTS
from tests.grammars.rules.oracle import random_graph

GRAMMAR = r"""
root ::= (name " = " value "\n")+
value ::= name | "for" | "f" value | "\"" [^"\n\\]* "\"" | "(" value ("," " "? value)* ")" | [0-9]+ | "é" [à-ü]* "!"
name ::= [a-zA-Z_] [a-zA-Z0-9_]*
"""
TEXT = 'total = ("some words", forest, 12)\nf = éàè!\n'


def _automaton(grammar: Any) -> PushdownAutomaton:
    assert isinstance(grammar, GeneralGrammar)
    return grammar._automaton


def _settled(states: LocalStates, moved: set[tuple[int, int]]) -> Threads:
    """What threads become, all those that may end going on with what comes after them."""
    lexemes, continuations = states._lexemes, states.continuations
    end = lexemes.state((lang.EMPTY_TEXT,), "text")
    collector, ended = Collector(states), None
    for lexeme, continuation in moved:
        if lexeme != end:
            collector.unite(collector.threads, lexeme, continuation)
        if lexemes.may_end(lexeme):
            ended = continuation if ended is None else continuations.union(ended, continuation)
    if ended is not None:
        collector.leave(ended)
    return collector.finish()


def _below(states: LocalStates, state: int, frame: int) -> Threads:
    """A local state with the labels of a frame replaced by what it keeps."""
    content, kept, known = states.content[state], states.frames[frame], dict[int, int]()
    if not frame:
        return content
    parts = [
        tuple([(key, states.continuations.substituted(continuation, kept, known)) for key, continuation in part])
        for part in content[:3]
    ]
    return Threads(parts[0], parts[1], parts[2], (), content.is_complete)


def _check_rows(automaton: PushdownAutomaton) -> int:
    """Compare all rows that were built with the reference; how many."""
    states = automaton.states
    rows = states._rows.data.reshape(-1, 256)
    built = [state for state in range(len(states.content)) if rows[state, 0] != pd.UNBUILT]
    for state in built:
        settled: dict[frozenset[tuple[int, int]], Threads] = {}
        terminals = [
            (states._lexemes.text_row(lexeme), continuation) for lexeme, continuation in states.content[state].threads
        ]
        for byte in range(256):
            moved = frozenset([(int(row[byte]), then) for row, then in terminals if row[byte] != at.DEAD])
            entry = int(rows[state, byte])
            assert (entry == pd.DEAD) == (not moved)
            if moved:
                if moved not in settled:
                    settled[moved] = _settled(states, set(moved))
                assert _below(states, *states.entry_state(entry)) == settled[moved], (state, byte)
    return len(built)


@pytest.mark.parametrize("seed", range(24, 33))
def test_rows_of_random_grammars(seed: int) -> None:
    grammar = compiled(random_graph(random.Random(seed), 1 + seed % 4), LETTERS)
    check_walk(grammar.matcher(), LETTERS, random.Random(seed), 8)
    assert _check_rows(_automaton(grammar))


@pytest.mark.parametrize("name", ["tokens and texts", "recursive", "neighbours"])
def test_rows_beside_documents_and_tokens(name: str) -> None:
    grammar = compiled(RuleGraph({"s": WITH_DOCUMENTS[name]}, "s"), MARKS)
    check_walk(grammar.matcher(), MARKS, random.Random(name), 20, b'"]}<!)')
    assert _check_rows(_automaton(grammar))


def test_rows_with_little_room() -> None:
    """Columns grow while rows are made, and the time is looked at after each."""
    grammar = compiled(ARITHMETIC, LETTERS, Limits(max_automaton_states=10_000))
    states = _automaton(grammar).states
    states._fields[pd.P_WORK] = 0
    check_walk(grammar.matcher(), LETTERS, random.Random(1), 15, b")")
    assert _check_rows(_automaton(grammar))


@pytest.fixture(scope="module")
def large(deepseek: Any) -> tuple[Vocabulary, PushdownAutomaton]:
    vocabulary = Vocabulary.from_tokenizer(deepseek)
    grammar = compile_grammar(vocabulary, ebnf=GRAMMAR, dialect="gbnf", cache=None)
    matcher, bitmask = grammar.matcher(), allocate_bitmask(1, vocabulary.size)
    for token_id in deepseek.encode(TEXT, add_special_tokens=False):
        matcher.fill_bitmask(bitmask)
        assert matcher.accept_token(token_id)
    return vocabulary, _automaton(grammar)


def test_rows_of_a_large_vocabulary(large: tuple[Vocabulary, PushdownAutomaton]) -> None:
    assert _check_rows(large[1]) > 20


def test_segments_of_a_large_vocabulary(large: tuple[Vocabulary, PushdownAutomaton]) -> None:
    vocabulary, automaton = large
    states, trie = automaton.states, automaton.lexicon.trie
    table = states._table.data.reshape(-1, pd.STATE_FIELDS)
    segments = automaton._segments.data.reshape(-1, pd.SEGMENT_FIELDS)
    rows = {row.__array_interface__["data"][0]: row for row in automaton._rows}
    made = [state for state in range(len(states.content)) if table[state, pd.G_SEGMENT] >= 0]
    assert len(made) >= 8
    for state in made:
        address, first, num_exits = segments[table[state, pd.G_SEGMENT]].tolist()
        bits = np.unpackbits(rows[address].view(np.uint8), bitorder="little")
        allowed, exits = _walked(automaton, state)
        expected = allowed | (set(vocabulary.eos_token_ids) if states.content[state].is_complete else set())
        assert set(np.flatnonzero(bits).tolist()) == expected
        pairs = automaton._exits.data[2 * first : 2 * (first + num_exits)].reshape(-1, 2).tolist()
        assert sorted(map(tuple, pairs)) == sorted(exits)
    assert trie.first_child[1] > 100


def _walked(automaton: PushdownAutomaton, state: int) -> tuple[set[int], list[tuple[int, int]]]:
    """The tokens that stay in local states from a state on, and the exits: (node, local state before its byte)."""
    trie, rows = automaton.lexicon.trie, automaton.states._rows.data
    first_child, bytes_ = trie.first_child.tolist(), trie.byte.tolist()
    allowed, exits, waiting = set[int](), list[tuple[int, int]](), [(0, state)]
    while waiting:
        node, before = waiting.pop()
        row = rows[before * 256 : before * 256 + 256].tolist()
        if row[0] == pd.UNBUILT:
            automaton.advance(before, 0, automaton.lexicon.vocabulary.size)
            rows = automaton.states._rows.data
            row = rows[before * 256 : before * 256 + 256].tolist()
        for child in range(first_child[node], first_child[node + 1]):
            entry = row[bytes_[child]]
            if entry >= 0:
                allowed.update(trie.sorted_ids[trie.token_start[child] : trie.own_end[child]].tolist())
                waiting.append((child, entry))
            elif entry != pd.DEAD:
                exits.append((child, before))
    return allowed, exits
