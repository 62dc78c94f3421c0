"""`commit_lazy`: where a lazy rule may begin, nothing else goes on past the place where its text has ended.

A lexer with lazy lexemes ends such a lexeme as soon as it can, and forgets what else might have begun at the same place
(llguidance, "lazy lexemes"). Without a lexer the same is said of the terminals: one that may begin where a lazy rule
may has no text that begins with one of that rule. Places are those of SLR parsing (DeRemer 1971): what may follow a
rule may follow it wherever it is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

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
)
from ..watch import checkpoint
from .source import GrammarSource

_ANY_TEXT = lang.repeat(lang.ANY_CHAR, 0)
_MORE_TEXT = lang.repeat(lang.ANY_CHAR, 1)
_JSON_START = lang.concat(
    lang.chars(cs.from_ranges([(ord(char), ord(char)) for char in ' \t\r\n{["-0123456789tfn'])), _ANY_TEXT
)


def commit_lazy(
    source: GrammarSource, rules: Mapping[str, Expression], lazy: Mapping[str, Language], skipped: Language | None
) -> dict[str, Expression]:
    """The rules, where lazy ones commit. lazy: their languages by name. skipped: what is ignored between terminals.

    Raises InvalidGrammarError for a JSON document that may begin with the text of a lazy rule beside it.
    """
    if not lazy:
        return dict(rules)
    places = _Places(rules, lazy, skipped)
    return {name: _restricted(source, rule, name, lazy, places.rivals) for name, rule in rules.items()}


def _restricted(
    source: GrammarSource,
    expression: Expression,
    rule: str,
    lazy: Mapping[str, Language],
    rivals: Mapping[int, set[str]],
) -> Expression:
    """An expression of a rule without the texts that the lazy rules beside its leaves have ended."""

    def restricted(part: Expression) -> Expression:
        match part:
            case Sequence(parts):
                return Sequence(tuple([restricted(inner) for inner in parts]))
            case Choice(options):
                return Choice(tuple([restricted(inner) for inner in options]))
            case Repeat(child, low, high):
                return Repeat(restricted(child), low, high)
            case RuleRef():
                return part
        beside = [lazy[name] for name in sorted(rivals.get(id(part), set()) - {rule})]
        if isinstance(part, Terminal) and beside:
            after = _MORE_TEXT if rule in lazy else _ANY_TEXT
            return Terminal(lang.difference(part.language, lang.concat(lang.union(*beside), after)))
        if isinstance(part, JsonDocument) and beside:
            _check_document(source, part, lang.union(*beside))
        return part

    return restricted(expression)


def _check_document(source: GrammarSource, document: JsonDocument, beside: Language) -> None:
    """Raise for a document that may begin as a lazy rule's text beside it does."""
    if not lang.is_empty(lang.intersect(beside, _JSON_START), source.limits.max_automaton_states):
        reason = "a lazy rule may begin where this JSON document does, and could end inside of it"
        raise source.error(f"{reason}; put a fixed text before the document", document.offset)


class _Places:
    """The places of a grammar, each as the leaves that may begin there.

    rivals: leaf (by its identity) -> the lazy rules that may begin where it does.
    """

    def __init__(self, rules: Mapping[str, Expression], lazy: Mapping[str, Language], skipped: Language | None) -> None:
        self._rules, self._skipped = rules, skipped
        self._nullable: set[str] = set()
        self._firsts: dict[str, set[int]] = {name: set() for name in rules}
        self._follows: dict[str, set[int]] = {name: set() for name in rules}
        while self._find_firsts():
            checkpoint()
        self._lazy = {leaf: name for name in lazy for leaf in self._firsts[name]}
        self.rivals: dict[int, set[str]] = {}
        while self._find_follows():
            checkpoint()

    def _find_firsts(self) -> bool:
        """Look at each rule once more; False when nothing new was found."""
        size = len(self._nullable) + _total(self._firsts)
        for name, rule in self._rules.items():
            self._firsts[name] |= self._first(rule)
            if self._is_nullable(rule):
                self._nullable.add(name)
        return len(self._nullable) + _total(self._firsts) > size

    def _find_follows(self) -> bool:
        """Walk each rule once more; False when nothing new was found."""
        size = _total(self._follows) + _total(self.rivals)
        for name, rule in self._rules.items():
            self._walk(rule, self._follows[name])
        return _total(self._follows) + _total(self.rivals) > size

    def _is_skipped(self, part: Expression) -> bool:
        return isinstance(part, Terminal) and part.language is self._skipped

    def _is_nullable(self, part: Expression) -> bool:
        match part:
            case Terminal(language):
                return language.nullable
            case RuleRef(name):
                return name in self._nullable
            case Sequence(parts):
                return all(map(self._is_nullable, parts))
            case Choice(options):
                return any(map(self._is_nullable, options))
            case Repeat(child, low, _):
                return low == 0 or self._is_nullable(child)
        return False

    def _first(self, part: Expression) -> set[int]:
        """The leaves that a text of an expression may begin with."""
        match part:
            case RuleRef(name):
                return self._firsts[name]
            case Sequence(parts):
                found: set[int] = set()
                for inner in parts:
                    found |= self._first(inner)
                    if not self._is_nullable(inner):
                        break
                return found
            case Choice(options):
                return set().union(*map(self._first, options))
            case Repeat(child, _, _):
                return self._first(child)
        return set() if self._is_skipped(part) else {id(part)}

    def _walk(self, part: Expression, after: set[int]) -> None:
        """Note what may begin where an expression does, and in it. after: the leaves that may follow it."""
        self._note(self._first(part) | after if self._is_nullable(part) else self._first(part))
        match part:
            case RuleRef(name):
                self._follows[name] |= after
            case Sequence(parts):
                for inner in reversed(parts):
                    self._walk(inner, after)
                    after = self._first(inner) | after if self._is_nullable(inner) else self._first(inner)
            case Choice(options):
                for inner in options:
                    self._walk(inner, after)
            case Repeat(child, _, high):
                self._walk(child, after if high == 1 else after | self._first(child))

    def _note(self, beginning: Iterable[int]) -> None:
        """Note the leaves that may begin at one place."""
        names = {self._lazy[leaf] for leaf in beginning if leaf in self._lazy}
        if names:
            for leaf in beginning:
                self.rivals.setdefault(leaf, set()).update(names)


def _total(sets: Mapping[Any, set[Any]]) -> int:
    return sum([len(one) for one in sets.values()])
