"""`prepare`: checks and simplifies a rule graph: regular parts become one Terminal, parts without text are dropped.

Undefined rules and rules that never end are errors. A rule never ends if each of its texts would contain another text
of the rule itself, such as `a: "x" a`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from ..errors import GrammarError, InvalidInputError, UnsatisfiableError
from ..limits import Limits
from ..regex import algebra as lang
from ..regex.algebra import Language
from ..regex.charset import CharSet
from ..regex.spelled import within
from .expressions import (
    Choice,
    CountedRepeat,
    Expression,
    Leaf,
    RuleGraph,
    RuleRef,
    Sequence,
    Terminal,
    TokenRef,
    map_leaves,
    named_in,
)

NOTHING = Terminal(lang.NOTHING)
EMPTY = Terminal(lang.EMPTY_TEXT)


@dataclass(frozen=True)
class PreparedGraph:
    """Rules that are not regular, each reachable from the start and with at least one text; callees come first.

    start: an expression over these rules.
    """

    rules: Mapping[str, Expression]
    start: Expression


def prepare(graph: RuleGraph, limits: Limits, characters: CharSet | None = None) -> PreparedGraph:
    """Check and simplify a graph.

    characters: characters that texts may contain; None: all.

    Raises GrammarError for an undefined rule.
    Raises the error of `RuleGraph.error` for a rule that never ends.
    Raises InvalidInputError if there is no such start; UnsatisfiableError, LimitExceededError.
    """
    if graph.start not in graph.rules:
        raise InvalidInputError(f"the start rule {graph.start!r} is not defined; known are {_some(graph.rules)}")
    reachable = {name: graph.rules[name] for name in _callees_first(graph)}
    if characters is not None:
        restricted = functools.partial(_restricted, characters=characters)
        reachable = {name: map_leaves(rule, restricted) for name, rule in reachable.items()}
    productive = _productive(reachable, lambda leaf: _has_text(leaf, limits))
    if len(productive) < len(reachable):
        _check_endings(graph, reachable)
    simplifier = _Simplifier(productive, limits)
    for name, rule in reachable.items():
        simplifier.add(name, rule)
    start = simplifier.simplify(RuleRef(graph.start))
    if start is NOTHING:
        raise UnsatisfiableError("no text belongs to this grammar")
    return PreparedGraph(_used(simplifier.rules, start), start)


def simplified(graph: RuleGraph, limits: Limits) -> RuleGraph:
    """Return a graph whose regular parts are one Terminal each. Raises what `prepare` raises."""
    prepared = prepare(graph, limits)
    return replace(graph, rules={graph.start: prepared.start, **prepared.rules})


def _check_endings(graph: RuleGraph, rules: Mapping[str, Expression]) -> None:
    """Raise the error of the first rule that never ends. rules: callees first."""
    ending = _productive(rules, lambda _: True)
    for name in rules:
        if name not in ending:
            reason = "never ends: each of its texts would hold another one of its texts"
            raise graph.error(name, f"{reason}; give it an alternative that does not lead back to it")


def _restricted(leaf: Leaf, characters: CharSet) -> Leaf:
    """Return a terminal restricted to its texts made of `characters`; any other leaf as it is."""
    return Terminal(within(leaf.language, characters)) if isinstance(leaf, Terminal) else leaf


def _some(names: Mapping[str, Expression]) -> str:
    return ", ".join([repr(name) for name in list(names)[:10]]) or "none"


def _callees_first(graph: RuleGraph) -> Iterator[str]:
    """Yield the rules that the start reaches, each after the rules that it names, except where these lead back to
    it.
    """
    found = {graph.start}
    open_rules = [(graph.start, iter(graph.references[graph.start]))]
    while open_rules:
        name, references = open_rules[-1]
        for reference in references:
            if reference in found:
                continue
            if reference not in graph.rules:
                known = _some(graph.rules)
                raise GrammarError(f"rule {name!r} refers to {reference!r}, which is not defined; known are {known}")
            found.add(reference)
            open_rules.append((reference, iter(graph.references[reference])))
            break
        else:
            open_rules.pop()
            yield name


def _used(rules: Mapping[str, Expression], start: Expression) -> dict[str, Expression]:
    """Return the rules that `start` still reaches."""
    found: set[str] = set()
    waiting = list(named_in(start)[0])
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += named_in(rules[name])[0]
    return {name: rule for name, rule in rules.items() if name in found}


def _productive(rules: Mapping[str, Expression], has_text: Callable[[Expression], bool]) -> set[str]:
    """Return the rules that have a text. rules: callees first where possible."""
    found: set[str] = set()

    def check(expression: Expression) -> bool:
        if isinstance(expression, Terminal):
            return has_text(expression)
        if isinstance(expression, RuleRef):
            return expression.name in found
        if isinstance(expression, Sequence):
            return all(map(check, expression.parts))
        if isinstance(expression, Choice):
            return any(map(check, expression.options))
        if isinstance(expression, CountedRepeat):
            low, high = expression.low, expression.high
            return (high is None or low <= high) and (low == 0 or check(expression.child))
        return has_text(expression)

    waiting, num_waiting = list(rules), -1
    while len(waiting) != num_waiting:
        num_waiting = len(waiting)
        for name in waiting:
            if check(rules[name]):
                found.add(name)
        waiting = [name for name in waiting if name not in found]
    return found


def _has_text(leaf: Expression, limits: Limits) -> bool:
    """Return True if a part without parts of its own has a text."""
    if isinstance(leaf, Terminal):
        return not _is_empty(leaf.language, limits)
    return not isinstance(leaf, TokenRef) or bool(leaf.token_ids)


def _is_empty(language: Language, limits: Limits) -> bool:
    return language is lang.NOTHING if language.is_plain else lang.is_empty(language, limits.max_automaton_states)


class _Simplifier:
    """Simplifies rules one after the other. rules: the simplified rules that did not become a Terminal.

    Expressions without text become NOTHING itself; expressions with only the empty text become EMPTY.
    """

    def __init__(self, productive: set[str], limits: Limits) -> None:
        self.rules: dict[str, Expression] = {}
        self._named = set[str]()  # names in the rules simplified so far
        self._folded: dict[str, Terminal] = {}
        self._productive = productive
        self._limits = limits

    def add(self, name: str, expression: Expression) -> None:
        """Simplify a rule. A rule that another one already names does not become a Terminal."""
        if name not in self._productive:
            return
        simple = self.simplify(expression)
        if isinstance(simple, Terminal) and name not in self._named:
            self._folded[name] = simple
        else:
            self.rules[name] = simple

    def simplify(self, expression: Expression) -> Expression:
        """Return a simpler expression with the same texts."""
        kind = type(expression)
        if kind is Terminal:
            return NOTHING if _is_empty(expression.language, self._limits) else expression  # type: ignore[union-attr]
        if kind is RuleRef:
            return self._named_rule(expression)  # type: ignore[arg-type]
        if kind is Sequence:
            return _sequence([self.simplify(part) for part in expression.parts])  # type: ignore[union-attr]
        if kind is Choice:
            return _choice([self.simplify(option) for option in expression.options])  # type: ignore[union-attr]
        if isinstance(expression, CountedRepeat):
            return _repeat(self.simplify(expression.child), expression.low, expression.high)
        if isinstance(expression, TokenRef):
            return expression if expression.token_ids else NOTHING
        return expression

    def _named_rule(self, reference: RuleRef) -> Expression:
        if reference.name not in self._productive:
            return NOTHING
        folded = self._folded.get(reference.name)
        if folded is None:
            self._named.add(reference.name)
            return reference
        return folded


def _sequence(parts: list[Expression]) -> Expression:
    flat: list[Expression] = []
    run: list[Language] = []  # languages of adjacent terminals
    for part in parts:
        if part is NOTHING:
            return NOTHING
        for piece in part.parts if isinstance(part, Sequence) else (part,):
            if isinstance(piece, Terminal):
                run.append(piece.language)
                continue
            if run:
                _end_run(flat, run)
                run = []
            flat.append(piece)
    _end_run(flat, run)
    if not flat:
        return EMPTY
    return flat[0] if len(flat) == 1 else Sequence(tuple(flat))


def _end_run(flat: list[Expression], run: list[Language]) -> None:
    """Append adjacent terminals as one."""
    language = run[0] if len(run) == 1 else lang.concat(*run)
    if language is not lang.EMPTY_TEXT:
        flat.append(Terminal(language))


def _choice(options: list[Expression]) -> Expression:
    flat: dict[Expression, None] = {}
    languages: list[Language] = []
    for option in options:
        if option is NOTHING:
            continue
        for piece in option.options if isinstance(option, Choice) else (option,):
            if isinstance(piece, Terminal):
                languages.append(piece.language)
            else:
                flat[piece] = None
    if languages:
        flat[Terminal(languages[0] if len(languages) == 1 else lang.union(*languages))] = None
    if not flat:
        return NOTHING
    pieces = tuple(flat)
    return pieces[0] if len(pieces) == 1 else Choice(pieces)


def _repeat(child: Expression, low: int, high: int | None) -> Expression:
    if high is not None and low > high:
        return NOTHING
    if high == 0:
        return EMPTY
    if isinstance(child, Terminal):
        language = lang.repeat(child.language, low, high)
        return NOTHING if language is lang.NOTHING else Terminal(language)
    return child if low == high == 1 else CountedRepeat(child, low, high)
