"""`guided generate`: one prompt in, one text out."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from rich.console import Console

from guided.grammars.errors import InvalidInputError

from .sources import load_schema


def generate(
    prompt: Annotated[
        str, typer.Option(help="The user's message, or with --raw the text to continue. - reads standard input.")
    ],
    model: Annotated[
        str | None, typer.Option(help="Model folder or hub name. Default: the model in the package.")
    ] = None,
    raw: Annotated[
        bool, typer.Option("--raw/--chat", help="Continue the prompt as it stands, or answer it as a chat message.")
    ] = False,
    schema: Annotated[
        str | None, typer.Option(help="Answer in JSON: FILE.json, FILE.py:CLASS or MODULE:CLASS.")
    ] = None,
    regex: Annotated[str | None, typer.Option(help="The whole answer matches this regex (Python syntax).")] = None,
    do_sample: Annotated[
        bool, typer.Option(help="Draw tokens at random; otherwise always take the most probable one.")
    ] = False,
    temperature: Annotated[
        float, typer.Option(help="With --do-sample: below 1 sharpens, above 1 flattens, 0 is greedy.")
    ] = 1.0,
    top_k: Annotated[int, typer.Option(help="With --do-sample: keep the k most probable tokens. 0: all.")] = 0,
    top_p: Annotated[float, typer.Option(help="With --do-sample: keep the smallest set with this mass. 1: all.")] = 1.0,
    min_p: Annotated[
        float, typer.Option(help="With --do-sample: keep tokens this probable beside the best. 0: all.")
    ] = 0.0,
    seed: Annotated[int | None, typer.Option(help="With --do-sample: the same seed gives the same text.")] = None,
    max_new_tokens: Annotated[int, typer.Option(help="End after so many tokens.")] = 128,
    stop_on_eos: Annotated[bool, typer.Option(help="End where the model ends the text.")] = True,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda, cuda:1, ...")] = "auto",
    dtype: Annotated[str, typer.Option(help="auto, float32, bfloat16 or float16.")] = "auto",
) -> None:
    """Complete one prompt, free or under a schema or a regex. The answer appears as it is made.

    Examples:

    guided generate --prompt "Ada Holm, 36, lives in Oslo." --schema person.json

    guided generate --model ./my-model --raw --prompt "Once upon a time" --do-sample --temperature 0.8 --top-p 0.9

    guided generate --model ./my-model --prompt "Yes or no?" --regex "yes|no"

    The answer goes to standard output, everything else to standard error.

    Exit code: 0, 1 when generation failed, 2 for bad input.
    """
    from ..llm import LLM
    from ..sampling_params import SamplingParams

    params = SamplingParams(
        temperature=temperature if do_sample else 0.0,
        top_k=top_k,
        top_p=top_p,
        min_p=min_p,
        seed=seed,
        max_new_tokens=max_new_tokens,
        ignore_eos=not stop_on_eos,
        json_schema=None if schema is None else load_schema(schema),
        regex=regex,
    )
    text = sys.stdin.read() if prompt == "-" else prompt
    if not text.strip():
        raise InvalidInputError("the prompt is empty; give it some text")
    console = Console(stderr=True, highlight=False)
    with console.status("loading the model"):
        llm = LLM(model, device=device, dtype=dtype)
    dtype_name = str(llm.engine.dtype).removeprefix("torch.")
    console.print(f"model: {llm.model_name}   device: {llm.engine.device}   dtype: {dtype_name}", style="dim")
    console.print(f"prompt: {text}", style="dim", markup=False)
    chunks = llm.stream(text if raw else [{"role": "user", "content": text}], params)
    for chunk in chunks:
        print(chunk.text, end="", flush=True)
    print()
    completion = chunk.completion
    assert completion is not None
    console.print(
        f"{completion.finish_reason}: {len(completion.token_ids)} tokens, {completion.tokens_per_s:.0f} tokens/s, "
        f"{completion.num_forced_tokens} forced",
        style="dim",
    )
    if completion.error is not None:
        console.print(f"guided: {completion.error}", style="red", markup=False)
        raise typer.Exit(1)
