"""`RegularRules`: the Languages of rules that are regular because no name in them leads back to itself."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import LimitExceededError
from ..regex import algebra as lang
from ..regex import assertions
from ..regex.algebra import Language
from ..regex.assertions import Piece
from ..rules.expressions import Choice, CountedRepeat, JsonDocument, RuleRef, Sequence, Terminal, TokenRef
from ..watch import checkpoint
from .source import GrammarSource
from .syntax import Conjunction, Exclusion, Node, Pattern, SyntaxRule, names_in

ASSERTION_NOTE = "assertions of a regex (lookahead, lookbehind, anchors) see the text of its own terminal only"


class RegularRules:
    """Reads rules as pieces of patterns, each once. Assertions then see the neighbouring text from other rules.

    purpose: use of the Languages, for error messages.
    """

    def __init__(self, source: GrammarSource, rules: Mapping[str, SyntaxRule], purpose: str) -> None:
        self._source, self._rules, self._purpose = source, rules, purpose
        self._known: dict[str, Piece] = {}

    def language(self, node: Node) -> Language:
        """Return the Language of a node. Raises InvalidGrammarError if the node has none, or names an unknown rule."""
        for name in names_in(node):
            self._resolve(name)
        return closed(self._build(node))

    def _resolve(self, name: RuleRef) -> None:
        """Find the Language of a name, after those of the names in its rule. Uses its own stack, since chains are
        long.
        """
        open_names: list[tuple[RuleRef, list[RuleRef]]] = []
        active: set[str] = set()
        pending = [name]
        while True:
            while pending and pending[-1].name in self._known:
                pending.pop()
            if pending:
                name = pending.pop()
                if name.name not in self._rules:
                    raise self._source.error(f"the rule {name.name} can't be {self._purpose}", name.offset)
                if name.name in active:
                    reason = f"{name.name} refers to itself, so it can't be {self._purpose}"
                    raise self._source.error(reason, name.offset)
                active.add(name.name)
                open_names.append((name, pending))
                pending = names_in(self._rules[name.name].body)[::-1]
            elif open_names:
                name, pending = open_names.pop()
                active.discard(name.name)
                self._known[name.name] = self._build(self._rules[name.name].body)
            else:
                return

    def _build(self, node: Node) -> Piece:
        checkpoint()
        piece = self._new_piece(node)
        self._check_size(piece)
        return piece

    def _check_size(self, piece: Piece) -> None:
        """Raise LimitExceededError if a written-out piece is too large, as when terminals double each other."""
        limits = self._source.limits
        if isinstance(piece, lang.Words) and (piece.max_length or 0) > limits.max_ebnf_bytes:
            raise LimitExceededError("max_ebnf_bytes", limits.max_ebnf_bytes, "bytes", "in one text of a terminal")
        num_parts = len(piece.parts) if isinstance(piece, assertions.AssertionConcat | assertions.AssertionUnion) else 0
        if num_parts > limits.max_automaton_states:
            raise LimitExceededError("max_automaton_states", limits.max_automaton_states, "states", "of one terminal")

    def _new_piece(self, node: Node) -> Piece:
        if isinstance(node, Terminal):
            return node.language
        if isinstance(node, Pattern):
            return node.piece
        if isinstance(node, RuleRef):
            return self._known[node.name]
        if isinstance(node, Sequence):
            return assertions.sequence([self._build(part) for part in node.parts])
        if isinstance(node, Choice):
            return assertions.choice([self._build(part) for part in node.options])
        if isinstance(node, CountedRepeat):
            return assertions.loop(self._build(node.child), node.low, node.high)
        if isinstance(node, Conjunction):
            return lang.intersect(*[closed(self._build(part)) for part in node.parts])
        if isinstance(node, Exclusion):
            first = lang.ANYTHING if node.first is None else closed(self._build(node.first))
            return lang.difference(first, closed(self._build(node.second)))
        raise self._source.error(f"{_what(node)} can't be {self._purpose}", node.offset)


def closed(piece: Piece) -> Language:
    """Return the texts that a piece matches without neighbours."""
    return piece if isinstance(piece, Language) else assertions.whole([piece])


def shortest(language: Language) -> Language:
    """Return the texts of the Language that do not begin with another of its texts."""
    return lang.difference(language, lang.concat(language, lang.repeat(lang.ANY_CHAR, 1)))


def _what(node: JsonDocument | TokenRef) -> str:
    return "a token" if isinstance(node, TokenRef) else "an embedded schema"
