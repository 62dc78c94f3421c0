"""Speed of a real model beside others: `python -m tests.real_speed smollm2`, part of `make speed-real`.

Our engine and `transformers.generate` with the same weights and the same type of weights, for free text and under two
schemas, with the logits processors of xgrammar and llguidance beside `transformers`. All take turns in one process, on
one core. A rate is tokens per second of processor time, which other work on the machine changes less than the clock;
the tables have medians. Another table shows what a new schema adds to the time of the first token.
`tests.engines.bars` does the same inside of vLLM, and `tests.llama_cpp.speed` beside llama.cpp.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Annotated, Any

import torch
import typer
from rich.console import Console
from rich.table import Table
from transformers import AutoModelForCausalLM, AutoTokenizer, LogitsProcessor

from guided import LLM, EngineSettings, SamplingParams
from guided.models.find import NamedModel
from tests.engines.bars import COMPLEX, SIMPLE

PROMPT = "Customer number {}: write down as JSON what the shop knows of this person and of what was bought there."
COLD_ROUNDS = 5  # for each round of the rates
COLD_TOKENS = 256  # enough for a document of each schema
SCHEMAS: dict[str, Any] = {"free": None, "simple": SIMPLE, "complex": COMPLEX}
Run = Callable[[Sequence[str]], int]
"""Writes a text for each prompt, and returns the number of tokens."""


class LlguidanceProcessor(LogitsProcessor):
    """llguidance's masks in `transformers.generate`, for the rows of one call."""

    def __init__(self, tokenizer: Any, schema: Any) -> None:
        import llguidance
        import llguidance.torch

        self._masks = llguidance.torch
        self._tokenizer = tokenizer
        self._grammar = llguidance.LLMatcher.grammar_from_json_schema(json.dumps(schema))
        self._matchers: list[Any] = []
        self._new = lambda: llguidance.LLMatcher(self._tokenizer, self._grammar)

    def reset(self) -> None:
        """Begin a new call."""
        self._matchers = []

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        if self._matchers:
            for matcher, token_id in zip(self._matchers, input_ids[:, -1].tolist(), strict=True):
                matcher.consume_token(token_id)
        else:
            self._matchers = [self._new() for _ in range(len(input_ids))]
            self._bitmask = self._masks.allocate_token_bitmask(len(input_ids), scores.shape[1])
        for row, matcher in enumerate(self._matchers):
            if not matcher.is_stopped():
                self._masks.fill_next_token_bitmask(matcher, self._bitmask, row)
        self._masks.apply_token_bitmask_inplace(scores, self._bitmask)
        return scores


class Reference:
    """The weights in `transformers`."""

    def __init__(self, folder: str, dtype: str, max_tokens: int) -> None:
        self.tokenizer = AutoTokenizer.from_pretrained(folder, padding_side="left")
        self._model: Any = AutoModelForCausalLM.from_pretrained(folder, dtype=getattr(torch, dtype)).eval()
        self._max_tokens = max_tokens
        self.width = self._model.config.vocab_size

    def generate(
        self, prompts: Sequence[str], processors: Sequence[LogitsProcessor], *, ends: bool, max_tokens: int = 0
    ) -> int:
        """Greedy texts. ends: they may end before the most tokens, which are `max_tokens` or, at 0, those of this
        object. Returns the number of their tokens, without ends."""
        inputs = self.tokenizer(list(prompts), return_tensors="pt", padding=True)
        max_tokens = max_tokens or self._max_tokens
        least = {} if ends else {"min_new_tokens": max_tokens}
        with torch.inference_mode():
            ids = self._model.generate(
                **inputs, max_new_tokens=max_tokens, do_sample=False, logits_processor=list(processors), **least
            )
        new = ids[:, inputs["input_ids"].shape[1] :]
        return int((new != self._model.generation_config.pad_token_id).sum())

    @cached_property
    def _compiler(self) -> Any:
        import xgrammar

        return xgrammar.GrammarCompiler(xgrammar.TokenizerInfo.from_huggingface(self.tokenizer, vocab_size=self.width))

    @cached_property
    def _llguidance_tokenizer(self) -> Any:
        import llguidance.hf

        return llguidance.hf.from_tokenizer(self.tokenizer, n_vocab=self.width)

    def xgrammar(self, schema: Any) -> Callable[[], LogitsProcessor]:
        """Compile a schema. The result makes the processor of a call."""
        from xgrammar.contrib.hf import LogitsProcessor as XgrammarProcessor

        compiled = self._compiler.compile_json_schema(json.dumps(schema))
        return lambda: XgrammarProcessor(compiled)

    def llguidance(self, schema: Any) -> LlguidanceProcessor:
        """Compile a schema."""
        return LlguidanceProcessor(self._llguidance_tokenizer, schema)

    def runs(self, name: str, schema: Any) -> dict[str, Run]:
        """The ways to write texts under a schema, by their names."""
        if schema is None:
            return {f"transformers, {name}": lambda prompts: self.generate(prompts, [], ends=False)}
        xgrammar = self.xgrammar(schema)
        llguidance = self.llguidance(schema)

        def with_llguidance(prompts: Sequence[str]) -> int:
            llguidance.reset()
            return self.generate(prompts, [llguidance], ends=True)

        return {
            f"transformers with xgrammar, {name}": lambda prompts: self.generate(prompts, [xgrammar()], ends=True),
            f"transformers with llguidance, {name}": with_llguidance,
        }


