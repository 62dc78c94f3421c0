"""Random texts of a rule graph, and texts that differ from them a little."""

from __future__ import annotations

import random

from guided.grammars.regex import algebra as lang
from guided.grammars.rules.expressions import Choice, CountedRepeat, Expression, RuleGraph, RuleRef, Sequence, Terminal

_ENDLESS = 10**6
_MAX_RULES = 60
"""Rules used in one text, after which the flattest way out is taken."""


class SentenceGenerator:
    """Texts of a grammar without tokens and schemas. rng: where randomness comes from."""

    def __init__(self, graph: RuleGraph, rng: random.Random) -> None:
        self.graph, self.rng = graph, rng
        self.num_rules = 0
        self.depths = dict.fromkeys(graph.rules, _ENDLESS)
        for _ in graph.rules:
            for name, rule in graph.rules.items():
                self.depths[name] = min(self.depths[name], 1 + self.depth(rule))

    def depth(self, expression: Expression) -> int:
        """How deep the flattest derivation is."""
        match expression:
            case RuleRef(name):
                return self.depths[name]
            case Sequence(parts):
                return max([self.depth(part) for part in parts], default=0)
            case Choice(options):
                return min(self.depth(option) for option in options)
            case CountedRepeat(child, low, _):
                return self.depth(child) if low else 0
        return 0

    def sentence(self, budget: int = 12) -> str:
        """A text; past `budget` levels of rules the flattest way out is taken."""
        self.num_rules = 0
        return self.text(RuleRef(self.graph.start), budget)

    def text(self, expression: Expression, budget: int) -> str:
        match expression:
            case Terminal(language):
                return random_word(language, self.rng)
            case RuleRef(name):
                self.num_rules += 1
                left = budget - 1 if self.num_rules < _MAX_RULES else 0
                return self.text(self.graph.rules[name], left)
            case Sequence(parts):
                return "".join([self.text(part, budget) for part in parts])
            case Choice(options):
                flattest = min(self.depth(option) for option in options)
                fitting = [option for option in options if self.depth(option) <= max(budget, flattest)]
                return self.text(self.rng.choice(fitting), budget)
            case CountedRepeat(child, low, high):
                most = low if self.depth(child) > budget else min(low + 3, _ENDLESS if high is None else high)
                count = self.rng.choice([low, low, self.rng.randint(low, most)])
                return "".join([self.text(child, budget) for _ in range(count)])
        raise TypeError(expression)


def random_word(language: lang.Language, rng: random.Random) -> str:
    """A text of the Language, mostly short, mostly printable."""
    text: list[str] = []
    while not (language.nullable and rng.random() < 0.5):
        live = [(chars, target) for chars, target in language.transitions() if not lang.is_empty(target)]
        if not live:
            break
        if len(text) > 30 and lang.find_word(language) is not None:
            return "".join(text) + str(lang.find_word(language))
        chars, language = rng.choice(live)
        text.append(_character(chars, rng))
    return "".join(text)


def mutated(text: str, rng: random.Random, alphabet: str) -> str:
    """The text with one or two characters dropped, doubled, swapped or replaced."""
    for _ in range(rng.randint(1, 2)):
        place = rng.randrange(len(text) + 1)
        char = rng.choice(alphabet)
        head, rest = text[:place], text[place:]
        text = rng.choice(
            [
                head + rest[1:],
                head + char + rest,
                head + char + rest[1:],
                head + rest[:1] + rest,
                head + rest[1:2] + rest[:1] + rest[2:],
            ]
        )
    return text


def _character(chars: lang.CharSet, rng: random.Random) -> str:
    printable = [chr(code) for low, high in chars for code in range(max(low, 32), min(high, 126) + 1)]
    if printable and rng.random() < 0.95:
        return rng.choice(printable)
    low, high = rng.choice(chars)
    return chr(rng.randint(low, min(high, low + 40)))
