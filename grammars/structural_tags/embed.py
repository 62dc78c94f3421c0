"""A rule graph inside another one: its rules get names of their own."""

from __future__ import annotations

from ..rules.expressions import Choice, Expression, Repeat, RuleGraph, RuleRef, Sequence


def embed(graph: RuleGraph, prefix: str) -> tuple[dict[str, Expression], RuleRef]:
    """The graph's rules under names that begin with the prefix, and a reference to its start."""
    rules = {prefix + name: _rename(expression, prefix) for name, expression in graph.rules.items()}
    return rules, RuleRef(prefix + graph.start)


def _rename(expression: Expression, prefix: str) -> Expression:
    match expression:
        case RuleRef(name):
            return RuleRef(prefix + name)
        case Sequence(parts):
            return Sequence(tuple([_rename(part, prefix) for part in parts]))
        case Choice(options):
            return Choice(tuple([_rename(option, prefix) for option in options]))
        case Repeat(child, low, high):
            return Repeat(_rename(child, prefix), low, high)
        case _:
            return expression
