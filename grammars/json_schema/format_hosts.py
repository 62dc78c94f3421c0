"""Internet addresses as Languages: ipv4, ipv6, hostname, email.

The lengths of the RFCs hold: at most 63 characters a label, 253 a name, 64 a local part. A-labels (xn--...) and all
other labels with hyphens at the third and fourth place are left out. The validity of Punycode depends on all of its
characters, so an automaton would need as many states as there are such labels.
"""

from __future__ import annotations

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
    """A pattern of addresses with `::`. num_after: number of groups after it. The last two may be an IPv4 address."""
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
_HYPHEN = charset.single("-")


def hostname() -> lang.Language:
    """Host names of RFC 1123, section 2.1."""
    return host_names(LETTERS_DIGITS)


def email() -> lang.Language:
    """Mailbox of RFC 5321, section 4.1.2. Address literals may be IPv4 and IPv6."""
    return mailbox(language(_LOCAL), hostname())


def mailbox(local: lang.Language, domain: lang.Language) -> lang.Language:
    """The texts `local@domain`. An address literal may stand for the domain."""
    local = lang.intersect(local, lang.repeat(lang.ANY_CHAR, 1, _MAX_LOCAL))
    return lang.concat(local, lang.text("@"), lang.union(domain, language(_ADDRESS_LITERAL)))


def host_names(letters: CharSet, *, may_reserve: bool = False) -> lang.Language:
    """Names of at most MAX_NAME characters. For the labels see `host_label`."""
    label = host_label(letters, may_reserve=may_reserve)
    names = lang.concat(label, lang.repeat(lang.concat(lang.text("."), label), 0, None))
    return lang.intersect(names, lang.repeat(lang.ANY_CHAR, 1, MAX_NAME))


def host_label(letters: CharSet, most: int = MAX_LABEL, *, may_reserve: bool = False) -> lang.Language:
    """Labels of at most `most` characters: `letters`, and hyphens that are not first or last.

    may_reserve: True: a label may have hyphens at both its third and fourth place.
    """
    outer, inner = lang.chars(letters), lang.chars(charset.union(letters, _HYPHEN))
    if may_reserve:
        more = lang.concat(lang.repeat(inner, 0, most - 2), outer)
    else:
        third_and_fourth = lang.union(lang.concat(outer, inner), lang.concat(lang.text("-"), outer))
        more = lang.union(
            lang.concat(lang.repeat(inner, 0, 2), outer),
            lang.concat(inner, third_and_fourth, lang.repeat(inner, 0, most - 5), outer),
        )
    return lang.concat(outer, lang.repeat(more, 0, 1))