def our_runs(llm: LLM, label: str, name: str, schema: Any, max_tokens: int) -> dict[str, Run]:
    """The same of our engine."""
    params = SamplingParams(temperature=0, max_new_tokens=max_tokens, json_schema=schema, ignore_eos=schema is None)

    def run(prompts: Sequence[str]) -> int:
        answers = llm.generate(list(prompts), params)
        return sum(len(one.token_ids) - (one.finish_reason == "stop") for one in answers)

    return {f"{label}, {name}": run}


def measure(runs: dict[str, Run], prompts: Sequence[str], rounds: int) -> dict[str, tuple[float, float]]:
    """(tokens per second of processor time, per second of the clock), medians. The first round is to warm up."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in runs}
    for turn in range(rounds + 1):
        for name, run in runs.items():
            start_s, start_cpu_s = time.perf_counter(), time.process_time()
            num_tokens = run(prompts)
            seconds, cpu_seconds = time.perf_counter() - start_s, time.process_time() - start_cpu_s
            print(f"{len(prompts)} rows, {name}: {num_tokens} tokens, {cpu_seconds:.2f} s", file=sys.stderr, flush=True)
            if turn:
                found[name].append((num_tokens / cpu_seconds, num_tokens / seconds))
    return {
        name: (statistics.median(cpu for cpu, _ in rates), statistics.median(clock for _, clock in rates))
        for name, rates in found.items()
    }


def measure_cold(llm: LLM, reference: Reference, names: Sequence[str], rounds: int) -> dict[str, tuple[float, float]]:
    """Milliseconds of processor time from a new schema to the first token, and what the schema adds to them.

    Medians, by run and schema. A new schema is compiled, and one token is masked. Added is the time beside that of a
    first token without a schema. Our texts may have COLD_TOKENS tokens and stop at the first; those of transformers may
    have one, since its processors don't look at what is left. The first round is to warm up.

    names: of the schemas that are measured, out of SCHEMAS.
    """
    prompts = [PROMPT.format(0)]
    taken: dict[str, list[float]] = {}

    def run(label: str, start: Callable[[], object]) -> None:
        start_s = time.process_time()
        start()
        taken.setdefault(label, []).append((time.process_time() - start_s) * 1000)

    def processed(*processors: LogitsProcessor) -> None:
        reference.generate(prompts, processors, ends=True, max_tokens=1)

    def generate(**params: Any) -> None:
        (answer,) = llm.generate(prompts, SamplingParams(temperature=0, **params))
        assert answer.num_tokens == 1, answer

    for turn in range(rounds + 1):
        run("guided", partial(generate, max_new_tokens=1))
        run("transformers", processed)
        for name in names:
            if (schema := SCHEMAS[name]) is not None:
                fresh = json.loads(json.dumps(schema).replace('"name"', f'"name{turn}"'))
                run(f"guided, {name}", partial(generate, max_new_tokens=COLD_TOKENS, stop=["{"], json_schema=fresh))
                run(f"xgrammar, {name}", lambda fresh=fresh: processed(reference.xgrammar(fresh)()))
                run(f"llguidance, {name}", lambda fresh=fresh: processed(reference.llguidance(fresh)))
    medians = {label: statistics.median(times[1:]) for label, times in taken.items()}
    base = {label: medians.get(label.partition(",")[0], medians["transformers"]) for label in medians}
    return {label: (ms, ms - base[label]) for label, ms in medians.items()}


def use_one_core() -> None:
    """Pin this process and torch to one core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    torch.set_num_threads(1)


