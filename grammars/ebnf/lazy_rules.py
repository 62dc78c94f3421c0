"""`commit_lazy`: when the text of a lazy rule ends, each terminal that began beside it ends there, too.

A lexer with lazy lexemes ends such a lexeme as soon as possible, and forgets the other lexemes that began at the same
place (llguidance, "lazy lexemes"). Without a lexer, terminals are restricted instead. A terminal that may begin beside
a lazy rule loses all texts that begin with a text of the rule. A rule used at places with different lazy rules is
copied.
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
    CountedRepeat,
    Expression,
    JsonDocument,
    RuleRef,
    Sequence,
    Terminal,
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
    """Return the rules after lazy rules have restricted their neighbours.

    lazy: name -> language of each lazy rule.
    skipped: text ignored between terminals; None: nothing.

    Raises InvalidGrammarError for a JSON document that may begin with the text of a lazy rule beside it.
    """
    if not lazy:
        return dict(rules)
    return _Copies(source, rules, lazy, skipped).made(start)


def original(name: str) -> str:
    """Return the name of the rule that a rule is a copy of, or its own name."""
    return _COPY.sub("", name)


@dataclass
class _Copies:
    """The rules at their places. All places with the same lazy rules beside them share one copy."""

    source: GrammarSource
    rules: Mapping[str, Expression]
    lazy: Mapping[str, Language]
    skipped: Language | None
    names: dict[tuple[str, frozenset[str]], str] = field(default_factory=dict)
    numbers: Counter[str] = field(default_factory=Counter)

    def made(self, start: str) -> dict[str, Expression]:
        """Return all rules that the start needs, and the other rules unchanged."""
        self._places = _Places(self.rules, self.lazy, self.skipped)
        found: dict[str, Expression] = {}
        self._name(start, self._places.firsts[start])
        while len(found) < len(self.names):
            checkpoint()
            for (rule, beside), name in list(self.names.items())[len(found) :]:
                found[name] = self._at(self.rules[rule], beside, rule)
        return {**found, **{name: rule for name, rule in self.rules.items() if name not in found}}

    def _name(self, rule: str, beside: frozenset[str]) -> str:
        """Return a rule's name at a place. beside: lazy rules that may begin there."""
        if (rule, beside) not in self.names:
            self.numbers[rule] += 1
            number = self.numbers[rule]
            self.names[rule, beside] = rule if number == 1 else f"{rule} (copy {number})"
        return self.names[rule, beside]

    def _at(self, part: Expression, beside: frozenset[str], rule: str) -> Expression:
        """Return a part of a rule at its place, without texts that lazy rules beside it rule out."""
        match part:
            case RuleRef(name, offset):
                return RuleRef(self._name(name, beside), offset)
            case Sequence(parts):
                found = list[Expression]()
                for inner in parts:
                    found.append(self._at(inner, beside, rule))
                    beside = self._places.behind(inner) | (beside if self._places.is_nullable(inner) else frozenset())
                return Sequence(tuple(found))
            case Choice(options):
                return Choice(tuple([self._at(inner, beside, rule) for inner in options]))
            case CountedRepeat(child, low, high):
                again = beside if high == 1 else beside | self._places.behind(child)
                return CountedRepeat(self._at(child, again, rule), low, high)
        others = [self.lazy[name] for name in sorted(beside - {rule})]
        if isinstance(part, Terminal) and others and part.language is not self.skipped:
            after_end = _MORE_TEXT if rule in self.lazy else _ANY_TEXT
            return Terminal(lang.difference(part.language, lang.concat(lang.union(*others), after_end)))
        if isinstance(part, JsonDocument) and others:
            _check_document(self.source, part, lang.union(*others))
        return part


def _check_document(source: GrammarSource, document: JsonDocument, beside: Language) -> None:
    """Raise InvalidGrammarError for a document that may begin like the text of a lazy rule beside it."""
    if not lang.is_empty(lang.intersect(beside, _JSON_START), source.limits.max_automaton_states):
        reason = "a lazy rule may begin where this JSON document does, and could end inside of it"
        raise source.error(f"{reason}; put a fixed text before the document", document.offset)


