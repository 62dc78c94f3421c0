"""Strings that the texts of rules must not contain.

Each terminal loses the texts that contain such a string. The result is exact unless several terminals in a row may
spell a string together: `spelled_by_several` finds this out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import cache

from ..errors import LimitExceededError, UnsupportedGrammarError
from ..regex import algebra as lang
from ..regex import charset as cs
from ..regex.algebra import Language
from ..regex.emptiness import last_characters
from ..regex.free_text import free_text
from ..vocabulary import Vocabulary
from ..watch import checkpoint, paced
from .expressions import (
    EMPTY,
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

_BUDGET = 20_000
"""Maximum number of states of terminals that one search visits. About 20 us each."""

_MAX_TOKENS = 64
"""Maximum number of named tokens with a text at one place beside banned substrings."""

Place = Language
"""The texts that may follow without a banned string, after the text so far; NOTHING after a banned string."""

_FOUND = lang.NOTHING


def without_substrings(graph: RuleGraph, banned: tuple[str, ...], vocabulary: Vocabulary) -> RuleGraph:
    """Return the rules of the texts in which no banned string occurs.

    In a JSON document, string values and keys contain none. The text between two documents contains none either.

    Raises:
        UnsupportedGrammarError: if several terminals and named tokens in a row may spell a banned string. Also for more
            than 64 tokens with a text at one place, and for a token whose text is not UTF-8.
        LimitExceededError: "states_of_excluded_strings".
    """

    def searched(leaf: Leaf) -> Expression:
        """Return a leaf for the search, which knows no tokens and no documents that may be the empty text."""
        if isinstance(leaf, TokenRef):
            return Terminal(lang.words(_texts(leaf, vocabulary).values()))
        is_styled = isinstance(leaf, JsonDocument) and leaf.spec.styled is not None
        return Choice((leaf, EMPTY)) if is_styled else leaf

    found = spelled_by_several(_mapped(graph, searched), banned, documents_separate=True)
    if found is not None:
        raise UnsupportedGrammarError(
            f"banned_substrings beside JSON documents: parts of the grammar may spell {found!r} together; change the "
            "grammar so that they can't"
        )
    free = free_text(banned)

    def change(leaf: Leaf) -> Expression:
        if isinstance(leaf, JsonDocument):
            return replace(leaf, spec=replace(leaf.spec, banned_substrings=banned))
        if isinstance(leaf, TokenRef):
            texts = _texts(leaf, vocabulary).items()
            return replace(
                leaf, token_ids=frozenset([token_id for token_id, text in texts if lang.matches(free, text)])
            )
        return Terminal(lang.intersect(leaf.language, free)) if isinstance(leaf, Terminal) else leaf

    return _mapped(graph, change)


def _mapped(graph: RuleGraph, change: Callable[[Leaf], Expression]) -> RuleGraph:
    return replace(graph, rules={name: map_leaves(rule, change) for name, rule in graph.rules.items()})


def _texts(token: TokenRef, vocabulary: Vocabulary) -> dict[int, str]:
    """Token id -> text of that token. Raises UnsupportedGrammarError."""
    tokens = {token_id: vocabulary.tokens[token_id] or b"" for token_id in token.token_ids}
    num_texts = sum(map(bool, tokens.values()))
    if num_texts > _MAX_TOKENS:
        raise _not_searched(f"a set of {num_texts} tokens; the maximum is {_MAX_TOKENS}")
    try:
        return {token_id: text.decode() for token_id, text in tokens.items()}
    except UnicodeDecodeError:
        raise _not_searched("a token that is a part of a character") from None


def _not_searched(what: str) -> UnsupportedGrammarError:
    problem = f"banned_substrings beside JSON documents can't be applied to {what}"
    return UnsupportedGrammarError(f"{problem}; use text instead of tokens")


def spelled_by_several(graph: RuleGraph, strings: Iterable[str], *, documents_separate: bool) -> str | None:
    """Return a string that several terminals in a row may spell together; None if there is none.

    The search ignores counts of repetitions. It may therefore find a string that no text contains. A string that a text
    contains across terminals is always found.

    documents_separate: True: a document separates the texts before and after it, and there are no tokens. False: a
        document or token may be any text.

    Raises LimitExceededError("states_of_excluded_strings").
    """
    for string in _Boundaries(graph.rules, documents_separate).across(graph.start, tuple(strings)):
        if _Search(graph.rules, string, documents_separate).may_find(graph.start):
            return string
    return None


class _Boundaries:
    """Finds the characters on both sides of the boundaries between terminals. No other string lies across one.

    PERF: words of letters rarely lie across one. 2,000 words beside 20 tags take 0.1 s; `_Search` for all took minutes.
    """

    def __init__(self, rules: Mapping[str, Expression], documents_separate: bool) -> None:
        self._rules = rules
        self._documents_separate = documents_separate
        self._before: dict[str, cs.CharSet] = {}  # rule -> last characters of the texts before it
        self._behind: dict[str, cs.CharSet] = {}  # rule -> last characters of the texts up to its end
        self._of_terminals: dict[Language, tuple[cs.CharSet, cs.CharSet]] = {}
        self._found: set[tuple[cs.CharSet, cs.CharSet]] = set()
        self._may_be_any = False  # True if a document or token may be any text

    def across(self, start: str, strings: Collection[str]) -> list[str]:
        """Return the strings that may lie across a boundary, or in a document or token of any text."""
        self._before[start] = ()
        known = None
        while known != (self._before, self._behind):
            known = dict(self._before), dict(self._behind)
            for name in known[0]:
                self._behind[name] = self._after(self._rules[name], self._before[name])

        @cache
        def may_part(first: str, second: str) -> bool:
            return any(
                cs.contains(ends, ord(first)) and cs.contains(begins, ord(second)) for ends, begins in self._found
            )

        return [one for one in paced(strings) if self._may_be_any or any(map(may_part, one, one[1:]))]

    def _after(self, part: Expression, before: cs.CharSet) -> cs.CharSet:
        """The last characters of the texts up to the end of a part. before: those of the texts before it."""
        checkpoint()
        match part:
            case Sequence(parts):
                for one in parts:
                    before = self._after(one, before)
                return before
            case Choice(options):
                return cs.union(*[self._after(one, before) for one in options])
            case CountedRepeat(child, low, _):
                reached = self._after(child, before)
                while (more := cs.union(reached, self._after(child, reached))) != reached:
                    reached = more
                return reached if low else cs.union(reached, before)
            case RuleRef(name):
                self._before[name] = cs.union(self._before.get(name, ()), before)
                return self._behind.get(name, ())
            case Terminal(language):
                begins, ends = self._edges(language)
                self._found.add((before, begins))
                return cs.union(ends, before) if language.nullable else ends
        self._may_be_any |= not self._documents_separate
        return ()

    def _edges(self, language: Language) -> tuple[cs.CharSet, cs.CharSet]:
        """The characters that the texts of a terminal begin with and end with."""
        if language not in self._of_terminals:
            begins = cs.union(*[chars for chars, _ in language.transitions()])
            self._of_terminals[language] = begins, last_characters(language)
        return self._of_terminals[language]


class _Search:
    """Searches the texts of rules for a string that spans several terminals.

    rules: name -> rule.
    string: the string to find.
    documents_separate: see `spelled_by_several`.
    """

    def __init__(self, rules: Mapping[str, Expression], string: str, documents_separate: bool) -> None:
        self._rules = rules
        self._start = free_text([string])
        self._documents_separate = documents_separate
        self._of_rules: dict[tuple[str, Place], frozenset[Place]] = {}
        self._of_terminals: dict[tuple[Language, Place], frozenset[Place]] = {}
        self._num_left = _BUDGET

    def may_find(self, start: str) -> bool:
        """True if a text of the rule `start` may contain the string. Raises
        LimitExceededError("states_of_excluded_strings").
        """
        self._of_rules[start, self._start] = frozenset()
        before = None
        while before != self._of_rules:
            before = dict(self._of_rules)
            for name, place in before:
                self._of_rules[name, place] = self._behind(self._rules[name], frozenset([place]))
        return _FOUND in self._of_rules[start, self._start]

    def _behind(self, part: Expression, places: frozenset[Place]) -> frozenset[Place]:
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

    def _repeated(self, child: Expression, places: frozenset[Place]) -> frozenset[Place]:
        """The places after one or more repetitions of `child`."""
        reached = self._behind(child, places)
        while not (more := self._behind(child, reached)) <= reached:
            reached |= more
        return reached

    def _behind_leaf(self, leaf: Expression, place: Place) -> frozenset[Place]:
        if place is _FOUND:
            return frozenset([place])
        if isinstance(leaf, RuleRef):
            return self._of_rules.setdefault((leaf.name, place), frozenset())
        if isinstance(leaf, JsonDocument | TokenRef):
            return frozenset([self._start if self._documents_separate else _FOUND])
        assert isinstance(leaf, Terminal)
        key = leaf.language, place
        if key not in self._of_terminals:
            self._of_terminals[key] = self._walk(*key)
        return self._of_terminals[key]

    def _walk(self, language: Language, place: Place) -> frozenset[Place]:
        """The places after a terminal that begins at `place`, except for its texts that contain the whole string."""
        pending = [(lang.intersect(language, self._start), place)]
        known = set(pending)
        while pending:
            checkpoint()
            if len(known) > self._num_left:
                detail = "to find out whether parts of the grammar spell an excluded string together"
                raise LimitExceededError("states_of_excluded_strings", _BUDGET, "states", detail)
            rest, here = pending.pop()
            if here is _FOUND:
                continue
            following = {
                (target, to)
                for charset, target in rest.transitions()
                for chars, to in _with_found(here)
                if cs.meets(charset, chars)
            }
            pending += following - known
            known |= following
        self._num_left -= len(known)
        return frozenset(here for rest, here in known if rest.nullable or here is _FOUND)


def _with_found(place: Place) -> list[tuple[cs.CharSet, Place]]:
    """The sets of characters that may follow a place, each with the place after them."""
    found = list(place.transitions())
    return [*found, (cs.complement(cs.union(*[chars for chars, _ in found])), _FOUND)]
