"""`Enforcement`: what a grammar holds an answer to, as plain data that can be kept beside the answer."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from importlib.metadata import version
from typing import Any

from guided.grammars.protocol import CompiledGrammar, ReportEntry
from guided.grammars.spec import GrammarKind, GrammarSpec

from .advice import unbounded
from .surprises import surprises

MAX_NOTES = 100


@dataclass(frozen=True)
class Enforcement:
    """A record of an answer's grammar and of its enforcement.

    Attributes:
        version: version of guided that compiled the grammar.
        backend: grammar backend.
        kind: kind of the grammar.
        digest: "sha256:" and the hash of the grammar with the options that change its meaning, see `digest_of`.
        report: how each keyword is enforced, as in `guided check`.
        notes: what other libraries read in another way, and values without a bound, as in `guided check`. The last
            one says how many are left out after MAX_NOTES.
    """

    version: str
    backend: str
    kind: GrammarKind
    digest: str
    report: tuple[ReportEntry, ...]
    notes: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The fields as JSON data; the same object each time, which nobody may change."""
        return self._json

    @cached_property
    def _json(self) -> dict[str, Any]:
        return asdict(self)


def enforcement_of(grammar: CompiledGrammar) -> Enforcement:
    """The enforcement by a grammar. Takes time in proportion to the grammar's size."""
    spec = grammar.spec
    schema = spec.data if spec.kind == "json_schema" else None
    notes = [str(note) for note in (*surprises(spec), *unbounded(schema))]
    if len(notes) > MAX_NOTES:
        notes[MAX_NOTES:] = [f"{len(notes) - MAX_NOTES} more notes, which `guided check` lists"]
    backend = "native" if grammar.origin is None else grammar.origin.backend
    return Enforcement(_release(), backend, spec.kind, digest_of(spec), grammar.report, tuple(notes))


@cache
def _release() -> str:
    return version("guided-generation")


def digest_of(spec: GrammarSpec) -> str:
    """A hash of a grammar's source, options, resources and quote sources, equal for equal grammars in any process."""
    arguments = spec.arguments | ({} if spec.styled is None else {"styled": asdict(spec.styled)})
    return f"sha256:{hashlib.sha256(json.dumps(arguments, sort_keys=True).encode()).hexdigest()}"
