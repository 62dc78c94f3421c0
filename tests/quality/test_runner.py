"""The runner of the quality measurement: scores, answers on disk, runs that go on, tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from examples.embedded_model.corpus.documents import Document
from examples.embedded_model.corpus.tasks import Task
from examples.embedded_model.evaluate import MISSING
from examples.quality import __main__ as runner
from examples.quality import faults as faults_runner
from examples.quality.answers import Answer, answers_file, read_answers, write_answers
from examples.quality.cases import Case, read_cases
from examples.quality.models import example_names
from examples.quality.rows import GREEDY, ROWS, reasoning_schema, refusal_turns, without_reasoning
from examples.quality.scoring import parsed, score, verdicts
from guided.llm import LLM

INVOICE = next(case for case in read_cases("documents") if case.name == "documents/invoice_mails-1")


def _answer(case: Case, text: str) -> Answer:
    return Answer(case.name, text, num_tokens=10, num_prompt_tokens=50, cpu_s=0.5)


def test_parsed() -> None:
    assert parsed('Here it is: ```json\n{"a": {"b": 1}}\n``` or {"a": 2}') == {"a": {"b": 1}}
    assert parsed('{broken, {"a": 1}') == {"a": 1}
    assert parsed("no document") is MISSING


def test_score() -> None:
    case = INVOICE
    wrong = json.loads(case.task.answer)
    wrong["customer"] = "Nobody"
    wrong["items"].append(wrong["items"][0])
    right = score([case], {case.name: _answer(case, case.task.answer)})
    found = score([case], {case.name: _answer(case, json.dumps(wrong))})
    cut = score([case], {case.name: _answer(case, case.task.answer[:-1])})
    num_fields = len(case.task.fields)
    assert (right.num_right, right.num_fields, right.num_documents_right) == (num_fields, num_fields, 1)
    assert (found.num_right, found.num_fields, found.num_documents_right) == (num_fields - 1, num_fields + 3, 0)
    assert (found.num_valid, found.num_invented) == (1, 1)
    assert (cut.num_valid, cut.num_right, cut.num_fields) == (0, 0, num_fields)


def test_faults_are_told_apart(tmp_path: Path) -> None:
    case = next(one for one in read_cases("documents") if one.name == "documents/csv_tables-1")
    wrong = json.loads(case.task.answer)
    readings = wrong["readings"]
    readings[0]["sensor"] = "south-wall"
    readings[1]["humidity"] = None
    readings[3]["temperature"] = 12.4
    faults = {"right": 10, "another value": 1, "null for a value": 1, "value for null": 1}
    assert +verdicts(case, wrong) == faults
    fields = len(readings[0])
    assert +verdicts(case, wrong | {"readings": [*readings, readings[1]]}) == {**faults, "too many": fields}
    assert +verdicts(case, wrong | {"readings": readings[:2]}) == {
        "right": 5,
        "another value": 1,
        "null for a value": 1,
        "missing": 2 * fields,
    }
    assert +verdicts(case, MISSING) == {"missing": len(case.task.fields)}

    (tmp_path / "own").mkdir()
    write_answers(answers_file(tmp_path, "own", "quotes"), [_answer(case, json.dumps(wrong))])
    app = faults_runner.typer.Typer()
    app.command()(faults_runner.main)
    options = ["--model", str(tmp_path / "own"), "--answers", str(tmp_path)]
    found = CliRunner().invoke(app, options, catch_exceptions=False)
    assert found.stdout.splitlines()[2:] == [
        f"| {name} | 13 | 76.9 % | 1 | 1 | 1 | 0 | 0 |" for name in ("csv_tables", "documents")
    ]
    other = "tuning" if case.half == "held-out" else "held-out"
    for wrong_options in (
        ["--model", "nope"],
        ["--model", "smollm2", "--row", "schema"],
        ["--row", "nope"],
        ["--half", "held_out"],
        ["--half", other],
    ):
        found = CliRunner().invoke(app, [*options, *wrong_options])
        assert (found.exit_code, found.stdout) == (2, ""), wrong_options


def test_answers_are_kept(tmp_path: Path) -> None:
    case = read_cases("short")[0]
    path = answers_file(tmp_path, "model", "row")
    assert read_answers(path) == {}
    write_answers(path, [_answer(case, "é\u2028")])
    assert read_answers(path) == {case.name: _answer(case, "é\u2028")}


def test_a_refused_document_is_told_why() -> None:
    case = INVOICE
    assert refusal_turns(case, case.task.answer) == []
    assert "no JSON" in refusal_turns(case, "hm")[-1]["content"]
    assert "vendor" in refusal_turns(case, "{}")[-1]["content"]


def test_tokens_of_a_draft_count(tiny_model_folder: Path) -> None:
    schema = {"type": "object", "properties": {"n": {"enum": [1, 25]}}, "required": ["n"]}
    case = Case("short/0", "tuning", Task([], schema, '{"n": 1}', {}, Document("Lamps", "one lamp", {})))
    with LLM(str(tiny_model_folder)) as llm:
        answer = ROWS["draft"].answers(llm, [case])[0]
        found = llm.extract_detailed("one lamp", schema, params=GREEDY, draft=True)
    assert found.draft is not None
    assert answer.text == found.completion.text
    assert answer.num_tokens == len(found.draft.token_ids) + len(found.completion.token_ids)
    assert answer.num_prompt_tokens == found.draft.num_prompt_tokens + found.completion.num_prompt_tokens


def test_a_run_goes_on_and_makes_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    class Sure:
        label = "sure"

        def answers(self, llm: Any, cases: list[Case]) -> list[Answer]:
            asked.extend(case.name for case in cases)
            return [_answer(case, case.task.answer) for case in cases]

        def shutdown(self) -> None:
            """Nothing to end."""

    monkeypatch.setattr(runner, "load", lambda name: Sure())
    monkeypatch.setitem(ROWS, "schema", Sure())
    options = ["--model", "smollm2", "--row", "schema", "--half", "held-out", "--answers", str(tmp_path)]
    app = runner.typer.Typer()
    app.command()(runner.main)
    for num_texts in ("1", "2"):
        found = CliRunner().invoke(app, [*options, "--texts", num_texts], catch_exceptions=False)
    assert len(asked) == len(set(asked)) == 4
    assert "**SmolLM2 135M**, 4 texts (held-out half)" in found.stdout
    assert "| sure | 100.0 % | 100.0 % | 100.0 % | 100.0 % | 0 | 4 | 10 | 0.5 |" in found.stdout
    own = ["--model", str(tmp_path), *options[2:], "--texts", "1"]
    assert (
        f"**{tmp_path.name}**, 2 texts (held-out half)" in CliRunner().invoke(app, own, catch_exceptions=False).stdout
    )
    assert len(asked) == 6
    found = CliRunner().invoke(app, [*options, "--texts", "3", "--tables"], catch_exceptions=False)
    assert "sure" not in found.stdout  # two texts have no answer
    assert len(asked) == 6
    both = CliRunner().invoke(app, [*options[:4], *options[6:], "--texts", "1"], catch_exceptions=False)
    assert "**SmolLM2 135M**, 4 texts (tuning and held-out half)" in both.stdout


def test_a_field_for_reasoning(tiny_model_folder: Path) -> None:
    schema = {
        "type": "object",
        "properties": {"n": {"enum": [1, 25]}},
        "required": ["n"],
        "additionalProperties": False,
    }
    case = Case("short/0", "tuning", Task([], schema, '{"n": 1}', {}, Document("Lamps", "one lamp", {})))
    assert list(reasoning_schema(schema)["properties"]) == ["reasoning", "n"]
    assert without_reasoning('{"reasoning": "é", "n": 1}') == '{"n": 1}'
    assert without_reasoning('{"reasoning": "é') == '{"reasoning": "é'
    with LLM(str(tiny_model_folder)) as llm:
        answer = ROWS["reasoning"].answers(llm, [case])[0]
    assert list(json.loads(answer.text)) == ["n"]
    assert answer.num_tokens > 10


def test_examples_are_no_test_texts() -> None:
    halves = {case.name: case.half for case in read_cases("short")}
    assert {halves[name] for name in example_names()} == {"tuning"}
