"""Patterns for strings that Python's types read: ranges of numbers and dates, URLs, e-mail addresses, Base64.

Each pattern matches only strings that the type accepts. URLs and addresses omit rare forms (user names, non-ASCII
hosts), so that the type's parser never refuses a generated text. All patterns are anchored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from guided.grammars.json_schema.format_dates import CANONICAL_DATE, HOUR_MINUTE
from guided.grammars.json_schema.format_hosts import IPV4, IPV6

_FRACTION = r"(?:\.[0-9]{1,9})?"
_LABEL = "[A-Za-z0-9](?:-?[A-Za-z0-9]){0,30}"
_DOMAIN = f"(?:{_LABEL}\\.){{0,5}}[A-Za-z](?:-?[A-Za-z0-9]){{0,30}}"
_PCHAR = "(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})"
_AFTER_HOST = f"(?:/{_PCHAR}{{0,100}}){{0,5}}(?:\\?(?:{_PCHAR}|[/?]){{0,100}})?(?:#(?:{_PCHAR}|[/?]){{0,50}})?"
_ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]"
_WHITESPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff"

STRIPPED = f"^(?:[^{_WHITESPACE}](?:[^]*[^{_WHITESPACE}])?)?$"
"""No whitespace at either end."""

NAIVE_DATE_TIME = f"^{CANONICAL_DATE}T{HOUR_MINUTE}:[0-5][0-9]{_FRACTION}$"

BYTE_SIZE = r"^[0-9]{1,15}(?:\.[0-9]{1,3})? ?(?:[kmgtpeKMGTPE][iI]?)?[bB]$"

COMPLEX = r"^-?[0-9]{1,15}(?:\.[0-9]{1,15})?(?:[+-][0-9]{1,15}(?:\.[0-9]{1,15})?j)?$"

_MAIL_LABEL = "[A-Za-z0-9](?:-?[A-Za-z0-9]){0,14}"
EMAIL = f"^{_ATOM}(?:\\.?{_ATOM}){{0,31}}@(?:{_MAIL_LABEL}\\.){{1,5}}[A-Za-z]{{2,20}}$"
"""Addresses that email-validator accepts without a look-up, except those with a SPECIAL_DOMAIN.

