"""`guided generate`: completes one prompt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.console import Console

from guided.grammars.errors import InvalidInputError

from ..params.conversions import PRESETS
from ..params.sampling_params import SamplingParams, meanings
from .grammar_options import read_grammar, takes_a_grammar
from .loading import ModelName, load_llm
from .sources import read_standard_input

DRAWING, ENDING = "Drawing tokens", "Ending the text"
PANELS: dict[str, dict[str, Any]] = {
    DRAWING: {"temperature": float, "top_k": int, "top_p": float, "min_p": float, "seed": int},
    "Against repetition": {"repetition_penalty": float, "frequency_penalty": float, "presence_penalty": float},
    ENDING: {"max_new_tokens": int, "stop": list[str], "stop_regex": list[str]},
}
"""Panel of the help -> fields of `SamplingParams` that are options, with the types of their values."""


def _sampling_options() -> Iterator[tuple[str, Any]]:
    """The options of PANELS, with the explanations in `SamplingParams`."""
    said = meanings()
    for panel, kinds in PANELS.items():
        for name, kind in kinds.items():
            yield name, Annotated[kind | None, typer.Option(help=said[name], rich_help_panel=panel)]


@takes_a_grammar(dict(_sampling_options()))
def generate(
    prompt: Annotated[
        str, typer.Option(help="The user's message, or with --raw the text to continue. - reads standard input.")
    ],
    model: ModelName = None,
    tokenizer_name: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="Folder or hub name of the tokenizer, where it is not the one beside the model."
        ),
    ] = None,
    raw: Annotated[
        bool, typer.Option("--raw/--chat", help="Continue the prompt as it stands, or answer it as a chat message.")
    ] = False,
    preset: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            rich_help_panel=DRAWING,
            help="A ready way of drawing: factual or code (greedy), chat (temperature 0.7, top-p 0.9), creative (1.0, "
            "0.95). Further options change it.",
        ),
    ] = None,
    do_sample: Annotated[
        bool,
        typer.Option(
            rich_help_panel=DRAWING, help="Draw tokens at random; otherwise always take the most probable one."
        ),
    ] = False,
    stop_on_eos: Annotated[
        bool,
        typer.Option(
            "--stop-on-eos/--no-stop-on-eos",
            rich_help_panel=ENDING,
            help="End where the model ends the text, or go on to --max-new-tokens.",
        ),
    ] = True,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda, cuda:1, ...")] = "auto",
    dtype: Annotated[str, typer.Option(help="auto, float32, bfloat16 or float16.")] = "auto",
    **grammar: Any,
) -> None:
    """Complete one prompt, with or without a grammar, and print the answer while it is generated.

    Examples:

    guided generate --prompt "Ada Holm, 36, lives in Oslo." --schema person.json

    guided generate --model ./my-model --raw --prompt "Once upon a time" --do-sample --temperature 0.8 --top-p 0.9

    guided generate --model ./my-model --prompt "Name three rivers." --preset chat --seed 7 --stop "4."

    guided generate --model ./my-model --prompt "Is it raining?" --choice yes --choice no

    guided generate --model ./my-model --prompt "When?" --regex "[0-9]{4}-[0-9]{2}-[0-9]{2}"

    guided generate --model ./my-model --prompt "The ten best customers?" --library sql_select

    guided generate --model ./my-model --prompt "1.e4" --raw --ebnf chess.gbnf

    guided generate --model ./my-model --prompt "Weather in Oslo?" --structural-tag tools.json

    The answer goes to standard output, everything else to standard error.

    Exit code: 0; 1 if generation failed, or if the answer was cut off before it fitted its grammar; 2 for bad input.
    """
    options = {name: grammar.pop(name) for kinds in PANELS.values() for name in kinds}
    given = {name: value for name, value in options.items() if value not in (None, [])}
    constraint = read_grammar(**grammar)
    length = {"max_new_tokens": None if constraint else 128}
    params = SamplingParams(
        **{**length, **_drawing(preset, do_sample, given)}, ignore_eos=not stop_on_eos, **constraint
    )
    text = read_standard_input() if prompt == "-" else prompt
    if not text.strip():
        raise InvalidInputError("the prompt is empty; give it some text")
    console = Console(stderr=True, highlight=False)
    llm = load_llm(model, tokenizer=tokenizer_name, device=device, dtype=dtype)
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
        f"{completion.finish_reason}: {completion.num_tokens} tokens, {completion.tokens_per_s:.0f} tokens/s, "
        f"{completion.num_forced_tokens} forced",
        style="dim",
    )
    failure = None if completion.error is None else str(completion.error)
    if failure is None and completion.fits_grammar is False and completion.stopped_by is None:
        failure = f"cut off after {completion.num_tokens} tokens, before the answer was complete"
    if failure is None and completion.closed_in_budget:
        failure = (
            f"cut to fit into its budget of tokens, {completion.num_tokens} of them: the document is whole, and lacks "
            "what would have followed; raise --max-new-tokens"
        )
    if failure is not None:
        console.print(f"guided: {failure}", style="red", markup=False)
        raise typer.Exit(1)


def _drawing(preset: str | None, do_sample: bool, given: dict[str, Any]) -> dict[str, Any]:
    """The given sampling options, and how tokens are drawn: by the preset, or greedily unless told otherwise."""
    if preset is not None:
        if preset not in PRESETS:
            raise InvalidInputError(f"--preset must be {', '.join(PRESETS)}, not {preset!r}")
        return {**PRESETS[preset], **given}
    drawn = [f"--{name.replace('_', '-')}" for name in given if name in PANELS[DRAWING]]
    if drawn and not do_sample:
        raise InvalidInputError(f"{', '.join(drawn)} only applies to drawn tokens; add --do-sample, or leave it out")
    return {"temperature": 1.0 if do_sample else 0.0} | given
