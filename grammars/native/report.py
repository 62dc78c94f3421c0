"""How each part of a combination is enforced, as a report."""

from __future__ import annotations

from collections.abc import Callable

from ..json_schema.translate import compile_schema
from ..limits import Limits
from ..protocol import ReportEntry, reading_entries
from ..rules.expressions import RuleGraph
from ..spec import GrammarSpec

_EXACTLY = "exactly; the whole text matches"


def report_of(spec: GrammarSpec, graph: RuleGraph, limits: Limits) -> Callable[[], tuple[ReportEntry, ...]]:
    """Makes the report when it is asked for. graph: of the part that is not regular. Its pointers are that part's."""

    def report() -> tuple[ReportEntry, ...]:
        entries: list[ReportEntry] = []
        for part in spec.parts:
            if part.kind == "json_schema":
                entries += reading_entries(part)
                entries += compile_schema(
                    part.data, resources=part.documents, limits=limits, sources=spec.sources
                ).report
            else:
                entries.append(ReportEntry("", part.kind, _EXACTLY))
        if spec.banned_substrings:
            entries.append(ReportEntry("", "banned_substrings", f"exactly; {len(spec.banned_substrings)} never occur"))
        return (*entries, *[ReportEntry("", "note", note) for note in graph.notes])

    return report
