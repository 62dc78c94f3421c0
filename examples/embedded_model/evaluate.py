"""Measures the embedded model: `python -m examples.embedded_model.evaluate` on texts that training never saw.

Every test text is made of held-out templates (or labels) only and held-out words only; with `--texts
tests/cases/realistic_texts.jsonl` they are texts as people write them, which no template makes. With `--nested` the
answers have objects in them and lists of objects. A field is right when its JSON value equals the expected one exactly,
null for null; in a nested answer each field counts. A document that is not valid JSON has no right field.
"""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from guided.extraction.extraction import ExtractionTarget
from guided.extraction.quote_marks import Quotes, has_quotes
from guided.extraction.quote_places import TEXT_SOURCE
from guided.llm import LLM
from guided.output.completion import Completion
from guided.params.sampling_params import SamplingParams
from guided.requests.prompting import PromptEncoder
from guided.requests.request import PromptRequest

from .corpus.conversations import lengthen
from .corpus.documents import Document
from .corpus.nested import make_nested_task
from .corpus.scene_tasks import make_scene_task
from .corpus.tasks import Task, field_schema, make_task
from .quoting import num_invented, quoting_schema, with_rare_words

MAX_NEW_TOKENS = 400
MISSING = object()


@dataclass
class Score:
    """Counts over the tasks of one run. asked, right: by field of the generator; errors: (key, expected, got, text)."""

    num_documents: int = 0
    num_valid: int = 0
    num_documents_right: int = 0
    num_tokens: int = 0
    num_forced_tokens: int = 0
    seconds: float = 0.0
    asked: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    num_stated: int = 0
    num_stated_right: int = 0
    num_invented: int = 0
    num_invented_numbers: int = 0
    errors: list[tuple[str, Any, Any, str]] = field(default_factory=list)

    def add(self, task: Task, completion: Completion) -> None:
        """Count one answer."""
        got = _parse(completion)
        expected = leaves(json.loads(task.answer))
        self.num_documents += 1
        self.num_valid += got is not MISSING and ExtractionTarget(task.schema).is_valid(got)
        if got is not MISSING:
            num_strings, num_numbers = num_invented(task, got)
            self.num_invented += num_strings
            self.num_invented_numbers += num_numbers
        self.num_tokens += len(completion.token_ids)
        self.num_forced_tokens += completion.num_forced_tokens
        values = {} if got is MISSING else leaves(got)
        outcomes = [self._add_field(task, key, expected[key], values.get(key, MISSING)) for key in expected]
        outcomes += [
            self._add_surplus(task, path, values[path]) for path in values if "/" in path and path not in expected
        ]
        self.num_documents_right += all(outcomes)

    def _add_field(self, task: Task, key: str, expected: Any, got: Any) -> bool:
        is_right = got is not MISSING and same_value(got, expected)
        name = task.fields[key]
        self.asked[name] += 1
        self.right[name] += is_right
        self.num_stated += name in task.document.facts
        self.num_stated_right += is_right and name in task.document.facts
        if not is_right:
            self.errors.append((key, expected, None if got is MISSING else got, task.document.text))
        return is_right

    def _add_surplus(self, task: Task, path: str, got: Any) -> bool:
        """Count a field of an object that is too many as a wrong one."""
        self.asked["(too many)"] += 1
        self.errors.append((path, None, got, task.document.text))
        return False

    def summary(self) -> dict[str, float]:
        """Shares in [0, 1] and counts, as plain numbers."""
        return {
            "documents": self.num_documents,
            "fields": self.asked.total(),
            "fields_right": round(self.right.total() / self.asked.total(), 4),
            "stated_fields_right": round(self.num_stated_right / self.num_stated, 4),
            "documents_right": round(self.num_documents_right / self.num_documents, 4),
            "documents_valid": round(self.num_valid / self.num_documents, 4),
            "invented_strings": self.num_invented,
            "invented_numbers": self.num_invented_numbers,
            "forced_tokens": round(self.num_forced_tokens / self.num_tokens, 4),
            "tokens_per_s": round(self.num_tokens / self.seconds, 1),
        }


def leaves(value: Any) -> dict[str, Any]:
    """The fields of an object or a list, and of all objects in it, by path: {"items": [{"sku": 1}]} is
    {"items/0/sku": 1}. Other values have none."""
    found: dict[str, Any] = {}
    if isinstance(value, list):
        value = {str(i): item for i, item in enumerate(value)}
    for key, inner in value.items() if isinstance(value, dict) else ():
        objects = (
            {f"{key}/{i}": item for i, item in enumerate(inner) if isinstance(item, dict)}
            if isinstance(inner, list)
            else {}
        )
        if isinstance(inner, dict):
            objects = {key: inner}
        for path, item in objects.items():
            found |= {f"{path}/{name}": part for name, part in leaves(item).items()}
        if not objects:
            found[key] = inner
    return found


