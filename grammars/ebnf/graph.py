"""`RuleSet`: the rules of a grammar as they are read, and the `RuleGraph` that they make."""

from __future__ import annotations

from collections.abc import Mapping

from ..regex.algebra import EMPTY_TEXT, Language
from ..rules.expressions import Choice, Expression, Repeat, RuleGraph, RuleRef, Sequence, Terminal
from ..watch import checkpoint
from .languages import RegularRules, closed
from .source import GrammarSource, shortened, similar
from .syntax import Conjunction, Counted, Exclusion, Foreign, Name, Node, Options, Rule, Series, Text, names_in

NO_TERMINALS: Mapping[str, Language] = {}


class RuleSet:
    """Rules by name, each once. word: what they are called in messages."""

    def __init__(self, source: GrammarSource, word: str = "rule") -> None:
        self.source = source
        self.rules: dict[str, Rule] = {}
        self._word = word

    def add(self, rule: Rule) -> None:
        """Take in a rule; raises InvalidGrammarError if there is one of that name."""
        known = self.rules.get(rule.name)
        if known is not None:
            line = self.source.error("", known.offset).line
            reason = f"the {self._word} {shortened(rule.name)} is already defined in line {line}"
            raise self.source.error(reason, rule.offset)
        self.rules[rule.name] = rule

    def start(self, name: str) -> str:
        """The name of the rule where texts begin; raises InvalidGrammarError if there is none of that name."""
        if name not in self.rules:
            reason = f"there is no rule {name}, where texts begin in this dialect{similar(name, self.rules)}"
            raise self.source.error(reason, 0)
        return name


def rule_graph(source: GrammarSource, rules: Mapping[str, Rule], start: str, notes: tuple[str, ...] = ()) -> RuleGraph:
    """The graph of rules without terminals of their own: every name is a reference to a rule.

    Exclusions are found as Languages, so their operands can't be recursive. Raises InvalidGrammarError.
    """
    build = ExpressionBuilder(source, rules, RegularRules(source, rules, "excluded from or be excluded"))
    graph = {name: build.expression(rule.body) for name, rule in rules.items()}
    return RuleGraph(graph, start, notes, lambda name, reason: rules[name].error(source, reason))


class ExpressionBuilder:
    """Nodes as expressions.

    rules: what names may refer to. regular: finds the Languages of conjunctions and exclusions.
    terminals: names that stand for a text of a Language. skipped: what may follow each text; None: nothing.
    """

    def __init__(
        self,
        source: GrammarSource,
        rules: Mapping[str, Rule],
        regular: RegularRules,
        terminals: Mapping[str, Language] = NO_TERMINALS,
        skipped: Language | None = None,
    ) -> None:
        self._source, self._rules, self._regular, self._terminals = source, rules, regular, terminals
        self._after: tuple[Expression, ...] = () if skipped is None else (Terminal(skipped),)

    def expression(self, node: Node) -> Expression:
        """What the node stands for in a graph. Raises InvalidGrammarError for a name that is no rule's."""
        kind = type(node)
        if kind is Text:
            return self.lexeme(closed(node.piece))  # type: ignore[union-attr]
        if kind is Name:
            return self._name(node)  # type: ignore[arg-type]
        checkpoint()
        if kind is Series:
            return Sequence(tuple([self.expression(part) for part in node.parts]))  # type: ignore[union-attr]
        if kind is Options:
            return Choice(tuple([self.expression(part) for part in node.options]))  # type: ignore[union-attr]
        if isinstance(node, Counted):
            return Repeat(self.expression(node.child), node.low, node.high)
        if isinstance(node, Foreign):
            return self._followed(node.expression)
        assert isinstance(node, Conjunction | Exclusion)
        for name in names_in(node):
            self._name(name)
        return self.lexeme(self._regular.language(node))

    def lexeme(self, language: Language) -> Expression:
        """A text of a Language, and what may follow it; nothing follows the empty text."""
        return Sequence(()) if language is EMPTY_TEXT else self._followed(Terminal(language))

    def _followed(self, expression: Expression) -> Expression:
        return Sequence((expression, *self._after)) if self._after else expression

    def _name(self, node: Name) -> Expression:
        if node.name in self._terminals:
            return self.lexeme(self._terminals[node.name])
        if node.name not in self._rules:
            reason = f"the rule {shortened(node.name)} is not defined{similar(node.name, self._rules)}"
            raise self._source.error(reason, node.offset)
        return RuleRef(node.name)
