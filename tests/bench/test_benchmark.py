"""The benchmark on schemas of its own, and its page beside the committed results."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
import typer

from guided.grammars.errors import UnsupportedSchemaError
from tests.bench import page
from tests.bench.engines import ENGINES, Guided, Step, single_bytes
from tests.bench.figures import Run, compare, coverage, only_theirs, set_of
from tests.bench.jsonschemabench import main, rows_of
from tests.bench.reading import Instance, judge, reason_of

SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {}}, "required": ["a", "b"]}


def instance(name: str, schema: Any, *tests: tuple[bool, Any]) -> Instance:
    return {"id": name, "schema": schema, "tests": [{"valid": valid, "data": data} for valid, data in tests]}


INSTANCES = [
    instance("Set---fine", SCHEMA, (True, {"a": 1, "b": [None]}), (False, {"a": "x"})),
    instance("Set---order", SCHEMA, (True, {"b": 2, "a": 1}), (False, {})),
    instance("BFCL_1", {"pattern": r"^(a|b)\1$"}, (True, "aa")),
]


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return single_bytes()


def test_verdicts(tokenizer: Any) -> None:
    rows = [judge(Guided(tokenizer), tokenizer, one) for one in INSTANCES]
    assert [row["status"] for row in rows] == ["pass", "rejects_valid", "refused"]
    assert rows[0]["num_tokens"] == len('{"a": 1, "b": [null]}{"a": "')
    assert rows[1]["wrong"] == [0, 1]
    assert rows[2]["reason"] == "UnsupportedSchemaError: pattern"
    assert judge(ENGINES["guided-any-order"](tokenizer), tokenizer, INSTANCES[1])["status"] == "pass"


class Loose(Guided):
    """Takes every text, and ends its process for some schemas."""

    def compile(self) -> None:
        schema = self._arguments["json_schema"]
        if "signal" in schema:
            os.kill(os.getpid(), schema["signal"])

    def start(self) -> Step:
        return lambda token_id: True

    def is_complete(self) -> bool:
        return True


def test_a_process_that_ends_costs_one_schema(tokenizer: Any) -> None:
    signals = (signal.SIGTERM, signal.SIGXCPU)
    deaths = [instance(f"Set---{number}", {"signal": int(number)}) for number in signals]
    rows = list(rows_of(Loose(tokenizer), tokenizer, [deaths[0], INSTANCES[0], deaths[1], INSTANCES[1]], 60))
    assert [row["status"] for row in rows] == ["crash", "accepts_invalid", "timeout", "accepts_invalid"]
    assert [row["id"] for row in rows][1::2] == ["Set---fine", "Set---order"]


def test_a_run_goes_on_where_it_ended(tmp_path: Path) -> None:
    source, out = tmp_path / "data", tmp_path / "results"
    source.mkdir()
    for one in INSTANCES:
        (source / f"{one['id']}.json").write_text(json.dumps({"schema": one["schema"], "tests": one["tests"]}))
    main(source, "guided", out, "bytes", 2, 60)
    path = out / "guided.bytes.jsonl"
    before = path.read_text()
    main(source, "guided", out, "bytes", 1, 60)
    assert path.read_text().startswith(before)
    setting, *rows = map(json.loads, path.read_text().splitlines())
    assert setting["vocabulary"] == "bytes"
    assert [row["num_documents"] for row in rows] == [1, 2, 2]
    assert sorted(row["id"] for row in rows) == sorted(one["id"] for one in INSTANCES)


def test_only_the_schemas_of_other_results(tmp_path: Path) -> None:
    source = tmp_path / "data.jsonl"
    source.write_text("".join(json.dumps(one) + "\n" for one in INSTANCES))
    main(source, "guided", tmp_path / "all", "bytes", 1, 60)
    setting, first, *_ = (tmp_path / "all/guided.bytes.jsonl").read_text().splitlines()
    like = tmp_path / "like.jsonl"
    like.write_text(f"{setting}\n{first}\n")
    main(source, "guided", tmp_path / "some", "bytes", 1, 60, like)
    setting, *rows = (tmp_path / "some/guided.bytes.jsonl").read_text().splitlines()
    assert [json.loads(row)["id"] for row in rows] == ["Set---fine"]
    like.write_text("\n".join([setting, first, '{"id": "Set---other"}']))
    with pytest.raises(typer.BadParameter, match=r"lacks 1 schemas of .*, such as Set---other"):
        main(source, "guided", tmp_path / "none", "bytes", 1, 60, like)


def test_reasons_have_no_texts_of_schemas() -> None:
    assert reason_of(UnsupportedSchemaError("/properties/secret", "pattern", "no")) == "UnsupportedSchemaError: pattern"
    message = 'Unimplemented keys: ["not"] in {"secret": [1]} of \'secret\' at #/properties/secret'
    assert "secret" not in reason_of(ValueError(message))
    assert '["not"]' in reason_of(ValueError(message))


def row(status: str, whole_ms: float = 1.0) -> dict[str, Any]:
    return {"status": status, "whole_ms": whole_ms}


def test_figures() -> None:
    ours = Run({"engine": "guided"}, {"A---1": row("pass", 1), "A---2": row("pass", 6), "JME_0": row("refused")})
    theirs = Run({"engine": "x"}, {"A---1": row("pass", 2), "A---2": row("pass", 3), "JME_0": row("pass", 4)})
    assert coverage(ours) == {"A": (2, 2), "JME": (0, 1)}
    found = compare(ours, theirs)
    assert (found.num, found.share_of_sum, found.median, found.share_faster) == (2, 7 / 5, 1.25, 0.5)
    assert found.slowest[0] == ("A---2", 2.0)
    assert only_theirs(ours, theirs) == {"refused": 1}
    assert set_of("BFCL_java_0") == "BFCL"


@pytest.mark.parametrize("document", [page.DOCUMENT, page.SPEED])
def test_the_pages_have_the_figures_of_the_results(document: Path) -> None:
    found = page.tables() if document == page.DOCUMENT else {"grammars": page.speed_table()}
    assert page.document_with(document, found) == document.read_text(encoding="utf-8"), "python -m tests.bench.page"
