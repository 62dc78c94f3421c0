"""`prepare`: a rule graph, checked and simplified: what is regular becomes one Terminal, what matches nothing goes.

Undefined rules and rules that never end are errors. A rule never ends when each of its texts would hold another text
of the rule itself, such as `a: "x" a`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Sequence as AbstractSequence
from dataclasses import dataclass

from ..errors import GrammarError, InvalidInputError, UnsatisfiableError
from ..limits import Limits
from ..regex import algebra as lang
from ..regex.algebra import Language
from ..regex.charset import CharSet
from .components import components
from .expressions import (
    Choice,
    Expression,
    JsonDocument,
    Repeat,
    RuleGraph,
    RuleRef,
    Sequence,
    Terminal,
    TokenRef,
)

NOTHING = Terminal(lang.NOTHING)


@dataclass(frozen=True)
class PreparedGraph:
    """Rules that are not regular, each reachable from the start and with at least one text; callees first.

    start: an expression over them.
    """

    rules: Mapping[str, Expression]
    start: Expression


def prepare(graph: RuleGraph, limits: Limits, characters: CharSet | None = None) -> PreparedGraph:
    """The graph, checked and simplified. characters: those that texts may hold; None: all.

    Raises GrammarError (a rule that is not defined or never ends), UnsatisfiableError, LimitExceededError,
    InvalidInputError (no such start).
    """
    if graph.start not in graph.rules:
        raise InvalidInputError(f"the start rule {graph.start!r} is not defined; known are {_some(graph.rules)}")
    reachable = _reachable(graph)
    if characters is not None:
        texts = lang.repeat(lang.chars(characters), 0)
        reachable = {name: _restricted(rule, texts) for name, rule in reachable.items()}
    references = {name: _references(rule) for name, rule in reachable.items()}
    groups = components(list(reachable), lambda name: references[name])
    order = [name for group in groups for name in group]
    ending = _productive(reachable, order, lambda _: True)
    endless = [name for name in order if name not in ending]  # callees first: the first is to blame
    if endless:
        raise GrammarError(f"rule {endless[0]!r} never ends: each of its texts would hold another one of its texts")
    productive = _productive(reachable, order, lambda leaf: _has_text(leaf, limits))
    simplifier = _Simplifier(productive, limits)
    for group in groups:
        is_recursive = len(group) > 1 or group[0] in references[group[0]]
        for name in group:
            simplifier.add(name, reachable[name], is_recursive)
    start = simplifier.simplify(RuleRef(graph.start))
    if start == NOTHING:
        raise UnsatisfiableError("no text belongs to this grammar")
    return PreparedGraph(_used(simplifier.rules, start), start)


def _restricted(expression: Expression, texts: Language) -> Expression:
    """An expression whose terminals are in a language too."""
    match expression:
        case Terminal(language):
            return Terminal(lang.intersect(language, texts))
        case Sequence(parts):
            return Sequence(tuple([_restricted(part, texts) for part in parts]))
        case Choice(options):
            return Choice(tuple([_restricted(option, texts) for option in options]))
        case Repeat(child, low, high):
            return Repeat(_restricted(child, texts), low, high)
    return expression


def _some(names: Mapping[str, Expression]) -> str:
    return ", ".join([repr(name) for name in list(names)[:10]]) or "none"


def _reachable(graph: RuleGraph) -> dict[str, Expression]:
    """The rules that the start reaches, in the order in which they are found."""
    found = {graph.start: graph.rules[graph.start]}
    waiting = [graph.start]
    while waiting:
        name = waiting.pop()
        for reference in _references(graph.rules[name]):
            if reference not in graph.rules:
                known = _some(graph.rules)
                raise GrammarError(f"rule {name!r} refers to {reference!r}, which is not defined; known are {known}")
            if reference not in found:
                found[reference] = graph.rules[reference]
                waiting.append(reference)
    return found


def _used(rules: Mapping[str, Expression], start: Expression) -> dict[str, Expression]:
    """The rules that `start` still reaches."""
    found: set[str] = set()
    waiting = list(_references(start))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(_references(rules[name]))
    return {name: rule for name, rule in rules.items() if name in found}


def _references(expression: Expression) -> list[str]:
    """The rules that an expression names, each once. As `walk`, but quick."""
    names: dict[str, None] = {}
    waiting = [expression]
    while waiting:
        part = waiting.pop()
        if isinstance(part, RuleRef):
            names[part.name] = None
        elif isinstance(part, Sequence):
            waiting.extend(part.parts[::-1])
        elif isinstance(part, Choice):
            waiting.extend(part.options[::-1])
        elif isinstance(part, Repeat):
            waiting.append(part.child)
    return list(names)


def walk(expression: Expression) -> Iterator[Expression]:
    """An expression and all its parts."""
    waiting = [expression]
    while waiting:
        part = waiting.pop()
        yield part
        waiting.extend(reversed(_children(part)))


def _children(expression: Expression) -> AbstractSequence[Expression]:
    match expression:
        case Sequence(parts):
            return parts
        case Choice(options):
            return options
        case Repeat(child):
            return (child,)
    return ()


def _productive(
    rules: Mapping[str, Expression], order: AbstractSequence[str], has_text: Callable[[Expression], bool]
) -> set[str]:
    """The rules that have a text. order: the rules, callees first where that is possible."""
    found: set[str] = set()

    def check(expression: Expression) -> bool:
        match expression:
            case RuleRef(name):
                return name in found
            case Sequence(parts):
                return all(map(check, parts))
            case Choice(options):
                return any(map(check, options))
            case Repeat(child, low, high):
                return (high is None or low <= high) and (low == 0 or check(child))
        return has_text(expression)

    waiting, num_waiting = list(order), -1
    while len(waiting) != num_waiting:
        num_waiting = len(waiting)
        for name in waiting:
            if check(rules[name]):
                found.add(name)
        waiting = [name for name in waiting if name not in found]
    return found


def _has_text(leaf: Expression, limits: Limits) -> bool:
    """True when a part of a grammar that is no composition of others has a text."""
    if isinstance(leaf, Terminal):
        return not _is_empty(leaf.language, limits)
    return not isinstance(leaf, TokenRef) or bool(leaf.token_ids)


def _is_empty(language: Language, limits: Limits) -> bool:
    return lang.is_empty(language, limits.max_automaton_states)


class _Simplifier:
    """Simplifies rules one after the other. rules: those that did not become a Terminal."""

    def __init__(self, productive: set[str], limits: Limits) -> None:
        self.rules: dict[str, Expression] = {}
        self._folded: dict[str, Terminal] = {}
        self._productive = productive
        self._limits = limits

    def add(self, name: str, expression: Expression, is_recursive: bool) -> None:
        """Simplify a rule. is_recursive: it may be named by itself or by rules that are not added yet."""
        if name not in self._productive:
            return
        simple = self.simplify(expression)
        if isinstance(simple, Terminal) and not is_recursive:
            self._folded[name] = simple
        else:
            self.rules[name] = simple

    def simplify(self, expression: Expression) -> Expression:
        match expression:
            case Terminal(language):
                return NOTHING if _is_empty(language, self._limits) else expression
            case RuleRef(name):
                return self._folded.get(name, expression) if name in self._productive else NOTHING
            case Sequence(parts):
                return _sequence([self.simplify(part) for part in parts])
            case Choice(options):
                return _choice([self.simplify(option) for option in options])
            case Repeat(child, low, high):
                return _repeat(self.simplify(child), low, high)
            case TokenRef(token_ids):
                return expression if token_ids else NOTHING
            case JsonDocument():
                return expression


def _sequence(parts: list[Expression]) -> Expression:
    flat: list[Expression] = []
    for part in parts:
        if part == NOTHING:
            return NOTHING
        inner = part.parts if isinstance(part, Sequence) else (part,)
        for piece in inner:
            last = flat[-1] if flat else None
            if isinstance(piece, Terminal) and isinstance(last, Terminal):
                flat[-1] = Terminal(lang.concat(last.language, piece.language))
            else:
                flat.append(piece)
    flat = [piece for piece in flat if piece != Terminal(lang.EMPTY_TEXT)]
    if not flat:
        return Terminal(lang.EMPTY_TEXT)
    return flat[0] if len(flat) == 1 else Sequence(tuple(flat))


def _choice(options: list[Expression]) -> Expression:
    flat: dict[Expression, None] = {}
    languages: list[Language] = []
    for option in options:
        for piece in option.options if isinstance(option, Choice) else (option,):
            if isinstance(piece, Terminal):
                languages.append(piece.language)
            else:
                flat[piece] = None
    union = lang.union(*languages)
    if union is not lang.NOTHING:
        flat[Terminal(union)] = None
    if not flat:
        return NOTHING
    pieces = tuple(flat)
    return pieces[0] if len(pieces) == 1 else Choice(pieces)


def _repeat(child: Expression, low: int, high: int | None) -> Expression:
    if high is not None and low > high:
        return NOTHING
    if high == 0:
        return Terminal(lang.EMPTY_TEXT)
    if isinstance(child, Terminal):
        return Terminal(lang.repeat(child.language, low, high))
    return child if low == high == 1 else Repeat(child, low, high)
