r"""Python `re` syntax (`str` patterns, no flags) as a tree.

Takes everything whose language is regular and needs no context: literals, escapes, classes (`\d \w \s` as Python has
them, over all of Unicode), groups (named ones too), alternation, greedy and lazy quantifiers, the anchors `^ $ \A \Z`.
Refuses, with the position: lookaround, backreferences, `\b`, atomic groups, possessive quantifiers, inline flags.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable

from ...errors import InvalidRegexError
from ...regex import charset as cs
from .syntax import Anchor, Node, chars, repeat, sequence, text, union

MAX_NESTED_GROUPS = 40
MAX_REPEAT = 2**32 - 2  # what `re` takes

_SIMPLE_ESCAPES = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_HEX_LENGTHS = {"x": 2, "u": 4, "U": 8}
_OCTAL_DIGITS = "01234567"
_GROUP_REASONS = {
    "=": "lookahead (?=...) can't be enforced",
    "!": "negative lookahead (?!...) can't be enforced",
    "<": "lookbehind (?<...) can't be enforced",
    ">": "an atomic group (?>...) can't be enforced; use (?:...)",
    "(": "a conditional group (?(...)...) can't be enforced",
    "P": "a backreference (?P=...) can't be enforced",
}


def parse(pattern: str, flavors: tuple[cs.Flavor, ...] = ("python",)) -> Node:
    r"""The tree of `pattern`, anchors included. Raises InvalidRegexError with the offset of what is wrong or refused.

    flavors: whose `. \d \w \s` are meant; with two, a character has to match under both.
    """
    parser = _Parser(pattern, flavors)
    node = parser.alternatives()
    if parser.position < len(pattern):
        raise parser.error("unbalanced parenthesis")
    return node


class _Parser:
    def __init__(self, pattern: str, flavors: tuple[cs.Flavor, ...]) -> None:
        self.pattern = pattern
        self.flavors = flavors
        self.flavor = flavors[0]
        self.position = 0
        self.depth = 0
        self.group_names: set[str] = set()

    def error(self, reason: str, position: int | None = None) -> InvalidRegexError:
        return InvalidRegexError(self.pattern, reason, self.position if position is None else position)

    def looking_at(self, prefix: str) -> bool:
        return self.pattern.startswith(prefix, self.position)

    def eat(self, prefix: str) -> bool:
        if not self.looking_at(prefix):
            return False
        self.position += len(prefix)
        return True

    def take(self, what: str) -> str:
        if self.position >= len(self.pattern):
            raise self.error(f"the pattern ends where {what} is missing")
        self.position += 1
        return self.pattern[self.position - 1]

    def digits(self) -> str:
        start = self.position
        while self.position < len(self.pattern) and self.pattern[self.position] in "0123456789":
            self.position += 1
        return self.pattern[start : self.position]

    def alternatives(self) -> Node:
        branches = [self.branch()]
        while self.eat("|"):
            branches.append(self.branch())
        return union(branches)

    def branch(self) -> Node:
        parts: list[Node] = []
        while self.position < len(self.pattern) and self.pattern[self.position] not in "|)":
            if self.eat("(?#"):
                self.skip_comment()
            elif (counts := self.quantifier()) is not None:
                raise self.error("nothing to repeat", counts[2])
            else:
                parts.append(self.quantified(self.atom()))
        return sequence(*parts)

    def skip_comment(self) -> None:
        start = self.position - 3
        end = self.pattern.find(")", self.position)
        if end < 0:
            raise self.error("missing ), unterminated comment", start)
        self.position = end + 1

    def quantified(self, node: Node) -> Node:
        while self.eat("(?#"):
            self.skip_comment()
        counts = self.quantifier()
        if counts is None:
            return node
        low, high, start = counts
        if isinstance(node, Anchor):
            raise self.error("nothing to repeat", start)
        if self.eat("+"):
            raise self.error("a possessive quantifier can't be enforced; remove the +", self.position - 1)
        self.eat("?")  # lazy: the same texts match in full
        if high is not None and high < low:
            raise self.error("min repeat greater than max repeat", start)
        again = self.quantifier()
        if again is not None:
            raise self.error("multiple repeat", again[2])
        return repeat(node, low, high)

    def quantifier(self) -> tuple[int, int | None, int] | None:
        """(low, high, start) of the quantifier here, or None (and nothing consumed) when there is none."""
        start = self.position
        for sign, low, high in (("*", 0, None), ("+", 1, None), ("?", 0, 1)):
            if self.eat(sign):
                return low, high, start
        if not self.eat("{"):
            return None
        first = self.digits()
        has_comma = self.eat(",")
        second = self.digits() if has_comma else first
        if not self.eat("}") or not (first or has_comma):
            self.position = start
            return None
        return self.count(first or "0", start), self.count(second, start) if second else None, start

    def count(self, digits: str, start: int) -> int:
        if len(digits) > 10 or int(digits) > MAX_REPEAT:
            raise self.error("the repetition number is too large", start)
        return int(digits)

    def atom(self) -> Node:
        start = self.position
        char = self.take("an expression")
        if char == "(":
            return self.group(start)
        if char == "[":
            return chars(self.in_all_flavors(lambda: self.char_class(start)))
        if char == "\\":
            return self.escape(start)
        if char == ".":
            return chars(self.in_all_flavors(lambda: cs.named_class(self.flavor, ".")))
        if char in "^$":
            return Anchor("start" if char == "^" else "end", start)
        return self.literal(char, start)

    def literal(self, char: str, start: int) -> Node:
        if not cs.single(char):
            raise self.error("a lone surrogate can't occur in UTF-8 text", start)
        return text(char)

    def group(self, start: int) -> Node:
        self.open_group(start)
        self.depth += 1
        if self.depth > MAX_NESTED_GROUPS:
            raise self.error(f"more than {MAX_NESTED_GROUPS} nested groups", start)
        node = self.alternatives()
        self.depth -= 1
        if not self.eat(")"):
            raise self.error("missing ), unterminated subpattern", start)
        return node

    def open_group(self, start: int) -> None:
        if not self.eat("?") or self.eat(":"):
            return
        if self.eat("P<"):
            name_start = self.position
            end = self.pattern.find(">", self.position)
            if end < 0 or not self.pattern[name_start:end].isidentifier():
                raise self.error("bad group name", name_start)
            self.position = end + 1
            if self.pattern[name_start:end] in self.group_names:
                raise self.error("the group name is used twice", name_start)
            self.group_names.add(self.pattern[name_start:end])
            return
        kind = self.take("the kind of group")
        raise self.error(_GROUP_REASONS.get(kind, "inline flags can't be enforced; spell the pattern out"), start)

    def escape(self, start: int) -> Node:
        char = self.take("the escaped character")
        if char in "AZ":
            return Anchor("start" if char == "A" else "end", start)
        if char in "bB":
            raise self.error(f"a word boundary \\{char} can't be enforced", start)
        if char in "123456789" and not self.is_octal(start + 1):
            raise self.error(f"a backreference \\{char} can't be enforced", start)
        return chars(self.in_all_flavors(lambda: self.escaped_set(char, start)))

    def in_all_flavors(self, read: Callable[[], cs.CharSet]) -> cs.CharSet:
        """The characters that `read`, which consumes a part of the pattern, finds under every flavor."""
        start, found = self.position, cs.ALL
        for flavor in self.flavors:
            self.position, self.flavor = start, flavor
            found = cs.intersection(found, read())
        return found

    def is_octal(self, start: int) -> bool:
        """Three octal digits after the backslash are a character, not a group number."""
        digits = self.pattern[start : start + 3]
        return len(digits) == 3 and digits[0] in "0123" and all(digit in _OCTAL_DIGITS for digit in digits)

    def escaped_set(self, char: str, start: int) -> cs.CharSet:
        """The set of an escape that means the same in and outside a class; backslash and `char` are consumed."""
        if char.lower() in "dws":
            charset = cs.named_class(self.flavor, char.lower())
            return charset if char.islower() else cs.complement(charset)
        if char in _SIMPLE_ESCAPES:
            return cs.single(_SIMPLE_ESCAPES[char])
        if char in _HEX_LENGTHS:
            return self.code_point(self.hex_digits(_HEX_LENGTHS[char], start), start)
        if char in "0123456789":
            return self.code_point(self.octal_digits(char, start), start)
        if char == "N":
            return self.named_character(start)
        if char.isascii() and char.isalpha():
            raise self.error(f"bad escape \\{char}", start)
        return self.code_point(ord(char), start)

    def hex_digits(self, count: int, start: int) -> int:
        digits = self.pattern[self.position : self.position + count]
        if len(digits) < count or any(digit not in "0123456789abcdefABCDEF" for digit in digits):
            raise self.error(f"incomplete escape, {count} hexadecimal digits expected", start)
        self.position += count
        return int(digits, 16)

    def octal_digits(self, first: str, start: int) -> int:
        digits = first
        while len(digits) < 3 and self.position < len(self.pattern) and self.pattern[self.position] in _OCTAL_DIGITS:
            digits += self.take("an octal digit")
        if any(digit not in _OCTAL_DIGITS for digit in digits) or int(digits, 8) > 0o377:
            raise self.error(f"bad octal escape \\{digits}", start)
        return int(digits, 8)

    def named_character(self, start: int) -> cs.CharSet:
        end = self.pattern.find("}", self.position)
        if not self.eat("{") or end < 0:
            raise self.error("missing {...} after \\N", start)
        name, self.position = self.pattern[self.position : end], end + 1
        try:
            char = unicodedata.lookup(name)
        except KeyError:
            raise self.error(f"undefined character name {name!r}", start) from None
        if len(char) != 1:
            raise self.error(f"{name!r} names a sequence of characters", start)
        return cs.single(char)

    def code_point(self, code: int, start: int) -> cs.CharSet:
        charset = cs.from_ranges([(code, code)]) if code <= sys.maxunicode else cs.NONE
        if not charset:
            raise self.error(f"U+{code:04X} is not a character that UTF-8 can encode", start)
        return charset

    def char_class(self, start: int) -> cs.CharSet:
        """The set of `[...]`; the opening bracket is consumed."""
        is_negated = self.eat("^")
        members = [self.class_range(start)]
        while not self.eat("]"):
            members.append(self.class_range(start))
        charset = cs.union(*members)
        return cs.complement(charset) if is_negated else charset

    def class_range(self, start: int) -> cs.CharSet:
        range_start = self.position
        first = self.class_member(start)
        if not self.looking_at("-") or self.looking_at("-]"):
            return first
        self.eat("-")
        last = self.class_member(start)
        if not (cs.is_single(first) and cs.is_single(last)) or last[0][0] < first[0][0]:
            raise self.error(f"bad character range {self.pattern[range_start : self.position]}", range_start)
        return cs.from_ranges([(first[0][0], last[0][0])])

    def class_member(self, class_start: int) -> cs.CharSet:
        if self.position >= len(self.pattern):
            raise self.error("unterminated character set", class_start)
        start = self.position
        char = self.take("a character")
        if char != "\\":
            return self.code_point(ord(char), start)
        char = self.take("the escaped character")
        return cs.single("\b") if char == "b" else self.escaped_set(char, start)
