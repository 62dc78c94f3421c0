"""What the deterministic automaton of a regex will cost, found by building it here over classes of characters.

Engines that determinise a whole regex ahead of time can be made to take all memory by a pattern of twenty characters,
and can't be interrupted. `measure` walks the same construction (Thompson's NFA, then subsets in priority order, as
leftmost-first engines key their states) and stops at a limit.

It steps over classes of characters, and adds the states inside multi-byte characters for each set of them that leads to
one state. On real schemas states and entries come out within a tenth of outlines-core's.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import LimitExceededError
from ...limits import Limits
from ...regex import charset as cs
from . import utf8
from .syntax import Anchor, Chars, Node, Repeat, Sequence, Text, Union

_ALL_BYTES = (1 << 256) - 1
_ASCII_BYTES = (1 << 0x80) - 1
_CONTINUATION_BYTES = (1 << 0xC0) - (1 << 0x80)
_PAIRS_PER_STATE = 32  # a (set, interval) pair is one bit, so the partition takes less than the states may


@dataclass(frozen=True)
class AutomatonSize:
    """num_states: states over bytes. num_entries: (state, token) pairs whose first two bytes fit."""

    num_states: int
    num_entries: int


def measure(node: Node, token_starts: NDArray[np.int64], limits: Limits) -> AutomatonSize:
    """The size of the automaton of `node`, which has no anchors and is not `EMPTY`.

    token_starts: (256, 257) int64, how many tokens start with each two bytes; [b, 256] is those that are byte b alone.
    Raises LimitExceededError past `limits.max_automaton_size`, `max_index_steps` or `max_index_entries`.
    """
    classes = _CharClasses(_charsets(node), limits)
    nfa = _Nfa(classes, limits)
    nfa.start = nfa.build(node, nfa.add_match())
    return _Subsets(nfa, classes, _TokenStarts(token_starts), limits).explore()


def _charsets(node: Node) -> set[cs.CharSet]:
    """Every set that a character is tested against, anywhere in the tree (shared nodes once)."""
    found: set[cs.CharSet] = set()
    pending, seen = [node], set()
    while pending:
        node = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        match node:
            case Text(text):
                found.update(cs.single(char) for char in set(text))
            case Chars(charset):
                found.add(charset)
            case Sequence(parts) | Union(parts):
                pending.extend(parts)
            case Repeat(inner):
                pending.append(inner)
            case Anchor():
                raise AssertionError("anchors are removed before a tree is measured")
    return found


class _CharClasses:
    """The coarsest partition of characters that no set of the regex cuts. A set of classes is the bits of an int."""

    def __init__(self, charsets: set[cs.CharSet], limits: Limits) -> None:
        ordered = sorted(charsets)
        bounds = sorted({bound for charset in ordered for low, high in charset for bound in (low, high + 1)} | {0})
        if len(ordered) * len(bounds) > _PAIRS_PER_STATE * limits.max_automaton_size:
            raise LimitExceededError(
                "max_automaton_size", limits.max_automaton_size, "states", "too many sets of characters"
            )
        members = _members(ordered, bounds)
        signatures = sorted(set(members))
        class_of = {signature: i for i, signature in enumerate(signatures)}
        self.mask = {
            charset: sum(1 << i for i, signature in enumerate(signatures) if signature >> bit & 1)
            for bit, charset in enumerate(ordered)
        }
        self.char_mask = {chr(charset[0][0]): self.mask[charset] for charset in ordered if cs.is_single(charset)}
        self.intervals: list[list[tuple[int, int]]] = [[] for _ in signatures]
        for i, low in enumerate(bounds[:-1]):
            if members[i]:
                self.intervals[class_of[members[i]]].append((low, bounds[i + 1] - 1))
        self._spellings: dict[int, tuple[int, int]] = {}

    def spelling(self, classes: int) -> tuple[int, int]:
        """(first bytes as bits, number of states inside multi-byte characters) of the characters in these classes."""
        if classes not in self._spellings:
            charset = cs.from_ranges(pair for i in _bits(classes) for pair in self.intervals[i])
            self._spellings[classes] = _first_bytes(charset), utf8.num_inner_states(charset)
        return self._spellings[classes]


class _TokenStarts:
    """Counts tokens by the sets of bytes that their first two bytes are in; a set of bytes is the bits of an int."""

    def __init__(self, token_starts: NDArray[np.int64]) -> None:
        self.table = token_starts
        self.num_tokens = int(token_starts.sum())
        self._known: dict[tuple[int, int], int] = {}

    def count(self, first: int, second: int) -> int:
        """Tokens with a first byte in `first` that end there or go on with a byte in `second`."""
        if (first, second) not in self._known:
            rows = self.table[_bits(first)]
            self._known[first, second] = int(rows[:, [*_bits(second), 256]].sum())
        return self._known[first, second]


def _members(charsets: list[cs.CharSet], bounds: list[int]) -> list[int]:
    """For each interval between two bounds, as bits: which of the sets hold it."""
    members = [0] * len(bounds)
    for bit, charset in enumerate(charsets):
        for low, high in charset:
            for i in range(bisect_right(bounds, low) - 1, bisect_right(bounds, high)):
                members[i] |= 1 << bit
    return members


def _first_bytes(charset: cs.CharSet) -> int:
    """The bytes that UTF-8 characters of the set start with, as bits."""
    mask = 0
    for low, high in charset:
        mask |= (1 << utf8.first_byte(high) + 1) - (1 << utf8.first_byte(low))
    return mask


class _Nfa:
    """Thompson's construction. State i reads a character of the classes `masks[i]` and goes to `nexts[i]`; where
    `masks[i]` is 0 it goes to all of `splits[i]` without reading, in that order of priority (none: the match)."""

    def __init__(self, classes: _CharClasses, limits: Limits) -> None:
        self.classes = classes
        self.max_size = limits.max_automaton_size
        self.masks: list[int] = []
        self.nexts: list[int] = []
        self.splits: dict[int, list[int]] = {}
        self.match = self.start = 0

    def add(self, mask: int, next_state: int) -> int:
        state = len(self.masks)
        if state >= self.max_size:
            detail = "written out, the regex is too long"
            raise LimitExceededError("max_automaton_size", self.max_size, "states", detail)
        self.masks.append(mask)
        self.nexts.append(next_state)
        return state

    def add_split(self, targets: list[int]) -> int:
        state = self.add(0, 0)
        self.splits[state] = targets
        return state

    def add_match(self) -> int:
        self.match = self.add_split([])
        return self.match

    def build(self, node: Node, end: int) -> int:
        """Add the states of `node`, followed by state `end`; return its first state."""
        match node:
            case Text(text):
                for char in reversed(text):
                    end = self.add(self.classes.char_mask[char], end)
                return end
            case Chars(charset):
                return self.add(self.classes.mask[charset], end)
            case Sequence(parts):
                for part in reversed(parts):
                    end = self.build(part, end)
                return end
            case Union(parts):
                return self.add_split([self.build(part, end) for part in parts])
            case Repeat(inner, low, high):
                start = self.build_loop(inner, end) if high is None else self.build_optional(inner, high - low, end)
                for _ in range(low):
                    start = self.build(inner, start)
                return start
            case Anchor():
                raise AssertionError("anchors are removed before a tree is measured")

    def build_loop(self, node: Node, end: int) -> int:
        loop = self.add_split([])
        self.splits[loop] = [self.build(node, loop), end]
        return loop

    def build_optional(self, node: Node, count: int, end: int) -> int:
        start = end
        for _ in range(count):
            start = self.add_split([self.build(node, start), end])
        return start


class _Subsets:
    """The subset construction. A subset: the tuple of its NFA states that read a character (or match), by priority."""

    def __init__(self, nfa: _Nfa, classes: _CharClasses, tokens: _TokenStarts, limits: Limits) -> None:
        self.nfa = nfa
        self.classes = classes
        self.tokens = tokens
        self.limits = limits
        self.work = len(nfa.masks)
        self.num_states = self.num_entries = 0

    def explore(self) -> AutomatonSize:
        start = self.closure((self.nfa.start,))
        seen, pending = {start}, [start]
        while pending:
            for after in self.visit(pending.pop()):
                if after not in seen:
                    seen.add(after)
                    pending.append(after)
        return AutomatonSize(self.num_states, self.num_entries)

    def visit(self, subset: tuple[int, ...]) -> list[tuple[int, ...]]:
        """Count the states and entries of a subset; return the subsets after one character."""
        subsets_after = []
        self.num_states += 1
        for states, classes in self.moves(subset).items():
            first_bytes, num_inner = self.classes.spelling(classes)
            after = self.closure(states)
            subsets_after.append(after)
            self.num_states += num_inner
            self.spend(num_inner)
            self.num_entries += self.count_entries(first_bytes, num_inner, after)
        self.check_limits()
        return subsets_after

    def moves(self, subset: tuple[int, ...]) -> dict[tuple[int, ...], int]:
        """NFA states after one character -> the classes of characters that lead to them."""
        edges = [(self.nfa.masks[state], self.nfa.nexts[state]) for state in subset if self.nfa.masks[state]]
        classes_of: dict[tuple[int, ...], int] = {}
        alphabet = self.alphabet(subset)
        self.spend(len(edges) * alphabet.bit_count())
        for class_index in _bits(alphabet):
            states = tuple(target for mask, target in edges if mask >> class_index & 1)
            classes_of[states] = classes_of.get(states, 0) | 1 << class_index
        return classes_of

    def alphabet(self, subset: tuple[int, ...]) -> int:
        """The classes of characters that a subset reads."""
        alphabet = 0
        for state in subset:
            alphabet |= self.nfa.masks[state]
        return alphabet

    def count_entries(self, first_bytes: int, num_inner: int, after: tuple[int, ...]) -> int:
        """Entries of tokens that start with one of these bytes and go on in `after`, and those of inner states."""
        next_bytes, _ = self.classes.spelling(self.alphabet(after))
        ascii_entries = self.tokens.count(first_bytes & _ASCII_BYTES, next_bytes)
        lead_entries = self.tokens.count(first_bytes & ~_ASCII_BYTES, _CONTINUATION_BYTES)
        return ascii_entries + lead_entries + num_inner * self.tokens.count(_CONTINUATION_BYTES, _ALL_BYTES)

    def spend(self, steps: int) -> None:
        self.work += steps
        if self.work > self.limits.max_automaton_size:
            raise LimitExceededError("max_automaton_size", self.limits.max_automaton_size, "states")

    def check_limits(self) -> None:
        if self.num_entries > self.limits.max_index_entries:
            raise LimitExceededError("max_index_entries", self.limits.max_index_entries, "entries")
        if self.num_states * self.tokens.num_tokens > self.limits.max_index_steps:
            raise LimitExceededError("max_index_steps", self.limits.max_index_steps, "steps")

    def closure(self, states: tuple[int, ...]) -> tuple[int, ...]:
        """The states that read a character (or match) and can be reached from `states` without reading, by priority."""
        masks, splits, match = self.nfa.masks, self.nfa.splits, self.nfa.match
        reading: list[int] = []
        seen: set[int] = set()
        stack = list(reversed(states))
        while stack:
            state = stack.pop()
            if state in seen:
                continue
            seen.add(state)
            if masks[state] or state == match:
                reading.append(state)
            else:
                stack.extend(reversed(splits[state]))
        self.spend(len(seen) + 1)
        return tuple(reading)


def _bits(mask: int) -> list[int]:
    """The positions of the bits of `mask` that are 1."""
    positions = []
    while mask:
        lowest = mask & -mask
        positions.append(lowest.bit_length() - 1)
        mask ^= lowest
    return positions
