r"""Turn the trees that Python's `re` reads patterns into (`re._parser`) into pieces of assertions.py.

`re` tries matches in an order; a Language has no order. Both find the same full matches, so lazy and greedy loops are
the same.

A tree is a list of (operation, argument) pairs. The flags of a part are those of the groups around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from re import _parser
from typing import Any, TypeAlias

from ..watch import checkpoint, paced
from . import assertions
from . import charset as cs
from .assertions import END, START, Ahead, Behind, Piece, boundary, choice, sequence
from .constructors import chars, concat, repeat, text
from .depth import depth
from .ecma_classes import PatternError
from .nodes import ANY_CHAR, ANYTHING, EMPTY_TEXT, Language
from .python_places import Places
from .python_sets import Member, class_set

Item: TypeAlias = tuple[Any, Any]
_MAX_DEPTH = 400
"""Frames at one place, see depth.py."""
_NO_WIDTH = ("AT", "ASSERT", "ASSERT_NOT")
_LOOPS = ("MAX_REPEAT", "MIN_REPEAT")
_REFUSED = {
    "GROUPREF": "a backreference can't be enforced by an automaton",
    "GROUPREF_EXISTS": "a conditional group can't be enforced by an automaton",
    **dict.fromkeys(
        ("ATOMIC_GROUP", "POSSESSIVE_REPEAT"),
        "an atomic group or possessive quantifier depends on the order of a search, and can't be enforced; "
        "use a plain group or quantifier, or write what may not follow as a lookahead (?!...)",
    ),
}
_FINDS_NO_BOUNDARY_IN_NOTHING = re.fullmatch(r"\B", "") is None
"""Before Python 3.14 \\B was not found in the empty text."""


class Translation:
    """Translates a tree, or parts of one.

    properties: code point that stands in for a Unicode property in the tree -> the property, such as "p{L}".
    places: finds what an error is about in the pattern.
    """

    def __init__(self, properties: Mapping[int, str], places: Places) -> None:
        self._properties, self._places = properties, places
        self._num_behinds = 0

    def piece(self, items: Iterable[Item], flags: int) -> Piece:
        """Return the piece of consecutive parts. Raises PatternError."""
        piece = self._sequence(items, flags)
        self._check_depth(piece)
        return piece

    def _check_depth(self, piece: Piece) -> None:
        """Raise when a piece has more assertions at one place than Python's stack allows."""
        if depth(piece).most > _MAX_DEPTH:
            raise PatternError(_DEPTH, self._places.first("assertion"))

    def _sequence(self, items: Iterable[Item], flags: int) -> Piece:
        parts, letters = list[Piece](), list[str]()
        for op, argument in paced(list(items)):
            if op is _parser.LITERAL and not flags & re.I and argument not in self._properties:
                letters.append(chr(argument))
                continue
            if letters:
                parts.append(text("".join(letters)))
                letters.clear()
            parts.append(self._item(op, argument, flags))
        return sequence([*parts, text("".join(letters))] if letters else parts)

    def _item(self, op: Any, argument: Any, flags: int) -> Piece:
        checkpoint()
        match op.name:
            case "LITERAL":
                return chars(self._set([(op, argument)], flags))
            case "NOT_LITERAL":
                return chars(cs.complement(self._set([(_parser.LITERAL, argument)], flags)))
            case "IN":
                return chars(self._set(argument, flags))
            case "ANY":
                return ANY_CHAR if flags & re.S else chars(cs.python_class("."))
            case "AT":
                return _place(argument.name, flags)
            case "BRANCH":
                return choice([self._sequence(branch, flags) for branch in argument[1]])
            case "SUBPATTERN":
                return self._sequence(argument[3], _changed(flags, argument))
            case "MAX_REPEAT" | "MIN_REPEAT":
                return self._loop(argument, flags)
            case "ASSERT" | "ASSERT_NOT":
                return self._look(argument, flags, is_negative=op is _parser.ASSERT_NOT)
            case "FAILURE":
                return Ahead(EMPTY_TEXT, True)
        raise PatternError(_REFUSED[op.name], self._places.first(op.name))

    def _set(self, items: Sequence[Item], flags: int) -> cs.CharSet:
        """Return the set of a class, or of one character in each case under the flag i."""
        is_negated = items[0][0] is _parser.NEGATE
        charset = class_set(tuple(map(self._member, items[is_negated:])), bool(flags & re.I), bool(flags & re.A))
        return cs.complement(charset) if is_negated else charset

    def _member(self, item: Item) -> Member:
        op, argument = item
        if op is _parser.LITERAL:
            code = int(argument)
            return self._properties.get(code, code)
        if op is _parser.CATEGORY:  # CATEGORY_DIGIT or CATEGORY_NOT_DIGIT
            *_, negation, name = str(argument.name).split("_")
            return name[0] if negation == "NOT" else name[0].lower()
        if not self._properties.keys().isdisjoint(argument):
            raise PatternError("bad character range: a property is no end of one", self._places.first("range"))
        return int(argument[0]), int(argument[1])

    def _loop(self, loop: tuple[int, int, Any], flags: int) -> Piece:
        low, high, body = loop
        piece, most = self._sequence(body, flags), None if high is _parser.MAXREPEAT else high
        if isinstance(piece, Language):
            return repeat(piece, low, most)
        if body.getwidth()[1] == 0:
            return piece if low else EMPTY_TEXT
        return assertions.loop(piece, low, most)

    def _look(self, look: tuple[int, Any], flags: int, *, is_negative: bool) -> Piece:
        direction, body = look
        if direction > 0:
            return Ahead(self._sequence(body, flags), is_negative)
        self._num_behinds += 1
        return self._behind(list(body), flags, is_negative, self._num_behinds - 1)

    def _behind(self, items: list[Item], flags: int, is_negative: bool, number: int) -> Piece:
        """Make a lookbehind. Assertions at its end become assertions about this place.

        number: number of the lookbehind in the pattern.
        """
        here, before = list[Piece](), list[Piece]()
        while items and (items[-1][0].name in _NO_WIDTH or items[-1][0] is _parser.SUBPATTERN):
            op, argument = items.pop()
            if op is not _parser.SUBPATTERN:
                here.append(self._item(op, argument, flags))
                continue
            following = _changed(flags, argument)
            if following != flags and items:
                items.append((op, argument))
                break
            flags = following
            items += argument[3]
        if items and overhang(items, flags) == 0:
            piece = self._sequence(items, flags)
            self._check_depth(piece)
            before = [assertions.behind(piece, is_negative)]
        elif items and items[-1][0] is _parser.BRANCH:
            begun, (_, branches) = items[:-1], items[-1][1]
            each = [self._behind([*begun, *branch], flags, is_negative, number) for branch in branches]
            before = [sequence(each) if is_negative else choice(each)]
        elif items:
            reason = "an assertion inside a lookbehind that looks past its end can't be enforced"
            raise PatternError(f"{reason}; put it behind the lookbehind", self._places.of_behind(number))
        if is_negative:
            return choice([*before, *[Ahead(piece, True) for piece in here]])
        return sequence([*before, *here])


