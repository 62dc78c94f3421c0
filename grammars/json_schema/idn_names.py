"""`InternationalName`: a machine of internationalized host names. It combines a small table with counters of lengths.

The table is the minimal automaton of the rules about characters, found by Moore's refinement of partitions (1956). It
reads kinds of characters: the rules treat all characters of a kind alike. A state also holds an upper bound on the
octets of the labels as A-labels. It keeps room for characters that must still follow, such as a letter after a hyphen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from ..regex import algebra as lang
from ..regex import charset, ranges
from ..regex.charset import CharSet
from ..watch import checkpoint
from .format_hosts import MAX_LABEL, MAX_NAME
from .idn_lengths import BLOCKS, MIXED, joined, longest_encoding

ASCII, DOT = -1, -2
"""Values that stand for a block: for ASCII characters, and for dots."""

_SHORT, _ROUNDED_TO = 4, 8
"""Octets to which the length of a label with its dot is rounded up, to keep the number of states small: up to _SHORT,
then to multiples of _ROUNDED_TO.
"""

_MOST_MIXED = 6
"""Number of characters beyond ASCII after which a label can't begin to mix blocks that only ANYWHERE contains."""

_FAR = 128
"""Octets of earlier labels after which a label may have ASCII characters only."""


class Kind(NamedTuple):
    """Characters of one block that the rules treat alike.

    block: index into BLOCKS, ASCII or DOT.
    """

    chars: CharSet
    block: int


class Kinds:
    """The kinds of characters that some sets and the blocks distinguish.

    sets: name -> set; the set "dot" has the characters that separate labels.
    all: attribute; the kinds.
    letters: attribute; one code point for each kind. Kinds that differ only in the block share one.
    representatives: attribute; the same sets, restricted to `letters`.
    """

    def __init__(self, sets: Mapping[str, CharSet]) -> None:
        blocks = [(low, high, index) for index, (low, high) in enumerate(BLOCKS)]
        by_block = ranges.overlay([[(((low, high),), index)] for low, high, index in blocks], 1)
        smallest = [(chars, min(found, key=_width)) for chars, found in by_block]
        cells = ranges.overlay([[(chars, name)] for name, chars in sets.items()], 1)
        found: dict[tuple[frozenset[str], int], list[CharSet]] = defaultdict(list)
        for chars, names in cells:
            if "dot" in names:
                found[frozenset(names), DOT].append(chars)
                continue
            for part, targets in ranges.overlay([[(chars, -1)], smallest], 1):
                if -1 in targets:
                    block = max(targets)
                    found[frozenset(names), ASCII if block < 0 else block].append(part)
        self.all = [Kind(charset.union(*parts), block) for (_, block), parts in found.items()]
        first = {names: parts[0][0][0] for (names, _), parts in found.items()}
        self.letters = [first[names] for names, _ in found]
        self.representatives = {
            name: charset.from_ranges((code, code) for names, code in first.items() if name in names) for name in sets
        }


def _width(block: int) -> int:
    return BLOCKS[block][1] - BLOCKS[block][0]


class Table:
    """The automaton of names without the rules about lengths. State 0 is the start.

    kinds: the kinds of characters, by number.
    steps: [state][kind]: the next state.
    accepting: states in which a name may end.
    after: attribute; [state]: kind of the first character of a shortest rest; None if the name may end here.
    num_left: attribute; [state]: number of characters of a shortest rest.
    """

    def __init__(self, kinds: list[Kind], steps: list[dict[int, int]], accepting: frozenset[int]) -> None:
        self.kinds = kinds
        self.steps = steps
        self.accepting = accepting
        self.after: list[int | None] = [None] * len(steps)
        self.num_left = [0 if state in accepting else len(steps) for state in range(len(steps))]
        self._find_rests()
        self.most_left = max(self.num_left)
        self.partition = tuple([kind.chars for kind in kinds])
        self.union = cache(lambda numbers: charset.union(*[kinds[number].chars for number in numbers]))
        self.options = cache(self._options)

    def _find_rests(self) -> None:
        """Fill in `after` and `num_left`."""
        is_found = True
        while is_found:
            is_found = False
            for state, step in enumerate(self.steps):
                for kind, target in step.items():
                    if self.num_left[target] + 1 < self.num_left[state]:
                        self.num_left[state], self.after[state] = self.num_left[target] + 1, kind
                        is_found = True

    def _options(self, state: int, block: int | None) -> list[tuple[tuple[int, ...], int, int, bool]]:
        """The characters that may follow, as groups: (kinds, next state, block, whether the label then mixes scripts).

        block: block of the label so far; None while it is all ASCII. In the result: the label's block after the
            character, or ASCII or DOT for such characters.
        """
        groups: dict[tuple[int, int, bool], list[int]] = defaultdict(list)
        for kind, target in self.steps[state].items():
            of_char = self.kinds[kind].block
            after = joined_with(block, of_char)
            groups[target, after, after == MIXED and MIXED not in (block, of_char)].append(kind)
        return [(tuple(numbers), *group) for group, numbers in groups.items()]


