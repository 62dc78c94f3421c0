"""Internet addresses as Languages: ipv4, ipv6, hostname, email.

Lengths are counted where the RFCs bound them: labels of 63 and names of 253 characters, local parts of 64. A-labels
(xn--...) are left out, as is every label with hyphens at its third and fourth place: whether its Punycode is valid
depends on all of its characters, so an automaton would have as many states as there are such labels.
"""

from __future__ import annotations

from typing import NamedTuple

from ..regex import algebra as lang
from ..regex import charset
from ..regex.charset import CharSet
from ..regex.ecma import full as language

_OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
IPV4 = f"(?:{_OCTET}\\.){{3}}{_OCTET}"
"""RFC 2673, section 3.2, dotted-quad."""

_GROUP = "[0-9A-Fa-f]{1,4}"
_LAST_TWO = f"(?:{_GROUP}:{_GROUP}|{IPV4})"


def _compressed(num_after: int) -> str:
    """Addresses with `::` before so many groups, the last two of which may be an IPv4 address."""
    before = f"(?:(?:{_GROUP}:){{0,{6 - num_after}}}{_GROUP})?" if num_after < 7 else ""
    after = (f"{_GROUP}:" * (num_after - 2) + _LAST_TWO) if num_after >= 2 else _GROUP * num_after
    return f"{before}::{after}"


IPV6 = "(?:" + "|".join([f"(?:{_GROUP}:){{6}}{_LAST_TWO}", *map(_compressed, range(8))]) + ")"
"""RFC 4291, section 2.2: every form, without zone."""

_ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LOCAL = f'(?:{_ATOM}(?:\\.{_ATOM})*|"(?:[ !#-\\[\\]-~]|\\\\[ -~])*")'
_ADDRESS_LITERAL = f"\\[(?:{IPV4}|[Ii][Pp][Vv]6:{IPV6})\\]"
_MAX_LOCAL = 64

MAX_LABEL, MAX_NAME = 63, 253
LETTERS_DIGITS = charset.from_ranges([(48, 57), (65, 90), (97, 122)])
_HYPHEN, _DOT = charset.single("-"), charset.single(".")


def hostname() -> lang.Language:
    """RFC 1123, section 2.1. The length of the whole name stands beside its labels, where masks count it."""
    return lang.intersect(lang.machine(HostName(total=None)), lang.repeat(lang.ANY_CHAR, 1, MAX_NAME))


def email() -> lang.Language:
    """RFC 5321, section 4.1.2, Mailbox; of the address literals those of IPv4 and IPv6."""
    return mailbox(language(_LOCAL), lang.machine(HostName()))


def mailbox(local: lang.Language, domain: lang.Language) -> lang.Language:
    """`local@domain`, also with an address literal as the domain."""
    local = lang.intersect(local, lang.repeat(lang.ANY_CHAR, 1, _MAX_LOCAL))
    return lang.concat(local, lang.text("@"), lang.union(domain, language(_ADDRESS_LITERAL)))


class HostName(NamedTuple):
    """Machine of host names. label, total: characters read of this label and of the name; hyphen: the last was one.
    total None: names of any length.

    letters: what labels are made of, with hyphens in between. may_reserve: hyphens may stand at their third and fourth
    place, both.
    """

    label: int = 0
    total: int | None = 0
    hyphen: bool = False
    letters: CharSet = LETTERS_DIGITS
    may_reserve: bool = False

    @property
    def surely_nonempty(self) -> bool:
        """True: every state leads to a text."""
        return True

    @property
    def most_left(self) -> int:
        """No state is more characters from the end of a text."""
        return 1

    @property
    def nullable(self) -> bool:
        """True when the text may end here."""
        return self.label > 0 and not self.hyphen

    def transitions(self) -> tuple[tuple[CharSet, HostName], ...]:
        """The sets of characters that may follow, each with its machine."""
        label, total = self.label + 1, None if self.total is None else self.total + 1
        room = MAX_LABEL if total is None else MAX_NAME - total
        found = []
        if label <= MAX_LABEL and room >= 0:
            found.append((self.letters, self._replace(label=label, total=total, hyphen=False)))
        is_reserved = self.hyphen and self.label == 3 and not self.may_reserve
        if self.label and label < MAX_LABEL and room > 0 and not is_reserved:
            found.append((_HYPHEN, self._replace(label=label, total=total, hyphen=True)))
        if self.nullable and room > 0:
            found.append((_DOT, self._replace(label=0, total=total, hyphen=False)))
        return tuple(found)