def report(
    model: str, dtype: str, tokens: int, found: Mapping[int, Mapping[str, tuple[float, float]]], **more: Any
) -> None:
    """Print a table and a line of JSON. found: what `measure` returned for each number of rows."""
    table = Table("rows", "run", "tokens/CPU s", "tokens/s", title=f"{model}, {dtype}, {tokens} tokens")
    results = []
    for count, rates in found.items():
        for name, (rate, clock_rate) in rates.items():
            table.add_row(str(count), name, f"{rate:.1f}", f"{clock_rate:.1f}")
            results.append({"rows": count, "run": name, "tokens_per_cpu_s": rate, "tokens_per_s": clock_rate})
    Console(width=100).print(table)
    print(json.dumps({"model": model, "dtype": dtype, **more, "results": results}))


def main(
    model: Annotated[str, typer.Argument(help="Name of a known model, a GGUF file or a folder.")] = "smollm2",
    rows: Annotated[str, typer.Option(help="Batch sizes, with commas.")] = "1,8,32",
    dtype: Annotated[str, typer.Option(help="Type of the weights, for all: auto, float32 or bfloat16.")] = "auto",
    schemas: Annotated[str, typer.Option(help="What is written, with commas: free, simple, complex.")] = (
        "free,simple,complex"
    ),
    tokens: Annotated[int, typer.Option(min=2, help="Most tokens of a text.")] = 48,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds that count.")] = 3,
) -> None:
    """Measure. Prints two tables and one line of JSON."""
    use_one_core()
    start_s = time.process_time()
    settings = EngineSettings(prefix_caching=False)  # as transformers, which reads each prompt anew
    llm = LLM(model, dtype=dtype, device="cpu", engine_settings=settings)
    load_s = time.process_time() - start_s
    plain_settings = EngineSettings(prefix_caching=False, jump_forward=False, max_draft_tokens=0)
    plain = LLM(model, dtype=dtype, device="cpu", engine_settings=plain_settings)
    dtype = str(llm.engine.dtype).removeprefix("torch.")
    reference = Reference(NamedModel(model).found("cpu", dtype).name, dtype, tokens)
    found: dict[int, dict[str, tuple[float, float]]] = {}
    for count in map(int, rows.split(",")):
        prompts = [PROMPT.format(number) for number in range(count)]
        runs: dict[str, Run] = {}
        for name in schemas.split(","):
            schema = SCHEMAS[name]
            runs |= our_runs(llm, "guided", name, schema, tokens)
            runs |= our_runs(plain, "guided, a token a step", name, schema, tokens)
            runs |= reference.runs(name, schema)
        found[count] = measure(runs, prompts, rounds)
    cold = measure_cold(llm, reference, schemas.split(","), rounds * COLD_ROUNDS)
    first = Table("run", "ms", "of these added by the schema", title="first token of a new schema")
    for label, (ms, added_ms) in cold.items():
        first.add_row(label, f"{ms:.1f}", f"{added_ms:.1f}")
    Console(width=100).print(first)
    report(model, dtype, tokens, found, load_cpu_s=round(load_s, 2), cold_ms=cold)
    for one in (llm, plain):
        one.shutdown()


if __name__ == "__main__":
    typer.run(main)