def joined_with(block: int | None, of_char: int) -> int:
    """The block of a label after a character; ASCII and DOT for such characters.

    block: block of the label before; None if it is all ASCII.
    of_char: block of the character.
    """
    return of_char if block is None or of_char < 0 else joined(block, of_char)


def make_table(kinds: Kinds, names: lang.Language) -> Table:
    """The minimal automaton over kinds. names: Language of the names over the kinds' representatives."""
    numbers, states = {names: 0}, [names]
    rows: list[dict[int, int]] = []
    for state in states:
        checkpoint()
        targets = {code: state.step(code) for code in dict.fromkeys(kinds.letters)}
        row = {}
        for kind, code in enumerate(kinds.letters):
            target = targets[code]
            if not lang.is_empty(target):
                if target not in numbers:
                    numbers[target] = len(states)
                    states.append(target)
                row[kind] = numbers[target]
        rows.append(row)
    parts = _equivalent(rows, [int(state.nullable) for state in states])
    steps: list[dict[int, int]] = [{} for _ in set(parts)]
    for state_number, row in enumerate(rows):
        steps[parts[state_number]] = {kind: parts[target] for kind, target in row.items()}
    ends = frozenset(parts[number] for number, state in enumerate(states) if state.nullable)
    return Table(kinds.all, steps, ends)


def _equivalent(rows: list[dict[int, int]], parts: list[int]) -> list[int]:
    """[state]: its class of equivalent states; state 0 has class 0. parts: [state]: a first partition."""
    count = 0
    while len(set(parts)) > count:
        count = len(set(parts))
        seen = [
            (parts[state], *[(kind, parts[target]) for kind, target in row.items()]) for state, row in enumerate(rows)
        ]
        order = {signature: number for number, signature in enumerate(dict.fromkeys(seen))}
        parts = [order[signature] for signature in seen]
    return parts


class InternationalName(NamedTuple):
    """Machine of the names of a table that surely fit: each A-label in 63 octets, and the name in 253.

    state: state of the table.
    ascii, others: number of ASCII and other characters read of the present label.
    block: block of the others; None: there are none.
    total: octets of the labels before it with their dots, rounded up.
    """

    table: Table
    state: int = 0
    ascii: int = 0
    others: int = 0
    block: int | None = None
    total: int = 0

    @property
    def surely_nonempty(self) -> bool:
        """True: every state can be completed, because the machine keeps room for characters that must follow."""
        return True

    @property
    def most_left(self) -> int:
        """Maximum over all states of the number of characters that a text needs to end."""
        return self.table.most_left

    @property
    def nullable(self) -> bool:
        """True if the text may end here."""
        return self.state in self.table.accepting

    def transitions(self) -> tuple[tuple[CharSet, InternationalName], ...]:
        """The sets of characters that may follow, each with its machine."""
        return tuple([(self.table.union(kinds), name) for kinds, name in self._following()])

    @property
    def partition(self) -> tuple[CharSet, ...]:
        """Disjoint sets of characters, the same for all states. No state distinguishes characters of one set."""
        return self.table.partition

    def targets(self) -> list[InternationalName | None]:
        """For each set of the partition the machine after its characters; None if they may not come."""
        found: list[InternationalName | None] = [None] * len(self.table.kinds)
        for kinds, name in self._following():
            for kind in kinds:
                found[kind] = name
        return found

    def _following(self) -> list[tuple[tuple[int, ...], InternationalName]]:
        """The kinds of characters that may follow, in groups, each with the name after them."""
        options = self.table.options(self.state, self.block)
        found = [
            (kinds, self._after(state, block))
            for kinds, state, block, is_mixing in options
            if not is_mixing or self.others < _MOST_MIXED
        ]
        return [(kinds, name) for kinds, name in found if name._fits()]

    def _after(self, state: int, block: int) -> InternationalName:
        """The name after one more character. block: as in `Table.options`."""
        if block == DOT:
            octets = self._octets() + 1
            rounded = _SHORT if octets <= _SHORT else -(-octets // _ROUNDED_TO) * _ROUNDED_TO
            return InternationalName(self.table, state, total=self.total + rounded)
        table, _, num_ascii, num_others, before, total = self
        if block == ASCII:
            return InternationalName(table, state, num_ascii + 1, num_others, before, total)
        return InternationalName(table, state, num_ascii, num_others + 1, block, total)

    def _fits(self) -> bool:
        """True if the shortest completion of the name keeps the limits of length."""
        name, table = self, self.table
        while (kind := table.after[name.state]) is not None:
            block = joined_with(name.block, table.kinds[kind].block)
            name = name._after(table.steps[name.state][kind], block)
        octets = name._octets()
        if self.others and self.total > _FAR:
            return False
        return octets <= MAX_LABEL and name.total + octets <= MAX_NAME

    def _octets(self) -> int:
        return longest_encoding(self.ascii, self.others, MIXED if self.block is None else self.block)
