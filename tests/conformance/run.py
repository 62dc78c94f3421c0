"""The public conformance data against the native backend, as a ratchet: `python -m tests.conformance.run
SHARED_FOLDER`.

SHARED_FOLDER holds `data/json-schema-test-suite` (the official JSON Schema suite) and
`data/maskbench-dev.jsonl.gz`; neither
is part of this project. Every instance is written as canonical JSON (`json.dumps`, keys in their order) and fed to
a matcher byte by byte, which takes any valid form of numbers and times (`values="any"`, the default of
`compile_grammar`); `--values canonical` says what the canonical form costs. What comes out is compared with
`expected.json`: no figure may get worse, and accepting an invalid instance fails at once.
`--update` writes the figures as the new expectation; `--list` prints every instance that went wrong.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import GuidedError, LimitExceededError, UnsatisfiableError
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.spec import VALUES
from guided.grammars.vocabulary import Vocabulary

EXPECTED = Path(__file__).with_name("expected.json")
DRAFTS = {
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
    "draft7": "http://json-schema.org/draft-07/schema#",
}
VERDICTS = ("right", "wrong_accept", "wrong_reject", "refused", "limit")
BYTES = Vocabulary([bytes([byte]) for byte in range(256)] + [None], [256])

Group = tuple[str, Any, list[tuple[Any, bool]]]


def suite_groups(folder: Path, draft: str) -> Iterator[Group]:
    """The groups of the official suite: name, schema, instances with their validity."""
    for path in sorted((folder / "tests" / draft).rglob("*.json")):
        for group in json.loads(path.read_text()):
            instances = [(test["data"], test["valid"]) for test in group["tests"]]
            yield f"{path.stem}: {group['description']}", group["schema"], instances


def maskbench_groups(path: Path) -> Iterator[Group]:
    """The schemas of MaskBench's public part."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            yield case["id"], case["schema"], [(test["data"], test["valid"]) for test in case["tests"]]


def remotes(folder: Path) -> dict[str, Any]:
    """The suite's remote documents."""
    root = folder / "remotes"
    return {
        f"http://localhost:1234/{path.relative_to(root)}": json.loads(path.read_text()) for path in root.rglob("*.json")
    }


def count(groups: list[Group], problems: list[str], **options: Any) -> Counter[str]:
    """The verdicts over all instances; what is not right goes to `problems`."""
    verdicts: Counter[str] = Counter()
    for name, schema, instances in track(groups, description="replaying", transient=True):
        try:
            grammar = compile_grammar(BYTES, json_schema=schema, backend="native", **options)
        except UnsatisfiableError:  # an error is what is right where no instance is valid
            verdicts["right" if not any(valid for _, valid in instances) else "wrong_reject"] += len(instances)
            continue
        except GuidedError as error:
            verdicts["refused"] += len(instances)
            problems.append(f"refused       {name}: {error}")
            continue
        for data, is_valid in instances:
            text = json.dumps(data, ensure_ascii=False)
            verdict = _verdict(grammar, text, is_valid)
            verdicts[verdict] += 1
            if verdict != "right":
                problems.append(f"{verdict:13} {name}: {text[:200]}")
    return verdicts


def _verdict(grammar: CompiledGrammar, text: str, is_valid: bool) -> str:
    """One of VERDICTS; "limit" when the automaton grew past its limits on the way."""
    matcher = grammar.matcher()
    try:
        is_read = all(map(matcher.accept_token, text.encode("utf-8", "surrogatepass")))
    except LimitExceededError:
        return "limit"
    is_accepted = is_read and matcher.is_accepting()
    return "right" if is_accepted == is_valid else "wrong_accept" if is_accepted else "wrong_reject"


def measure(shared: Path, problems: list[str], values: str = "any") -> dict[str, dict[str, int]]:
    """Every set's figures."""
    suite = shared / "data" / "json-schema-test-suite"
    resources = remotes(suite)
    figures: dict[str, dict[str, int]] = {}
    for draft in DRAFTS:
        for order in ("schema", "any"):
            problems.append(f"--- {draft}, property_order {order}")
            groups = list(suite_groups(suite, draft))
            verdicts = count(groups, problems, property_order=order, resources=resources, values=values)
            figures[f"{draft}, order {order}"] = {verdict: verdicts[verdict] for verdict in VERDICTS}
    problems.append("--- maskbench-dev")
    verdicts = count(list(maskbench_groups(shared / "data" / "maskbench-dev.jsonl.gz")), problems, values=values)
    figures["maskbench-dev"] = {verdict: verdicts[verdict] for verdict in VERDICTS}
    return figures


def regressions(figures: dict[str, dict[str, int]], expected: dict[str, dict[str, int]]) -> list[str]:
    """What got worse."""
    found = []
    for name, verdicts in figures.items():
        if verdicts["wrong_accept"] > expected[name]["wrong_accept"]:
            found.append(
                f"{name}: {verdicts['wrong_accept']} invalid accepted, expected {expected[name]['wrong_accept']}"
            )
        if verdicts["right"] < expected[name]["right"]:
            found.append(f"{name}: {verdicts['right']} right, expected at least {expected[name]['right']}")
    return found


def main() -> int:
    """Exit code 0 when nothing got worse."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("shared", type=Path)
    parser.add_argument("--update", action="store_true", help="write the figures to expected.json")
    parser.add_argument("--list", action="store_true", help="print every instance that is not right")
    parser.add_argument("--values", default="any", choices=VALUES, help="which forms of numbers and times are taken")
    arguments = parser.parse_args()
    problems: list[str] = []
    figures = measure(arguments.shared, problems, arguments.values)
    table = Table("set", *VERDICTS)
    for name, verdicts in figures.items():
        table.add_row(name, *(str(verdicts[verdict]) for verdict in VERDICTS))
    Console().print(table)
    if arguments.list:
        print("\n".join(problems))
    if arguments.update:
        EXPECTED.write_text(json.dumps(figures, indent=1) + "\n")
        return 0
    worse = regressions(figures, json.loads(EXPECTED.read_text()))
    print("\n".join(worse), file=sys.stderr)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
