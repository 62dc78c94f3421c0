"""Answer questions about Languages by walking their derivatives: emptiness, a member, counts, Venn cells.

All answers are exact. A walk that would visit more states than its budget raises LimitExceededError.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from heapq import heappop, heappush

from ..errors import LimitExceededError
from ..watch import checkpoint
from . import charset as cs
from .constructors import difference, intersect, intersect_lazily, words
from .nodes import (
    ANY_CHAR,
    ANYTHING,
    NOTHING,
    Chars,
    Complement,
    Concat,
    Intersection,
    Language,
    MachineLanguage,
    Repeat,
    Union,
    Words,
    sequence_of,
)

DEFAULT_BUDGET = 20_000
"""States that a question may visit when its caller has no limit; a state costs about 10-50 us."""

MANY_WORDS = 1000
"""`num_words` counts up to this."""

_LONGEST_WORD = 10_000_000
"""Maximum number of characters of a repetition in a text of `find_word`."""

_MANY_ENDS = 100  # number of words or parts of a union up to which their last characters are found
_MOST_TAKEN_APART = 1000  # maximum number of parts into which `_taken_apart` splits an intersection
_MAX_NESTED_SEARCHES = 40
"""Emptiness searches inside each other; a part beyond that is decided by its derivatives."""


def is_empty(language: Language, budget: int | None = None) -> bool:
    """Return True if no text is in the Language. The node keeps the answer.

    budget: the caller's `Limits.max_automaton_states`; None: DEFAULT_BUDGET.
    Raises LimitExceededError when the answer needs more states.
    """
    known = language._is_empty
    if known is None:
        known = _decide(language, budget, set())
        assert known is not None
    return known


def find_word(language: Language, budget: int | None = None) -> str | None:
    """Return a shortest text of the Language, in printable ASCII where possible; None for an empty Language.

    Raises LimitExceededError if the text is too long, or the search too large.
    """
    if language.nullable:
        return ""
    if language.is_plain and language is not NOTHING:
        return _plain_word(language, {})
    origins: dict[Language, tuple[Language, str]] = {}
    queue = deque([language])
    while queue:
        node = queue.popleft()
        for charset, target in node.transitions():
            if target is language or target in origins or target._is_empty:
                continue
            origins[target] = (node, _readable(charset))
            if target.nullable:
                return _spell(target, origins)
            queue.append(target)
            _check(len(origins), budget, "looking for a text of a language")
    language._is_empty = True
    return None


def _plain_word(language: Language, known: dict[Language, str]) -> str:
    """Return what `find_word` returns, for a plain expression, without a walk.

    known: the texts of the parts so far.
    """
    if language.nullable:
        return ""
    if language not in known:
        if type(language) is Chars:
            known[language] = _readable(language.charset)
        elif type(language) is Words:
            known[language] = min(language.sorted_words, key=len)
        elif type(language) is Repeat:
            part = _plain_word(language.child, known)
            if len(part) * language.low > _LONGEST_WORD:
                raise LimitExceededError("shortest_text", _LONGEST_WORD, "characters", "of a repetition")
            known[language] = part * language.low
        elif type(language) is Union:
            known[language] = min([_plain_word(part, known) for part in language.parts], key=len)
        else:
            known[language] = "".join([_plain_word(part, known) for part in sequence_of(language)])
    return known[language]


def count_words(language: Language, cap: int) -> int:
    """Return how many texts the Language has; `cap` for that many, more, or infinitely many."""
    if type(language) is Words:
        return min(cap, language.high - language.low)
    if language.is_plain and language.max_length is None:
        return cap
    total, length = int(language.nullable), 0
    layer = {} if is_empty(language) else {language: 1}
    seen: set[Language] = set(layer)
    while layer and total < cap:
        following: dict[Language, int] = {}
        for node, count in layer.items():
            for charset, target in node.transitions():
                if target is node:
                    return cap  # every state leads to a text
                if not is_empty(target):
                    following[target] = following.get(target, 0) + count * cs.size(charset)
        layer = following
        length += 1
        seen.update(layer)
        _check(len(seen), None, "counting the texts of a language")
        if layer and length >= len(seen):
            return cap  # a path longer than the number of states has a cycle
        total += sum([count for node, count in layer.items() if node.nullable])
    return min(total, cap)


def num_words(language: Language) -> int:
    """Return how many words a Language has, at most `MANY_WORDS`."""
    if language.is_transient:
        has_many = getattr(language.machine, "has_many", None) if type(language) is MachineLanguage else None
        is_many = has_many is not None and has_many(language, MANY_WORDS)
        return MANY_WORDS if is_many else count_words(language, MANY_WORDS)
    return MANY_WORDS if language is ANYTHING else _num_words(language)


@lru_cache(maxsize=4096)
def _num_words(language: Language) -> int:
    return count_words(language, MANY_WORDS)


def has_word(language: Language, excluded: frozenset[str]) -> bool:
    """True if a Language has a word outside a finite set."""
    if num_words(language) > len(excluded) or count_words(language, len(excluded) + 1) > len(excluded):
        return True
    return not is_empty(difference(language, words(excluded)))


def split(languages: Sequence[Language], *, within: Language = ANYTHING) -> list[tuple[tuple[bool, ...], Language]]:
    """Return the non-empty cells of the Venn diagram of the Languages, each with its memberships.

    within: Language, ANYTHING; the diagram covers the texts of this Language.
    Raises LimitExceededError when there are more than DEFAULT_BUDGET cells, or a cell takes more states to decide.
    """
    cells: list[tuple[tuple[bool, ...], Language]] = [] if is_empty(within) else [((), within)]
    for language in languages:
        halves = [
            (membership + (side,), part)
            for membership, cell in cells
            for side, part in ((True, intersect(cell, language)), (False, difference(cell, language)))
        ]
        cells = [half for half in halves if not is_empty(half[1])]
        _check(len(cells), None, "cells of overlapping languages")
    return cells


def _check(num_states: int, budget: int | None, detail: str) -> None:
    checkpoint()
    if budget is None and num_states > DEFAULT_BUDGET:
        raise LimitExceededError("states_of_languages", DEFAULT_BUDGET, "states", detail)
    if budget is not None and num_states > budget:
        raise LimitExceededError("max_automaton_states", budget, "states", detail)


def _decide(language: Language, budget: int | None, active: set[Language]) -> bool | None:
    """Return whether a Language is empty.

    active: the Languages that are being decided.
    Returns None for a Language in `active`, and when `active` has _MAX_NESTED_SEARCHES Languages.
    """
    if language._is_empty is not None:
        return language._is_empty
    if language in active or len(active) >= _MAX_NESTED_SEARCHES:
        return None
    active.add(language)
    known = _by_structure(language, budget, active)
    if known is None:
        known = _by_search(language, budget, active)
    active.discard(language)
    language._is_empty = known
    return known


def _by_structure(language: Language, budget: int | None, active: set[Language]) -> bool | None:
    """Return whether a Language is empty, as far as the parts tell; None when only a search can."""
    if type(language) is Concat:
        answers = [_decide(part, budget, active) for part in sequence_of(language)]
        return True if True in answers else None if None in answers else False
    if type(language) is Union:
        answers = [_decide(part, budget, active) for part in language.parts]
        return False if False in answers else None if None in answers else True
    if type(language) is Repeat:
        return _decide(language.child, budget, active)  # low > 0, because the repeat is not nullable
    if type(language) is Intersection:
        if not language.nullable and not last_characters(language):
            return True
        known = _of_pair(*language.parts) if len(language.parts) == 2 else None
        return _of_machines(language) if known is None and language.is_transient else known
    return None


def last_characters(language: Language) -> cs.CharSet:
    """Return the characters that non-empty texts of the Language may end with, and perhaps more."""
    if type(language) is Chars:
        return language.charset
    if type(language) is Words:
        few = language.sorted_words if language.high - language.low <= _MANY_ENDS else []
        return cs.from_chars({word[-1] for word in few if word}) if few else cs.ALL
    if type(language) is Repeat:
        return last_characters(language.child)
    if type(language) is Union and len(language.parts) <= _MANY_ENDS:
        return cs.union(*map(last_characters, language.parts))
    if type(language) is Intersection:
        return functools.reduce(cs.intersection, map(last_characters, language.parts))
    if type(language) is Concat:
        parts = sequence_of(language)
        needed = next((number for number in range(len(parts) - 1, -1, -1) if not parts[number].nullable), 0)
        return cs.union(*map(last_characters, parts[needed:]))
    return cs.ALL


def _of_machines(language: Intersection) -> bool | None:
    """Return whether an intersection is empty, when one of its machines knows; else None."""
    for part in language.parts:
        find = getattr(part.machine, "has_text", None) if type(part) is MachineLanguage else None
        has_text: bool | None = None if find is None else find(language)
        if has_text is not None:
            return not has_text
    return None


def _of_pair(first: Language, second: Language) -> bool | None:
    """Return False if one part excludes only some texts of the other, by length, characters or finite exceptions.

    None: unknown.
    """
    for part, other in ((first, second), (second, first)):
        if type(part) is Repeat and part.child is ANY_CHAR:
            if other.is_dense:
                return False  # the intervals of lengths overlap, or the intersection would be NOTHING
            if part.high is None and other.is_plain and other.max_length is None:
                return False  # the other part has texts of unbounded length
        if type(part) is Repeat and type(part.child) is Chars and part.low == 0 and part.high is None:
            found = _has_text_of(other, part.child.charset)
            if found:
                return False
        if type(part) is Complement and type(part.child) is Words and other.is_plain and other.max_length is None:
            return False
    return None


def _has_text_of(language: Language, chars: cs.CharSet) -> bool:
    """True if the structure shows that a Language has a text of some characters only."""
    if language.nullable:
        return True
    if type(language) is Chars:
        return cs.meets(language.charset, chars)
    if type(language) is Concat:
        return all(_has_text_of(part, chars) for part in sequence_of(language))
    if type(language) is Union:
        return any(_has_text_of(part, chars) for part in language.parts)
    return type(language) is Repeat and _has_text_of(language.child, chars)


def _by_search(language: Language, budget: int | None, active: set[Language]) -> bool:
    """Return whether a Language is empty, by a search that visits in turn the oldest node and the node nearest to an
    end.

    The nearest nodes find long texts, such as a minimum length or several patterns demand. `min_length` tells which
    node is nearest; among equals the newest is. The search splits unions, also in intersections, and so visits partial
    derivatives. An expression has few of these (V. Antimirov, Partial derivatives of regular expressions, 1996).
    """
    origins: dict[Language, Language | None] = {language: None}
    queue = deque([language])
    nearest = [(language.min_length, 0, language)]
    visited: set[Language] = set()
    for turn in itertools.count():
        if len(visited) == len(origins):
            break
        waiting = queue if turn % 2 else nearest
        if not waiting:
            continue
        node = queue.popleft() if turn % 2 else heappop(nearest)[2]
        if node in visited:
            continue
        visited.add(node)
        for target in itertools.chain.from_iterable([_taken_apart(target) for _, target in node.transitions()]):
            if target in origins:
                continue
            known = target._is_empty if target._is_empty is not None else _by_structure(target, budget, active)
            if known is False:
                _mark_alive(node, origins)
                target._is_empty = False
                return False
            if known is None:
                origins[target] = node
                queue.append(target)
                heappush(nearest, (target.min_length, -len(origins), target))
                _check(len(origins), budget, "deciding whether a language is empty")
    for node in origins:
        node._is_empty = True
    return True


def _taken_apart(language: Language) -> list[Language]:
    """Return Languages with this Language as their union; unions inside intersections are split when the parts are
    few.
    """
    if type(language) is Union:
        return list(itertools.chain.from_iterable(map(_taken_apart, language.parts)))
    if type(language) is not Intersection:
        return [language]
    choices = [part.parts if type(part) is Union else (part,) for part in language.parts]
    if not 1 < math.prod(map(len, choices)) <= _MOST_TAKEN_APART:
        return [language]
    return [one for parts in itertools.product(*choices) if (one := intersect_lazily(*parts)) is not NOTHING]


def _mark_alive(node: Language | None, origins: dict[Language, Language | None]) -> None:
    while node is not None:
        node._is_empty = False
        node = origins[node]


def _readable(charset: tuple[tuple[int, int], ...]) -> str:
    """Return a member; a letter or digit when there is one, else another printable character when there is one."""
    for wanted in (((97, 122),), ((48, 57),), ((65, 90),), ((33, 126),), ((32, 32),)):
        common = cs.intersection(charset, wanted)
        if common:
            return chr(common[0][0])
    return chr(charset[0][0])


def _spell(target: Language, origins: dict[Language, tuple[Language, str]]) -> str:
    letters = []
    node: Language | None = target
    while node in origins:
        node, char = origins[node]
        letters.append(char)
    return "".join(reversed(letters))
