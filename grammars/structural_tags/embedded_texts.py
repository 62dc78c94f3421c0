"""Grammars whose texts must not contain certain strings, or are written inside a JSON string."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import LimitExceededError, UnsupportedSchemaError
from ..regex import algebra as lang
from ..regex import charset as cs
from ..regex.algebra import Language
from ..regex.free_text import free_text
from ..regex.spelled import JSON_ESCAPES, spelled
from ..rules.expressions import (
    Choice,
    CountedRepeat,
    Expression,
    JsonDocument,
    Leaf,
    RuleGraph,
    RuleRef,
    Sequence,
    Terminal,
    TokenRef,
    map_leaves,
)
from ..watch import checkpoint
from .places import TagValue

_BUDGET = 20_000
"""Maximum number of states of terminals that one search for a mark visits. About 20 us each."""


def written(language: Language, place: TagValue) -> Language:
    """The texts of a Language in the form that a format requires.

    place: the format. The field "excludes" removes texts with these strings. The field "in_json_string" escapes the
        texts as the content of a JSON string.
    """
    excludes = place.texts("excludes")
    kept = lang.intersect(language, free_text(excludes)) if excludes else language
    return spelled(kept, JSON_ESCAPES) if place.flag("in_json_string") else kept


def written_rules(graph: RuleGraph, place: TagValue) -> Mapping[str, Expression]:
    """The rules of a graph with their texts in the form that a format requires; see `written`.

    Raises UnsupportedSchemaError for schemas and tokens in a JSON string, and if several terminals in a row may spell
    an excluded string.
    """
    for mark in place.texts("excludes"):
        if _Search(graph.rules, mark).may_find(graph.start):
            reason = f"its terminals, one after the other, may spell {mark!r}"
            raise UnsupportedSchemaError(place.pointer, "excludes", reason, "change the grammar so that they can't")
    is_in_string = place.flag("in_json_string")
    if not (is_in_string or place.texts("excludes")):
        return graph.rules

    def change(leaf: Leaf) -> Expression:
        if is_in_string and isinstance(leaf, JsonDocument | TokenRef):
            what = "a schema" if isinstance(leaf, JsonDocument) else "a token"
            raise UnsupportedSchemaError(place.pointer, "in_json_string", f"{what} can't stand in a JSON string")
        return Terminal(written(leaf.language, place)) if isinstance(leaf, Terminal) else leaf

    return {name: map_leaves(rule, change) for name, rule in graph.rules.items()}


class _Search:
    """Searches the texts of rules for a mark that spans several terminals.

    rules: name -> rule.
    mark: the string to find.
    A place is the number of the mark's characters that the text so far ends with. The search ignores counts of
    repetitions, and takes any schema or token for a match. It may therefore report a mark that no text contains, but it
    never misses one.
    """

    def __init__(self, rules: Mapping[str, Expression], mark: str) -> None:
        self._rules = rules
        self._found = len(mark)
        self._steps = [{char: _next_place(mark, place, char) for char in mark} for place in range(len(mark))]
        self._others = cs.complement(cs.from_chars(mark))
        self._free = free_text([mark])
        self._of_rules: dict[tuple[str, int], frozenset[int]] = {}
        self._of_terminals: dict[tuple[Language, int], frozenset[int]] = {}
        self._num_left = _BUDGET

    def may_find(self, start: str) -> bool:
        """True if a text of the rule `start` may contain the mark. Raises
        LimitExceededError("max_automaton_states").
        """
        self._of_rules[start, 0] = frozenset()
        before = None
        while before != self._of_rules:
            before = dict(self._of_rules)
            for name, place in before:
                self._of_rules[name, place] = self._behind(self._rules[name], frozenset([place]))
        return self._found in self._of_rules[start, 0]

    def _behind(self, part: Expression, places: frozenset[int]) -> frozenset[int]:
        """The places after a part that begins at one of `places`; for a rule, only the places found so far."""
        checkpoint()
        match part:
            case Sequence(parts):
                for one in parts:
                    places = self._behind(one, places)
                return places
            case Choice(options):
                return frozenset().union(*[self._behind(one, places) for one in options])
            case CountedRepeat(child, low, _):
                return self._repeated(child, places) | (places if low == 0 else frozenset())
        return frozenset().union(*[self._behind_leaf(part, place) for place in places])

    def _repeated(self, child: Expression, places: frozenset[int]) -> frozenset[int]:
        """The places after one or more repetitions of `child`."""
        reached = self._behind(child, places)
        while not (more := self._behind(child, reached)) <= reached:
            reached |= more
        return reached

    def _behind_leaf(self, leaf: Expression, place: int) -> frozenset[int]:
        if place == self._found:
            return frozenset([place])
        if isinstance(leaf, RuleRef):
            return self._of_rules.setdefault((leaf.name, place), frozenset())
        if not isinstance(leaf, Terminal):
            return frozenset([self._found])
        key = leaf.language, place
        if key not in self._of_terminals:
            self._of_terminals[key] = self._walk(*key)
        return self._of_terminals[key]

    def _walk(self, language: Language, place: int) -> frozenset[int]:
        """The places after a terminal that begins at `place`, except for its texts that contain the whole mark."""
        pending = [(lang.intersect(language, self._free), place)]
        known = set(pending)
        while pending:
            checkpoint()
            if len(known) > self._num_left:
                raise LimitExceededError("max_automaton_states", _BUDGET, "states", "to look for excluded strings")
            rest, here = pending.pop()
            if here == self._found:
                continue
            following = set()
            for charset, target in rest.transitions():
                following |= {(target, to) for char, to in self._steps[here].items() if cs.contains(charset, ord(char))}
                following |= {(target, 0)} if cs.meets(charset, self._others) else set()
            pending += following - known
            known |= following
        self._num_left -= len(known)
        return frozenset(here for rest, here in known if rest.nullable or here == self._found)


def _next_place(mark: str, place: int, char: str) -> int:
    """The place after one more character: the length of the longest beginning of the mark that the text ends with."""
    text = mark[:place] + char
    return next(length for length in range(len(text), -1, -1) if text.endswith(mark[:length]))
