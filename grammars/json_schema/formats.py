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
from functools import cache

from ..regex import algebra as lang
from . import format_dates, format_hosts, format_idn, format_regex, format_uris

_FORMATS: dict[str, Callable[[], lang.Language]] = {
    "date": format_dates.date,
    "time": format_dates.time,
    "date-time": format_dates.date_time,
    "duration": format_dates.duration,
    "email": format_hosts.email,
    "idn-email": format_idn.idn_email,
    "hostname": format_hosts.hostname,
    "host-name": format_hosts.hostname,
    "idn-hostname": format_idn.idn_hostname,
    "ipv4": format_hosts.ipv4,
    "ip-address": format_hosts.ipv4,
    "ipv6": format_hosts.ipv6,
    "uri": format_uris.uri,
    "uri-reference": format_uris.uri_reference,
    "iri": format_uris.iri,
    "iri-reference": format_uris.iri_reference,
    "uri-template": format_uris.uri_template,
    "uuid": format_uris.uuid,
    "json-pointer": format_uris.json_pointer,
    "relative-json-pointer": format_uris.relative_json_pointer,
    "regex": format_regex.regex,
}

_INEXACT = frozenset(["email", "idn-email", "hostname", "host-name", "idn-hostname", "regex"])
"""Formats of which some valid strings are left out; the modules say which."""
_TAKEN_LOOSELY = frozenset(["uri-template"])
"""Formats of which checkers take strings that their RFC does not allow."""


_CANONICAL: dict[str, Callable[[], lang.Language]] = {
    "time": format_dates.canonical_time,
    "date-time": format_dates.canonical_date_time,
    "duration": format_dates.canonical_duration,
}
"""Formats of which writers write less than all valid strings."""


def format_language(name: str, draft: str, *, is_canonical: bool = False) -> lang.Language | None:
    """The strings of a format; None for one that is not known, which is an annotation then.

    draft: URI of the meta-schema. All supported drafts share the definitions of the latest that has the format.
    is_canonical: only those that writers write.
    """
    return _language(name, is_canonical) if name in _FORMATS else None


def is_exact(name: str, draft: str, *, is_canonical: bool = False) -> bool:
    """True when the format's Language holds every valid string."""
    return name not in _INEXACT and not (is_canonical and name in _CANONICAL)


def has_exact_complement(name: str, draft: str, *, is_canonical: bool = False) -> bool:
    """True when every string that is not in the format's Language is invalid for checkers as well."""
    return name not in _TAKEN_LOOSELY and is_exact(name, draft, is_canonical=is_canonical)


@cache
def _language(name: str, is_canonical: bool) -> lang.Language:
    return (_CANONICAL.get(name, _FORMATS[name]) if is_canonical else _FORMATS[name])()
