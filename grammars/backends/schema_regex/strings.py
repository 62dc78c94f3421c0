"""Regexes of JSON strings: lengths, patterns and formats."""

from __future__ import annotations

from ...errors import InvalidRegexError
from ..regex.anchors import full_match, search
from ..regex.parser import parse
from ..regex.syntax import Node, repeat
from .json_text import ANY_CHAR, escaped, quoted
from .places import Place

_YEAR = "(?:[0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)"  # 0001 to 9999
_LEAP = "(?:0[48]|[2468][048]|[13579][26])"
_DAYS = (
    "(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
    "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
    "|02-(?:0[1-9]|1[0-9]|2[0-8]))"
)
_DATE = f"(?:{_YEAR}-{_DAYS}|(?:[0-9]{{2}}{_LEAP}|{_LEAP}00)-02-29)"
_HOUR_MINUTE = "(?:[01][0-9]|2[0-3]):[0-5][0-9]"
_TIME = rf"{_HOUR_MINUTE}:[0-5][0-9](?:\.[0-9]+)?(?:Z|[+-]{_HOUR_MINUTE})"
_OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"

FORMATS = {
    "date": (_DATE, "the calendar from year 0001, leap years included"),
    "time": (_TIME, "RFC 3339 with offset, no leap seconds"),
    "date-time": (f"{_DATE}T{_TIME}", "RFC 3339 with offset, no leap seconds"),
    "uuid": ("[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", "RFC 4122"),
    "ipv4": (rf"(?:{_OCTET}\.){{3}}{_OCTET}", "dotted quad"),
    "email": (
        rf"{_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*",
        "RFC 5321; addresses with a quoted local part or an address literal are not generated",
    ),
}
"""Format -> (Python regex of the full string value, how it is enforced)."""

REFUSED_FORMATS = frozenset(
    {
        *("color", "duration", "host-name", "hostname", "idn-email", "idn-hostname", "ip-address", "ipv6"),
        *("iri", "iri-reference", "json-pointer", "regex", "relative-json-pointer"),
        *("uri", "uri-reference", "uri-template"),
    }
)
"""Formats that `jsonschema` checks and that are not enforced here. All others are annotations."""


def string_node(place: Place, notes: dict[str, str]) -> Node:
    """Type "string" with its keywords. notes: how each keyword is enforced is added to it."""
    notes["type"] = "string: any Unicode text, minimal escapes"
    shape = _format(place, notes)
    if "pattern" in place.keywords:
        if shape is not None:
            raise place.refuse("pattern", "together with a format it needs an intersection", "keep only one of the two")
        shape = _pattern(place, notes)
    low, high = int(place.keywords.get("minLength", 0)), place.keywords.get("maxLength")
    lengths = [key for key in ("minLength", "maxLength") if key in place.keywords]
    if shape is None:
        notes.update(dict.fromkeys(lengths, "exactly, in characters"))
        return quoted(repeat(ANY_CHAR, low, None if high is None else int(high)))
    if low > 0 or high is not None:
        other = "format" if notes.get("format", "").startswith("enforced") else "pattern"
        raise place.refuse(
            lengths[-1], f"together with a {other} it needs an intersection", "write the length into a pattern"
        )
    notes.update(dict.fromkeys(lengths, "every string is long enough"))
    return quoted(escaped(shape))


def _format(place: Place, notes: dict[str, str]) -> Node | None:
    """The values of the schema's format, None where it has none or one that is an annotation."""
    name = place.keywords.get("format")
    if name is None:
        return None
    if name in REFUSED_FORMATS:
        known = ", ".join(sorted(FORMATS))
        raise place.refuse(
            "format", f"{name!r} is not enforced by a regex backend", f"remove it, or use one of {known}"
        )
    if name not in FORMATS:
        notes["format"] = f"annotation: {name!r} is no known format"
        return None
    pattern, how = FORMATS[name]
    notes["format"] = f"enforced: {how}"
    return full_match(pattern, parse(pattern))


def _pattern(place: Place, notes: dict[str, str]) -> Node:
    pattern = place.keywords["pattern"]
    try:
        shape = search(pattern, parse(pattern, ("python", "ecma")))
    except InvalidRegexError as error:
        raise place.refuse("pattern", f"{error.reason} (at offset {error.position} of {pattern!r})") from None
    notes["pattern"] = (
        r"anywhere in the string unless anchored; $ is the very end; . \d \w \s as Python and ECMA-262 agree"
    )
    return shape
