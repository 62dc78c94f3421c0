"""`guided sample`: prints random texts that a grammar allows."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from guided.workbench.inspection.samples import MAX_BYTES, TextSampler

from .grammar_options import READINGS, SchemaSource, TokenizerSource, compile_source, read_grammar, takes_a_grammar


@takes_a_grammar(READINGS)
def sample(
    schema: SchemaSource = None,
    num: Annotated[int, typer.Option(min=1, help="How many texts.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same texts.")] = 0,
    max_bytes: Annotated[
        int, typer.Option(min=1, help="Size at which a text stops growing; one that can't be shorter is longer.")
    ] = MAX_BYTES,
    model: TokenizerSource = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print each text as a JSON string.")] = False,
    **grammar: Any,
) -> None:
    """Draw random texts that a grammar allows, and print one a line. No model is asked.

    At each place, each way to go on (a string, a number, null, another key, the end) is equally likely. Each text stops
    growing at a random size between a quarter of --max-bytes and --max-bytes, and is then completed in the shortest
    way. Texts may repeat. With --json, texts with line breaks are easier to read.

    Examples:

    guided sample person.json

    guided sample models.py:Order --num 3 --seed 7

    guided sample --regex '[0-9]{4}-[0-9]{2}'

    guided sample --ebnf chess.gbnf --dialect gbnf --max-bytes 60
    """
    needed = "give a grammar: a schema, or one of the options that guided sample --help lists"
    source = read_grammar(schema=schema, needed=needed, **grammar)
    sampler = TextSampler(compile_source(source, model), seed, max_bytes)
    for _ in range(num):
        text = sampler.draw()
        print(json.dumps(text, ensure_ascii=False) if as_json else text)
