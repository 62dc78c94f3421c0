r"""Sets of characters of Python `re` patterns: classes, `\d \w \s`, `\p{..}`, and their matches when case is ignored.

`re` itself decides which characters a class matches under the flag i, but only among characters with other cases. The
others match as they do without the flag.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from functools import cache, lru_cache

from ..watch import paced
from . import charset as cs
from .properties import property_set

Member = int | tuple[int, int] | str
r"""A member of a class: a code point, a range, or a set: "d", "W", "p{L}", "P{Script=Greek}"."""

_LAST_CASED = 0x1FFFF
"""No character after this one has another case."""

_WIDE = 1000
"""`re` takes long, up to 10 ms, to compile a range of more characters."""

_ASCII_CLASSES = {
    "d": cs.from_ranges([(48, 57)]),
    "w": cs.from_ranges([(48, 57), (65, 90), (95, 95), (97, 122)]),
    "s": cs.from_chars("\t\n\v\f\r "),
}


@lru_cache(maxsize=2048)
def class_set(members: tuple[Member, ...], ignores_case: bool, is_ascii: bool) -> cs.CharSet:
    r"""Return the characters that `[...]` with these members matches.

    members: each `\p{..}` must be known.
    ignores_case: the flag i.
    is_ascii: the flag a.
    """
    chars, ranges, names = _sorted_out(members)
    spans = [*ranges, *[(char, char) for char in chars]]
    plain = cs.union(
        *([cs.from_ranges(paced(spans))] if spans else []), *[_named_set(name, is_ascii) for name in names]
    )
    if not ignores_case or not _may_have_cases(members, plain):
        return plain
    properties = [name for name in names if len(name) > 1]
    wide = cs.union(cs.from_ranges(paced(ranges)), *[_named_set(name, is_ascii) for name in properties])
    asked: list[Member] = [char for char in chars if has_cases(char)]
    asked += [*cs.intersection(wide, _cased_set()), *[name for name in names if len(name) == 1]]
    matching = _matching_any_case(asked, is_ascii, is_alone=len(members) == 1)
    return cs.union(*[cs.difference(plain, _cased_set()), matching])


def _sorted_out(members: tuple[Member, ...]) -> tuple[list[int], list[tuple[int, int]], list[str]]:
    """Split members into characters, ranges and names, each once."""
    chars, ranges, names = dict[int, None](), dict[tuple[int, int], None](), dict[str, None]()
    for member in paced(members):
        if isinstance(member, int):
            chars[member] = None
        elif isinstance(member, tuple):
            ranges[member] = None
        else:
            names[member] = None
    return [*chars], [*ranges], [*names]


def has_cases(code: int) -> bool:
    """True if the character has another case, or perhaps has one."""
    return chr(code) in _cased_letters()


def is_wide(member: Member) -> bool:
    """True for a range that takes `re` long to compile."""
    return isinstance(member, tuple) and member[1] - member[0] > _WIDE


def _named_set(name: str, is_ascii: bool) -> cs.CharSet:
    if len(name) == 1:
        charset = _ASCII_CLASSES[name.lower()] if is_ascii else cs.python_class(name.lower())
        return charset if name.islower() else _complement(charset)
    known = property_set(name[2:-1])
    assert known is not None
    return known if name[0] == "p" else _complement(known)


@lru_cache(maxsize=64)
def _complement(charset: cs.CharSet) -> cs.CharSet:
    return cs.complement(charset)


def _may_have_cases(members: tuple[Member, ...], charset: cs.CharSet) -> bool:
    r"""False when the flag i surely changes nothing. `\d \w \s` alone match without a look at the case."""
    if all(isinstance(member, str) and len(member) == 1 for member in members):
        return False
    return cs.meets(charset, _cased_set())


def _matching_any_case(members: Iterable[Member], is_ascii: bool, *, is_alone: bool) -> cs.CharSet:
    """Return the characters with other cases that match the class under the flag i.

    members: at most all characters with other cases, and as many ranges, so that the call takes at most 20 ms.
    is_alone: True if the class has nothing else. `re` then makes a character of it; a class does not match a capital
        past U+FFFF.
    """
    source = "".join(map(_spelled, members))
    if not source:
        return cs.NONE
    source += "" if is_alone else r"\0"
    flags = re.IGNORECASE | re.ASCII if is_ascii else re.IGNORECASE
    return cs.from_chars(re.compile(f"[{source}]", flags).findall(_cased_characters()))


def _spelled(member: Member) -> str:
    if isinstance(member, str):
        return f"\\{member}"
    if isinstance(member, int):
        return f"\\U{member:08x}"
    return f"\\U{member[0]:08x}-\\U{member[1]:08x}"


@cache
def _cased_characters() -> str:
    """Return all characters with another case, and perhaps some more. Takes about 5 ms."""
    blocks = (range(start, start + 256) for start in range(0, _LAST_CASED, 256))
    texts = ("".join(map(chr, block)) for block in blocks if block.start not in range(0xD800, 0xE000))
    changed = (text for text in texts if text.lower() != text or text.upper() != text or text.casefold() != text)
    return "".join(filter(_has_cases, itertools.chain.from_iterable(changed)))


def _has_cases(char: str) -> bool:
    return char.lower() != char or char.upper() != char or char.casefold() != char


@cache
def _cased_letters() -> frozenset[str]:
    return frozenset(_cased_characters())


@cache
def _cased_set() -> cs.CharSet:
    return cs.from_chars(_cased_characters())
