"""`format` as Languages of strings.

Every format that JSON Schema defines is enforced in every draft, even if that draft does not have it. Draft 3's names
`host-name` and `ip-address` mean `hostname` and `ipv4`. Any other format is an annotation, also OpenAPI's formats of
numbers (int32, double, ...). `color` is an annotation, too: schemas rarely use this name for the CSS 2.1 color of
draft 3.

Each Language holds only strings that the format's RFC allows. Most hold all of them (`is_exact`). The others leave out
some valid strings, so `not` can't use their complement; see `format_superset`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from ..regex import algebra as lang
from ..regex.ecma import full
from . import format_dates, format_hosts, format_idn, format_regex, format_uris

_Strings = str | Callable[[], lang.Language]
"""A set of strings: a pattern that matches each string as a whole, or a function that returns the Language."""


@dataclass(frozen=True)
class _Format:
    """The strings of one format.

    language: strings that the format's RFC allows.
    canonical: the strings that common writers write; None: all of `language`.
    left_out: a superset of the valid strings that are not in `language`; None: there are none.
    taken_loosely: the strings that checkers accept; None: no more than the RFC allows.
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
    """The names of the formats that are enforced."""
    return tuple(_FORMATS)


@cache
def _language(strings: _Strings) -> lang.Language:
    return full(strings) if isinstance(strings, str) else strings()


def format_language(name: str, *, is_canonical: bool = False) -> lang.Language | None:
    """The strings of a format; None for an unknown format, which is an annotation.

    is_canonical: True: only the strings that common writers write.
    """
    known = _FORMATS.get(name)
    if known is None:
        return None
    return _language(known.canonical if is_canonical and known.canonical else known.language)


def is_exact(name: str) -> bool:
    """True if the format's Language holds every valid string. True also for an unknown format."""
    return name not in _FORMATS or _FORMATS[name].left_out is None


def has_exact_complement(name: str, *, is_canonical: bool = False) -> bool:
    """True if checkers, too, reject every string outside the format's Language. True also for an unknown format."""
    known = _FORMATS.get(name)
    return known is None or not (known.left_out or known.taken_loosely or (is_canonical and known.canonical))


def format_superset(name: str) -> lang.Language | None:
    """A Language that holds every string that may count as valid; None for an unknown format.

    `format: "email"` allows strings that surely are addresses. `not: {format: "email"}` allows only strings outside
    this superset. The strings between the two sets fit neither schema.
    """
    language, known = format_language(name), _FORMATS.get(name)
    beyond = known and (known.left_out or known.taken_loosely)
    return language if language is None or not beyond else lang.union(language, _language(beyond))
