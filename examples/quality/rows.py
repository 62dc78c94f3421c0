"""The ways of asking that are compared: each takes a model and some texts, and gives the answers."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from examples.embedded_model.evaluate import MISSING
from guided.compile import compile_grammar
from guided.extraction.conversation import refusal
from guided.extraction.extractor import Extractor
from guided.grammars.document_validator import validator_of
from guided.grammars.protocol import CompiledGrammar
from guided.llm import LLM
from guided.output.completion import Completion
from guided.params.sampling_params import SamplingParams
from guided.requests.prompting import Message

from .answers import Answer
from .cases import Case
from .scoring import parsed

MAX_NEW_TOKENS = 384
NUM_AGAIN = 2  # how often a model is asked again
NUM_PARTICLES = 8
MAX_REASONING = 300  # characters
GREEDY = SamplingParams(temperature=0.0, max_new_tokens=MAX_NEW_TOKENS)
PARTICLES = SamplingParams(temperature=1.0, seed=0, particles=NUM_PARTICLES, max_new_tokens=MAX_NEW_TOKENS)
Ask = Callable[[LLM, Sequence[Case]], list[list[Completion]]]
"""The completions for each text: one, or one for each time that the model was asked. The last one is the answer."""


@dataclass(frozen=True)
class Row:
    """A way of asking. label: its name in the table."""

    label: str
    ask: Ask

    def answers(self, llm: LLM, cases: Sequence[Case]) -> list[Answer]:
        """The answers to some texts, read together."""
        start = time.process_time()
        found = self.ask(llm, cases)
        cpu_s = round((time.process_time() - start) / len(cases), 3)
        return [_answer(case, asked, cpu_s) for case, asked in zip(cases, found, strict=True)]


def _answer(case: Case, asked: Sequence[Completion], cpu_s: float) -> Answer:
    last = asked[-1]
    outputs = [one for completion in asked for one in (completion, *completion.alternatives)]
    return Answer(
        case=case.name,
        text=last.text,
        num_tokens=sum(len(one.token_ids) for one in outputs),
        num_prompt_tokens=sum(one.num_prompt_tokens for one in asked),
        cpu_s=cpu_s,
    )


def _asked(
    llm: LLM, cases: Sequence[Case], grammars: Sequence[CompiledGrammar | None], again: int
) -> list[list[Completion]]:
    """Answers to extraction's own prompt, each under its grammar.

    again: how often a model is told what is wrong with its answer, and asked once more.
    """
    readers = [llm.extractor(case.task.schema) for case in cases]
    found: list[list[Completion]] = [[] for _ in cases]
    turns: dict[int, list[Message]] = {i: [] for i in range(len(cases))}
    for _ in range(again + 1):
        requests = [
            llm.read([readers[i].encode(cases[i].task.document.text, said)], GREEDY, grammar=grammars[i])[0]
            for i, said in turns.items()
        ]
        with llm.submit(requests, read_at_end=True, is_bounded=False) as running:
            for i, completion in zip([*turns], running.results(), strict=True):
                found[i].append(completion)
        turns = {i: said for i in turns if (said := refusal_turns(cases[i], found[i][-1].text))}
        if not turns:
            break
    return found


def _free(llm: LLM, cases: Sequence[Case], *, again: int = 0) -> list[list[Completion]]:
    return _asked(llm, cases, [None] * len(cases), again)


def _json_mode(llm: LLM, cases: Sequence[Case]) -> list[list[Completion]]:
    return _asked(llm, cases, [llm.compile(SamplingParams(json_schema={"type": "object"}))] * len(cases), 0)


def _unbounded(llm: LLM, cases: Sequence[Case], *, order: Literal["schema", "any"]) -> list[list[Completion]]:
    """Answers under the schema alone. `LLM.extract` also bounds values and ends repetitions."""
    whitespace = llm.tokenizer.init_kwargs.get("json_whitespace") or "flexible"
    grammars = [
        compile_grammar(llm.vocabulary, json_schema=case.task.schema, property_order=order, whitespace=whitespace)
        for case in cases
    ]
    return _asked(llm, cases, grammars, 0)


def refusal_turns(case: Case, text: str) -> list[Message]:
    """The turns that tell a model what is wrong with its document; none if it is valid."""
    value = parsed(text)
    if value is MISSING:
        reason = "it is no JSON"
    else:
        error = next(validator_of(case.task.schema).iter_errors(value), None)
        if error is None:
            return []
        reason = f"{error.json_path}: {error.message:.300}"
    return refusal(text, reason)


def _extracted(llm: LLM, cases: Sequence[Case], **options: Any) -> list[list[Completion]]:
    """Answers of `LLM.extract` with these options."""
    options = {"params": GREEDY, **options}
    readers: list[Extractor[Any]] = [llm.extractor(case.task.schema, **options) for case in cases]
    running = [reader.start(case.task.document.text) for reader, case in zip(readers, cases, strict=True)]
    for one in running:
        one.advance(None)  # so that the documents are read together, as the drafts were
    found = [one.result() for one in running]
    return [[*([one.draft] if one.draft else []), one.completion] for one in found]


def _with_reasoning(llm: LLM, cases: Sequence[Case]) -> list[list[Completion]]:
    """Answers whose first field is a text about the others. The field is then taken out of the answer."""
    asked = [replace(case, task=replace(case.task, schema=reasoning_schema(case.task.schema))) for case in cases]
    found = _extracted(llm, asked, quotes=False)
    return [[replace(one, text=without_reasoning(one.text)) for one in completions] for completions in found]


def reasoning_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """An object's schema with a required text `reasoning` in front of its own fields."""
    reasoning = {"type": "string", "maxLength": MAX_REASONING, "description": "What the text says about each field."}
    properties = {"reasoning": reasoning, **schema["properties"]}
    return {**schema, "properties": properties, "required": ["reasoning", *schema["required"]]}


def without_reasoning(text: str) -> str:
    """A JSON object without its field `reasoning`; a text that is no JSON, as it is."""
    value = parsed(text)
    if value is MISSING:
        return text
    return json.dumps({key: part for key, part in value.items() if key != "reasoning"}, ensure_ascii=False)


ROWS = {
    "free": Row("free text, read as JSON", _free),
    "again": Row("free text, asked again twice if invalid", partial(_free, again=NUM_AGAIN)),
    "json": Row("JSON mode (any object)", _json_mode),
    "schema": Row("schema", partial(_extracted, quotes=False)),
    "unbounded": Row("schema, values not bounded", partial(_unbounded, order="schema")),
    "any-order": Row("schema, values not bounded, keys in any order", partial(_unbounded, order="any")),
    "reasoning": Row("schema, a field for reasoning first", _with_reasoning),
    "strings": Row("schema, strings are quotes", partial(_extracted, quotes="strings")),
    "quotes": Row("schema, quotes, numbers and dates held", partial(_extracted, quotes=True)),
    "draft": Row("schema, draft first", partial(_extracted, quotes=False, draft=True)),
    "draft-quotes": Row("schema, draft first, quotes", partial(_extracted, quotes=True, draft=True)),
    "particles": Row(f"schema, {NUM_PARTICLES} particles", partial(_extracted, quotes=False, params=PARTICLES)),
}
