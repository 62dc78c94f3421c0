"""`format` as Languages of strings.

Every format that JSON Schema defines is enforced in every draft, whether or not that draft has it yet; draft 3's
`host-name` and `ip-address` are other names of `hostname` and `ipv4`. Any other format is an annotation, those of
numbers (int32, double, ...) included: OpenAPI defines them, JSON Schema does not. `color` is one too, since what is
written under that name is rarely the CSS 2.1 color that draft 3 meant.

Each Language holds only strings that the format's RFC allows. Most hold all of them (`is_exact`); the others leave out
some, so that their complement would be wrong and `not` can't be enforced on them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from ..regex import algebra as lang
from ..regex.ecma import full
from . import format_dates, format_hosts, format_idn, format_regex, format_uris

_Strings = str | Callable[[], lang.Language]
"""A pattern that matches them from start to end, or what makes their Language."""


@dataclass(frozen=True)
class _Format:
    """What is known of a format.

    language: strings that its RFC allows. canonical: those that writers write, where these are less.
    left_out: where some valid strings are left out, strings among which all of these are; the modules say which.
    taken_loosely: what checkers take, where that is more than the RFC allows.
    """

    language: _Strings
    canonical: _Strings | None = None
    left_out: _Strings | None = None
    taken_loosely: _Strings | None = None


_LIKE_ADDRESSES = r"[\s\S]*@[\s\S]*"

_FORMATS = {
    "date": _Format(format_dates.DATE, canonical=format_dates.CANONICAL_DATE),
    "time": _Format(format_dates.time, canonical=format_dates.CANONICAL_TIME),
    "date-time": _Format(format_dates.date_time, canonical=format_dates.CANONICAL_DATE_TIME),
    "duration": _Format(format_dates.DURATION, canonical=format_dates.CANONICAL_DURATION),
    "email": _Format(format_hosts.email, left_out=_LIKE_ADDRESSES),
    "idn-email": _Format(format_idn.idn_email, left_out=_LIKE_ADDRESSES),
    "hostname": _Format(format_hosts.hostname, left_out="[0-9A-Za-z._-]{1,255}"),
    "idn-hostname": _Format(format_idn.idn_hostname, left_out="[0-9A-Za-z._\u0080-\U0010ffff-]+"),
    "ipv4": _Format(format_hosts.IPV4),
    "ipv6": _Format(format_hosts.IPV6),
    "uri": _Format(format_uris.URI),
    "uri-reference": _Format(format_uris.URI_REFERENCE),
    "iri": _Format(format_uris.IRI),
    "iri-reference": _Format(format_uris.IRI_REFERENCE),
    "uri-template": _Format(format_uris.URI_TEMPLATE, taken_loosely=format_uris.LOOSE_URI_TEMPLATE),
    "uuid": _Format(format_uris.UUID),
    "json-pointer": _Format(format_uris.JSON_POINTER),
    "relative-json-pointer": _Format(format_uris.RELATIVE_JSON_POINTER),
    "regex": _Format(format_regex.regex, left_out=r"[\s\S]*"),
}
_FORMATS |= {"host-name": _FORMATS["hostname"], "ip-address": _FORMATS["ipv4"]}


def format_names() -> tuple[str, ...]:
    """The formats that are enforced, in the order of the specification."""
    return tuple(_FORMATS)


@cache
def _language(strings: _Strings) -> lang.Language:
    return full(strings) if isinstance(strings, str) else strings()


def format_language(name: str, *, is_canonical: bool = False) -> lang.Language | None:
    """The strings of a format; None for one that is not known, which is an annotation then.

    is_canonical: only those that writers write.
    """
    known = _FORMATS.get(name)
    if known is None:
        return None
    return _language(known.canonical if is_canonical and known.canonical else known.language)


def is_exact(name: str) -> bool:
    """True when the format's Language holds every valid string."""
    return name not in _FORMATS or _FORMATS[name].left_out is None


def has_exact_complement(name: str, *, is_canonical: bool = False) -> bool:
    """True when every string that is not in the format's Language is invalid for checkers as well."""
    known = _FORMATS.get(name)
    return known is None or not (known.left_out or known.taken_loosely or (is_canonical and known.canonical))


def format_superset(name: str) -> lang.Language | None:
    """A Language that holds every string that may count as valid; None for a format that is not known.

    `not: {format: "email"}` allows what is surely no e-mail address; `format: "email"` what surely is one. The few
    strings between the two are allowed by neither.
    """
    language, known = format_language(name), _FORMATS.get(name)
    beyond = known and (known.left_out or known.taken_loosely)
    return language if language is None or not beyond else lang.union(language, _language(beyond))
