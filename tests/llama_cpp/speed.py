"""llama.cpp beside our engine: `.venv-llama-cpp/bin/python -m tests.llama_cpp.speed`, a part of `make speed-real`.

Both read the same GGUF file. llama.cpp computes with the weights of the file: of 4 and 8 bits in SmolLM2's. Our engine
converts them to 16 or 32 bits. So llama.cpp runs a second time, with weights of our type.

llama.cpp runs through llama-cpp-python: free text, our logits processor, and llama.cpp's own grammars. All take turns
in one process, with one row, on one core, greedy. No run keeps the prompt of an earlier one. `tests.real_speed` says
what a rate is.
"""

from __future__ import annotations

import ctypes
import json
import logging
import os
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import llama_cpp
import typer
from llama_cpp import Llama, LlamaGrammar, LogitsProcessorList

from guided import LLM, EngineSettings, compile_grammar
from guided.integrations.llama_cpp import GuidedLogitsProcessor, llama_vocabulary
from guided.models.find import NamedModel
from tests.real_speed import PROMPT, SCHEMAS, Run, measure, our_runs, report, use_one_core

FILE_TYPES = {
    "float32": llama_cpp.LLAMA_FTYPE_ALL_F32,
    "float16": llama_cpp.LLAMA_FTYPE_MOSTLY_F16,
    "bfloat16": llama_cpp.LLAMA_FTYPE_MOSTLY_BF16,
}


def converted(file: Path, dtype: str, folder: str) -> Path:
    """A GGUF file in `folder` with the weights of `file` as `dtype`."""
    target = Path(folder) / f"{dtype}.gguf"
    params = llama_cpp.llama_model_quantize_default_params()
    params.ftype, params.allow_requantize, params.nthread = FILE_TYPES[dtype], True, 1
    if llama_cpp.llama_model_quantize(os.fsencode(file), os.fsencode(target), ctypes.byref(params)) != 0:
        raise RuntimeError(f"llama.cpp can't convert {file} to {dtype}")
    return target


def llama_runs(llama: Llama, label: str, max_tokens: int) -> dict[str, Run]:
    """The ways to write texts with llama.cpp, by their names."""

    def write(prompts: Sequence[str], *, ends: bool = True, **options: Any) -> int:
        """Greedy texts. ends: they may end before the most tokens. Returns the number of their tokens, without ends."""
        count = 0
        for prompt in prompts:
            llama.reset()
            for number, token_id in enumerate(llama.generate(llama.tokenize(prompt.encode()), temp=0, **options), 1):
                is_end = ends and llama_cpp.llama_vocab_is_eog(vocab, token_id)
                count += not is_end
                if is_end or number == max_tokens:
                    break
        return count

    def with_ours(processor: GuidedLogitsProcessor) -> Run:
        def run(prompts: Sequence[str]) -> int:
            processor.reset()
            count = write(prompts, logits_processor=LogitsProcessorList([processor]))
            processor.check()
            return count

        return run

    vocab = llama_cpp.llama_model_get_vocab(llama.model)
    vocabulary = llama_vocabulary(llama)
    runs: dict[str, Run] = {}
    for name, schema in SCHEMAS.items():
        if schema is None:
            runs[f"{label}, {name}"] = partial(write, ends=False)
            continue
        grammar = compile_grammar(vocabulary, json_schema=schema)
        own = LlamaGrammar.from_json_schema(json.dumps(schema), verbose=False)
        runs[f"{label} with guided, {name}"] = with_ours(GuidedLogitsProcessor(grammar, llama, max_tokens))
        runs[f"{label} with its grammar, {name}"] = partial(write, grammar=own)
    return runs


def main(
    model: Annotated[str, typer.Argument(help="Name of a known model, or a GGUF file.")] = "smollm2",
    tokens: Annotated[int, typer.Option(min=2, help="Most tokens of a text.")] = 48,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds that count.")] = 3,
) -> None:
    """Measure. Prints a table and one line of JSON."""
    use_one_core()
    logging.getLogger("llama-cpp-python").setLevel(logging.ERROR)
    named = NamedModel(model)
    if named.known is not None and named.known.adapter is not None:
        raise typer.BadParameter(
            f"{model!r} has an adapter, which its GGUF file lacks: llama.cpp would run another model"
        )
    file = named.gguf_file()
    if file is None:
        raise typer.BadParameter(f"{model!r} is no GGUF file")
    settings = EngineSettings(prefix_caching=False)
    plain = EngineSettings(prefix_caching=False, jump_forward=False, max_draft_tokens=0)
    llms = {
        "guided": LLM(model, device="cpu", engine_settings=settings),
        "guided, a token a step": LLM(model, device="cpu", engine_settings=plain),
    }
    dtype = str(llms["guided"].engine.dtype).removeprefix("torch.")
    runs: dict[str, Run] = {}
    for label, llm in llms.items():
        for name, schema in SCHEMAS.items():
            runs |= our_runs(llm, label, name, schema, tokens)
    with tempfile.TemporaryDirectory() as folder:
        files = {"llama.cpp": file, f"llama.cpp in {dtype}": converted(file, dtype, folder)}
        for label, path in files.items():
            llama = Llama(str(path), n_ctx=512, n_threads=1, n_threads_batch=1, verbose=False)
            runs |= llama_runs(llama, label, tokens)
        report(model, dtype, tokens, {1: measure(runs, [PROMPT.format(0)], rounds)})
    for llm in llms.values():
        llm.shutdown()


if __name__ == "__main__":
    typer.run(main)
