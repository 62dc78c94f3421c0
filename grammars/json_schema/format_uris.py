"""URIs, IRIs, URI templates, JSON pointers and UUIDs as patterns.

The patterns are exactly the grammars of RFC 3986, 3987, 6570, 6901, 4122, and of relative JSON pointers. The checkers
of the `jsonschema` library refuse some texts that the RFCs and the official test suite allow: IRIs with compressed IPv6
hosts or characters above U+FFFF, URI templates with prefixes over 999 or names that begin with an escape, and relative
JSON pointers with a 0 before the last digit.
"""

from __future__ import annotations

from .format_hosts import IPV6

_UNRESERVED, _SUB_DELIMITERS = "A-Za-z0-9._~\\-", "!$&'()*+,;="
_ESCAPED = "%[0-9A-Fa-f]{2}"
_PLANES = [(plane * 0x10000, plane * 0x10000 + 0xFFFD) for plane in range(1, 14)] + [(0xE1000, 0xEFFFD)]
_BEYOND_ASCII = "\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef" + "".join(f"{chr(low)}-{chr(high)}" for low, high in _PLANES)
_PRIVATE = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"

_VARIABLE_CHAR = f"(?:[A-Za-z0-9_]|{_ESCAPED})"
_VARIABLE = f"{_VARIABLE_CHAR}(?:\\.?{_VARIABLE_CHAR})*(?::[1-9][0-9]{{0,3}}|\\*)?"
_VARIABLES = f"{_VARIABLE}(?:,{_VARIABLE})*"
_LITERAL = f"[!#$&'(-;=?-\\[\\]_a-z~{_BEYOND_ASCII}{_PRIVATE}]"


def _absolute(beyond: str, private: str) -> str:
    """The pattern of URIs or IRIs.

    beyond: characters beyond ASCII that are allowed, as in a class; "" for URIs.
    private: further characters that a query may have.
    """
    pchar = _pchar(beyond)
    rootless = f"{pchar}+(?:/{pchar}*)*"
    return f"[A-Za-z][A-Za-z0-9+.\\-]*:{_hierarchy(beyond, rootless)}{_tail(beyond, private)}"


def _relative(beyond: str, private: str) -> str:
    """The pattern of references without a scheme. The first segment of their path has no colon."""
    noscheme = f"(?:[{_UNRESERVED}{_SUB_DELIMITERS}@{beyond}]|{_ESCAPED})+(?:/{_pchar(beyond)}*)*"
    return f"{_hierarchy(beyond, noscheme)}{_tail(beyond, private)}"


def _hierarchy(beyond: str, path: str) -> str:
    """The pattern of authority and path. path: pattern of paths that do not begin with a slash."""
    pchar, chars = _pchar(beyond), f"{_UNRESERVED}{_SUB_DELIMITERS}{beyond}"
    letter = "[vV]" if beyond else "v"  # the jsonschema library's checker of URIs takes only "v"
    future = f"{letter}[0-9A-Fa-f]+\\.[{_UNRESERVED}{_SUB_DELIMITERS}:]+"
    host = f"(?:\\[(?:{IPV6}|{future})\\]|(?:[{chars}]|{_ESCAPED})*)"
    authority = f"(?:(?:[{chars}:]|{_ESCAPED})*@)?{host}(?::[0-9]*)?"
    return f"(?://{authority}(?:/{pchar}*)*|/(?:{pchar}+(?:/{pchar}*)*)?|(?:{path})?)"


def _tail(beyond: str, private: str) -> str:
    """The pattern of query and fragment, both optional."""
    chars = f"{_UNRESERVED}{_SUB_DELIMITERS}:@/?{beyond}"
    return f"(?:\\?(?:[{chars}{private}]|{_ESCAPED})*)?(?:#(?:[{chars}]|{_ESCAPED})*)?"


def _pchar(beyond: str) -> str:
    return f"(?:[{_UNRESERVED}{_SUB_DELIMITERS}:@{beyond}]|{_ESCAPED})"


URI = _absolute("", "")
"""RFC 3986 URI."""

URI_REFERENCE = f"{URI}|{_relative('', '')}"
"""RFC 3986 URI-reference."""

IRI = _absolute(_BEYOND_ASCII, _PRIVATE)
"""RFC 3987 IRI."""

IRI_REFERENCE = f"{IRI}|{_relative(_BEYOND_ASCII, _PRIVATE)}"
"""RFC 3987 IRI-reference."""

URI_TEMPLATE = f"(?:{_LITERAL}|{_ESCAPED}|\\{{[+#./;?&]?{_VARIABLES}\\}})*"
"""RFC 6570 URI-Template, without the operators that the RFC reserves for later versions."""

LOOSE_URI_TEMPLATE = f"(?:[!#$&'(-;=?-\\[\\]_a-z~\u0080-\U0010ffff]|{_ESCAPED}|\\{{[+#./;?&=,!@|]?{_VARIABLES}\\}})*"
"""URI_TEMPLATE, plus the reserved operators and the unassigned code points that checkers accept."""

JSON_POINTER = "(?:/(?:[^/~]|~[01])*)*"
"""RFC 6901 JSON pointer (the string form, not the fragment)."""

RELATIVE_JSON_POINTER = f"(?:0|[1-9][0-9]*)(?:#|{JSON_POINTER})"
"""draft-handrews-relative-json-pointer-01."""

UUID = "[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
"""RFC 4122, any version and variant."""
