"""`RuleTrace`: which rules of a grammar a text is in, and which of their terminals may come next.

An Earley recogniser (J. Earley, An Efficient Context-Free Parsing Algorithm, CACM 1970) over the rule graph, whose
terminals are stepped by derivatives. The machine needs none of it: it runs the grammar simplified, without the names.
It is for people, and bounded: beyond MAX_ITEMS it gives up. An item of Earley's is here a rule, what is left of it and
where it began; what is left begins with what comes next. Rules that may be empty are passed at once (Aycock, Horspool,
Practical Earley Parsing, 2002).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ..errors import LimitExceededError
from ..regex.algebra import NOTHING, CharSet, Language, is_empty
from ..rules.expressions import (
    Choice,
    Expression,
    Repeat,
    RuleGraph,
    RuleRef,
    Sequence,
    Terminal,
)
from ..watch import checkpoint

MAX_ITEMS = 60_000  # of one text, some 100 bytes and 3 us each
MAX_STATES = 1000  # of a terminal, looked at for whether it has a text
MAX_PATH = 40  # rules inside each other that are told


class Item(NamedTuple):
    """rest: what is left of the rule. origin: the place in the text where it began."""

    rule: str
    rest: tuple[Expression, ...]
    origin: int


@dataclass
class _Place:
    """The items at one place of the text. waiting: those that wait for a rule, by its name."""

    items: dict[Item, None] = field(default_factory=dict)
    waiting: dict[str, list[Item]] = field(default_factory=dict)


class NextTerminal(NamedTuple):
    """A terminal that may come next, or the rest of one. is_begun: a part of it, or of its rule, is written."""

    rule: str
    language: Language
    is_begun: bool


class RuleTrace:
    """Of one grammar and a text that grows. graph: without documents and tokens.

    is_lost: it gave up, as there are too many items.
    """

    def __init__(self, graph: RuleGraph) -> None:
        self._graph = graph
        self._nullable = _nullable(graph.rules)
        self._names = [name for name in graph.rules if not name.startswith("(")]  # others are a reader's own
        self._num_items = 0
        self.is_lost = False
        self._places = [_Place()]
        self._close([Item("", (RuleRef(graph.start),), 0)])

    def feed(self, text: str) -> None:
        """More of the text, which the grammar takes."""
        for character in text:
            if self.is_lost:
                return
            checkpoint()
            self._step(ord(character))

    @property
    def next_terminals(self) -> list[NextTerminal]:
        """What may come next, each once; of the innermost rules first that were entered last."""
        here = len(self._places) - 1
        found: dict[NextTerminal, None] = {}
        for item in self._places[-1].items:
            head = item.rest[0] if item.rest else None
            if isinstance(head, Terminal) and live_transitions(head.language):
                found[NextTerminal(item.rule, head.language, item.origin < here)] = None
        return sorted(found, key=lambda one: not one.is_begun)

    @property
    def path(self) -> tuple[str, ...]:
        """The rules that the text is in, the outermost first, in one of its readings; that of a begun rule, if any."""
        begun = [item for item in self._places[-1].items if item.rest and isinstance(item.rest[0], Terminal)]
        if not begun:
            return ()
        item = min(begun, key=lambda one: -one.origin if one.origin < len(self._places) - 1 else 1)
        names: list[str] = []
        seen = set[Item]()
        while item.rule and item not in seen and len(names) < MAX_PATH:
            seen.add(item)
            names += [item.rule] if item.rule in self._names else []
            callers = self._places[item.origin].waiting.get(item.rule, ())
            item = next((one for one in callers if one not in seen), Item("", (), 0))
        return tuple(reversed(names))

    def _step(self, code_point: int) -> None:
        read = []
        for item in self._places[-1].items:
            head = item.rest[0] if item.rest else None
            if isinstance(head, Terminal):
                following = head.language.step(code_point)
                if following is not NOTHING:
                    read.append(Item(item.rule, (Terminal(following), *item.rest[1:]), item.origin))
        self._places.append(_Place())
        self._close(read)

    def _close(self, waiting: list[Item]) -> None:
        """Add items to the last place, with all that follow from them without another character."""
        place = self._places[-1]
        while waiting:
            item = waiting.pop()
            if item in place.items:
                continue
            self._num_items += 1
            if self._num_items > MAX_ITEMS:
                self.is_lost = True
                return
            place.items[item] = None
            waiting += self._following(place, item)

    def _following(self, place: _Place, item: Item) -> Iterator[Item]:
        rule, rest, origin = item
        if not rest:
            # A rule that ends where it began is nullable: whoever waits for it has passed it already.
            callers = self._places[origin].waiting.get(rule, ())
            yield from [Item(one.rule, one.rest[1:], one.origin) for one in callers]
            return
        head, behind = rest[0], rest[1:]
        match head:
            case Terminal(language):
                if language.nullable:
                    yield Item(rule, behind, origin)
            case RuleRef(name):
                place.waiting.setdefault(name, []).append(item)
                yield Item(name, (self._graph.rules[name],), len(self._places) - 1)
                if name in self._nullable:
                    yield Item(rule, behind, origin)
            case Sequence(parts):
                yield Item(rule, (*parts, *behind), origin)
            case Choice(options):
                yield from [Item(rule, (option, *behind), origin) for option in options]
            case Repeat(child, low, high):
                if low == 0:
                    yield Item(rule, behind, origin)
                if high is None or high > 0:
                    again = Repeat(child, max(low - 1, 0), None if high is None else high - 1)
                    yield Item(rule, (child, again, *behind), origin)
            case _:
                raise AssertionError("graphs with documents and tokens are not traced")


def live_transitions(language: Language) -> list[tuple[CharSet, Language]]:
    """The transitions of a language after which it has a text; all of them where that takes long to find out."""
    try:
        return [pair for pair in language.transitions() if language.is_plain or not is_empty(pair[1], MAX_STATES)]
    except LimitExceededError:
        return list(language.transitions())


def _nullable(rules: Mapping[str, Expression]) -> frozenset[str]:
    """The rules that have the empty text."""
    found = set[str]()

    def is_nullable(expression: Expression) -> bool:
        match expression:
            case Terminal(language):
                return language.nullable
            case RuleRef(name):
                return name in found
            case Sequence(parts):
                return all(map(is_nullable, parts))
            case Choice(options):
                return any(map(is_nullable, options))
            case Repeat(child, low, _):
                return low == 0 or is_nullable(child)
        return False

    num_found = -1
    while num_found < len(found):
        num_found = len(found)
        found.update(name for name, rule in rules.items() if name not in found and is_nullable(rule))
    return frozenset(found)
