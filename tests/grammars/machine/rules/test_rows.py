"""Rows, returns and interiors of local states against plain references: sets of items, and a walk over all tokens."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from guided.grammars.bitset import allocate_bitmask
from guided.grammars.compile import compile_grammar
from guided.grammars.kernels.ending import restarting
from guided.grammars.limits import Limits
from guided.grammars.machine import asking
from guided.grammars.machine import layout as at
from guided.grammars.machine.rules import layout as pd
from guided.grammars.machine.rules.automaton import PushdownAutomaton
from guided.grammars.machine.rules.rows import make_ready
from guided.grammars.machine.rules.states import LocalItems, LocalStates
from guided.grammars.machine.rules.structs import Rules
from guided.grammars.machine.rules.tables import RuleTables
from guided.grammars.memory.rows import row_at
from guided.grammars.native.general_grammar import GeneralGrammar
from guided.grammars.regex import algebra as lang
from guided.grammars.rules.expressions import RuleGraph
from guided.grammars.vocabulary import Vocabulary
from tests.grammars.machine.rules.brute_force import LETTERS, check_walk, compiled
from tests.grammars.machine.rules.plain_closures import PlainClosure, PlainContinuations, read_content
from tests.grammars.machine.rules.test_general_grammars import ARITHMETIC, MARKS, WITH_DOCUMENTS
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


def _settled(states: LocalStates, plain: PlainContinuations, moved: set[tuple[int, int]]) -> LocalItems:
    """What items become, all those that may end going on with what comes after them."""
    lexemes = states.positions._lazy_dfas
    end = lexemes.state((lang.EMPTY_TEXT,), "text")
    closure = PlainClosure(states, plain)
    for lexeme, gss_node in moved:
        if lexeme != end:
            closure.unite(closure.items, lexeme, plain.read(gss_node))
        if lexemes.may_end(lexeme):
            closure.leave(plain.read(gss_node))
    return closure.finish()


def _below(states: LocalStates, plain: PlainContinuations, state: int, frame: int) -> LocalItems:
    """A local state with the labels of a frame replaced by what it keeps."""
    content = read_content(plain, states.item_set(state))
    if not frame:
        return content
    kept = [plain.read(gss_node) for gss_node in states.numbers(frame)]
    parts = [tuple([(key, plain.filled(then, kept)) for key, then in part]) for part in content[:3]]
    return LocalItems(*parts, (), content.is_complete)


def _led_to(states: LocalStates, entry: int) -> tuple[int, int]:
    """The local state of an entry and the frame that is pushed before, 0 for none."""
    if entry >= 0:
        return entry, 0
    action = states._rules.actions[pd.FIRST_ACTION - entry]
    return action.state, action.frame


def _check_rows(automaton: PushdownAutomaton) -> int:
    """Compare all entries of rows that were made with the reference; how many rows there are."""
    states = automaton.states
    plain = PlainContinuations(states)
    rows, kinds = states._rules.rows.data, states._rules.states.data["row_kind"]
    built = [state for state in range(len(states)) if kinds[state] != pd.NO_ROW]
    for state in built:
        settled: dict[frozenset[tuple[int, int]], LocalItems] = {}
        terminals = [
            (states.positions._lazy_dfas.text_row(lexeme), gss_node)
            for lexeme, gss_node in states.item_set(state).items
        ]
        assert kinds[state] == pd.SOME_ENTRIES or pd.UNBUILT not in rows[state]
        for byte in range(256):
            moved = frozenset([(int(row[byte]), then) for row, then in terminals if row[byte] != at.DEAD])
            entry = int(rows[state, byte])
            if entry == pd.UNBUILT:
                continue
            assert (entry == pd.DEAD) == (not moved)
            if moved:
                if moved not in settled:
                    settled[moved] = _settled(states, plain, set(moved))
                assert _below(states, plain, *_led_to(states, entry)) == settled[moved], (state, byte)
    _check_continuations(states, plain)
    _check_returns(states, plain)
    return len(built)


def _check_continuations(states: LocalStates, plain: PlainContinuations) -> None:
    """Each is there once, and what is behind recursive calls is known of it."""
    is_deep = states._rules.gss_nodes.data["is_deep"]
    read = [plain.read(gss_node) for gss_node in range(states.num_gss_nodes)]
    assert len(set(read)) == len(read)
    assert [plain.is_deep(number) for number in read] == (is_deep[: len(read)] == 1).tolist()


def _check_returns(states: LocalStates, plain: PlainContinuations) -> None:
    """What states become when frames are popped."""
    keys, values = states._rules.returns.keys.data, states._rules.returns.values.data
    for key, entry in zip(keys.tolist(), values.tolist(), strict=True):
        if key:
            content, kept = states.item_set(key >> 32), [plain.read(then) for then in states.numbers(key & at.MASK32)]
            closure = PlainClosure(states, plain)
            closure.is_complete = content.is_complete
            parts = (closure.items, closure.documents, closure.tokens)
            for part, target in zip(content[:3], parts, strict=True):
                for number, gss_node in part:
                    closure.unite(target, number, plain.filled(plain.read(gss_node), kept))
            for label in content.labels:
                closure.leave(kept[label])
            assert _below(states, plain, *_led_to(states, entry)) == closure.finish()


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
    """Tables grow while rows are made, and the time is looked at after each."""
    grammar = compiled(ARITHMETIC, LETTERS, Limits(max_automaton_states=10_000))
    states = _automaton(grammar).states
    states._rules.work_left = 0
    check_walk(grammar.matcher(), LETTERS, random.Random(1), 15, b")")
    assert _check_rows(_automaton(grammar))


@pytest.fixture(scope="module")
def large(deepseek: Any, deepseek_vocabulary: Vocabulary) -> tuple[Vocabulary, PushdownAutomaton]:
    vocabulary = deepseek_vocabulary
    grammar = compile_grammar(vocabulary, ebnf=GRAMMAR, dialect="gbnf", cache=None)
    matcher, bitmask = grammar.matcher(), allocate_bitmask(1, vocabulary.size)
    for token_id in deepseek.encode(TEXT, add_special_tokens=False):
        matcher.fill_bitmask(bitmask)
        assert matcher.accept_token(token_id)
    return vocabulary, _automaton(grammar)


def test_what_kernels_ask_for(monkeypatch: pytest.MonkeyPatch, deepseek: Any, deepseek_vocabulary: Vocabulary) -> None:
    """They make interiors and the rows of sets themselves; Python makes what is rare, or what a schema says."""
    asked, make = set[int](), RuleTables.make
    monkeypatch.setattr(RuleTables, "make", lambda tables, what: (asked.add(what.kind), make(tables, what))[1])
    schema = {"type": "object", "properties": {"text": {"type": "string"}, "number": {"type": "number"}}}
    inside = {"type": "tag", "begin": "<", "content": {"type": "json_schema", "json_schema": schema}, "end": ">"}
    grammars: list[tuple[dict[str, Any], str, set[int]]] = [
        ({"ebnf": GRAMMAR, "dialect": "gbnf"}, TEXT, {asking.TERMINALS, asking.BYTE_CLASSES}),
        (
            {"structural_tag": {"type": "structural_tag", "format": inside}},
            '<{"text": "a", "number": -1.5e3}>',
            {asking.TERMINALS, asking.ROOT, asking.FRAME, asking.VALUE, asking.RETURN},
        ),
    ]
    for arguments, text, expected in grammars:
        matcher = compile_grammar(deepseek_vocabulary, **arguments, cache=None).matcher()
        bitmask = allocate_bitmask(1, deepseek_vocabulary.size)
        for token_id in deepseek.encode(text, add_special_tokens=False):
            matcher.fill_bitmask(bitmask)
            assert matcher.accept_token(token_id)
        assert asked
        assert asked <= expected
        asked.clear()


def test_rows_of_a_large_vocabulary(large: tuple[Vocabulary, PushdownAutomaton]) -> None:
    assert _check_rows(large[1]) > 20


def test_segments_of_a_large_vocabulary(large: tuple[Vocabulary, PushdownAutomaton]) -> None:
    vocabulary, automaton = large
    states, trie, rules = automaton.states, automaton.vocabulary_tables.trie, automaton.machine.rules
    kept = rules.interiors
    made = [state for state in range(len(states)) if kept.index.value(state + 1, 0)]
    assert len(made) >= 8
    for state in random.Random(1).sample(made, 8):  # each takes half a second
        interior = kept.made[kept.index.value(state + 1, 0)]
        row = row_at(interior.row, automaton.vocabulary_tables.num_words).numpy()
        bits = np.unpackbits(row.view(np.uint8), bitorder="little")
        allowed, exits = _walked(automaton, state)
        expected = allowed | (set(vocabulary.eos_token_ids) if states.item_set(state).is_complete else set())
        assert set(np.flatnonzero(bits).tolist()) == expected
        found = kept.exits.data[interior.first_exit : interior.first_exit + interior.num_exits].tolist()
        assert sorted((node, before) for node, before, _ in found) == sorted(exits)
    assert trie.first_child[1] > 100


def _walked(automaton: PushdownAutomaton, state: int) -> tuple[set[int], list[tuple[int, int]]]:
    """The tokens that stay in local states from a state on, and the exits: (node, local state before its byte)."""
    trie, rules = automaton.vocabulary_tables.trie, automaton.machine.rules
    first_child, bytes_ = trie.first_child.tolist(), trie.byte.tolist()
    allowed, exits, waiting = set[int](), list[tuple[int, int]](), [(0, state)]
    while waiting:
        node, before = waiting.pop()
        if rules.states[before].row_kind != pd.ALL_ENTRIES:
            automaton.requests.run_inside(lambda state=before: _make_ready(rules, state))
        row = rules.rows.data[before].tolist()
        for child in range(first_child[node], first_child[node + 1]):
            entry = row[bytes_[child]]
            if entry >= 0:
                allowed.update(trie.sorted_ids[trie.token_start[child] : trie.own_end[child]].tolist())
                waiting.append((child, entry))
            elif entry != pd.DEAD:
                exits.append((child, before))
    return allowed, exits


def _make_ready(rules: Rules, state: int) -> bool | None:
    """Let all entries of a row be there; None where that waits."""
    restarting(make_ready)(rules, state)
    return rules.states[state].row_kind == pd.ALL_ENTRIES or None
