"""`commit_lazy`: where a lazy rule may begin, nothing else goes on past the place where its text has ended.

A lexer with lazy lexemes ends such a lexeme as soon as it can, and forgets what else might have begun at the same place
(llguidance, "lazy lexemes"). Without a lexer the same is said of the terminals: one that may begin where a lazy rule
may has no text that begins with one of that rule. A rule that is used at places with different lazy rules beside or
behind it is copied for each, as the states of canonical LR parsing are (Knuth 1965).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..regex import algebra as lang
from ..regex import charset as cs
from ..regex.algebra import Language
from ..rules.expressions import (
    Choice,
    Expression,
    JsonDocument,
    Repeat,
    RuleRef,
    Sequence,
    Terminal,
    named_in,
)
from ..watch import checkpoint
from .source import GrammarSource

_COPY = re.compile(r" \(copy [0-9]+\)$")
_ANY_TEXT = lang.repeat(lang.ANY_CHAR, 0)
_MORE_TEXT = lang.repeat(lang.ANY_CHAR, 1)
_JSON_START = lang.concat(
    lang.chars(cs.from_ranges([(ord(char), ord(char)) for char in ' \t\r\n{["-0123456789tfn'])), _ANY_TEXT
)


def commit_lazy(
    source: GrammarSource,
    rules: Mapping[str, Expression],
    start: str,
    lazy: Mapping[str, Language],
    skipped: Language | None,
) -> dict[str, Expression]:
    """The rules, where lazy ones commit. lazy: their languages by name. skipped: what is ignored between terminals.

    Raises InvalidGrammarError for a JSON document that may
    begin with the text of a lazy rule beside it.
    """
    if not lazy:
        return dict(rules)
    return _Copies(source, rules, lazy, skipped).made(start)


def original(name: str) -> str:
    """The rule of which a rule may be a copy."""
    return _COPY.sub("", name)


@dataclass(frozen=True)
class _Place:
    """Where a part of a rule stands. beside: lazy rules that may begin where it does; after: that may follow it."""

    beside: frozenset[str] = frozenset()
    after: frozenset[str] = frozenset()


@dataclass
class _Copies:
    """The rules as they are at their places, each place once."""

    source: GrammarSource
    rules: Mapping[str, Expression]
    lazy: Mapping[str, Language]
    skipped: Language | None
    names: dict[tuple[str, _Place], str] = field(default_factory=dict)
    numbers: Counter[str] = field(default_factory=Counter)

    def made(self, start: str) -> dict[str, Expression]:
        """All that the start needs, and the rules that it does not, as they were."""
        self._firsts = _Firsts(self.rules, self.lazy)
        found: dict[str, Expression] = {}
        self._name(start, _Place(self._firsts.of_rule[start]))
        while len(found) < len(self.names):
            checkpoint()
            for (rule, place), name in list(self.names.items())[len(found) :]:
                found[name] = self._at(self.rules[rule], place, rule)
        return {**found, **{name: rule for name, rule in self.rules.items() if name not in found}}

    def _name(self, rule: str, place: _Place) -> str:
        """What a rule is called at a place."""
        if not (place.beside or place.after or self._firsts.has_lazy(rule)):
            place = _Place()
        if (rule, place) not in self.names:
            self.numbers[rule] += 1
            number = self.numbers[rule]
            self.names[rule, place] = rule if number == 1 else f"{rule} (copy {number})"
        return self.names[rule, place]

    def _at(self, part: Expression, place: _Place, rule: str) -> Expression:
        """A part of a rule at its place, without the texts that lazy rules beside it have ended."""
        match part:
            case RuleRef(name, offset):
                return RuleRef(self._name(name, place), offset)
            case Sequence(parts):
                return Sequence(self._in_a_row(parts, place, rule))
            case Choice(options):
                return Choice(tuple([self._at(inner, place, rule) for inner in options]))
            case Repeat(child, low, high):
                after = place.after if high == 1 else place.after | self._firsts.of(child)
                again = place.beside if high == 1 else place.beside | after
                return Repeat(self._at(child, _Place(again, after), rule), low, high)
        beside = [self.lazy[name] for name in sorted(place.beside - {rule})]
        if isinstance(part, Terminal) and beside and part.language is not self.skipped:
            after_end = _MORE_TEXT if rule in self.lazy else _ANY_TEXT
            return Terminal(lang.difference(part.language, lang.concat(lang.union(*beside), after_end)))
        if isinstance(part, JsonDocument) and beside:
            _check_document(self.source, part, lang.union(*beside))
        return part

    def _in_a_row(self, parts: tuple[Expression, ...], place: _Place, rule: str) -> tuple[Expression, ...]:
        afters = [place.after]  # of each part, the last one first
        for part in reversed(parts[1:]):
            more = afters[-1] if self._firsts.is_nullable(part) else frozenset[str]()
            afters.append(self._firsts.of(part) | more)
        found, beside = list[Expression](), place.beside
        for part, after in zip(parts, reversed(afters), strict=False):
            found.append(self._at(part, _Place(beside, after), rule))
            beside = after | beside if self._firsts.is_nullable(part) else after
        return tuple(found)


def _check_document(source: GrammarSource, document: JsonDocument, beside: Language) -> None:
    """Raise for a document that may begin as a lazy rule's text beside it does."""
    if not lang.is_empty(lang.intersect(beside, _JSON_START), source.limits.max_automaton_states):
        reason = "a lazy rule may begin where this JSON document does, and could end inside of it"
        raise source.error(f"{reason}; put a fixed text before the document", document.offset)


class _Firsts:
    """Of rules and their parts: which lazy rules their texts may begin with, and whether they may be empty."""

    def __init__(self, rules: Mapping[str, Expression], lazy: Mapping[str, Language]) -> None:
        self._rules, self._lazy = rules, lazy
        self._nullable: set[str] = set()
        self._with_lazy = set(lazy)
        self.of_rule = {name: frozenset({name} if name in lazy else ()) for name in rules}
        while self._grow():
            checkpoint()

    def _grow(self) -> bool:
        """Look at each rule once more; False when nothing new was found."""
        size = len(self._nullable) + len(self._with_lazy) + sum(map(len, self.of_rule.values()))
        for name, rule in self._rules.items():
            self.of_rule[name] |= self.of(rule)
            if self.is_nullable(rule):
                self._nullable.add(name)
            if not self._with_lazy.isdisjoint(named_in(rule)[0]):
                self._with_lazy.add(name)
        return len(self._nullable) + len(self._with_lazy) + sum(map(len, self.of_rule.values())) > size

    def has_lazy(self, rule: str) -> bool:
        """The rule is lazy or refers to one that is, itself or through others."""
        return rule in self._with_lazy

    def is_nullable(self, part: Expression) -> bool:
        """The empty text is one of its texts."""
        match part:
            case Terminal(language):
                return language.nullable
            case RuleRef(name):
                return name in self._nullable
            case Sequence(parts):
                return all(map(self.is_nullable, parts))
            case Choice(options):
                return any(map(self.is_nullable, options))
            case Repeat(child, low, _):
                return low == 0 or self.is_nullable(child)
        return False

    def of(self, part: Expression) -> frozenset[str]:
        """The lazy rules that a text of the part may begin with."""
        match part:
            case RuleRef(name):
                return self.of_rule[name]
            case Sequence(parts):
                found = frozenset[str]()
                for inner in parts:
                    found |= self.of(inner)
                    if not self.is_nullable(inner):
                        break
                return found
            case Choice(options):
                return frozenset[str]().union(*map(self.of, options))
            case Repeat(child, _, _):
                return self.of(child)
        return frozenset()
