"""Say what an EBNF grammar expects next: the names of its rules and their terminals in words."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

from guided.grammars.ebnf import read_ebnf
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.regex import algebra as lang
from guided.grammars.regex.algebra import Language
from guided.grammars.rules.expressions import RuleGraph

from .characters import character_words
from .expected import MAX_OPTIONS, Expected, ExpectedOption
from .rule_trace import NextTerminal, RuleTrace, live_transitions
from .schema_words import as_json, listed

MAX_WORDS = 4  # shows the texts of a terminal when it has at most this many, else their first characters

_graphs: WeakKeyDictionary[CompiledGrammar, RuleGraph | None] = WeakKeyDictionary()


class RuleDescriber:
    """Describes texts of one grammar. A text that continues the last one costs the least."""

    def __init__(self, graph: RuleGraph) -> None:
        self._graph = graph
        self._text, self._trace = "", RuleTrace(graph)

    @classmethod
    def of(cls, grammar: CompiledGrammar) -> RuleDescriber | None:
        """Make a describer; None for grammars other than EBNF and for rules that contain documents or tokens."""
        if grammar.spec.kind != "ebnf":
            return None
        if grammar not in _graphs:
            graph = read_ebnf(grammar.spec.source, grammar.spec.dialect or None, None, grammar.vocabulary)
            _graphs[grammar] = None if graph.foreign else graph
        known = _graphs[grammar]
        return None if known is None else cls(known)

    def describe(self, text: bytes, *, may_end: bool) -> Expected | None:
        """Return what may come after a text.

        Returns None inside a character, and when the trace gave up because of too many readings.
        """
        try:
            decoded = text.decode()
        except UnicodeDecodeError:
            return None
        if not decoded.startswith(self._text) or self._trace.is_lost:
            self._text, self._trace = "", RuleTrace(self._graph)
        self._trace.feed(decoded[len(self._text) :])
        self._text = decoded
        found = self._trace.next_terminals
        if self._trace.is_lost or not (found or may_end):
            return None
        return _expected(_without_spaces(found), self._trace.path, may_end=may_end)


def _expected(found: Sequence[NextTerminal], path: tuple[str, ...], *, may_end: bool) -> Expected:
    by_rule: dict[tuple[str, bool], list[str]] = {}
    for one in found:
        words = by_rule.setdefault((one.rule, one.is_begun), [])
        words += [word for word in language_words(one.language) if word not in words]
    texts = [f"{'more of ' if is_begun else ''}{rule}: {listed(words)}" for (rule, is_begun), words in by_rule.items()]
    options = [ExpectedOption("rule", text) for text in texts[:MAX_OPTIONS]]
    if may_end:
        texts.append("the end of the text")
        options.append(ExpectedOption("end", "the end of the text"))
    return Expected("; or ".join(texts), tuple(options), may_end, rules=path)


def _without_spaces(found: Sequence[NextTerminal]) -> list[NextTerminal]:
    """Drop the terminals that can begin only with whitespace, unless nothing else is left."""
    left = [one for one in found if not _is_space(one.language)]
    return left or list(found)


def _is_space(language: Language) -> bool:
    spaces = {0x09, 0x0A, 0x0D, 0x20}
    return all(low in spaces and high in spaces for charset, _ in live_transitions(language) for low, high in charset)


def language_words(language: Language) -> list[str]:
    """Say how texts of a language begin: the texts themselves when they are few, else their first characters in
    words.
    """
    if isinstance(language, lang.Words) and language.high - language.low <= MAX_WORDS:
        return [as_json(word) for word in language.sorted_words if word]
    ascii_codes = set[int]()
    has_others = False
    for charset, _ in live_transitions(language):
        for low, high in charset:
            ascii_codes.update(range(low, min(high, 0x7F) + 1))
            has_others |= high >= 0x80
    words = character_words([chr(code) for code in sorted(ascii_codes)])
    return [*words, "a character beyond ASCII"] if has_others else words
