"""The kernels build the network that plain Python with sets builds, in any room, and stop at their limits."""

from __future__ import annotations

import random

import pytest

from guided.grammars.errors import GuidedError, LimitExceededError
from guided.grammars.limits import Limits
from guided.grammars.regex import algebra as lang
from guided.grammars.rules import network as networks
from guided.grammars.rules.automata import OK
from guided.grammars.rules.expressions import Choice, CountedRepeat, Expression, RuleGraph, RuleRef, Sequence, Terminal
from guided.grammars.rules.network import START, Network, build_network
from guided.grammars.rules.numbering import number_positions
from guided.grammars.rules.prepare import PreparedGraph, prepare
from guided.grammars.rules.program import Program
from guided.grammars.rules.structs import NetworkWork
from guided.grammars.watch import Watch
from tests.grammars.rules.oracle import random_graph
from tests.grammars.rules.plain_network import PlainNetwork, PlainPosition


def _text(string: str) -> Terminal:
    return Terminal(lang.text(string))


def _plain(prepared: PreparedGraph) -> PlainNetwork:
    rules: dict[str, Expression] = {**prepared.rules, START: prepared.start}
    program = Program(rules)
    dead = {number for number, fact in enumerate(program.symbol_structs(Limits())) if fact["is_dead"]}
    return PlainNetwork(rules, program.symbols, dead)


def _shown(network: Network) -> list[PlainPosition]:
    """The positions of a network as PlainNetwork has them."""
    return [
        (tuple(network.edges_at(number)), position.is_final, position.is_cut)
        for number, position in enumerate(network.positions)
    ]


@pytest.mark.parametrize("seed", range(40))
def test_random_rules_as_plain_python_has_them(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    num_compared = 0
    for _ in range(10):
        graph = random_graph(rng, rng.randint(1, 6), "abc")
        try:
            plain = _plain(prepare(graph, Limits()))
        except GuidedError:
            continue
        monkeypatch.setattr(networks, "_ROOM", rng.choice((1, 2, 3, 64)))
        network = build_network(graph, Limits())
        assert network.is_nullable == plain.is_nullable
        if plain.positions:
            num_compared += 1
            assert (list(network.rules), list(network.starts)) == (plain.names, plain.starts)
            assert _shown(network) == plain.positions
        else:
            assert len(network.flags) == 1
    assert num_compared


def test_the_room_at_first_does_not_matter() -> None:
    """One number more of room each time: the same, in an arena that grows where that is too small."""
    loop = CountedRepeat(Choice((RuleRef("s"), _text("x"))), 1, 3)
    graph = RuleGraph(
        {
            "s": Choice((Sequence((RuleRef("s"), _text("+"), RuleRef("v"))), RuleRef("v"))),
            "v": Choice((_text("n"), Sequence((_text("("), loop, _text(")"))), Sequence((_text("-"), RuleRef("v"))))),
        },
        "s",
    )
    prepared = prepare(graph, Limits())
    program = Program({**prepared.rules, START: prepared.start})
    found: list[list[list[int]]] = []
    symbols = program.symbol_structs(Limits())
    num_grown = 0
    for room in range(1500):
        work = NetworkWork(program.nodes, program.roots, symbols, room)
        work.steps_left = 1_000_000
        assert number_positions(work.address, 1000) == OK
        num_grown += work.arena.numbers.capacity > room
        found.append([list(part) for part in (work.order, work.starts, work.flags, work.first_edge, work.edges)])
    assert 100 < num_grown < 1400
    assert all(one == found[0] for one in found)


def test_too_many_states_name_their_rule() -> None:
    nested = Sequence((_text("("), CountedRepeat(RuleRef("a"), 0, 90), _text(")")))
    with pytest.raises(LimitExceededError, match="of rule 'a'"):
        build_network(RuleGraph({"a": Choice((_text("x"), nested))}, "a"), Limits(max_automaton_states=80))
    letters = [chr(ord("a") + index) for index in range(20)]
    circle: dict[str, Expression] = {
        letter: Choice(
            (_text(letter), Sequence((RuleRef(letters[index - 1]), _text("+"), _text("-"), RuleRef(letter))))
        )
        for index, letter in enumerate(letters)
    }
    with pytest.raises(LimitExceededError, match=r"of rule '.' without its left recursion"):
        build_network(RuleGraph(circle, "a"), Limits(max_automaton_states=50))


def _numbered(graph: RuleGraph, monkeypatch: pytest.MonkeyPatch) -> tuple[Network, int]:
    """The network of a graph, and how often the kernels began."""
    num_tries = 0

    def counted(address: int, max_states: int) -> int | None:
        nonlocal num_tries
        num_tries += 1
        return number_positions(address, max_states)

    with monkeypatch.context() as patched:
        patched.setattr(networks, "number_positions", counted)
        return build_network(graph, Limits()), num_tries


def test_equal_tails_of_a_rule_are_merged_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """A round for each call of the tails took time quadratic in their length: 12 s for 9,000 calls."""
    tail = CountedRepeat(RuleRef("b"), 3000, 3000)
    brackets = Sequence((_text("("), CountedRepeat(RuleRef("b"), 0, 1), _text(")")))
    start = Choice((Sequence((_text("x"), tail)), Sequence((_text("y"), _text("z"), tail))))
    network, num_tries = _numbered(RuleGraph({"s": start, "b": brackets}, "s"), monkeypatch)
    assert 3000 < len(network.flags) < 3020
    assert num_tries == 1


def test_kernels_that_look_at_the_time_limit_often_come_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    tries = []
    for seed in range(5):
        graph = random_graph(random.Random(seed), 6, "abc")
        usual, _ = _numbered(graph, monkeypatch)
        with monkeypatch.context() as often:
            often.setattr(networks, "_STEPS", 20)
            network, num_tries = _numbered(graph, monkeypatch)
        assert _shown(network) == _shown(usual)
        tries.append(num_tries)
    assert max(tries) > 3


def test_the_time_limit_ends_the_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(networks, "number_positions", lambda *_: None)
    with pytest.raises(LimitExceededError, match="max_compile_seconds"), Watch("max_compile_seconds", 0.05):
        build_network(RuleGraph({"a": Choice((_text("x"), Sequence((_text("("), RuleRef("a")))))}, "a"), Limits())
