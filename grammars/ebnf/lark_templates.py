"""Templates of the Lark dialect (`_sep{item, ","}`), written out: one rule for each use with other arguments."""

from __future__ import annotations

from collections.abc import Mapping

from ..rules.expressions import Choice, CountedRepeat, RuleRef, Sequence
from ..watch import checkpoint
from .source import GrammarSource, similar
from .syntax import Conjunction, Exclusion, Node, SyntaxRule, TemplateUse, repeat

_MAX_INSTANCES = 5_000
"""Maximum number of rules made from templates. A template that exceeds it uses ever larger arguments."""


def expand_templates(source: GrammarSource, rules: Mapping[str, SyntaxRule]) -> dict[str, SyntaxRule]:
    """Return the rules without templates and their uses. Raises InvalidGrammarError."""
    return _Expansion(source, rules).expand()


class _Expansion:
    def __init__(self, source: GrammarSource, rules: Mapping[str, SyntaxRule]) -> None:
        self.source, self.rules = source, rules
        self.instances: dict[tuple[object, ...], str] = {}
        self.pending: list[tuple[str, SyntaxRule, dict[str, Node]]] = []

    def expand(self) -> dict[str, SyntaxRule]:
        result = {}
        for rule in self.rules.values():
            if not rule.parameters:
                result[rule.name] = SyntaxRule(rule.name, self.node(rule.body, {}), rule.offset)
        while self.pending:
            name, rule, arguments = self.pending.pop()
            result[name] = SyntaxRule(name, self.node(rule.body, arguments), rule.offset)
        return result

    def node(self, node: Node, arguments: Mapping[str, Node]) -> Node:
        """Return the node with arguments instead of parameters, and names of instances instead of uses."""
        checkpoint()
        if isinstance(node, RuleRef):
            return self.name(node, arguments)
        if isinstance(node, Sequence):
            return Sequence(tuple([self.node(part, arguments) for part in node.parts]))  # type: ignore[misc]
        if isinstance(node, Choice):
            return Choice(tuple([self.node(part, arguments) for part in node.options]))  # type: ignore[misc]
        if isinstance(node, CountedRepeat):
            return repeat(self.node(node.child, arguments), node.low, node.high)
        if isinstance(node, Conjunction):
            return Conjunction(tuple([self.node(part, arguments) for part in node.parts]), node.offset)
        if isinstance(node, Exclusion):
            first = None if node.first is None else self.node(node.first, arguments)
            return Exclusion(first, self.node(node.second, arguments), node.offset)
        return self.use(node, arguments) if isinstance(node, TemplateUse) else node

    def name(self, node: RuleRef, arguments: Mapping[str, Node]) -> Node:
        """Return a parameter's argument, or the name itself. Raises InvalidGrammarError for a template's name."""
        if node.name in arguments:
            return arguments[node.name]
        rule = self.rules.get(node.name)
        if rule is not None and rule.parameters:
            shown = ", ".join(rule.parameters)
            raise self.source.error(f"{node.name} is a template; use it as {node.name}{{{shown}}}", node.offset)
        return node

    def use(self, node: TemplateUse, arguments: Mapping[str, Node]) -> Node:
        """Return the name of the instance with these arguments; a new instance is made if there is none."""
        rule = self.rules.get(node.name)
        if rule is None or not rule.parameters:
            known = [name for name, other in self.rules.items() if other.parameters]
            raise self.source.error(f"there is no template {node.name}{similar(node.name, known)}", node.offset)
        if len(node.arguments) != len(rule.parameters):
            reason = f"{node.name} takes {len(rule.parameters)} arguments, and here are {len(node.arguments)}"
            raise self.source.error(reason, node.offset)
        given = [self.node(argument, arguments) for argument in node.arguments]
        key = (node.name, *given)
        name = self.instances.get(key)
        if name is None:
            name = self.instances[key] = f"{node.name}{{{len(self.instances) + 1}}}"
            if len(self.instances) > _MAX_INSTANCES:
                reason = f"{node.name} is used with more than {_MAX_INSTANCES} different arguments; does it ever end?"
                raise self.source.error(reason, node.offset)
            self.pending.append((name, rule, dict(zip(rule.parameters, given, strict=True))))
        return RuleRef(name, node.offset)