At most 63 characters precede the @, and the domain has at least two labels.
"""

SPECIAL_DOMAIN = (
    "\\.(?:"
    + "|".join(
        [
            "".join([f"[{char}{char.upper()}]" for char in name])
            for name in ("arpa", "invalid", "local", "localhost", "onion", "test")
        ]
    )
    + ")$"
)
"""Domains that receive no mail (RFC 6761 and similar)."""

_LAST_OF_TWO, _LAST_OF_THREE = "AQgw", "AEIMQUYcgkosw048"
_ASCII_FIRST = "[A-Za-f]"
_ASCII_SECOND = "[A-HQ-Xg-nw-z0-3]"  # values whose fourth bit from the right is 0


def base64(extra: str, *, is_text: bool, low: int = 0, high: int | None = None) -> str:
    """Base64 of bytes.

    extra: the last two characters of the alphabet.
    is_text: only bytes of ASCII characters.
    low, high: number of bytes.
    """
    any_char = f"[A-Za-z0-9{re.escape(extra)}]"
    first, second = (_ASCII_FIRST, _ASCII_SECOND) if is_text else (any_char, any_char)
    third = "[ABEFIJMNQRUVYZcdghklopstwx014589]" if is_text else any_char
    group = f"{first}{second}{third}{any_char}"
    ends = {0: "", 1: f"{first}[{_LAST_OF_TWO}]==", 2: f"{first}{second}[{_LAST_OF_THREE}]="}
    options = []
    for rest, last in ends.items():
        groups_low = max(-(-(low - rest) // 3), 0)
        groups_high = "" if high is None else str((high - rest) // 3)
        if high is None or high - rest >= 3 * groups_low:
            options.append(f"(?:{group}){{{groups_low},{groups_high}}}{last}")
    return _anchored(options)


def hexadecimal(low: int, high: int | None) -> str:
    """Hexadecimal text of a number of bytes, two digits each."""
    return f"^(?:[0-9A-Fa-f]{{2}}){{{low},{'' if high is None else high}}}$"


def ascii_text(low: int, high: int) -> str:
    """ASCII text of a number of characters."""
    return f"^[\\x00-\\x7f]{{{low},{high}}}$"


def url(schemes: Sequence[str] | None) -> str:
    """URLs of the given schemes; None: of any scheme, with a host."""
    hosts = f"(?:{_DOMAIN}|{IPV4}|\\[{IPV6}\\])"
    if schemes is None:
        scheme = "(?:https?|wss?|ftp|[a-eg-vx-z][a-z0-9]{1,15})"
        return f"^{scheme}://{hosts}(?::[1-9][0-9]{{0,3}})?{_AFTER_HOST}$"
    if list(schemes) == ["file"]:
        return f"^file:///{_PCHAR}{{0,100}}(?:/{_PCHAR}{{1,100}}){{0,5}}$"
    scheme = "|".join([re.escape(one).replace("\\-", "-") for one in schemes if one != "file"])
    return f"^(?:{scheme})://{hosts}(?::[1-9][0-9]{{0,3}})?{_AFTER_HOST}$"


def uuid(version: int | None) -> str:
    """UUIDs of a version, in lower case; None: of any version."""
    middle = "[0-9a-f]{4}-[0-9a-f]{4}" if version is None else f"{version}[0-9a-f]{{3}}-[89ab][0-9a-f]{{3}}"
    return f"^[0-9a-f]{{8}}-[0-9a-f]{{4}}-{middle}-[0-9a-f]{{12}}$"


def interface(version: int) -> str:
    """An IP address with or without a prefix length."""
    if version == 4:
        return f"^{IPV4}(?:/(?:[12]?[0-9]|3[0-2]))?$"
    return f"^{IPV6}(?:/(?:[1-9]?[0-9]|1[01][0-9]|12[0-8]))?$"


def network(version: int) -> str:
    """A network whose address has no bits after its prefix. Version 6 has only every fourth prefix length."""
    return _anchored([IPV4, *_networks_4()] if version == 4 else [IPV6, *_networks_6()])


def _networks_4() -> Iterable[str]:
    octet = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
    for bits in range(33):
        whole, rest = divmod(bits, 8)
        octets = [octet] * whole
        if rest:
            octets.append("(?:" + "|".join(map(str, range(0, 256, 1 << 8 - rest))) + ")")
        octets += ["0"] * (4 - len(octets))
        yield "\\.".join(octets) + f"/{bits}"


def _networks_6() -> Iterable[str]:
    for bits in range(0, 125, 4):
        groups, digits = divmod(bits // 4, 4)
        parts = ["[0-9a-f]{1,4}"] * groups
        if digits:
            parts.append(f"[0-9a-f]{{{digits}}}{'0' * (4 - digits)}")
        end = "" if len(parts) == 8 else "::"
        yield ":".join(parts) + f"{end}/{bits}"


def at_least(text: str) -> str:
    """Texts of the same form (digits between fixed characters) that equal `text` or come after it."""
    return _compared(text, is_later=True)


def at_most(text: str) -> str:
    """Texts of the same form that equal `text` or come before it."""
    return _compared(text, is_later=False)


def _compared(text: str, *, is_later: bool) -> str:
    options = [re.escape(text)]
    for index, char in enumerate(text):
        if char.isdigit():
            low, high = (int(char) + 1, 9) if is_later else (0, int(char) - 1)
            if low <= high:
                rest = "".join(["[0-9]" if one.isdigit() else re.escape(one) for one in text[index + 1 :]])
                options.append(f"{re.escape(text[:index])}[{low}-{high}]{rest}")
    return "(?:" + "|".join(options).replace("\\-", "-").replace("\\:", ":") + ")"


def integers(low: int, high: int) -> str:
    """The non-negative integers from low to high, in decimal digits."""
    if high < low:
        return "(?!)"
    options = []
    for size in range(len(str(low)), len(str(high)) + 1):
        least, most = max(low, 10 ** (size - 1) if size > 1 else 0), min(high, 10**size - 1)
        options.append(_same_size(str(least), str(most)))
    return "(?:" + "|".join(options) + ")"


def _same_size(low: str, high: str) -> str:
    """The numbers between two numbers with the same number of digits."""
    if not low:
        return ""
    if low == high:
        return low
    if set(low[1:]) <= {"0"} and set(high[1:]) <= {"9"}:
        return f"[{low[0]}-{high[0]}]" + (f"[0-9]{{{len(low) - 1}}}" if len(low) > 1 else "")
    if low[0] == high[0]:
        return low[0] + _same_size(low[1:], high[1:])
    rest = len(low) - 1
    options = [low[0] + _same_size(low[1:], "9" * rest), high[0] + _same_size("0" * rest, high[1:])]
    if int(high[0]) - int(low[0]) > 1:
        options.append(f"[{int(low[0]) + 1}-{int(high[0]) - 1}]" + ("[0-9]" * rest))
    return "(?:" + "|".join(options) + ")"


def signed_integers(low: int | None, high: int | None) -> str:
    """Integers of up to 18 digits between two bounds; None means no bound."""
    least = -_MANY if low is None else max(low, -_MANY)
    most = _MANY if high is None else min(high, _MANY)
    options = []
    if least < 0:
        options.append("-" + integers(max(-min(most, -1), 1), -least))
    if most >= 0:
        options.append(integers(max(least, 0), most))
    return _anchored(options)


_MANY = 10**18 - 1


def durations(low_s: int, high_s: int) -> str:
    """ISO durations between two numbers of seconds, in one unit, or in days with hours, minutes and seconds."""
    options = []
    for unit, seconds, limit in (("T%sS", 1, 10**8), ("T%sM", 60, 10**7), ("T%sH", 3600, 10**6), ("%sD", 86400, 10**8)):
        least, most = -(-low_s // seconds), min(high_s // seconds, limit)
        if least <= most:
            options.append("P" + unit % integers(least, most))
    first, last = low_s // 86400 + 1, min(high_s // 86400 - 1, 10**8)
    if first <= last:
        time = "T(?:1?[0-9]|2[0-3])H(?:[1-5]?[0-9]M(?:[1-5]?[0-9]S)?)?"
        options.append(f"P{integers(first, last)}D{time}")
    return _anchored(options)


def _anchored(options: Iterable[str]) -> str:
    return "^(?:" + "|".join(options) + ")$"
