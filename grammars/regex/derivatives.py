"""Compute transitions of Languages: Brzozowski derivatives for whole sets of characters at once.

J. Brzozowski, Derivatives of Regular Expressions (JACM 1964); sets of characters as in S. Owens, J. Reppy, A. Turon,
Regular-expression derivatives re-examined (2009). Importing this module installs the rules in nodes.py.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from . import ranges
from .charset import MAX_CODE_POINT, CharSet
from .constructors import complement, intersect_lazily, machine, prepend, repeat, union
from .nodes import (
    ANYTHING,
    EMPTY_TEXT,
    MAX_CANONICAL_WORDS,
    NOTHING,
    Chars,
    Complement,
    Concat,
    Intersection,
    Language,
    MachineLanguage,
    Repeat,
    Transitions,
    Union,
    Words,
    install,
    word_range,
)


def _needs(node: Language) -> tuple[Language, ...]:
    """Return the nodes whose transitions `_derive(node)` reads."""
    if type(node) is Concat:
        return _heads(node) if node.head.nullable else (node.head,)
    return node.parts


def _derive(node: Language) -> Transitions:
    """Return the node's transitions. The transitions of `_needs(node)` must be known."""
    if type(node) is Chars:
        return ((node.charset, EMPTY_TEXT),)
    if type(node) is Words:
        return _of_words(node)
    if type(node) is Concat:
        return _of_concat(node)
    if type(node) is Repeat:
        return _of_repeat(node)
    if type(node) is Union:
        return _joined([part.transitions() for part in node.parts])
    if type(node) is Intersection:
        cells = ranges.overlay([part.transitions() for part in node.parts], len(node.parts))
        return _grouped([(charset, intersect_lazily(*targets)) for charset, targets in cells])
    if type(node) is Complement:
        return _of_complement(node)
    assert type(node) is MachineLanguage
    return _grouped(
        [
            (charset, target if isinstance(target, Language) else machine(target))
            for charset, target in node.machine.transitions()
        ]
    )


def _grouped(pairs: Iterable[tuple[CharSet, Language]]) -> Transitions:
    """Merge transitions with the same target and drop those to NOTHING.

    pairs: disjoint sets with their targets.
    """
    by_target: dict[Language, list[CharSet]] = {}
    for charset, target in pairs:
        if target in by_target:
            by_target[target].append(charset)
        elif target is not NOTHING and charset:
            by_target[target] = [charset]
    return tuple([(ranges.join(sets), target) for target, sets in by_target.items()])


def _of_words(node: Words) -> Transitions:
    words, depth, high = node.table.words, node.depth, node.high
    start = node.low + node.nullable
    pairs: list[tuple[CharSet, Language]] = []
    prefix = words[start][:depth] if start < high else ""
    is_small = high - start <= MAX_CANONICAL_WORDS
    while start < high:
        code = ord(words[start][depth])
        if is_small:
            end = start + 1
            while end < high and ord(words[end][depth]) == code:
                end += 1
        else:
            end = bisect_left(words, prefix + chr(code + 1), start, high) if code < MAX_CODE_POINT else high
        pairs.append((((code, code),), word_range(node.table, start, end, depth + 1)))
        start = end
    return _grouped(pairs)


def _heads(node: Language) -> tuple[Language, ...]:
    """Return the parts of a sequence that its first character can be in."""
    heads = []
    while type(node) is Concat:
        heads.append(node.head)
        if not node.head.nullable:
            return tuple(heads)
        node = node.tail
    return (*heads, node)


def _of_concat(node: Concat) -> Transitions:
    if not node.head.nullable:
        return _followed_by(node.head, node.tail)
    partitions = []
    rest: Language = node
    while type(rest) is Concat:
        partitions.append(_followed_by(rest.head, rest.tail))
        if not rest.head.nullable:
            return _joined(partitions)
        rest = rest.tail
    partitions.append(rest.transitions())
    return _joined(partitions)


def _followed_by(head: Language, tail: Language) -> Transitions:
    """Return the transitions of the head, each target followed by the tail."""
    inner = head.transitions()
    if len(inner) == 1:
        charset, target = inner[0]
        return ((charset, prepend(target, tail)),)
    return _grouped([(charset, prepend(target, tail)) for charset, target in inner])


def _joined(partitions: Sequence[Transitions]) -> Transitions:
    """Return the transitions of a union."""
    cells = ranges.overlay(partitions, 1)
    return _grouped([(charset, targets[0] if len(targets) == 1 else union(*targets)) for charset, targets in cells])


def _of_repeat(node: Repeat) -> Transitions:
    high = None if node.high is None else node.high - 1
    rest = repeat(node.child, max(node.low - 1, 0), high)
    return _followed_by(node.child, rest)


def _of_complement(node: Complement) -> Transitions:
    inner = node.child.transitions()
    others = ranges.others([charset for charset, _ in inner])
    return _grouped([*[(charset, complement(target)) for charset, target in inner], (others, ANYTHING)])


install(_needs, _derive)
