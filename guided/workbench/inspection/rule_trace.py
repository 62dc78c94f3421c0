"""`RuleTrace`: which rules of a grammar a text is in, and which terminals may come next.

An Earley recogniser (J. Earley, An Efficient Context-Free Parsing Algorithm, CACM 1970) over the rule graph.
Derivatives step the terminals. Rules that may be empty are passed at once (Aycock, Horspool, Practical Earley Parsing,
2002). An item of Earley's is here a rule, the rest of the rule, and the place where the rule began; the rest starts
with what comes next. Only descriptions for people use the trace: the machine runs a simplified grammar that has lost
the rules' names. Beyond MAX_ITEMS items the trace gives up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from guided.grammars.errors import LimitExceededError
from guided.grammars.regex.algebra import NOTHING, CharSet, Language, is_empty
from guided.grammars.rules.expressions import Choice, CountedRepeat, Expression, RuleGraph, RuleRef, Sequence, Terminal
from guided.grammars.watch import checkpoint

MAX_ITEMS = 60_000  # of one text; an item takes some 100 bytes and 3 us
MAX_STATES = 1000  # `live_transitions` visits at most this many states of a terminal to find a text
MAX_PATH = 40  # `RuleTrace.path` names at most this many nested rules


class OpenRule(NamedTuple):
    """A rule that the text is in.

    rule: the rule's name.
    rest: what is left of the rule.
    origin: the place in the text where the rule began.
    """

    rule: str
    rest: tuple[Expression, ...]
    origin: int


@dataclass
class _Place:
    """The items at one place of the text.

    waiting: the items that wait for the end of a rule, by the rule's name.
    """

    items: dict[OpenRule, None] = field(default_factory=dict)
    waiting: dict[str, list[OpenRule]] = field(default_factory=dict)


class NextTerminal(NamedTuple):
    """A terminal, or the rest of one, that may come next.

    rule: the rule that the terminal stands in.
    language: what may still be written of the terminal.
    is_begun: True if the text has a part of the rule already.
    """

    rule: str
    language: Language
    is_begun: bool


class RuleTrace:
    """Traces one growing text through the rules of one grammar.

    graph: the grammar's rules, without documents and tokens.
    is_lost: True after the trace gave up because of too many items.
    """

    def __init__(self, graph: RuleGraph) -> None:
        self._graph = graph
        self._nullable = _nullable(graph.rules)
        # names in parentheses come from a reader
        self._names = [name for name in graph.rules if not name.startswith("(")]
        self._num_items = 0
        self.is_lost = False
        self._places = [_Place()]
        self._close([OpenRule("", (RuleRef(graph.start),), 0)])

    def feed(self, text: str) -> None:
        """Read more of the text. The grammar must accept the text."""
        for character in text:
            if self.is_lost:
                return
            checkpoint()
            self._step(ord(character))

    @property
    def next_terminals(self) -> list[NextTerminal]:
        """The terminals that may come next, each once. Terminals of rules that have begun come first."""
        here = len(self._places) - 1
        found: dict[NextTerminal, None] = {}
        for item in self._places[-1].items:
            head = item.rest[0] if item.rest else None
            if isinstance(head, Terminal) and live_transitions(head.language):
                found[NextTerminal(item.rule, head.language, item.origin < here)] = None
        return sorted(found, key=lambda one: not one.is_begun)

    @property
    def path(self) -> tuple[str, ...]:
        """The rules that the text is in, the outermost first, for one reading of the text. Prefers the rule that began
        last.
        """
        begun = [item for item in self._places[-1].items if item.rest and isinstance(item.rest[0], Terminal)]
        if not begun:
            return ()
        item = min(begun, key=lambda one: -one.origin if one.origin < len(self._places) - 1 else 1)
        names: list[str] = []
        seen = set[OpenRule]()
        while item.rule and item not in seen and len(names) < MAX_PATH:
            seen.add(item)
            names += [item.rule] if item.rule in self._names else []
            callers = self._places[item.origin].waiting.get(item.rule, ())
            item = next((one for one in callers if one not in seen), OpenRule("", (), 0))
        return tuple(reversed(names))

    def _step(self, code_point: int) -> None:
        read = []
        for item in self._places[-1].items:
            head = item.rest[0] if item.rest else None
            if isinstance(head, Terminal):
                following = head.language.step(code_point)
                if following is not NOTHING:
                    read.append(OpenRule(item.rule, (Terminal(following), *item.rest[1:]), item.origin))
        self._places.append(_Place())
        self._close(read)

    def _close(self, waiting: list[OpenRule]) -> None:
        """Add items to the last place, with all items that follow without another character."""
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

    def _following(self, place: _Place, item: OpenRule) -> Iterator[OpenRule]:
        rule, rest, origin = item
        if not rest:
            # A rule that ends where it began is nullable: the items that wait for it have passed it already.
            callers = self._places[origin].waiting.get(rule, ())
            yield from [OpenRule(one.rule, one.rest[1:], one.origin) for one in callers]
            return
        head, behind = rest[0], rest[1:]
        match head:
            case Terminal(language):
                if language.nullable:
                    yield OpenRule(rule, behind, origin)
            case RuleRef(name):
                place.waiting.setdefault(name, []).append(item)
                yield OpenRule(name, (self._graph.rules[name],), len(self._places) - 1)
                if name in self._nullable:
                    yield OpenRule(rule, behind, origin)
            case Sequence(parts):
                yield OpenRule(rule, (*parts, *behind), origin)
            case Choice(options):
                yield from [OpenRule(rule, (option, *behind), origin) for option in options]
            case CountedRepeat(child, low, high):
                if low == 0:
                    yield OpenRule(rule, behind, origin)
                if high is None or high > 0:
                    again = CountedRepeat(child, max(low - 1, 0), None if high is None else high - 1)
                    yield OpenRule(rule, (child, again, *behind), origin)
            case _:
                raise AssertionError("graphs with documents and tokens are not traced")


def live_transitions(language: Language) -> list[tuple[CharSet, Language]]:
    """Return the transitions after which the language still has a text.

    Returns all transitions when finding that out takes more than MAX_STATES states.
    """
    try:
        return [pair for pair in language.transitions() if language.is_plain or not is_empty(pair[1], MAX_STATES)]
    except LimitExceededError:
        return list(language.transitions())


def _nullable(rules: Mapping[str, Expression]) -> frozenset[str]:
    """Return the names of the rules that accept the empty text."""
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
            case CountedRepeat(child, low, _):
                return low == 0 or is_nullable(child)
        return False

    num_found = -1
    while num_found < len(found):
        num_found = len(found)
        found.update(name for name, rule in rules.items() if name not in found and is_nullable(rule))
    return frozenset(found)