def same_value(got: Any, expected: Any) -> bool:
    """Equal JSON values; true is not 1, but 20 is 20.0."""
    return got == expected and isinstance(got, bool) == isinstance(expected, bool)


def make_tasks(count: int, seed: int, *, held_out_templates: bool = True, held_out_values: bool = True) -> list[Task]:
    """Test tasks, the same for the same arguments."""
    rng = random.Random(f"evaluate:{seed}")
    return [
        make_task(rng, held_out_templates=held_out_templates, held_out_values=held_out_values) for _ in range(count)
    ]


def make_other_tasks(count: int, seed: int, *, are_nested: bool) -> list[Task]:
    """Test tasks with nested answers, or on generated realistic texts; of held-out lines and words."""
    rng = random.Random(f"evaluate:{seed}")
    make = make_nested_task if are_nested else make_scene_task
    return [make(rng, held_out=True) for _ in range(count)]


def read_tasks(path: Path) -> list[Task]:
    """Tasks from a JSON Lines file of {"text": ..., "answer": {...}}: texts that people could have written.

    The first field is required to have a value, the others may be null. Their types are the generator's.
    """
    tasks = []
    for line in path.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        first = next(iter(case["answer"]))
        properties = {name: field_schema(name, is_nullable=name != first) for name in case["answer"]}
        schema = {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }
        document = Document(
            "realistic", case["text"], {k: json.dumps(v) for k, v in case["answer"].items() if v is not None}
        )
        messages = [{"role": "user", "content": case["text"]}]
        tasks.append(Task(messages, schema, json.dumps(case["answer"]), {name: name for name in properties}, document))
    return tasks


def dates_of(tasks: Sequence[Task]) -> list[Task]:
    """Those tasks that ask for a date which its text states in full, with these fields alone: dates in ISO's form."""
    found = []
    from dateparser.date import DateDataParser  # type: ignore[import-untyped]

    parser = DateDataParser(languages=["en", "de", "fr"], settings={"REQUIRE_PARTS": ["day", "month", "year"]})
    for task in tasks:
        dates: dict[str, str] = {}
        for name, value in json.loads(task.answer).items():
            with suppress(ValueError, TypeError):  # no date, or one that leaves something open
                date = parser.get_date_data(value).date_obj if "date" in name else None
                dates |= {} if date is None else {name: date.date().isoformat()}
        schema = {
            "type": "object",
            "properties": {name: {"type": "string", "format": "date"} for name in dates},
            "required": list(dates),
            "additionalProperties": False,
        }
        found += [replace(task, schema=schema, answer=json.dumps(dates))] if dates else []
    return found


def lengthened(llm: LLM, tasks: Sequence[Task], num_tokens: int) -> list[Task]:
    """The tasks behind so many tokens of instructions, tools and earlier turns that training never saw."""
    rng = random.Random(f"lengthen:{num_tokens}")

    def count_tokens(text: str) -> int:
        return len(llm.tokenizer.encode(text, add_special_tokens=False))

    return [lengthen(task, rng, num_tokens, count_tokens, is_held_out=True) for task in tasks]


def evaluate(
    llm: LLM, tasks: Sequence[Task], *, is_constrained: bool, quotes: Quotes = False, progress: bool = False
) -> Score:
    """Answer all tasks greedily and count. The fields asked for are in the prompt either way.

    quotes: under a constraint, what must stand in the text: all free strings ("strings"), numbers, too (True).
    """
    encoder = PromptEncoder(llm.tokenizer, llm.vocabulary)
    params = SamplingParams(temperature=0.0, max_new_tokens=MAX_NEW_TOKENS)
    requests = []
    for task in tasks:
        constraint = SamplingParams(json_schema=task.schema)
        if quotes:
            schema, sources = quoting_schema(task, quotes), {TEXT_SOURCE: task.document.text}
            constraint = SamplingParams(json_schema=schema, sources=sources if has_quotes(schema) else None)
        grammar = llm.compile(constraint) if is_constrained else None
        requests.append(PromptRequest(encoder.encode_chat(task.messages, task.schema), params, grammar))
    start = time.perf_counter()
    with llm.submit(requests, read_at_end=not progress, is_bounded=False) as generation:
        completions = generation.results(progress=progress)
    score = Score(seconds=time.perf_counter() - start)
    for task, completion in zip(tasks, completions, strict=True):
        score.add(task, completion)
    return score


