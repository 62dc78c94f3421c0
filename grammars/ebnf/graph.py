"""`RuleSet`: the rules of a grammar while it is read, and the `RuleGraph` made of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from ..errors import InvalidGrammarError
from ..regex.algebra import EMPTY_TEXT, Language
from ..rules.expressions import (
    EMPTY,
    Choice,
    CountedRepeat,
    Expression,
    JsonDocument,
    RuleGraph,
    RuleRef,
    Sequence,
    Terminal,
    TokenRef,
)
from ..watch import checkpoint
from .languages import RegularRules, closed
from .source import GrammarSource, shortened, similar
from .syntax import Conjunction, Exclusion, Node, Pattern, SyntaxRule, names_in

NO_TERMINALS: Mapping[str, Language] = {}


class RuleSet:
    """Rules by name, each defined once. word: the word for a rule in messages."""

    def __init__(self, source: GrammarSource, word: str = "rule") -> None:
        self.source = source
        self.rules: dict[str, SyntaxRule] = {}
        self._word = word

    def add(self, rule: SyntaxRule) -> None:
        """Add a rule. Raises InvalidGrammarError if the name is already defined."""
        known = self.rules.get(rule.name)
        if known is not None:
            line = self.source.error("", known.offset).line
            reason = f"the {self._word} {shortened(rule.name)} is already defined in line {line}"
            raise self.source.error(reason, rule.offset)
        self.rules[rule.name] = rule

    def bodies(self) -> dict[str, Expression]:
        """The bodies of all rules, for dialects whose nodes are expressions."""
        return {name: rule.body for name, rule in self.rules.items()}  # type: ignore[misc]

    def start(self, name: str) -> str:
        """Return the name of the rule where texts begin. Raises InvalidGrammarError if there is no such rule."""
        if name not in self.rules:
            reason = f"there is no rule {name}, where texts begin in this dialect{similar(name, self.rules)}"
            raise self.source.error(reason, self.source.start)
        return name


def rule_graph(
    source: GrammarSource,
    rules: Mapping[str, SyntaxRule],
    graph: Mapping[str, Expression],
    start: str,
    notes: tuple[str, ...] = (),
) -> RuleGraph:
    """Return the graph of rules. Raises InvalidGrammarError for a name without a rule."""
    found = RuleGraph(graph, start, notes, lambda name, reason: rules[name].error(source, reason))
    for rule, references in found.references.items():
        if not graph.keys() >= references.keys():
            name = next(name for name in names_in(graph[rule]) if name.name not in graph)
            raise undefined(source, name, rules)
    return found


def undefined(source: GrammarSource, name: RuleRef, rules: Iterable[str]) -> InvalidGrammarError:
    """Return the error for a name without a rule."""
    return source.error(f"the rule {shortened(name.name)} is not defined{similar(name.name, rules)}", name.offset)


class ExpressionBuilder:
    """Turns nodes into expressions.

    rules: names that may be referred to.
    regular: finds the Languages of conjunctions and exclusions.
    terminals: names that stand for a text of a Language.
    skipped: Language that may follow each terminal; None: nothing.
    """

    def __init__(
        self,
        source: GrammarSource,
        rules: Collection[str],
        regular: RegularRules,
        terminals: Mapping[str, Language] = NO_TERMINALS,
        skipped: Language | None = None,
    ) -> None:
        self._source, self._rules, self._regular, self._terminals = source, rules, regular, terminals
        self._after: tuple[Expression, ...] = () if skipped is None else (Terminal(skipped),)

    def expression(self, node: Node) -> Expression:
        """Return the expression of a node. Raises InvalidGrammarError for a name without a rule."""
        checkpoint()
        match node:
            case Terminal():
                return self.lexeme(node.language)
            case Pattern():
                return self.lexeme(closed(node.piece))
            case RuleRef():
                return self._name(node)
            case Sequence():
                return Sequence(tuple([self.expression(part) for part in node.parts]))
            case Choice():
                return Choice(tuple([self.expression(part) for part in node.options]))
            case CountedRepeat():
                return CountedRepeat(self.expression(node.child), node.low, node.high)
            case JsonDocument() | TokenRef():
                return self._followed(node)
        assert isinstance(node, Conjunction | Exclusion)
        for name in names_in(node):
            self._name(name)
        return self.lexeme(self._regular.language(node))

    def lexeme(self, language: Language) -> Expression:
        """Return a text of a Language followed by skipped text. Nothing follows the empty text."""
        return EMPTY if language is EMPTY_TEXT else self._followed(Terminal(language))

    def _followed(self, expression: Expression) -> Expression:
        return Sequence((expression, *self._after)) if self._after else expression

    def _name(self, node: RuleRef) -> Expression:
        if node.name in self._terminals:
            return self.lexeme(self._terminals[node.name])
        if node.name not in self._rules:
            raise undefined(self._source, node, self._rules)
        return node
