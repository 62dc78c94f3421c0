"""Languages that hold every string that may count as valid: where a format's own Language leaves some out, or checkers
take more than its RFC.

`not: {format: "email"}` allows what is surely no e-mail address; `format: "email"` what surely is one. The few strings
between the two are allowed by neither.
"""

from __future__ import annotations

from functools import cache

from ..regex import algebra as lang
from ..regex import charset
from . import format_uris, formats

_HOST_CHARS = charset.union(((48, 57), (65, 90), (97, 122)), charset.from_chars("-._"))


@cache
def format_superset(name: str, draft: str) -> lang.Language | None:
    """A Language that holds every string of a format; None for a format that is not known."""
    language = formats.format_language(name, draft)
    if language is None or formats.has_exact_complement(name, draft):
        return language
    return lang.union(language, _beyond(name))


def _beyond(name: str) -> lang.Language:
    """Strings among which all are that the format's own Language leaves out."""
    if name in ("email", "idn-email"):
        return lang.concat(lang.ANYTHING, lang.text("@"), lang.ANYTHING)
    if name in ("hostname", "host-name"):
        return lang.repeat(lang.chars(_HOST_CHARS), 1, 255)
    if name == "idn-hostname":
        return lang.repeat(lang.chars(charset.union(charset.difference(charset.ALL, ((0, 127),)), _HOST_CHARS)), 1)
    return format_uris.loose_uri_template() if name == "uri-template" else lang.ANYTHING