def _parse(completion: Completion) -> Any:
    if completion.finish_reason != "stop":
        return MISSING
    try:
        return json.loads(completion.text)
    except ValueError:
        return MISSING


def _field_table(score: Score) -> Table:
    table = Table("field", "asked", "right", title="Under the schema, field by field")
    for name, asked in sorted(score.asked.items(), key=lambda item: score.right[item[0]] / item[1]):
        table.add_row(name, str(asked), f"{score.right[name] / asked:.1%}")
    return table


def main(
    model: Annotated[str, typer.Option(help="Model folder or name.")] = "embedded",
    tasks: Annotated[int, typer.Option(min=1, help="Number of test texts.")] = 500,
    seed: Annotated[int, typer.Option(help="Seed of the test texts.")] = 0,
    seen_templates: Annotated[
        bool, typer.Option(help="Use the training templates (still with held-out words).")
    ] = False,
    texts: Annotated[
        Path | None, typer.Option(help="Texts with their answers (JSON Lines) instead of generated ones.")
    ] = None,
    dates: Annotated[
        bool, typer.Option(help="Only the fields of --texts that are dates, in ISO's form. Needs dateparser.")
    ] = False,
    nested: Annotated[bool, typer.Option(help="Answers with objects in them and lists of objects.")] = False,
    scenes: Annotated[bool, typer.Option(help="Generated mails, notes, advertisements and bills.")] = False,
    context_tokens: Annotated[
        int, typer.Option(min=0, help="Put so many tokens of instructions, tools and earlier turns in front.")
    ] = 0,
    quotes: Annotated[
        bool, typer.Option(help="Also with free strings held to be quotes, and with numbers held to the text, too.")
    ] = False,
    rare_words: Annotated[bool, typer.Option(help="Put rare words in the place of those of the values.")] = False,
    show_errors: Annotated[int, typer.Option(help="Print so many wrong fields with their texts.")] = 0,
    json_out: Annotated[Path | None, typer.Option(help="Write the figures to this file too.")] = None,
) -> None:
    """Test the embedded model on held-out texts, with and without the schema's constraint."""
    console = Console()
    llm = LLM(model)
    if nested + scenes + (texts is not None) > 1:
        raise typer.BadParameter("--nested, --scenes and --texts are tests of their own; give one of them")
    if nested and rare_words:
        raise typer.BadParameter("--rare-words changes the values of flat answers only; leave --nested out")
    if texts is not None:
        test_tasks = dates_of(read_tasks(texts)) if dates else read_tasks(texts)
    elif nested or scenes:
        test_tasks = make_other_tasks(tasks, seed, are_nested=nested)
    else:
        test_tasks = make_tasks(tasks, seed, held_out_templates=not seen_templates)
    if context_tokens:
        test_tasks = lengthened(llm, test_tasks, context_tokens)
    if rare_words:
        test_tasks = [with_rare_words(task, random.Random(f"rare:{seed}:{i}")) for i, task in enumerate(test_tasks)]
    scores = {
        "constrained": evaluate(llm, test_tasks, is_constrained=True, progress=True),
        "unconstrained": evaluate(llm, test_tasks, is_constrained=False, progress=True),
    }
    if quotes:
        scores["quotes of strings"] = evaluate(llm, test_tasks, is_constrained=True, quotes="strings", progress=True)
        scores["quotes"] = evaluate(llm, test_tasks, is_constrained=True, quotes=True, progress=True)
    console.print(_field_table(scores["quotes" if quotes else "constrained"]))
    table = Table("", *scores, title=f"{len(test_tasks)} {'held-out' if texts is None else 'realistic'} texts, greedy")
    summaries = {name: score.summary() for name, score in scores.items()}
    for key in summaries["constrained"]:
        table.add_row(key.replace("_", " "), *(f"{summary[key]:g}" for summary in summaries.values()))
    console.print(table)
    for key, expected, got, text in scores["quotes" if quotes else "constrained"].errors[:show_errors]:
        console.print(f"[bold]{key}[/bold]: expected {expected!r}, got {got!r}", highlight=False)
        console.print(text, style="dim", markup=False)
    line = json.dumps(summaries)
    print(line)
    if json_out is not None:
        json_out.write_text(line + "\n", encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
