"""Containers that must not repeat: arrays or objects that a frame excludes as items.

An item is refused when it ends as the same value as one of them, and before that when it could only end so. This is
looked at only while what is written of an item can become such a value, so it may be slow: plain Python, from the
text itself. A "level" is a frame on the stack that excludes containers, with an item of it begun above.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...watch import checkpoint
from .. import layout as at
from ..tables import DocumentTables
from ..tails import Tail
from .captures import string_start
from .same_value import bytes_towards

State = tuple[int, int]
Levels = list[tuple[int, frozenset[bytes]]]
Place = tuple[int, int, bytes]
"""A code, a stack, and what was written since some text."""

_WHITESPACE = b" \t\n\r"
_ZERO = 0x30
_ZEROS = re.compile(rb"\.[0-9]*000\Z")
_STRING_OR_SPACE = re.compile(rb'("(?:[^"\\]|\\.)*(?:"|\\?\Z))|[ \t\n\r]+', re.DOTALL)
_IN_STRING = frozenset((at.STRING, at.COUNTED, at.WORDS, at.OVERLAY))


class GuardedTables(DocumentTables):
    """The tables of documents, and what they must not repeat."""

    _looked_from: tuple[bytes | None, dict[Place, bool]] = None, {}
    """The text before the last token that was looked at, and which places after it are alive: tokens share them."""

    def keeps_guards_in(self, code: int, stack: int, token_id: int, tail: Tail) -> bool:
        """False when after a token, which led to a state, an item could only become one that is excluded."""
        if not levels(self, code, stack):
            return True
        before = tail(1 << 60)[0]
        if self._looked_from[0] != before:
            self._looked_from = before, {}
        with self.requests.watch():
            return self._is_alive(code, stack, before + self.vocabulary_tables.token_bytes(token_id), len(before))

    def _is_alive(self, code: int, stack: int, text: bytes, start: int) -> bool:
        """False when every way to go on ends in an excluded item. Looks for a byte that leaves all excluded values."""
        _, known = self._looked_from
        places: list[tuple[Place, int]] = []  # those that were looked at, with the number of the one before each
        waiting = [((code, stack), text, -1)]
        while waiting:
            checkpoint()
            (code, stack), text, parent = waiting.pop()
            places.append(((code, stack, text[start:]), parent))
            answer = known.get(places[-1][0])
            number = len(places) - 1
            following = ways_on(self, code, stack, text) if answer is None else []
            if answer or following is None:
                while number >= 0:
                    place, number = places[number]
                    known[place] = True
                return True
            waiting += [(after, text + bytes([byte]), number) for byte, after in following]
        known.update(dict.fromkeys([place for place, _ in places], False))
        return False

    def guarded_tokens(self, code: int, stack: int, tail: Tail) -> set[int]:
        """The tokens that must be tried out in a state on account of guards."""
        with self.requests.watch():
            return uncertain_tokens(self, code, stack, tail(1 << 60)[0])


def levels(automaton: DocumentTables, code: int, stack: int) -> Levels:
    """The levels of a state, innermost first: how many containers are open above, and the excluded texts."""
    found = []
    frames = automaton.frames_of(code, stack)
    for height, frame in enumerate(frames):
        if height and frame.kind == "array":
            spec = frame.value_spec()
            if spec is not None and spec.excluded_containers:
                found.append((height, spec.excluded_containers))
    return found


def open_items(code: int, text: bytes, found: Levels) -> list[frozenset[int]]:
    """For each level whose item may still become equal to an excluded one: the bytes that lead there."""
    brackets = open_brackets(text, code >> at.TAG_SHIFT in _IN_STRING)
    starts: list[int] = []
    items = []
    for height, excluded in found:
        while len(starts) < height:
            starts.append(next(brackets))
        written = _STRING_OR_SPACE.sub(lambda match: match[1] or b"", text[starts[-1] :])
        towards = [bytes_towards(written, other) for other in excluded]
        same = [expected for expected in towards if expected is not None]
        if same:
            items.append(frozenset[int]().union(*same))
    return items


def ways_on(automaton: DocumentTables, code: int, stack: int, text: bytes) -> list[tuple[int, State]] | None:
    """The bytes to go on with, and the states after them, the best last; None where the text has left all excluded
    values."""
    found = levels(automaton, code, stack)
    items = open_items(code, text, found) if found else []
    if not items:
        return None
    expected = frozenset[int]().union(*items)
    inside = code >> at.TAG_SHIFT in _IN_STRING
    following = [
        (byte, after)
        for byte, after in automaton.next_states(code, stack, text)
        if inside or not _only_respells(text, byte)
    ]
    solid = [pair for pair in following if inside or pair[0] not in _WHITESPACE]
    # the last of them is looked at first: one that leaves all excluded texts, if there is any
    return sorted(solid or following, key=lambda pair: pair[0] not in expected)


def _only_respells(text: bytes, byte: int) -> bool:
    """Whether a byte outside of strings only spells a number in another way, which could go on for ever."""
    return (byte in b"eE" and text[-1:].isdigit()) or (byte == _ZERO and _ZEROS.search(text[-32:]) is not None)


def uncertain_tokens(automaton: DocumentTables, code: int, stack: int, text: bytes) -> set[int]:
    """The tokens that lie along a text of an excluded value, all the way; only those can be refused on its account."""
    vocabulary_tables = automaton.vocabulary_tables
    tokens: set[int] = set()
    waiting = [(0, (code, stack), text)]
    while waiting:
        checkpoint()
        node, (code, stack), text = waiting.pop()
        for byte in _bytes_along(automaton, code, stack, text):
            child = vocabulary_tables.child(node, byte)
            if child is None:
                continue
            after = automaton.step_byte(code, stack, byte, text)
            tokens.update(vocabulary_tables.tokens_at(child, whole_subtree=after is None))
            if after is not None:
                waiting.append((child, after, text + bytes([byte])))
    return tokens


def _bytes_along(automaton: DocumentTables, code: int, stack: int, text: bytes) -> set[int]:
    """The bytes after which an excluded value may still be written."""
    found = levels(automaton, code, stack)
    items = open_items(code, text, found) if found else []
    expected = set[int]().union(*items)
    tag = code >> at.TAG_SHIFT
    if tag in _IN_STRING:
        return expected
    top = next(automaton.frames_of(code, stack), None)
    spec = top.value_spec() if top is not None and top.kind == "array" else None
    if tag == at.STRUCTURAL and spec is not None and spec.excluded_containers:
        expected |= set(b",[{")
    return expected | set(_WHITESPACE) if expected else expected


def open_brackets(text: bytes, ends_in_string: bool = False) -> Iterator[int]:
    """Where the containers begin that are open at the end of a text, innermost first."""
    index, depth = len(text), 0
    if ends_in_string:
        start = string_start(text, index)
        assert start is not None, "a string has a beginning"
        index = start
    while index > 0:
        index -= 1
        byte = text[index]
        if byte == 0x22:
            start = string_start(text, index)
            assert start is not None, "a string has a beginning"
            index = start
        elif byte in b"}]":
            depth += 1
        elif byte in b"{[":
            depth -= 1
            if depth < 0:
                depth = 0
                yield index
