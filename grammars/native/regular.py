"""The regular side of a product: regexes, choices and banned substrings as one language."""

from __future__ import annotations

import json

from ..limits import Limits
from ..regex import algebra as lang
from ..regex.algebra import Language
from ..regex.free_text import free_text
from ..regex.python_re import full
from ..rules.expressions import RuleGraph, Terminal
from ..rules.prepare import prepare
from ..spec import GrammarSpec


def regular_language(spec: GrammarSpec) -> Language:
    """Return the texts that fit all regular parts of a combination and contain no banned substring."""
    return lang.intersect(*[_language(part) for part in spec.parts], free_text(spec.banned_substrings))


def language_of_rules(graph: RuleGraph, limits: Limits) -> Language | None:
    """Return the texts of rules if they are regular; else None."""
    start = None if graph.foreign else prepare(graph, limits).start
    return start.language if isinstance(start, Terminal) else None


def _language(spec: GrammarSpec) -> Language:
    return full(spec.source) if spec.kind == "regex" else lang.words(json.loads(spec.source))
