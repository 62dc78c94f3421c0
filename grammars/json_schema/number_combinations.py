"""Several assertions about one number as one machine, which reads a text with all of them side by side.

The algebra of languages would build unions, intersections and complements for each character; here a state is where
each assertion stands, and what they come to together is looked at only then.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from ..regex import algebra as lang
from ..regex.charset import CharSet
from ..watch import checkpoint
from . import numbers
from .formula import And, Constant, ExactlyOne, Formula, Not, NumberIn, Or
from .number_texts import Node, NumberText, charset_of

_MAX_ASSERTIONS = 16

Nodes = tuple[Node, ...]
"""Of a `NumberText`; none: it can't be satisfied any more."""

_Tree = Any
"""A truth value, the place of an assertion, or (name, conditions): "not" of one; "and", "or", "one" of some."""


class Condition:
    """What must hold of assertions, told by bits. PERF: each set of bits is looked at once."""

    __slots__ = ("_after", "_known", "_tree")

    def __init__(self, tree: _Tree) -> None:
        self._tree = tree
        self._known: dict[int, bool] = {}
        self._after: dict[int, bool | None] = {}

    def holds(self, true: int) -> bool:
        """Whether it holds where these assertions do, and no others."""
        found = self._known.get(true)
        if found is None:
            found = self._known[true] = bool(_value(self._tree, lambda place: bool(true >> place & 1)))
        return found

    def after(self, possible: int) -> bool | None:
        """What it comes to where no other assertions can hold; None where that depends on these."""
        if possible not in self._after:
            self._after[possible] = _value(self._tree, lambda place: None if possible >> place & 1 else False)
        return self._after[possible]


class NumberCombination(NamedTuple):
    """The texts of a domain that meet a condition over assertions. domain, assertions: where each stands.

    Every state of the domain leads to a text of it.
    """

    condition: Condition
    domain: Nodes
    assertions: tuple[Nodes, ...]

    @property
    def nullable(self) -> bool:
        """True when the text may end here."""
        if not _accepts(self.domain):
            return False
        return self.condition.holds(sum([1 << place for place, nodes in enumerate(self.assertions) if _accepts(nodes)]))

    def transitions(self) -> tuple[tuple[CharSet, NumberCombination | NumberText], ...]:
        """The disjoint sets of characters that may follow, each with its machine."""
        checkpoint()
        steps = [_steps(nodes) for nodes in self.assertions]
        groups: dict[tuple[Nodes, ...], str] = {}
        for char, domain in _steps(self.domain).items():
            key = (domain, *[step.get(char, ()) for step in steps])
            groups[key] = groups.get(key, "") + char
        found = []
        for (domain, *assertions), chars in groups.items():
            machine = _machine(self.condition, domain, tuple(assertions))
            if machine is not None:
                found.append((charset_of(chars), machine))
        return tuple(found)


def combined(formula: Formula, domain: lang.Language) -> lang.Language | None:
    """The texts of a domain that satisfy a formula of numbers; None for what is no combination of a few assertions."""
    nodes = numbers.nodes_of(domain)
    assertions: list[Nodes] = []
    tree = None if nodes is None else _tree(formula, assertions)
    if nodes is None or tree is None or not 1 < len(assertions) <= _MAX_ASSERTIONS:
        return None
    machine = _machine(Condition(tree), nodes, tuple(assertions))
    return lang.NOTHING if machine is None else lang.machine(machine)


def _tree(formula: Formula, assertions: list[Nodes]) -> _Tree | None:
    """The formula over its assertions, which are added to those that are known; None where it can't be written so."""
    if isinstance(formula, Constant):
        return formula.value
    if isinstance(formula, NumberIn):
        return _assertion(formula.language, assertions)
    parts = (formula.part,) if isinstance(formula, Not) else formula.parts  # type: ignore[attr-defined]
    found = tuple([_tree(part, assertions) for part in parts])
    return None if None in found else (_NAMES[type(formula)], found)


_NAMES = {Not: "not", And: "and", Or: "or", ExactlyOne: "one"}


def _assertion(language: lang.Language, assertions: list[Nodes]) -> _Tree | None:
    if language is lang.NOTHING:
        return False
    if isinstance(language, lang.Union):
        found = tuple([_assertion(part, assertions) for part in language.parts])
        return None if None in found else ("or", found)
    nodes = numbers.nodes_of(language)
    if nodes is None or len(assertions) > _MAX_ASSERTIONS:
        return None
    if nodes not in assertions:
        assertions.append(nodes)
    return _Place(assertions.index(nodes))


class _Place(NamedTuple):
    """The place of an assertion."""

    number: int


def _machine(
    condition: Condition, domain: Nodes, assertions: tuple[Nodes, ...]
) -> NumberCombination | NumberText | None:
    """The machine of what is left; None where nothing can meet the condition, the domain's where everything does."""
    value = condition.after(sum([1 << place for place, nodes in enumerate(assertions) if nodes]))
    if value is None:
        return NumberCombination(condition, domain, assertions)
    return NumberText(domain) if value else None


def _value(tree: _Tree, of_place: Callable[[int], bool | None]) -> bool | None:
    """What a condition comes to; None where that depends on assertions that are not known."""
    if isinstance(tree, bool):
        return tree
    if isinstance(tree, _Place):
        return of_place(tree.number)
    name, parts = tree
    values = [_value(part, of_place) for part in parts]
    if name == "not":
        return None if values[0] is None else not values[0]
    if name == "one":
        num_true = values.count(True)
        return False if num_true > 1 else None if None in values else num_true == 1
    decisive = name == "or"
    return decisive if decisive in values else None if None in values else not decisive


@lru_cache(maxsize=4096)
def _accepts(nodes: Nodes) -> bool:
    """True when the text may end at one of the nodes."""
    return any(node.accepts for node in nodes)


@lru_cache(maxsize=4096)
def _steps(nodes: Nodes) -> dict[str, Nodes]:
    """For each character that may follow the nodes after it."""
    found: dict[str, list[Node]] = {}
    for place in nodes:
        for chars, node in place.arcs():
            for char in chars:
                found.setdefault(char, []).append(node)
    return {char: tuple(after) for char, after in found.items()}
