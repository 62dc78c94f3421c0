"""Grammars whose texts must not contain certain strings, or are written inside a JSON string."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import UnsupportedSchemaError
from ..regex import algebra as lang
from ..regex.algebra import Language
from ..regex.free_text import free_text
from ..regex.spelled import JSON_ESCAPES, spelled
from ..rules.expressions import Expression, JsonDocument, Leaf, RuleGraph, Terminal, TokenRef, map_leaves
from ..rules.substrings import spelled_by_several
from .places import TagValue


def written(language: Language, place: TagValue) -> Language:
    """The texts of a Language in the form that a format requires.

    place: the format. The field "excludes" removes texts with these strings. The field "in_json_string" escapes the
        texts as the content of a JSON string.
    """
    excludes = place.texts("excludes")
    kept = lang.intersect(language, free_text(excludes)) if excludes else language
    return spelled(kept, JSON_ESCAPES) if place.flag("in_json_string") else kept


def written_rules(graph: RuleGraph, place: TagValue) -> Mapping[str, Expression]:
    """The rules of a graph with their texts in the form that a format requires; see `written`.

    Raises UnsupportedSchemaError for schemas and tokens in a JSON string or beside excluded strings, and if several
    terminals in a row may spell an excluded string.
    """
    mark = spelled_by_several(graph, place.texts("excludes"), documents_separate=False)
    if mark is not None:
        reason = f"its terminals, one after the other, may spell {mark!r}"
        raise UnsupportedSchemaError(place.pointer, "excludes", reason, "change the grammar so that they can't")
    is_in_string = place.flag("in_json_string")
    if not (is_in_string or place.texts("excludes")):
        return graph.rules

    def change(leaf: Leaf) -> Expression:
        if is_in_string and isinstance(leaf, JsonDocument | TokenRef):
            what = "a schema" if isinstance(leaf, JsonDocument) else "a token"
            raise UnsupportedSchemaError(place.pointer, "in_json_string", f"{what} can't stand in a JSON string")
        return Terminal(written(leaf.language, place)) if isinstance(leaf, Terminal) else leaf

    return {name: map_leaves(rule, change) for name, rule in graph.rules.items()}
