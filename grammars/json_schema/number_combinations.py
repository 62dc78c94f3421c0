"""A machine for several assertions about one number. It runs the assertions' machines side by side.

The algebra of languages would build unions, intersections and complements for each character. Here a state is the tuple
of the assertions' states, and the boolean condition over them is evaluated in each state.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from ..regex import algebra as lang
from ..regex.charset import CharSet
from ..watch import checkpoint
from . import numbers
from .formula import And, Constant, ExactlyOne, Formula, Not, NumberIn, Or
from .number_texts import NumberState, NumberText, charset_of

_MAX_ASSERTIONS = 16

Nodes = tuple[NumberState, ...]
"""The state of one assertion: nodes of a `NumberText`; (): it can't be satisfied any more."""

Step = bool | int | tuple[str, tuple[int, ...]]
"""One step of a condition: a constant; the index of an assertion; or a pair that combines earlier steps: ("not", "and",
"or" or "one", indices of the steps).
"""


class Condition:
    """A boolean condition over assertions. Sets of assertions are bits: 1 << index. PERF: results are cached by set.

    steps: the condition as steps; the last one is its value.
    """

    __slots__ = ("_after", "_known", "_steps")

    def __init__(self, steps: tuple[Step, ...]) -> None:
        self._steps = steps
        self._known: dict[int, bool] = {}
        self._after: dict[int, bool | None] = {}

    def holds(self, true: int) -> bool:
        """True if the condition holds when exactly these assertions do. true: set of assertions."""
        found = self._known.get(true)
        if found is None:
            found = self._known[true] = bool(_value(self._steps, lambda place: bool(true >> place & 1)))
        return found

    def after(self, possible: int) -> bool | None:
        """The value of the condition if only these assertions can hold; None if it depends on which of them do.

        possible: set of assertions.
        """
        if possible not in self._after:
            self._after[possible] = _value(self._steps, lambda place: None if possible >> place & 1 else False)
        return self._after[possible]


class NumberCombination(NamedTuple):
    """The texts of a domain that satisfy a condition over assertions.

    domain: state of the domain; every such state can be completed.
    assertions: state of each assertion.
    """

    condition: Condition
    domain: Nodes
    assertions: tuple[Nodes, ...]

    @property
    def nullable(self) -> bool:
        """True if the text may end here."""
        if not _accepts(self.domain):
            return False
        return self.condition.holds(sum([1 << place for place, nodes in enumerate(self.assertions) if _accepts(nodes)]))

    def transitions(self) -> tuple[tuple[CharSet, NumberCombination | NumberText], ...]:
        """The disjoint sets of characters that may follow, each with the machine after them."""
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
    """The texts of a domain that satisfy a formula about numbers.

    None if the formula has fewer than 2 or more than _MAX_ASSERTIONS assertions, or one that is no machine of numbers.
    """
    nodes = numbers.nodes_of(domain)
    reading = None if nodes is None else _Reading.of(formula)
    if nodes is None or reading is None or len(reading.assertions) < 2:
        return None
    machine = _machine(Condition(tuple(reading.steps)), nodes, tuple(reading.assertions))
    return lang.NOTHING if machine is None else lang.machine(machine)


class _TooManyError(Exception):
    """The formula has more than _MAX_ASSERTIONS assertions, or one that is no machine of numbers."""


class _Reading:
    """Turns a formula into steps over its assertions. A part that occurs several times becomes one step."""

    def __init__(self) -> None:
        self.assertions: list[Nodes] = []
        self.steps: list[Step] = []
        self._places: dict[Formula | lang.Language, int] = {}

    @classmethod
    def of(cls, formula: Formula) -> _Reading | None:
        """Read a formula. Returns None if `_TooManyError` applies."""
        reading = cls()
        try:
            reading._read(formula)
        except _TooManyError:
            return None
        return reading

    def _read(self, one: Formula | lang.Language) -> int:
        """The index of the step whose value is that of the formula or language `one`."""
        place = self._places.get(one)
        if place is None:
            checkpoint()
            self.steps.append(self._step(one))
            place = self._places[one] = len(self.steps) - 1
        return place

    def _step(self, one: Formula | lang.Language) -> Step:
        if isinstance(one, Constant):
            return one.value
        if one is lang.NOTHING:
            return False
        if isinstance(one, NumberIn):
            return "and", (self._read(one.language),)
        if isinstance(one, lang.Union):
            return "or", tuple([self._read(part) for part in one.parts])
        if isinstance(one, lang.Language):
            return self._assertion(one)
        parts = (one.part,) if isinstance(one, Not) else one.parts  # type: ignore[attr-defined]
        return _NAMES[type(one)], tuple([self._read(part) for part in parts])

    def _assertion(self, language: lang.Language) -> int:
        nodes = numbers.nodes_of(language)
        if nodes is None:
            raise _TooManyError
        if nodes not in self.assertions:
            if len(self.assertions) == _MAX_ASSERTIONS:
                raise _TooManyError
            self.assertions.append(nodes)
        return self.assertions.index(nodes)


_NAMES = {Not: "not", And: "and", Or: "or", ExactlyOne: "one"}


def _machine(
    condition: Condition, domain: Nodes, assertions: tuple[Nodes, ...]
) -> NumberCombination | NumberText | None:
    """The machine of a state; None if nothing can satisfy the condition, the domain's machine if everything does."""
    value = condition.after(sum([1 << place for place, nodes in enumerate(assertions) if nodes]))
    if value is None:
        return NumberCombination(condition, domain, assertions)
    return NumberText(domain) if value else None


def _value(steps: tuple[Step, ...], of_place: Callable[[int], bool | None]) -> bool | None:
    """The value of a condition; None if it depends on assertions that are not known.

    of_place: function from the index of an assertion to its truth; None: not known.
    """
    known: list[bool | None] = []
    for step in steps:
        if isinstance(step, bool):
            known.append(step)
        elif isinstance(step, int):
            known.append(of_place(step))
        else:
            name, places = step
            known.append(_combined_value(name, [known[place] for place in places]))
    return known[-1]


def _combined_value(name: str, values: list[bool | None]) -> bool | None:
    if name == "not":
        return None if values[0] is None else not values[0]
    if name == "one":
        num_true = values.count(True)
        return False if num_true > 1 else None if None in values else num_true == 1
    decisive = name == "or"
    return decisive if decisive in values else None if None in values else not decisive


@lru_cache(maxsize=4096)
def _accepts(nodes: Nodes) -> bool:
    """True if the text may end at one of the nodes."""
    return any(node.accepts for node in nodes)


@lru_cache(maxsize=4096)
def _steps(nodes: Nodes) -> dict[str, Nodes]:
    """Character that may follow -> the nodes after it."""
    found: dict[str, list[NumberState]] = {}
    for place in nodes:
        for chars, node in place.arcs():
            for char in chars:
                found.setdefault(char, []).append(node)
    return {char: tuple(after) for char, after in found.items()}
