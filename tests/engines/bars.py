"""What our grammars cost inside of vLLM, beside its own backends: `.venv-engines/bin/python -m tests.engines.bars`.

One engine, one run: the backend is changed under it. Rates are tokens per second of the process's own processor time,
since the clock says more about what else the machine does. Ends with one JSON line.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import statistics
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

os.environ["VLLM_ENABLE_V1_MULTIPROCESSING"] = "0"
os.environ.setdefault("VLLM_CPU_KVCACHE_SPACE", "1")

BACKENDS = ("free", "xgrammar", "guidance", "guided", "guided, closing")
BATCH = 32
SIMPLE = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}, "city": {"type": "string"}},
    "required": ["name", "age", "city"],
    "additionalProperties": False,
}
ADDRESS = {
    "type": "object",
    "properties": {"street": {"type": "string"}, "zip": {"type": "string", "pattern": "^[0-9]{5}$"}},
    "required": ["street", "zip"],
    "additionalProperties": False,
}
COMPLEX = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "pattern": "^[A-Z]{2}-[0-9]{4,8}$"},
        "kind": {"enum": ["order", "offer", "invoice", "refund"]},
        "customer": {
            "type": "object",
            "properties": {"name": {"type": "string", "maxLength": 40}, "home": ADDRESS, "work": ADDRESS},
            "required": ["name", "home"],
            "additionalProperties": False,
        },
        "items": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "properties": {
                    "sku": {"type": "string", "pattern": "^[a-z0-9]{6}$"},
                    "count": {"type": "integer", "minimum": 1, "maximum": 99},
                    "price": {"type": "number"},
                    "tags": {"type": "array", "items": {"enum": ["new", "sale", "last", "heavy"]}, "maxItems": 3},
                },
                "required": ["sku", "count", "price"],
                "additionalProperties": False,
            },
        },
        "paid": {"type": "boolean"},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    },
    "required": ["id", "kind", "customer", "items", "paid"],
    "additionalProperties": False,
}


class Engine:
    """vLLM with a model's folder. dtype: type of the weights. drafts: with n-gram speculation."""

    def __init__(self, folder: Path, *, dtype: str = "float32", drafts: bool = False) -> None:
        from vllm import LLM

        from guided.integrations.vllm.logits_processor import RunnerLogitsProcessor

        from .conftest import NGRAM

        changes = {"speculative_config": NGRAM} if drafts else {}
        self.llm = LLM(
            str(folder),
            structured_outputs_config={"backend": "guided"},
            enforce_eager=True,
            dtype=dtype,
            max_model_len=1024,
            max_num_seqs=BATCH,
            seed=0,
            **changes,
        )
        core = self.llm.llm_engine.engine_core.engine_core
        self._manager = core.structured_output_manager
        batch = core.model_executor.driver_worker.worker.model_runner.input_batch
        self._processors = [one for one in batch.logitsprocs.all if isinstance(one, RunnerLogitsProcessor)]

    def use(self, backend: str) -> None:
        """From now on, this backend."""
        from guided.integrations.vllm.backend import GuidedBackend

        config = self.llm.llm_engine.vllm_config
        for one in self._processors:  # the others run as they do where they are configured
            one.is_backend_ours = backend not in ("xgrammar", "guidance")
        config.structured_outputs_config.backend = backend if backend in ("xgrammar", "guidance") else "guided"
        self._manager.vllm_config.structured_outputs_config.backend = config.structured_outputs_config.backend
        self._manager.backend = self._manager._grammar_bitmask = None
        if backend not in ("xgrammar", "guidance"):
            self._manager.backend = GuidedBackend(
                self._manager.vllm_config, self._manager.tokenizer, config.model_config.get_vocab_size()
            )
            self._manager.backend.prepare()

    def first_token(self, schema: Any, max_tokens: int, **options: Any) -> None:
        """Return when a request has its first token; the rest of its text is not wanted. schema: None: free."""
        from vllm import SamplingParams
        from vllm.sampling_params import StructuredOutputsParams

        outputs = None if schema is None else StructuredOutputsParams(json=schema)
        extra = {"guided": options} if options else None
        params = SamplingParams(temperature=0.0, max_tokens=max_tokens, structured_outputs=outputs, extra_args=extra)
        llm_engine = self.llm.llm_engine
        name = llm_engine.add_request("first", "Text: the the the", params)
        while not any(one.outputs and one.outputs[0].token_ids for one in llm_engine.step()):
            pass
        if llm_engine.has_unfinished_requests():
            llm_engine.abort_request([name or "first"])

    def answers(self, schemas: list[Any], **fields: Any) -> list[Any]:
        """One for each schema (None: free)."""
        from vllm import SamplingParams
        from vllm.sampling_params import StructuredOutputsParams

        params = [
            SamplingParams(
                structured_outputs=None if schema is None else StructuredOutputsParams(json=schema), **fields
            )
            for schema in schemas
        ]
        prompts = [f"Text {i}: the the the" for i in range(len(schemas))]
        return [output.outputs[0] for output in self.llm.generate(prompts, params, use_tqdm=False)]