class _Places:
    """The lazy rules that may begin where a part of a rule begins, and where it ends.

    The rules that may follow are noted for each leaf, not for each place, as in SLR parsing (DeRemer 1971). Parts that
    end in the same leaf share them, since both parts may be read at once.
    firsts: rule -> lazy rules that its texts may begin with.
    """

    def __init__(self, rules: Mapping[str, Expression], lazy: Mapping[str, Language], skipped: Language | None) -> None:
        self._rules, self._skipped = rules, skipped
        self._nullable: set[str] = set()
        self.firsts = {name: frozenset({name} if name in lazy else ()) for name in rules}
        self._lasts = dict.fromkeys(rules, frozenset[Expression]())
        self._after_rule = dict.fromkeys(rules, frozenset[str]())
        self._after_leaf: dict[Expression, frozenset[str]] = {}
        while self._grow():
            checkpoint()

    def _grow(self) -> bool:
        """Visit each rule once more. Returns False if nothing new was found."""
        size = self._size()
        for name, rule in self._rules.items():
            self.firsts[name] |= self._first(rule)
            self._lasts[name] |= self._last(rule)
            if self.is_nullable(rule):
                self._nullable.add(name)
            self._walk(rule, self._after_rule[name])
        return self._size() > size

    def _size(self) -> int:
        found = (self.firsts, self._lasts, self._after_rule, self._after_leaf)
        return len(self._nullable) + sum([len(one) for known in found for one in known.values()])

    def behind(self, part: Expression) -> frozenset[str]:
        """Return the lazy rules that may begin behind a text of the part."""
        return frozenset[str]().union(*[self._after_leaf.get(leaf, frozenset()) for leaf in self._last(part)])

    def is_nullable(self, part: Expression) -> bool:
        """Return True if the part has the empty text."""
        match part:
            case Terminal(language):
                return language.nullable
            case RuleRef(name):
                return name in self._nullable
            case Sequence(parts):
                return all(map(self.is_nullable, parts))
            case Choice(options):
                return any(map(self.is_nullable, options))
            case CountedRepeat(child, low, _):
                return low == 0 or self.is_nullable(child)
        return False

    def _first(self, part: Expression) -> frozenset[str]:
        """Return the lazy rules that a text of the part may begin with."""
        match part:
            case RuleRef(name):
                return self.firsts[name]
            case Sequence(parts):
                return frozenset().union(*map(self._first, self._up_to_solid(parts)))
            case Choice(options):
                return frozenset().union(*map(self._first, options))
            case CountedRepeat(child, _, _):
                return self._first(child)
        return frozenset()

    def _last(self, part: Expression) -> frozenset[Expression]:
        """Return the leaves that a text of the part may end with."""
        match part:
            case RuleRef(name):
                return self._lasts[name]
            case Sequence(parts):
                return frozenset().union(*map(self._last, self._up_to_solid(parts[::-1])))
            case Choice(options):
                return frozenset().union(*map(self._last, options))
            case CountedRepeat(child, _, _):
                return self._last(child)
        return frozenset() if isinstance(part, Terminal) and part.language is self._skipped else frozenset({part})

    def _up_to_solid(self, parts: tuple[Expression, ...]) -> tuple[Expression, ...]:
        """Return the parts up to the first part that is never empty, this part included."""
        solid = next((i for i, part in enumerate(parts) if not self.is_nullable(part)), len(parts))
        return parts[: solid + 1]

    def _walk(self, part: Expression, after: frozenset[str]) -> None:
        """Note the lazy rules that may follow the rules and leaves of a part. after: lazy rules that may follow the
        part.
        """
        match part:
            case RuleRef(name):
                self._after_rule[name] |= after
            case Sequence(parts):
                for inner in reversed(parts):
                    self._walk(inner, after)
                    after = self._first(inner) | (after if self.is_nullable(inner) else frozenset())
            case Choice(options):
                for inner in options:
                    self._walk(inner, after)
            case CountedRepeat(child, _, high):
                self._walk(child, after if high == 1 else after | self._first(child))
            case _:
                self._after_leaf[part] = self._after_leaf.get(part, frozenset()) | after