def lookbehinds(items: Iterable[Item]) -> Iterator[Any]:
    """Yield the bodies of the lookbehinds in a tree, outer ones first."""
    for op, argument in paced(list(items)):
        if op.name in ("ASSERT", "ASSERT_NOT") and argument[0] < 0:
            yield argument[1]
        for body in _bodies(argument) if op is not _parser.IN else ():
            yield from lookbehinds(body)


def has_order(items: Iterable[Item]) -> bool:
    """True if a part of the tree is lazy, or looks beyond its match. Then the tree's texts do not describe it."""
    return any(
        op.name in ("MIN_REPEAT", *_NO_WIDTH) or (op is not _parser.IN and any(map(has_order, _bodies(argument))))
        for op, argument in items
    )


def overhang(items: Sequence[Item], flags: int) -> int:
    """Return an upper bound of the number of characters behind the match that a tree may depend on."""
    farthest = 0
    for op, argument in items:
        low, _ = _parser.SubPattern(_parser.State(), [(op, argument)]).getwidth()
        farthest = max(_overhang(op, argument, flags), farthest - low, 0)
    return farthest


def _overhang(op: Any, argument: Any, flags: int) -> int:
    match op.name:
        case "AT":
            return 0 if "BEGINNING" in argument.name else 2 if argument.name == "AT_END" and not flags & re.M else 1
        case "ASSERT" | "ASSERT_NOT":
            direction, body = argument
            return overhang(body, flags) + (0 if direction < 0 else int(body.getwidth()[1]))
        case "BRANCH":
            return max([overhang(branch, flags) for branch in argument[1]])
        case "SUBPATTERN":
            return overhang(argument[3], _changed(flags, argument))
        case "MAX_REPEAT" | "MIN_REPEAT":
            return overhang(argument[2], flags)
    return 0


def _bodies(argument: Any) -> Iterator[Any]:
    """Yield the trees in the argument of an operation."""
    if isinstance(argument, _parser.SubPattern):
        yield argument
    elif isinstance(argument, tuple | list):
        for one in argument:
            yield from _bodies(one)


def _changed(flags: int, group: tuple[Any, int, int, Any]) -> int:
    """Return the flags inside a group: (its number, flags to set, flags to remove, its body)."""
    _, added, removed, _ = group
    if added & _parser.TYPE_FLAGS:
        flags &= ~_parser.TYPE_FLAGS
    return (flags | added) & ~removed


def _place(name: str, flags: int) -> Piece:
    """Return the assertion about a place. name: such as "AT_BEGINNING"."""
    newline, is_multiline = text("\n"), flags & re.M
    match name:
        case "AT_BEGINNING" if is_multiline:
            return choice([START, Behind(concat(ANYTHING, newline), False)])
        case "AT_BEGINNING" | "AT_BEGINNING_STRING":
            return START
        case "AT_END":  # $: at the end or before a last newline; in multiline mode before each
            return choice([END, Ahead(newline if is_multiline else sequence([newline, END]), False)])
        case "AT_END_STRING":
            return END
    is_negated = name == "AT_NON_BOUNDARY"
    sides = boundary(chars(class_set(("w",), False, bool(flags & re.A))), is_negated)
    if not (is_negated and _FINDS_NO_BOUNDARY_IN_NOTHING):
        return sides
    return sequence([choice([Behind(EMPTY_TEXT, True), Ahead(ANY_CHAR, False)]), sides])


_DEPTH = (
    "too many assertions between which nothing has to be read, or one in a group that may be empty and has to be "
    "repeated too often, can't be enforced"
)