def measure_rates(
    engine: Engine, max_tokens: int, rounds: int, temperature: float, num_rows: int
) -> dict[str, dict[str, float]]:
    """Tokens per second of processor time, median of the rounds, warm; the backends take turns."""
    found: dict[str, dict[str, list[float]]] = {}
    for turn in range(rounds + 1):
        for backend in BACKENDS:
            engine.use(backend)
            for name, schema in (("simple", SIMPLE), ("complex", COMPLEX)):
                schemas = [None if backend == "free" else schema] * num_rows
                engine.answers(schemas[:2], temperature=temperature, max_tokens=20)
                start_s, start_wall_s = time.process_time(), time.perf_counter()
                fields = {"temperature": temperature, "max_tokens": max_tokens, "ignore_eos": backend == "free"}
                if backend == "guided":
                    fields["extra_args"] = {"guided": {"close": False}}
                answers = engine.answers(schemas, **fields)
                used_s, wall_s = time.process_time() - start_s, time.perf_counter() - start_wall_s
                tokens = sum(len(answer.token_ids) for answer in answers)
                ends = dict(Counter(answer.finish_reason for answer in answers))
                print(
                    f"{backend} {name}: {tokens / used_s:.0f} tokens/s cpu, {tokens / wall_s:.0f} clock, {ends}",
                    flush=True,
                )
                if turn:  # the first is to warm up
                    found.setdefault(backend, {}).setdefault(name, []).append(tokens / used_s)
    return {backend: {name: statistics.median(rates) for name, rates in by.items()} for backend, by in found.items()}


def measure_cold(engine: Engine, max_tokens: int, count: int = 7) -> dict[str, dict[str, float]]:
    """Milliseconds of processor time, and of the clock, that a new schema adds to the time to the first token.

    Of the medians, and at worst; the backends take turns. max_tokens: what the text may have. At 1 it has no room for
    any document of these schemas.
    """
    taken: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for turn in range(count):
        for backend in BACKENDS:
            engine.use(backend)
            engine.first_token(None if backend == "free" else SIMPLE, max_tokens)
            for name, schema in (("simple", SIMPLE), ("complex", COMPLEX)):
                fresh = json.loads(json.dumps(schema).replace('"name"', f'"name{backend}{turn}{max_tokens}"'))
                options = {"close": False} if backend == "guided" else {}
                start_s, start_wall_s = time.process_time(), time.perf_counter()
                engine.first_token(None if backend == "free" else fresh, max_tokens, **options)
                used = (time.process_time() - start_s) * 1000, (time.perf_counter() - start_wall_s) * 1000
                taken.setdefault((backend, name), []).append(used)
    free = taken.pop(("free", "simple")) + taken.pop(("free", "complex"))
    base, base_wall = statistics.median([one for one, _ in free]), statistics.median([wall for _, wall in free])
    found: dict[str, dict[str, float]] = {}
    for (backend, name), times in taken.items():
        for kind, choose in (("median", statistics.median), ("worst", max)):
            used_ms, wall_ms = choose([one for one, _ in times]), choose([wall for _, wall in times])
            found.setdefault(backend, {})[f"{name} {kind}"] = round(used_ms - base, 1)
            found[backend][f"{name} {kind} clock"] = round(wall_ms - base_wall, 1)
    return found


