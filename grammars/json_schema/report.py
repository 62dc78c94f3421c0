"""The report of a schema: an entry for each keyword, which says how it is enforced."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..json_paths import Path, escape, pointer
from ..protocol import ReportEntry
from . import formats
from .drafts import Draft
from .keyword_table import KEYWORDS
from .resolve import Scope

_EXACTLY = "exactly"
_ANNOTATION = "annotation"
_NAMES = frozenset(keyword.name for keyword in KEYWORDS if keyword.role == "names")
_SPEAKS_OF = {keyword.name: keyword.types for keyword in KEYWORDS if keyword.types}


def report_of(
    document: dict[str, Any] | bool, schemas: Iterable[tuple[dict[str, Any], Scope, Path]]
) -> tuple[ReportEntry, ...]:
    """The entries of all keywords in some schemas, annotations included but without keywords such as `$id` and `$defs`.

    document: the schema document. Entries are in its order; those of schemas in other documents come last.
    schemas: (schema, its scope, its path) triples.
    """
    ranks = _ranks(document)
    ordered = sorted(
        ((pointer(path), schema, scope) for schema, scope, path in schemas),
        key=lambda one: (ranks.get(one[0], len(ranks)), one[0]),
    )
    entries = (entry for where, schema, scope in ordered for entry in _entries(schema, scope, where))
    return tuple(dict.fromkeys(entries))  # a schema may be reached in several scopes


def _ranks(document: Any) -> dict[str, int]:
    """JSON pointer -> number, for all values of a document in its order."""
    ranks: dict[str, int] = {}
    pending = [(document, "")]
    while pending:
        value, where = pending.pop()
        ranks[where] = len(ranks)
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        pending += reversed([(item, f"{where}/{escape(str(key))}") for key, item in items])
    return ranks


def _entries(schema: dict[str, Any], scope: Scope, where: str) -> Iterable[ReportEntry]:
    draft = scope.draft
    for keyword, value in schema.items():
        if keyword in _NAMES:
            continue
        if "$ref" in schema and draft.ref_stands_alone and keyword != "$ref":
            yield ReportEntry(where, keyword, "not at all: ignored beside $ref in this draft")
        elif not _is_known(keyword, schema, draft):
            yield ReportEntry(where, keyword, _ANNOTATION)
        elif not _is_relevant(keyword, schema):
            yield ReportEntry(where, keyword, "no effect on this type")
        elif keyword == "format" and formats.format_language(value) is None:
            yield ReportEntry(where, keyword, f"{_ANNOTATION} (the format {value!r} is not known)")
        elif keyword == "format" and not formats.is_exact(value):
            yield ReportEntry(where, keyword, "soundly: a few rare valid strings are left out")
        else:
            yield ReportEntry(where, keyword, _EXACTLY)


def _is_relevant(keyword: str, schema: dict[str, Any]) -> bool:
    """True if the keyword constrains one of the schema's types, or the schema has no `type`."""
    named = schema.get("type", [])
    types = {named} if isinstance(named, str) else set(named)
    return not types or keyword not in _SPEAKS_OF or bool(types & _SPEAKS_OF[keyword])


def _is_known(keyword: str, schema: dict[str, Any], draft: Draft) -> bool:
    """True if a keyword has an effect in this draft beside the other keywords of its schema."""
    known = draft.keywords.get(keyword)
    if known is None or known.role != "constrains":
        return False
    if keyword == "additionalItems":
        return isinstance(schema.get("items"), list)
    return not known.beside or known.beside in schema
