"""A slow, independent reader of rule graphs, and random ones: which texts belong to a grammar.

`spans` is the least fixed point of "this part of the text is a text of that rule", over all parts of a text.
"""

from __future__ import annotations

import random

from guided.grammars.regex import algebra as lang
from guided.grammars.rules.expressions import (
    Choice,
    CountedRepeat,
    Expression,
    RuleGraph,
    RuleRef,
    Sequence,
    Terminal,
)

Spans = frozenset[tuple[int, int]]


def accepts(graph: RuleGraph, text: str) -> bool:
    """True if the text belongs to the grammar. Knows terminals, rules, sequences, choices and repeats."""
    spans: dict[str, Spans] = {name: frozenset() for name in graph.rules}
    changed = True
    while changed:
        changed = False
        for name, rule in graph.rules.items():
            found = _spans(rule, text, spans)
            if found != spans[name]:
                spans[name], changed = found, True
    return (0, len(text)) in spans[graph.start]


def _spans(expression: Expression, text: str, known: dict[str, Spans]) -> Spans:
    size = len(text) + 1
    match expression:
        case Terminal(language):
            pairs = [(start, end) for start in range(size) for end in range(start, size)]
            return frozenset([pair for pair in pairs if lang.matches(language, text[slice(*pair)])])
        case RuleRef(name):
            return known[name]
        case Sequence(parts):
            result = frozenset([(place, place) for place in range(size)])
            for part in parts:
                result = _joined(result, _spans(part, text, known))
            return result
        case Choice(options):
            return frozenset().union(*[_spans(option, text, known) for option in options])
        case CountedRepeat(child, low, high):
            once = _spans(child, text, known)
            result = frozenset([(place, place) for place in range(size)])
            for _ in range(low):
                result = _joined(result, once)
            rounds = size if high is None else high - low
            for _ in range(rounds):
                result |= _joined(result, once)
            return result
    raise AssertionError(expression)


def _joined(first: Spans, second: Spans) -> Spans:
    return frozenset([(start, end) for start, middle in first for other, end in second if middle == other])


def random_graph(rng: random.Random, num_rules: int, alphabet: str = "ab") -> RuleGraph:
    """A grammar with recursion of all kinds, empty rules, ambiguity; perhaps one that never ends."""
    names = [f"r{index}" for index in range(num_rules)]
    rules: dict[str, Expression] = {}
    for name in names:
        options = [_random_expression(rng, names, alphabet, 2) for _ in range(rng.randint(1, 3))]
        rules[name] = Choice((*options, _random_terminal(rng, alphabet))) if rng.random() < 0.8 else options[0]
    return RuleGraph(rules, names[0])


def _random_expression(rng: random.Random, names: list[str], alphabet: str, depth: int) -> Expression:
    kind = rng.random()
    if depth == 0 or kind < 0.25:
        return RuleRef(rng.choice(names)) if rng.random() < 0.6 else _random_terminal(rng, alphabet)
    if kind < 0.75:
        count = rng.choice((0, 2, 2, 2, 3, 3))
        return Sequence(tuple([_random_expression(rng, names, alphabet, depth - 1) for _ in range(count)]))
    if kind < 0.85:
        low = rng.choice((0, 0, 1, 2))
        high = rng.choice((None, low, low + 1, low + 2))
        return CountedRepeat(_random_expression(rng, names, alphabet, depth - 1), low, high)
    return Choice(tuple([_random_expression(rng, names, alphabet, depth - 1) for _ in range(2)]))


def _random_terminal(rng: random.Random, alphabet: str) -> Terminal:
    kind = rng.random()
    letter = rng.choice(alphabet)
    if kind < 0.6:
        return Terminal(lang.text("".join(rng.choices(alphabet, k=rng.choice((1, 1, 1, 2))))))
    if kind < 0.7:
        return Terminal(lang.EMPTY_TEXT)
    if kind < 0.85:
        return Terminal(lang.repeat(lang.text(letter), rng.choice((0, 1))))
    return Terminal(lang.union(lang.text(letter), lang.text(letter + rng.choice(alphabet) * 2)))
