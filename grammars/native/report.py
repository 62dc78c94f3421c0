"""The report of a combination: how each part is enforced."""

from __future__ import annotations

from collections.abc import Callable

from ..json_schema.translate import compile_schema
from ..limits import Limits
from ..protocol import ReportEntry, reading_entries
from ..rules.expressions import RuleGraph
from ..spec import GrammarSpec

_EXACTLY = "exactly; the whole text matches"


def report_of(spec: GrammarSpec, graph: RuleGraph, limits: Limits) -> Callable[[], tuple[ReportEntry, ...]]:
    """Return a function that makes the report.

    graph: rules of the part that is not regular; pointers in the report refer to that part.
    """

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
