"""Runs every case on every backend that takes its kind, and writes what came out into docs/backends.md.

python -m tests.backends_table          rewrite the table (llguidance and xgrammar must be installed)

The exclusions, and the reason of each, stand in tests/cases/exclusions.py. `check` finds what they do not explain.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from guided.grammars.backends.registry import backend_names, get_backend
from guided.grammars.compile import compile_grammar
from guided.grammars.errors import BackendNotInstalledError, GuidedError
from tests.cases.exclusions import ACCEPTS, DIALECTS, EXCLUSIONS, REFUSED, REJECTS
from tests.cases.grammar_cases import GrammarCase, all_cases
from tests.grammars.vocabularies import byte_vocabulary, matches

DOCUMENT = Path(__file__).parent.parent / "docs" / "backends.md"
BEGIN, END = "<!-- table: python -m tests.backends_table -->", "<!-- end of table -->"
COLUMNS = ("json_schema", "regex", "choice", "ebnf gbnf", "ebnf xgrammar", "ebnf w3c", "ebnf lark", "structural_tag")
VOCABULARY = byte_vocabulary()


@dataclass(frozen=True)
class Outcome:
    """What a backend made of a case. verdict: "" if all is right, else REFUSED, ACCEPTS or REJECTS; detail: of what."""

    backend: str
    case: GrammarCase
    verdict: str
    detail: str = ""


def run_case(backend: str, case: GrammarCase) -> Outcome:
    """Compile the case and try all of its texts. Accepting an invalid text ranks worst."""
    try:
        matcher = compile_grammar(VOCABULARY, backend=backend, cache=None, **case.arguments).matcher()
    except GuidedError as error:
        return Outcome(backend, case, REFUSED, str(error))
    accepted = [text for text in case.invalid if matches(matcher, text)]
    if accepted:
        return Outcome(backend, case, ACCEPTS, repr(accepted[0]))
    rejected = [text for text in case.valid if not matches(matcher, text)]
    return Outcome(backend, case, REJECTS, repr(rejected[0])) if rejected else Outcome(backend, case, "")


def installed_backends() -> list[str]:
    """The backends whose libraries are here."""
    return [name for name in backend_names() if is_installed(name)]


def is_installed(backend: str) -> bool:
    """True if the backend can be loaded."""
    try:
        get_backend(backend)
    except BackendNotInstalledError:
        return False
    return True


def run_all(backend: str) -> list[Outcome]:
    """The outcomes of all cases of the kinds that the backend takes."""
    return [run_case(backend, case) for case in all_cases() if takes(backend, column_of(case))]


def column_of(case: GrammarCase) -> str:
    """The kind of a case, with the dialect of an EBNF grammar."""
    return f"ebnf {case.options['dialect']}" if case.kind == "ebnf" else case.kind


def takes(backend: str, column: str) -> bool:
    """True if the backend takes grammars of this kind and dialect."""
    kind, _, dialect = column.partition(" ")
    if kind not in get_backend(backend).kinds:
        return False
    return not dialect or dialect in DIALECTS.get(backend, (dialect,))


def check(outcomes: list[Outcome]) -> list[str]:
    """What is not as `EXCLUSIONS` says."""
    problems = []
    for outcome in outcomes:
        case = outcome.case
        expected, _ = EXCLUSIONS.get(outcome.backend, {}).get((case.kind, case.name), ("", ""))
        if outcome.verdict != expected:
            found = f"{outcome.verdict or 'all right'} {outcome.detail}"
            problems.append(
                f"{outcome.backend}, {case.kind} {case.name!r}: expected {expected or 'all right'}; {found}"
            )
    ran = {(outcome.backend, outcome.case.kind, outcome.case.name) for outcome in outcomes}
    for backend in {outcome.backend for outcome in outcomes}:
        for kind, name in EXCLUSIONS.get(backend, {}):
            if (backend, kind, name) not in ran:
                problems.append(f"{backend}: the exclusion of {kind} {name!r} is of no case")
    return problems


def table(outcomes: list[Outcome]) -> str:
    """The tables of the document: how many cases each backend does, then each exclusion with its reason."""
    backends = sorted({outcome.backend for outcome in outcomes})
    num_cases = Counter(map(column_of, all_cases()))
    lines = [
        "| backend | " + " | ".join(f"{column} ({num_cases[column]})" for column in COLUMNS) + " |",
        "|---|" + "---|" * len(COLUMNS),
    ]
    for backend in backends:
        lines.append(f"| `{backend}` | " + " | ".join(_cell(backend, column, outcomes) for column in COLUMNS) + " |")
    for backend in backends:
        lines += _exclusions(backend)
    return "\n".join(lines)


def _cell(backend: str, column: str, outcomes: list[Outcome]) -> str:
    if not takes(backend, column):
        return "not taken"
    verdicts = Counter(o.verdict for o in outcomes if o.backend == backend and column_of(o.case) == column)
    wrong = [f"{verdicts[verdict]} {verdict}" for verdict in (REFUSED, REJECTS, ACCEPTS) if verdicts[verdict]]
    return ", ".join([f"{verdicts['']} right", *wrong])


def _exclusions(backend: str) -> list[str]:
    exclusions = EXCLUSIONS.get(backend, {})
    if not exclusions:
        return []
    lines = ["", f"### Exclusions of `{backend}`", "", "| kind | case | outcome | reason |", "|---|---|---|---|"]
    for (kind, name), (verdict, reason) in sorted(exclusions.items()):
        lines.append(f"| {kind} | {_plain(name)} | {verdict} | {_plain(reason)} |")
    return lines


def _plain(text: str) -> str:
    return text.replace("|", "\\|")


def document_with(tables: str) -> str:
    """The document with these tables in their place."""
    before, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)
    return f"{before}{BEGIN}\n\n{tables}\n\n{END}{rest.partition(END)[2]}"


def main() -> None:
    """Run everything; write the document only if all is as the exclusions say."""
    missing = [name for name in backend_names() if not is_installed(name)]
    if missing:
        sys.exit(f"not installed: {', '.join(missing)}; pip install 'guided-generation[backends]'")
    outcomes = [outcome for name in backend_names() for outcome in run_all(name)]
    problems = check(outcomes)
    if problems:
        sys.exit("\n".join(problems))
    DOCUMENT.write_text(document_with(table(outcomes)), encoding="utf-8")


if __name__ == "__main__":
    main()