def dev_schemas(shared: Path, count: int) -> list[Any]:
    """So many of the dev set, spread over it."""
    with gzip.open(shared / "data" / "maskbench-dev.jsonl.gz", "rt") as lines:
        schemas = [json.loads(line)["schema"] for line in lines]
    return schemas[:: max(1, len(schemas) // count)][:count]


def check_answers(engine: Engine, schemas: list[Any], max_tokens: int) -> tuple[dict[str, Any], list[str | None]]:
    """What became of each schema: refused, valid, invalid, cut; and the greedy texts."""
    import jsonschema
    from vllm.exceptions import VLLMValidationError

    from guided.integrations.vllm.front_end import check_request

    engine.use("guided")
    taken, reasons = [], Counter[str]()
    from vllm import SamplingParams
    from vllm.sampling_params import StructuredOutputsParams

    config, tokenizer = engine.llm.llm_engine.model_config, engine.llm.get_tokenizer()
    for schema in schemas:
        try:
            check_request(SamplingParams(structured_outputs=StructuredOutputsParams(json=schema)), config, tokenizer)
            taken.append(schema)
        except VLLMValidationError as error:
            reasons[str(error).partition(" (parameter")[0][:80]] += 1
    counts: Counter[str] = Counter()
    texts: list[str | None] = []
    for start in range(0, len(taken), BATCH):
        part = taken[start : start + BATCH]
        for schema, answer in zip(part, engine.answers(part, temperature=0.0, max_tokens=max_tokens), strict=True):
            texts.append(answer.text)
            counts[answer.finish_reason] += 1
            try:
                document = json.loads(answer.text)
                jsonschema.validators.validator_for(schema, jsonschema.Draft202012Validator)(schema).validate(document)
                counts["valid"] += 1
            except (ValueError, jsonschema.ValidationError) as error:
                counts[f"invalid and {answer.finish_reason}"] += 1
                print(
                    answer.finish_reason, len(answer.token_ids), str(error)[:100], json.dumps(schema)[:200], flush=True
                )
        print(start, dict(counts), flush=True)
    refused = {"refused": len(schemas) - len(taken), "reasons": dict(reasons)}
    return {"schemas": len(schemas), **counts, **refused}, texts


def survive(engine: Engine, count: int) -> dict[str, int]:
    """Hostile schemas, in batches with a good one, which must be answered each time."""
    import random

    import jsonschema
    from vllm import SamplingParams
    from vllm.exceptions import VLLMValidationError
    from vllm.sampling_params import StructuredOutputsParams

    from guided.integrations.vllm.front_end import check_request
    from tests.fuzz.hostile import Maker

    engine.use("guided")
    counts: Counter[str] = Counter()
    config, tokenizer = engine.llm.llm_engine.model_config, engine.llm.get_tokenizer()
    taken: list[Any] = []
    for seed in range(count):
        schema = Maker(random.Random(seed)).document()
        try:
            check_request(SamplingParams(structured_outputs=StructuredOutputsParams(json=schema)), config, tokenizer)
            taken.append(schema)
        except VLLMValidationError:
            counts["refused"] += 1
    for start in range(0, len(taken), BATCH - 1):
        *answers, good = engine.answers([*taken[start : start + BATCH - 1], SIMPLE], temperature=1.0, max_tokens=64)
        counts.update(answer.finish_reason for answer in answers)
        jsonschema.validate(json.loads(good.text), SIMPLE)
        counts["good ones answered"] += 1
    return dict(counts)


def main() -> None:
    """Make the model, and measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="+", choices=("rates", "cold", "dev", "drafts", "hostile"))
    parser.add_argument(
        "--tokenizer", type=Path, help="folder with a tokenizer.json of 129,280 tokens; else the tiny one"
    )
    parser.add_argument("--model", type=Path, help="folder of a model; else a tiny one is made")
    parser.add_argument("--dtype", default="float32", help="type of the weights")
    parser.add_argument("--rows", type=int, nargs="+", default=[BATCH], help="batch sizes of rates, at most 32")
    parser.add_argument("--shared", type=Path, default=Path("../shared"))
    parser.add_argument("--schemas", type=int, default=300)
    parser.add_argument("--max-tokens", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--temperature", type=float, default=0.0)
    options = parser.parse_args()
    from .models import make_model

    if "hostile" in options.what:
        os.environ["GUIDED_LIMITS"] = json.dumps(
            {"max_compile_seconds": 1, "max_mask_seconds": 1, "max_text_seconds": 3}
        )
    results: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        if options.model is None:
            make_model(Path(folder), tokenizer_folder=options.tokenizer)
        engine = Engine(options.model or Path(folder), dtype=options.dtype)
        for num_rows in options.rows if "rates" in options.what else ():
            results[f"tokens_per_cpu_s of {num_rows}"] = measure_rates(
                engine, options.max_tokens, options.rounds, options.temperature, num_rows
            )
        if "cold" in options.what:
            results["cold_ms"] = measure_cold(engine, options.max_tokens)
            results["cold_ms_of_one_token"] = measure_cold(engine, 1)
        if "dev" in options.what or "drafts" in options.what:
            schemas = dev_schemas(options.shared, options.schemas)
            results["dev"], texts = check_answers(engine, schemas, options.max_tokens)
        if "hostile" in options.what:
            results["hostile"] = survive(engine, 200)
        if "drafts" in options.what:
            drafting = Engine(options.model or Path(folder), dtype=options.dtype, drafts=True)
            results["dev_drafts"], drafted = check_answers(drafting, schemas, options.max_tokens)
            results["same_greedy_texts"] = f"{sum(map(str.__eq__, texts, drafted))} of {len(texts)}"
    print(json.dumps(results))


if __name__ == "__main__":
    main()
